/** One backup of the list: take it along, have it read through, delete it. */
import { Form } from 'react-router'
import { sizeText } from '#app/ui/amounts.ts'
import { Ask } from '#app/ui/ask.tsx'
import { closeAfterwards, PasswordPrompt } from '#app/ui/password-prompt.tsx'
import type { BackupsAnswer } from './act-on-backups.server.ts'
import { reasonTexts } from './archive.ts'
import type { StoredArchive } from './backup-folder.server.ts'
import css from './backups-page.module.css'

type Props = { archive: StoredArchive; moment: string; isChecking: boolean; checked: BackupsAnswer['checked'] }

export function BackupRow({ archive: { name, reason, size }, moment, isChecking, checked }: Props) {
  const which = <input type="hidden" name="name" value={name} />
  return (
    <li className={css.archive}>
      <p className={css.told}>
        <strong>{moment}</strong>
        <span className={css.about}>
          {reasonTexts[reason]}, {sizeText(size)}
        </span>
      </p>
      <div className={css.acts}>
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
