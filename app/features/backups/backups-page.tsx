import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { ActionForm, type FormState, SubmitButton, usePageForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { DownloadAll } from '#settings/download-all.tsx'
import { formatBytes } from '#ui/format-bytes.ts'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { formatDateTime } from '#ui/format-date-time.ts'
import { PasswordDownload } from '#ui/password-prompt.tsx'
import { NoScriptMessages } from '#ui/toasts.tsx'
import { distinctTimeTexts, staysUntilDeleted } from './backup.ts'
import type { BackupFacts, BackupsResult } from './backups.server.ts'
import type { StoredBackup } from './create-backup.server.ts'
import { backupsTexts as texts, spaceText } from './texts.ts'
import css from './backups-page.module.css'

type BackupsPageProps = BackupFacts & { keep: number; answer: BackupsResult | undefined }

export function BackupsPage({ answer, ...facts }: BackupsPageProps) {
  const { archives, hasDatabase } = facts
  const form = usePageForm(answer)
  const times = distinctTimeTexts(
    archives.map(({ at }) => at),
    useShopTimeZone(),
  )
  return (
    <main
      className="page"
      id="main"
    >
      <Link
        className="tap"
        to="/manage/settings/"
      >
        {texts.settings}
      </Link>
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro(hasDatabase)}</p>
      <NoScriptMessages answer={form.answer} />
      <div className={`grid gap-4 ${css.sections}`}>
        <LastBackup
          {...facts}
          time={times[0]}
          form={form}
        />
        {archives.length > 0 && (
          <AllBackups
            archives={archives}
            times={times}
            form={form}
          />
        )}
        <BackupsElsewhere hasDatabase={hasDatabase} />
      </div>
    </main>
  )
}

type LastBackupProps = Omit<BackupsPageProps, 'answer'> & {
  time: string | undefined
  form: FormState
}

function LastBackup({ failure, isUnderWay, next, keep, form, ...last }: LastBackupProps) {
  const timeZone = useShopTimeZone()
  const formatMoment = (at: number) => formatDateTime(at, timeZone)
  const isRequested = form.pendingIntent === 'make'
  return (
    <Section
      id="last-backup"
      title={texts.last}
    >
      <LastArchive {...last} />
      {failure && (
        <p
          className={css.failure}
          role="alert"
        >
          <strong>{texts.failed(formatMoment(failure.at))}</strong> {failure.error}
        </p>
      )}
      <p className="text-soft">
        {next === null ? texts.noAutomatic : texts.next(formatMoment(next), keep)}
      </p>
      <ActionForm
        form={form}
        className={css.make}
        fields={{ intent: 'make' }}
      >
        <SubmitButton isPending={isRequested || isUnderWay}>{texts.backUpNow}</SubmitButton>
      </ActionForm>
      {isUnderWay && !isRequested && (
        <p
          className="text-soft"
          role="status"
        >
          {texts.underWay}
        </p>
      )}
    </Section>
  )
}

type LastArchiveProps = Pick<LastBackupProps, 'archives' | 'isFolderThere' | 'time'>

function LastArchive({ archives, isFolderThere, time }: LastArchiveProps) {
  const [last] = archives
  if (last) {
    return (
      <p className={`grid gap-4 ${css.last}`}>
        <strong>{time}</strong>
        <span className="text-soft text-sm">
          {texts.reasons[last.reason]}, {formatBytes(last.size)}
        </span>
      </p>
    )
  }
  if (!isFolderThere) {
    return (
      <p
        className={css.failure}
        role="alert"
      >
        {texts.folderMissing}
      </p>
    )
  }
  return (
    <div className="empty">
      <LooseKnot />
      <p>{texts.none}</p>
    </div>
  )
}

type AllBackupsProps = {
  archives: StoredBackup[]
  times: string[]
  form: FormState<BackupsResult>
}

function AllBackups({ archives, times, form }: AllBackupsProps) {
  const staying = archives.filter(({ reason }) => staysUntilDeleted(reason))
  return (
    <Section
      id="all-backups"
      title={texts.all}
    >
      <p className="text-soft">{spaceText(archives, staying)}</p>
      <ul
        role="list"
        className={css.archives}
      >
        {archives.map((archive, index) => (
          <BackupRow
            key={archive.name}
            archive={archive}
            time={times[index]!}
            form={form}
          />
        ))}
      </ul>
    </Section>
  )
}

const BackupsElsewhere = ({ hasDatabase }: { hasDatabase: boolean }) => (
  <Section
    id="elsewhere"
    title={texts.elsewhere}
  >
    <p>{texts.elsewhereReason(hasDatabase)}</p>
    <p>{texts.contents(hasDatabase)}</p>
    {!hasDatabase && (
      <>
        <p>{texts.alsoJson}</p>
        <DownloadAll back="/manage/backups/" />
      </>
    )}
  </Section>
)

type BackupRowProps = { archive: StoredBackup; time: string; form: FormState<BackupsResult> }

function BackupRow({ archive: { name, reason, size }, time, form }: BackupRowProps) {
  const { answer, formData, pendingIntent } = form
  const result = answer?.checked?.name === name ? answer.checked : undefined
  return (
    <li className={`grid gap-4 border-b ${css.archive}`}>
      <p className={`grid gap-4 m-0 ${css.message}`}>
        <strong>{time}</strong>
        <span className="text-soft text-sm">
          {texts.reasons[reason]}, {formatBytes(size)}
        </span>
      </p>
      <div className={`grid gap-4 ${css.acts}`}>
        <PasswordDownload
          label={texts.download}
          ariaLabel={texts.downloadLabel(time)}
          question={texts.downloadQuestion}
          action="/manage/backups/file"
          fields={{ back: '/manage/backups/', name }}
        />
        <ActionForm
          form={form}
          fields={{ intent: 'check', name }}
        >
          <SubmitButton
            className="button quiet"
            isPending={pendingIntent === 'check' && formData?.get('name') === name}
            aria-label={texts.checkLabel(time)}
          >
            {texts.check}
          </SubmitButton>
        </ActionForm>
        <ConfirmForm
          form={form}
          fields={{ intent: 'delete', name }}
          label={texts.delete}
          ariaLabel={texts.deleteLabel(time)}
          question={texts.deleteQuestion(time)}
          isPending={false}
        />
      </div>
      {result && (
        <p
          className={result.isIntact ? css.whole : css.failure}
          role="status"
        >
          {result.text}
        </p>
      )}
    </li>
  )
}

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section
    className={`card grid gap-4 min-w-0 ${css.section}`}
    aria-labelledby={id}
  >
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)
