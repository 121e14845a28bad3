/** After how long an unread message becomes a letter: the owner's choice. */
import { Form, Link, useNavigation } from 'react-router'
import { BackField } from '#app/ui/back-field.tsx'
import { refusalAt, type RepliesAnswer } from '#app/features/saved-replies/replies-answer.ts'
import css from '#app/features/saved-replies/replies-page.module.css'
import { minutesText, REMINDER_MINUTES } from './reminder.ts'

type Props = { minutes: number; hasServer: boolean; hasAddress: boolean; answer: RepliesAnswer | undefined }

/** S-180, S-183 */
export function ReminderForm({ minutes, hasServer, hasAddress, answer }: Props) {
  const isPending = useNavigation().formData?.get('intent') === 'letters'
  const { error } = refusalAt(answer, 'letters')
  return (
    <section className={`card ${css.section}`} aria-labelledby="letters-title">
      <h2 id="letters-title">Letters about unread messages</h2>
      <p className="soft">
        When a message stays unread, yours or a customer's, whoever should read it gets one e-mail that leads back here. What could not be
        delivered stands at <Link to="/manage/mail/">Mail</Link>.
      </p>
      {!hasServer && (
        <p className={css.notice}>
          No mail server is set, so letters are only kept as files. Whoever runs the shop can name one in <code>SMTP_URL</code>.
        </p>
      )}
      {!hasAddress && (
        <p className={css.notice}>
          The shop does not know its address on the internet, so the links in letters do not work elsewhere. Whoever runs the shop can set{' '}
          <code>PUBLIC_URL</code>.
        </p>
      )}
      <Form method="post" preventScrollReset aria-busy={isPending}>
        <BackField />
        <input type="hidden" name="intent" value="letters" />
        <div className="field">
          <label htmlFor="reminderMinutes">Send a letter</label>
          <select
            className={`input ${css.narrow}`}
            id="reminderMinutes"
            name="reminderMinutes"
            key={minutes}
            defaultValue={minutes}
            aria-invalid={error ? true : undefined}
          >
            {REMINDER_MINUTES.map((choice) => (
              <option key={choice} value={choice}>
                {minutesText(choice)}
              </option>
            ))}
          </select>
          {error && (
            <p className="error" role="alert">
              {error}
            </p>
          )}
        </div>
        <button className="button" aria-disabled={isPending}>
          Save
        </button>
      </Form>
    </section>
  )
}
