import { Form, Link, useNavigation } from 'react-router'
import { Plus, Trash2 } from '#app/ui/icons.tsx'
import { AlertSettings } from '#app/features/messaging/notifications/alert-settings.tsx'
import type { Absence } from '#app/features/messaging/vacation-notice/away.server.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { AskForm, Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { minutesText, REMINDER_MINUTES } from '#app/features/settings/shop-settings.ts'
import type { RepliesAnswer, SavedReply } from './replies.action.server.ts'
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
      <div className={`stack ${css.sections}`}>
        <ReplyForms replies={replies} answer={answer} />
        <AwayForm absence={absence} state={absenceState} answer={answer} />
        <section className={`card slim ${css.section}`} aria-labelledby="alerts-title">
          <h2 id="alerts-title">On this device</h2>
          <p className="soft">While the shop is open in a tab, also in the background.</p>
          <AlertSettings />
        </section>
        <ReminderForm minutes={minutes} hasServer={hasServer} hasAddress={hasAddress} answer={answer} />
      </div>
    </main>
  )
}

function ReplyForms({ replies, answer }: Pick<Props, 'replies' | 'answer'>) {
  return (
    <section className={`card slim ${css.section}`} aria-labelledby="replies-title">
      <h2 id="replies-title">Saved replies</h2>
      <p className="soft">
        What you write again and again. In a conversation, “Saved replies” puts one into your message. <code>{'{name}'}</code> becomes the
        customer's first name.
      </p>
      <ul role="list" className={css.replies}>
        {replies.map((reply) => (
          <li key={reply.id}>
            <ReplyForm reply={reply} answer={answer} />
          </li>
        ))}
      </ul>
      {/* A new reply in the list: the form for the next one is empty again. */}
      <ReplyForm key={replies.map(({ id }) => id).join()} answer={answer} isOpen={replies.length === 0} />
    </section>
  )
}

function ReplyForm({ reply, answer, isOpen = false }: { reply?: SavedReply; answer: RepliesAnswer | undefined; isOpen?: boolean }) {
  const sending = useNavigation().formData
  const intent = reply ? 'change' : 'add'
  const isPending = sending?.get('intent') === intent && (!reply || sending.get('id') === reply.id)
  const { field, error, typed } = refusalAt(answer, reply?.id ?? 'add') ?? {}
  return (
    <details className={`fold anchor ${css.reply}`} open={isOpen || field !== undefined || undefined}>
      <summary>
        {reply ? (
          <span className={`one-line slim ${css.name}`}>
            <strong>{reply.title}</strong> <span className="soft">{reply.text}</span>
          </span>
        ) : (
          <>
            <Plus size={20} aria-hidden /> <strong>Add a reply</strong>
          </>
        )}
      </summary>
      <Form method="post" noValidate preventScrollReset aria-busy={isPending}>
        <HiddenFields intent={intent} id={reply?.id} />
        <Field label="Name" name="title" error={field === 'title' ? error : undefined}>
          {(tied) => <input {...tied} defaultValue={typed?.title ?? reply?.title} autoComplete="off" />}
        </Field>
        <Field label="Reply" name="text" error={field === 'text' ? error : undefined}>
          {(tied) => <textarea {...tied} defaultValue={typed?.text ?? reply?.text} rows={4} />}
        </Field>
        <button className="button" aria-disabled={isPending}>
          {reply ? 'Save' : 'Add'}
        </button>
      </Form>
      {reply && (
        <AskForm
          form={Form}
          fields={{ intent: 'delete', id: reply.id }}
          label={<Trash2 size={20} aria-hidden />}
          ariaLabel={`Delete ${reply.title}`}
          question={`Delete the reply “${reply.title}”?`}
        />
      )}
    </details>
  )
}

const days = [
  ['awayFrom', 'First day'],
  ['awayUntil', 'Last day'],
] as const

/** S-185; `state` says whether customers see it. */
function AwayForm({ absence, state, answer }: { absence: Absence; state: string; answer: RepliesAnswer | undefined }) {
  const isPending = useNavigation().formData?.get('intent') === 'away'
  const { field, error, typed } = refusalAt(answer, 'away') ?? {}
  const shared = (key: keyof Absence) => ({ name: key, id: key, error: field === key ? error : undefined })
  const valueOf = (key: keyof Absence) => typed?.[key] ?? absence[key]
  return (
    <section className={`card slim ${css.section}`} aria-labelledby="away-title">
      <h2 id="away-title">While you are away</h2>
      <p className="soft" role="status">
        {state}
      </p>
      <Form method="post" noValidate preventScrollReset aria-busy={isPending}>
        <HiddenFields intent="away" />
        <div className={`stack ${css.days}`}>
          {days.map(([key, label]) => (
            <Field label={label} {...shared(key)} key={key}>
              {(tied) => <input type="date" {...tied} defaultValue={valueOf(key)} />}
            </Field>
          ))}
        </div>
        <Field label="Away message" {...shared('awayText')}>
          {(tied) => (
            <textarea {...tied} rows={3} placeholder="I answer everything as soon as I am back." defaultValue={valueOf('awayText')} />
          )}
        </Field>
        <button className="button" aria-disabled={isPending}>
          Save away message
        </button>
      </Form>
    </section>
  )
}

type ReminderFormProps = { minutes: number; hasServer: boolean; hasAddress: boolean; answer: RepliesAnswer | undefined }

/** S-180, S-183: after how long an unread message becomes an email. */
function ReminderForm({ minutes, hasServer, hasAddress, answer }: ReminderFormProps) {
  const isPending = useNavigation().formData?.get('intent') === 'letters'
  return (
    <section className={`card slim ${css.section}`} aria-labelledby="letters-title">
      <h2 id="letters-title">Letters about unread messages</h2>
      <p className="soft">
        When a message stays unread, yours or a customer's, whoever should read it gets one e-mail that leads back here. What could not be
        delivered stands at <Link to="/manage/mail/">Mail</Link>.
      </p>
      {!hasServer && (
        <p className="notice">
          No mail server is set, so letters are only kept as files. Whoever runs the shop can name one in <code>SMTP_URL</code>.
        </p>
      )}
      {!hasAddress && (
        <p className="notice">
          The shop does not know its address on the internet, so the links in letters do not work elsewhere. Whoever runs the shop can set{' '}
          <code>PUBLIC_URL</code>.
        </p>
      )}
      <Form method="post" preventScrollReset aria-busy={isPending}>
        <HiddenFields intent="letters" />
        <Field label="Send a letter" name="reminderMinutes" id="reminderMinutes" error={refusalAt(answer, 'letters')?.error}>
          {(tied) => (
            <select {...tied} className={`input ${css.narrow}`} key={minutes} defaultValue={minutes}>
              {REMINDER_MINUTES.map((choice) => (
                <option key={choice} value={choice}>
                  {minutesText(choice)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button className="button" aria-disabled={isPending}>
          Save
        </button>
      </Form>
    </section>
  )
}

function refusalAt(answer: RepliesAnswer | undefined, place: string): RepliesAnswer | undefined {
  return answer && !answer.ok && answer.place === place ? answer : undefined
}
