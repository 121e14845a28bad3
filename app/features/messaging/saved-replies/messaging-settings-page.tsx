import { useRef, useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { Plus, Trash2 } from '#app/ui/icons.tsx'
import { NotificationSettings } from '#app/features/messaging/notifications/notification-settings.tsx'
import type { VacationSettings } from '#app/features/messaging/vacation-notice/vacation.server.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { ConfirmForm, Field, HiddenFields, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { UnsavedInputDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import { useStoredValues } from '#app/ui/use-stored-values.ts'
import { REMINDER_MINUTES } from '#app/features/settings/shop-settings.ts'
import { reminderText } from '#app/features/settings/texts.ts'
import type { MessagingSettingsResult, SavedReply } from './messaging-settings.action.server.ts'
import { messagingSettingsTexts as texts, savedReplyTexts, vacationTexts } from '../owner-texts.ts'
import css from './messaging-settings-page.module.css'

type Props = {
  replies: SavedReply[]
  absence: VacationSettings
  absenceState: string
  minutes: number
  hasServer: boolean
  hasAddress: boolean
  answer: MessagingSettingsResult | undefined
}

export function MessagingSettingsPage({
  replies,
  absence,
  absenceState,
  minutes,
  hasServer,
  hasAddress,
  answer,
}: Props) {
  const main = useRef<HTMLElement>(null)
  useActionToasts(answer)
  useFocusFirstInvalid(main, answer)
  return (
    <main
      className="page"
      id="main"
      ref={main}
    >
      <h1>{texts.title}</h1>
      <div className={`stack ${css.sections}`}>
        <ReplyForms
          replies={replies}
          answer={answer}
        />
        <VacationForm
          absence={absence}
          state={absenceState}
          answer={answer}
        />
        <section
          className={`card slim ${css.section}`}
          aria-labelledby="alerts-title"
        >
          <h2 id="alerts-title">{texts.device}</h2>
          <p className="soft">{texts.deviceHint}</p>
          <NotificationSettings />
        </section>
        <ReminderForm
          minutes={minutes}
          hasServer={hasServer}
          hasAddress={hasAddress}
          answer={answer}
        />
      </div>
      <UnsavedInputDialog
        root={main}
        isRefused={answer?.typed !== undefined}
      />
    </main>
  )
}

function ReplyForms({ replies, answer }: Pick<Props, 'replies' | 'answer'>) {
  const [added, setAdded] = useState('')
  if (answer?.added && answer.added !== added) setAdded(answer.added)
  return (
    <section
      className={`card slim ${css.section}`}
      aria-labelledby="replies-title"
    >
      <h2 id="replies-title">{savedReplyTexts.title}</h2>
      <p className="soft">
        {savedReplyTexts.hint.before}
        <code>{'{name}'}</code>
        {savedReplyTexts.hint.after}
      </p>
      <ul
        role="list"
        className={css.replies}
      >
        {replies.map((reply) => (
          <li key={reply.id}>
            <ReplyForm
              reply={reply}
              answer={answer}
            />
          </li>
        ))}
      </ul>
      {/* After the owner has added a reply with this form, the key changes, so that React renders an empty form. [S-475] */}
      <ReplyForm
        key={added}
        answer={answer}
        isOpen={replies.length === 0}
      />
    </section>
  )
}

function ReplyForm({
  reply,
  answer,
  isOpen = false,
}: {
  reply?: SavedReply
  answer: MessagingSettingsResult | undefined
  isOpen?: boolean
}) {
  const form = useRef<HTMLFormElement>(null)
  useStoredValues(form, reply ?? {})
  const sending = useNavigation().formData
  const intent = reply ? 'change' : 'add'
  const isPending = sending?.get('intent') === intent && (!reply || sending.get('id') === reply.id)
  const { errors, typed } = refusalAt(answer, reply?.id ?? 'add') ?? {}
  return (
    <details
      className={`fold anchor ${css.reply}`}
      open={isOpen || errors !== undefined || undefined}
    >
      <summary>
        {reply ? (
          <span className={`one-line slim ${css.name}`}>
            <strong>{reply.title}</strong> <span className="soft">{reply.text}</span>
          </span>
        ) : (
          <>
            <Plus
              size={20}
              aria-hidden
            />{' '}
            <strong>{savedReplyTexts.add}</strong>
          </>
        )}
      </summary>
      <Form
        ref={form}
        method="post"
        noValidate
        preventScrollReset
        aria-busy={isPending}
      >
        <HiddenFields
          intent={intent}
          id={reply?.id}
        />
        <Field
          label={savedReplyTexts.name}
          name="title"
          error={errors?.title}
        >
          {(tied) => (
            <input
              {...tied}
              defaultValue={typed?.title ?? reply?.title}
              autoComplete="off"
            />
          )}
        </Field>
        <Field
          label={savedReplyTexts.reply}
          name="text"
          error={errors?.text}
        >
          {(tied) => (
            <textarea
              {...tied}
              defaultValue={typed?.text ?? reply?.text}
              rows={4}
            />
          )}
        </Field>
        <button
          className="button"
          aria-disabled={isPending}
        >
          {reply ? savedReplyTexts.save : savedReplyTexts.submitNew}
        </button>
      </Form>
      {reply && (
        <ConfirmForm
          form={Form}
          fields={{ intent: 'delete', id: reply.id }}
          label={
            <Trash2
              size={20}
              aria-hidden
            />
          }
          ariaLabel={savedReplyTexts.delete(reply.title)}
          question={savedReplyTexts.deleteQuestion(reply.title)}
        />
      )}
    </details>
  )
}

const days = [
  ['awayFrom', vacationTexts.firstDay],
  ['awayUntil', vacationTexts.lastDay],
] as const

/** `state` is a text that says whether customers see the away message today. [S-185] */
function VacationForm({
  absence,
  state,
  answer,
}: {
  absence: VacationSettings
  state: string
  answer: MessagingSettingsResult | undefined
}) {
  const form = useRef<HTMLFormElement>(null)
  useStoredValues(form, absence)
  const isPending = useNavigation().formData?.get('intent') === 'away'
  const { errors, typed } = refusalAt(answer, 'away') ?? {}
  const shared = (key: keyof VacationSettings) => ({ name: key, id: key, error: errors?.[key] })
  const valueOf = (key: keyof VacationSettings) => typed?.[key] ?? absence[key]
  return (
    <section
      className={`card slim ${css.section}`}
      aria-labelledby="away-title"
    >
      <h2 id="away-title">{vacationTexts.title}</h2>
      <p
        className="soft"
        role="status"
      >
        {state}
      </p>
      <Form
        ref={form}
        method="post"
        noValidate
        preventScrollReset
        aria-busy={isPending}
      >
        <HiddenFields intent="away" />
        <div className={`stack ${css.days}`}>
          {days.map(([key, label]) => (
            <Field
              label={label}
              {...shared(key)}
              key={key}
            >
              {(tied) => (
                <input
                  type="date"
                  {...tied}
                  defaultValue={valueOf(key)}
                />
              )}
            </Field>
          ))}
        </div>
        <Field
          label={vacationTexts.message}
          {...shared('awayText')}
        >
          {(tied) => (
            <textarea
              {...tied}
              rows={3}
              placeholder={vacationTexts.placeholder}
              defaultValue={valueOf('awayText')}
            />
          )}
        </Field>
        <button
          className="button"
          aria-disabled={isPending}
        >
          {vacationTexts.save}
        </button>
      </Form>
    </section>
  )
}

type ReminderFormProps = {
  minutes: number
  hasServer: boolean
  hasAddress: boolean
  answer: MessagingSettingsResult | undefined
}

/** The owner chooses after how many minutes an unread message causes an email. [S-180, S-183] */
function ReminderForm({ minutes, hasServer, hasAddress, answer }: ReminderFormProps) {
  const isPending = useNavigation().formData?.get('intent') === 'reminders'
  return (
    <section
      className={`card slim ${css.section}`}
      aria-labelledby="reminders-title"
    >
      <h2 id="reminders-title">{texts.reminders}</h2>
      <p className="soft">
        {texts.remindersHint.before}
        <Link to="/manage/mail/">{texts.remindersHint.link}</Link>
        {texts.remindersHint.after}
      </p>
      {!hasServer && (
        <p className="notice">
          {texts.noMailServer.before}
          <Link to="/manage/mail/#mailbox-form">{texts.noMailServer.link}</Link>
          {texts.noMailServer.after}
        </p>
      )}
      {!hasAddress && (
        <p className="notice">
          {texts.noAddress.before}
          <code>PUBLIC_URL</code>
          {texts.noAddress.after}
        </p>
      )}
      <Form
        method="post"
        preventScrollReset
        aria-busy={isPending}
      >
        <HiddenFields intent="reminders" />
        <Field
          label={texts.sendEmail}
          name="reminderMinutes"
          id="reminderMinutes"
          error={refusalAt(answer, 'reminders')?.errors?.reminderMinutes}
        >
          {(tied) => (
            <select
              {...tied}
              className={`input ${css.narrow}`}
              key={minutes}
              defaultValue={minutes}
            >
              {REMINDER_MINUTES.map((choice) => (
                <option
                  key={choice}
                  value={choice}
                >
                  {reminderText(choice)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button
          className="button"
          aria-disabled={isPending}
        >
          {texts.save}
        </button>
      </Form>
    </section>
  )
}

function refusalAt(
  answer: MessagingSettingsResult | undefined,
  place: string,
): MessagingSettingsResult | undefined {
  return answer && !answer.ok && answer.place === place ? answer : undefined
}
