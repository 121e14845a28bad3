import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import { formatBytes } from '#app/ui/format-count.ts'
import { ConfirmButton } from '#app/ui/dialog-button.tsx'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { formatDateTime } from '#app/ui/format-date-time.ts'
import { closeDialogAfterSubmit, PasswordPrompt } from '#app/ui/password-prompt.tsx'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'
import { distinctTimeTexts, staysUntilDeleted } from './backup.ts'
import type { BackupFacts, BackupsResult } from './backups.server.ts'
import type { StoredBackup } from './create-backup.server.ts'
import { backupsTexts as texts, spaceText } from './texts.ts'
import css from './backups-page.module.css'

type Props = BackupFacts & { keep: number; timeZone: string; answer: BackupsResult | undefined }

export function BackupsPage({
  archives,
  isFolderThere,
  hasDatabase,
  failure,
  isUnderWay,
  next,
  keep,
  timeZone,
  answer,
}: Props) {
  useActionToasts(answer)
  const going = useNavigation().formData
  const isBusy = going?.get('intent') === 'make' || isUnderWay
  const [last] = archives
  const moment = (at: number) => formatDateTime(at, timeZone)
  const apart = distinctTimeTexts(
    archives.map(({ at }) => at),
    timeZone,
  )
  const checked = answer?.checked
  const staying = archives.filter(({ reason }) => staysUntilDeleted(reason))
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
      <NoScriptMessages answer={answer} />
      <div className={`stack ${css.sections}`}>
        <section
          className={`card stack slim ${css.section}`}
          aria-labelledby="last-backup"
        >
          <h2 id="last-backup">{texts.last}</h2>
          {last ? (
            <p className={`stack ${css.last}`}>
              <strong>{apart[0]}</strong>
              <span className="soft small">
                {texts.reasons[last.reason]}, {formatBytes(last.size)}
              </span>
            </p>
          ) : isFolderThere ? (
            <div className="empty">
              <LooseKnot />
              <p>{texts.none}</p>
            </div>
          ) : (
            <p
              className={css.failure}
              role="alert"
            >
              {texts.folderMissing}
            </p>
          )}
          {failure && (
            <p
              className={css.failure}
              role="alert"
            >
              <strong>{texts.failed(moment(failure.at))}</strong> {failure.error}
            </p>
          )}
          <p className="soft">
            {next === null ? texts.noAutomatic : texts.next(moment(next), keep)}
          </p>
          <Form
            method="post"
            preventScrollReset
            className={css.make}
          >
            <button
              className="button"
              name="intent"
              value="make"
              aria-disabled={isBusy}
              aria-busy={isBusy}
            >
              {texts.backUpNow}
            </button>
          </Form>
          {isUnderWay && going?.get('intent') !== 'make' && (
            <p
              className="soft"
              role="status"
            >
              {texts.underWay}
            </p>
          )}
        </section>
        {last && (
          <section
            className={`card stack slim ${css.section}`}
            aria-labelledby="all-backups"
          >
            <h2 id="all-backups">{texts.all}</h2>
            <p className="soft">{spaceText(archives, staying)}</p>
            <ul
              role="list"
              className={css.archives}
            >
              {archives.map((archive, index) => (
                <BackupRow
                  key={archive.name}
                  archive={archive}
                  moment={apart[index]!}
                  isChecking={
                    going?.get('intent') === 'check' && going.get('name') === archive.name
                  }
                  checked={checked?.name === archive.name ? checked : undefined}
                />
              ))}
            </ul>
          </section>
        )}
        <section
          className={`card stack slim ${css.section}`}
          aria-labelledby="elsewhere"
        >
          <h2 id="elsewhere">{texts.elsewhere}</h2>
          <p>{texts.elsewhereReason(hasDatabase)}</p>
          <p>{texts.contents(hasDatabase)}</p>
          {!hasDatabase && (
            <>
              <p>{texts.alsoJson}</p>
              <DownloadAll back="/manage/backups/" />
            </>
          )}
        </section>
      </div>
    </main>
  )
}

type RowProps = {
  archive: StoredBackup
  moment: string
  isChecking: boolean
  checked: BackupsResult['checked']
}

function BackupRow({ archive: { name, reason, size }, moment, isChecking, checked }: RowProps) {
  const which = (
    <input
      type="hidden"
      name="name"
      value={name}
    />
  )
  return (
    <li className={`stack ruled ${css.archive}`}>
      <p className={`stack flush ${css.message}`}>
        <strong>{moment}</strong>
        <span className="soft small">
          {texts.reasons[reason]}, {formatBytes(size)}
        </span>
      </p>
      <div className={`stack ${css.acts}`}>
        <PasswordPrompt
          label={texts.download}
          ariaLabel={texts.downloadLabel(moment)}
          question={texts.downloadQuestion}
        >
          {(prompt) => (
            // This form is sent by the browser itself, which saves the response as a file and stays on the page.
            <form
              method="post"
              action="/manage/backups/file"
              onSubmit={closeDialogAfterSubmit}
            >
              <input
                type="hidden"
                name="back"
                value="/manage/backups/"
              />
              {which}
              {prompt}
            </form>
          )}
        </PasswordPrompt>
        <Form
          method="post"
          preventScrollReset
        >
          {which}
          <button
            className="button quiet"
            name="intent"
            value="check"
            aria-disabled={isChecking}
            aria-busy={isChecking}
            aria-label={texts.checkLabel(moment)}
          >
            {texts.check}
          </button>
        </Form>
        <ConfirmButton
          label={texts.delete}
          ariaLabel={texts.deleteLabel(moment)}
          question={texts.deleteQuestion(moment)}
        >
          {(yesNo) => (
            <Form
              method="post"
              preventScrollReset
            >
              <input
                type="hidden"
                name="intent"
                value="delete"
              />
              {which}
              {yesNo}
            </Form>
          )}
        </ConfirmButton>
      </div>
      {checked && (
        <p
          className={checked.isIntact ? css.whole : css.failure}
          role="status"
        >
          {checked.text}
        </p>
      )}
    </li>
  )
}
