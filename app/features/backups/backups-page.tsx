/** The owner's page of backups: the last one, a new one, and those that lie there (S-264 to S-268). */
import { Form, Link, useNavigation } from 'react-router'
import { sizeText } from '#app/ui/amounts.ts'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { momentText } from '#app/ui/moments.ts'
import { ToldWithoutScript, useAnswerToasts } from '#app/ui/toasts.tsx'
import type { BackupsAnswer } from './act-on-backups.server.ts'
import { reasonTexts, staysUntilDeleted } from './archive.ts'
import { copiesText, FOLDER_IS_GONE, roomText } from './backup-texts.ts'
import { BackupRow } from './backup-row.tsx'
import type { BackupFacts } from './backups.server.ts'
import css from './backups-page.module.css'
import { momentsApart } from './moments-apart.ts'

type Props = BackupFacts & { keep: number; timeZone: string; answer: BackupsAnswer | undefined }

export function BackupsPage({ archives, copies, isFolderThere, failure, isUnderWay, next, keep, timeZone, answer }: Props) {
  useAnswerToasts(answer)
  const going = useNavigation().formData
  const isBusy = going?.get('intent') === 'make' || isUnderWay
  const [last] = archives
  const moment = (at: number) => momentText(at, timeZone)
  const apart = momentsApart(
    archives.map(({ at }) => at),
    timeZone,
  )
  const checked = answer?.checked
  const staying = archives.filter(({ reason }) => staysUntilDeleted(reason))
  return (
    <main className="page" id="main">
      <h1>Backups</h1>
      <p className="intro">Your whole shop in one file: pieces, conversations, sales and pictures, as they were at one moment.</p>
      <ToldWithoutScript answer={answer} />
      <div className={css.sections}>
        <section className={`card ${css.section}`} aria-labelledby="last-backup">
          <h2 id="last-backup">Last backup</h2>
          {last ? (
            <p className={css.last}>
              <strong>{apart[0]}</strong>
              <span className={css.about}>
                {reasonTexts[last.reason]}, {sizeText(last.size)}
              </span>
            </p>
          ) : isFolderThere ? (
            <div className={css.none}>
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
        {(last || copies.count > 0) && (
          <section className={`card ${css.section}`} aria-labelledby="all-backups">
            <h2 id="all-backups">All backups</h2>
            {last && <p className="soft">{roomText(archives, staying)}</p>}
            {copies.count > 0 && <p className="soft">{copiesText(copies)}</p>}
            <ul role="list" className={css.archives} hidden={!last}>
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
        <section className={`card ${css.section}`} aria-labelledby="elsewhere">
          <h2 id="elsewhere">Keep one elsewhere</h2>
          <p>
            A backup on the shop’s own machine goes when the machine goes. Download one now and then and keep it in another place, as safe
            as the shop itself: conversations, addresses and the shop’s keys are in it.
          </p>
          <p>
            It is a zip file with your pictures in it and the rest as plain text; its README says what is what. Bringing one back is done on
            the machine, by whoever runs the shop: what is there now is backed up before.
          </p>
        </section>
      </div>
      <p className={css.way}>
        <Link to="/manage/settings/">Settings</Link>
      </p>
    </main>
  )
}
