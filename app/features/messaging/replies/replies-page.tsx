import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Plus, Trash2 } from '#ui/owner-icons.tsx'
import { NotificationSettings } from '../notifications/notification-settings.tsx'
import type { VacationSettings } from '#settings/vacation.server.ts'
import { ActionForm, SubmitButton, usePageForm, type FormState } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { InputField, SelectField, TextareaField } from '#ui/form-fields.tsx'
import { UnsavedInputDialog } from '#ui/unsaved-changes-dialog.tsx'
import { useStoredValues } from '#ui/use-stored-values.ts'
import { REMINDER_MINUTES } from '#settings/shop-settings.ts'
import { reminderText } from '#settings/texts.ts'
import type { RepliesResult, SavedReply } from './replies.actions.server.ts'
import { repliesTexts as texts, savedReplyTexts, vacationTexts } from '../owner-texts.ts'
import css from './replies-page.module.css'

type RepliesPageProps = {
  replies: SavedReply[]
  absence: VacationSettings
  absenceState: string
  minutes: number
  hasServer: boolean
  hasAddress: boolean
  answer: RepliesResult | undefined
}
type SettingsForm = FormState<RepliesResult>

export function RepliesPage({ answer, ...page }: RepliesPageProps) {
  const main = useRef<HTMLElement>(null)
  const form = usePageForm(answer)
  return (
    <main
      className="page"
      id="main"
      ref={main}
    >
      <h1>{texts.title}</h1>
      <div className={`grid gap-4 ${css.sections}`}>
        <ReplyForms
          replies={page.replies}
          form={form}
        />
        <VacationForm
          absence={page.absence}
          state={page.absenceState}
          form={formAt(form, 'away')}
        />
        <Section
          id="alerts-title"
          title={texts.device}
        >
          <p className="text-soft">{texts.deviceHint}</p>
          <NotificationSettings />
        </Section>
        <Section
          id="reminders-title"
          title={texts.reminders}
        >
          <ReminderNotes
            hasServer={page.hasServer}
            hasAddress={page.hasAddress}
          />
          <ReminderForm
            minutes={page.minutes}
            form={formAt(form, 'reminders')}
          />
        </Section>
      </div>
      <UnsavedInputDialog
        root={main}
        isRefused={form.answer?.typed !== undefined}
      />
    </main>
  )
}

function formAt(form: SettingsForm, place: string) {
  const { answer, formData } = form
  return {
    ...form,
    answer: answer?.place === place ? answer : undefined,
    isPending: (formData?.get('id') ?? formData?.get('intent')) === place,
  }
}

function ReplyForms({ replies, form }: { replies: SavedReply[]; form: SettingsForm }) {
  const [added, setAdded] = useState('')
  if (form.answer?.added && form.answer.added !== added) setAdded(form.answer.added)
  return (
    <Section
      id="replies-title"
      title={savedReplyTexts.title}
    >
      <p className="text-soft">
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
              form={formAt(form, reply.id)}
            />
          </li>
        ))}
      </ul>
      <ReplyForm
        key={added}
        form={formAt(form, 'add')}
        isOpen={replies.length === 0}
      />
    </Section>
  )
}

type ReplyFormProps = { reply?: SavedReply; form: SettingsForm; isOpen?: boolean }

function ReplyForm({ reply, form, isOpen = false }: ReplyFormProps) {
  const element = useRef<HTMLFormElement>(null)
  useStoredValues(element, reply ?? {})
  const { errors, typed } = form.answer ?? {}
  return (
    <details
      className={`fold relative ${css.reply}`}
      open={isOpen || errors !== undefined || undefined}
    >
      <summary>
        {reply ? (
          <span className={`truncate min-w-0 ${css.name}`}>
            <strong>{reply.title}</strong> <span className="text-soft">{reply.text}</span>
          </span>
        ) : (
          <>
            <Plus size={20} /> <strong>{savedReplyTexts.add}</strong>
          </>
        )}
      </summary>
      <ActionForm
        form={form}
        ref={element}
        noValidate
        fields={{ intent: reply ? 'change' : 'add', id: reply?.id }}
      >
        <InputField
          label={savedReplyTexts.name}
          name="title"
          defaultValue={typed?.title ?? reply?.title}
          autoComplete="off"
        />
        <TextareaField
          label={savedReplyTexts.reply}
          name="text"
          defaultValue={typed?.text ?? reply?.text}
          rows={4}
        />
        <SubmitButton>{reply ? savedReplyTexts.save : savedReplyTexts.submitNew}</SubmitButton>
      </ActionForm>
      {reply && (
        <ConfirmForm
          form={form}
          fields={{ intent: 'delete', id: reply.id }}
          label={<Trash2 size={20} />}
          ariaLabel={savedReplyTexts.delete(reply.title)}
          question={savedReplyTexts.deleteQuestion(reply.title)}
        />
      )}
    </details>
  )
}

type VacationFormProps = { absence: VacationSettings; state: string; form: SettingsForm }

function VacationForm({ absence, state, form }: VacationFormProps) {
  const element = useRef<HTMLFormElement>(null)
  useStoredValues(element, absence)
  const valueOf = (key: keyof VacationSettings) => form.answer?.typed?.[key] ?? absence[key]
  return (
    <Section
      id="away-title"
      title={vacationTexts.title}
    >
      <p
        className="text-soft"
        role="status"
      >
        {state}
      </p>
      <ActionForm
        form={form}
        ref={element}
        noValidate
        fields={{ intent: 'away' }}
      >
        <div className={`grid gap-4 ${css.days}`}>
          <InputField
            label={vacationTexts.firstDay}
            name="awayFrom"
            id="awayFrom"
            type="date"
            defaultValue={valueOf('awayFrom')}
          />
          <InputField
            label={vacationTexts.lastDay}
            name="awayUntil"
            id="awayUntil"
            type="date"
            defaultValue={valueOf('awayUntil')}
          />
        </div>
        <TextareaField
          label={vacationTexts.message}
          name="awayText"
          id="awayText"
          rows={3}
          placeholder={vacationTexts.placeholder}
          defaultValue={valueOf('awayText')}
        />
        <SubmitButton>{vacationTexts.save}</SubmitButton>
      </ActionForm>
    </Section>
  )
}

const ReminderNotes = ({
  hasServer,
  hasAddress,
}: Pick<RepliesPageProps, 'hasServer' | 'hasAddress'>) => (
  <>
    <p className="text-soft">
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
  </>
)

const ReminderForm = ({ minutes, form }: { minutes: number; form: SettingsForm }) => (
  <ActionForm
    form={form}
    fields={{ intent: 'reminders' }}
  >
    <SelectField
      label={texts.sendEmail}
      name="reminderMinutes"
      id="reminderMinutes"
      controlClassName={`input ${css.narrow}`}
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
    </SelectField>
    <SubmitButton>{texts.save}</SubmitButton>
  </ActionForm>
)

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section
    className={`card min-w-0 ${css.section}`}
    aria-labelledby={id}
  >
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)
