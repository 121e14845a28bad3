/** What helps the owner to answer in time: saved replies, an away message, letters, and how her own browser tells her. */
import { AlertSettings } from '#app/features/alerts/alert-settings.tsx'
import { AwayForm } from '#app/features/away/away-form.tsx'
import type { Absence } from '#app/features/away/away.ts'
import { ReminderForm } from '#app/features/reminders/reminder-form.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { RepliesAnswer } from './replies-answer.ts'
import { ReplyForms } from './reply-forms.tsx'
import type { SavedReply } from './saved-reply.ts'
import css from './replies-page.module.css'

type Props = {
  replies: SavedReply[]
  absence: Absence
  absenceState: string
  minutes: number
  hasServer: boolean
  hasAddress: boolean
  answer: RepliesAnswer | undefined
}

/** S-180 to S-185 */
export function RepliesPage({ replies, absence, absenceState, minutes, hasServer, hasAddress, answer }: Props) {
  useAnswerToasts(answer)
  return (
    <main className="page" id="main">
      <h1>Replies and alerts</h1>
      <div className={css.sections}>
        <ReplyForms replies={replies} answer={answer} />
        <AwayForm absence={absence} state={absenceState} answer={answer} />
        <section className={`card ${css.section}`} aria-labelledby="alerts-title">
          <h2 id="alerts-title">On this device</h2>
          <p className="soft">While the shop is open in a tab, also in the background.</p>
          <AlertSettings />
        </section>
        <ReminderForm minutes={minutes} hasServer={hasServer} hasAddress={hasAddress} answer={answer} />
      </div>
    </main>
  )
}
