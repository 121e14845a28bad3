/** The owner's page of backups: the last one, a new one, and those that lie there (S-264 to S-268). */
import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import { sizeText } from '#app/ui/amounts.ts'
import { Ask } from '#app/ui/question.tsx'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { momentText } from '#app/ui/moments.ts'
import { closeAfterwards, PasswordPrompt } from '#app/ui/password-prompt.tsx'
import { ToldWithoutScript, useAnswerToasts } from '#app/ui/toasts.tsx'
import { distinctTimeTexts, FOLDER_IS_GONE, reasonTexts, roomText, staysUntilDeleted } from './backup.ts'
import type { BackupFacts, BackupsAnswer } from './backups.server.ts'
import type { StoredBackup } from './create-backup.server.ts'
import css from './backups-page.module.css'

type Props = BackupFacts & { keep: number; timeZone: string; answer: BackupsAnswer | undefined }

export function BackupsPage({ archives, isFolderThere, hasDatabase, failure, isUnderWay, next, keep, timeZone, answer }: Props) {
  useAnswerToasts(answer)
  const going = useNavigation().formData
  const isBusy = going?.get('intent') === 'make' || isUnderWay
  const [last] = archives
  const moment = (at: number) => momentText(at, timeZone)
  const apart = distinctTimeTexts(
    archives.map(({ at }) => at),
    timeZone,
  )
  const checked = answer?.checked
  const staying = archives.filter(({ reason }) => staysUntilDeleted(reason))
  return (
    <main className="page" id="main">
      <h1>Backups</h1>
      <p className="intro">
        {hasDatabase
          ? 'Your whole shop in one file: pieces, conversations, sales and pictures, as they were at one moment.'
          : 'Your pictures and the shop’s keys in one file. The rest is in a PostgreSQL database: whoever runs the shop backs that up.'}
      </p>
      <ToldWithoutScript answer={answer} />
      <div className={`stack ${css.sections}`}>
        <section className={`card stack slim ${css.section}`} aria-labelledby="last-backup">
          <h2 id="last-backup">Last backup</h2>
          {last ? (
            <p className={`stack ${css.last}`}>
              <strong>{apart[0]}</strong>
              <span className="soft small">
                {reasonTexts[last.reason]}, {sizeText(last.size)}
              </span>
            </p>
          ) : isFolderThere ? (
            <div className={`stack ${css.none}`}>
              <LooseKnot />
              <p>There is no backup yet.</p>
            </div>
          ) : (
            <p className={css.failure} role="alert">
              {FOLDER_IS_GONE}
            </p>
          )}
          {failure && (
            <p className={css.failure} role="alert">
              <strong>The backup of {moment(failure.at)} could not be made.</strong> {failure.error}
            </p>
          )}
          <p className="soft">
            {next === null
              ? 'None is made by itself: whoever runs the shop has turned that off.'
              : `The next one is made by itself on ${moment(next)}. Of these, ${keep === 1 ? 'the newest stays' : `the newest ${keep} stay`}; those you make yourself stay until you delete them.`}
          </p>
          <Form method="post" preventScrollReset className={css.make}>
            <button className="button" name="intent" value="make" aria-disabled={isBusy} aria-busy={isBusy}>
              Back up now
            </button>
          </Form>
          {isUnderWay && going?.get('intent') !== 'make' && (
            <p className="soft" role="status">
              A backup is being made. It stands below once it is whole.
            </p>
          )}
        </section>
        {last && (
          <section className={`card stack slim ${css.section}`} aria-labelledby="all-backups">
            <h2 id="all-backups">All backups</h2>
            <p className="soft">{roomText(archives, staying)}</p>
            <ul role="list" className={css.archives}>
              {archives.map((archive, index) => (
                <BackupRow
                  key={archive.name}
                  archive={archive}
                  moment={apart[index]!}
                  isChecking={going?.get('intent') === 'check' && going.get('name') === archive.name}
                  checked={checked?.name === archive.name ? checked : undefined}
                />
              ))}
            </ul>
          </section>
        )}
        <section className={`card stack slim ${css.section}`} aria-labelledby="elsewhere">
          <h2 id="elsewhere">Keep one elsewhere</h2>
          <p>
            A backup on the shop’s own machine goes when the machine goes. Download one now and then and keep it in another place, as safe
            as the shop itself: {hasDatabase && 'conversations, addresses and '}the shop’s keys are in it.
          </p>
          <p>
            It is a zip file with your pictures in it{hasDatabase && ' and the rest as a database file'}; its README says what is what.
            Bringing one back is done on the machine, by whoever runs the shop: what is there now is backed up before.
          </p>
          {!hasDatabase && (
            <>
              <p>Pieces, conversations and sales are also yours as one JSON file.</p>
              <DownloadAll back="/manage/backups/" />
            </>
          )}
        </section>
      </div>
      <p className={css.way}>
        <Link to="/manage/settings/">Settings</Link>
      </p>
    </main>
  )
}

/** One backup of the list, with its buttons: download, check, delete. */
type RowProps = { archive: StoredBackup; moment: string; isChecking: boolean; checked: BackupsAnswer['checked'] }

function BackupRow({ archive: { name, reason, size }, moment, isChecking, checked }: RowProps) {
  const which = <input type="hidden" name="name" value={name} />
  return (
    <li className={`stack ruled ${css.archive}`}>
      <p className={`stack flush ${css.told}`}>
        <strong>{moment}</strong>
        <span className="soft small">
          {reasonTexts[reason]}, {sizeText(size)}
        </span>
      </p>
      <div className={`stack ${css.acts}`}>
        <PasswordPrompt
          label="Download"
          ariaLabel={`Download the backup of ${moment}`}
          question="Your password, before everything leaves the house"
        >
          {(prompt) => (
            // A document's own form: the browser saves the answer as a file and stays where it is.
            <form method="post" action="/manage/backups/file" onSubmit={closeAfterwards}>
              <input type="hidden" name="back" value="/manage/backups/" />
              {which}
              {prompt}
            </form>
          )}
        </PasswordPrompt>
        <Form method="post" preventScrollReset>
          {which}
          <button
            className="button quiet"
            name="intent"
            value="check"
            aria-disabled={isChecking}
            aria-busy={isChecking}
            aria-label={`Check the backup of ${moment}`}
          >
            Check
          </button>
        </Form>
        <Ask label="Delete" ariaLabel={`Delete the backup of ${moment}`} question={`Delete the backup of ${moment}?`}>
          {(yesNo) => (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="delete" />
              {which}
              {yesNo}
            </Form>
          )}
        </Ask>
      </div>
      {checked && (
        <p className={checked.isWhole ? css.whole : css.failure} role="status">
          {checked.text}
        </p>
      )}
    </li>
  )
}
