import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Form, useActionData, useNavigation } from 'react-router'
import { checkConnectivity, connectivity } from '#app/client/connectivity.ts'
import { saveDraft, useStoredDraft } from '#app/client/drafts.ts'
import { SubmissionFailed } from '#app/ui/action-result.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { offlineTexts } from '#app/ui/texts.ts'
import { showToast } from '#app/ui/toast-store.ts'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'
import type { ContactField } from './contact.ts'
import type { ContactAnswer } from './contact.server.ts'
import { contactFormTexts, contactTexts } from './texts.ts'
import css from './contact-page.module.css'

const fields: { name: ContactField; type: string; autoComplete?: string; hint?: string }[] = [
  { name: 'name', type: 'text', autoComplete: 'name' },
  { name: 'email', type: 'email', autoComplete: 'email' },
  { name: 'phone', type: 'tel', autoComplete: 'tel', hint: contactFormTexts.phoneHint },
  { name: 'message', type: 'textarea' },
]

/** The form does not send a longer message. The server would refuse a longer form unread, and the typed text would be lost. */
const MAX_FORM_CHARACTERS = 25_000

/** The browser stores drafts of this form under this name instead of a user id, because visitors need no account. [S-441] */
const DRAFT_OWNER = 'contact'

type DraftInputProps = {
  name: string
  type: string
  autoComplete: string | undefined
  defaultValue: string
}

function DraftInput({ type, ...props }: DraftInputProps) {
  const { name, defaultValue } = props
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useStoredDraft(input, DRAFT_OWNER, name, defaultValue)
  const tied = {
    ...props,
    ref: input,
    onInput: () => saveDraft(DRAFT_OWNER, name, input.current!.value),
  }
  return type === 'textarea' ? (
    <textarea
      rows={7}
      {...tied}
    />
  ) : (
    <input
      type={type}
      {...tied}
    />
  )
}

export function ContactForm({
  answer,
  stamp,
}: {
  answer: ContactAnswer | undefined
  stamp: string
}) {
  const form = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const isPending = navigation.formAction?.startsWith('/contact') ?? false
  const { typed, note, ...stored } = useTypedValues(answer, stamp)
  useActionToasts(answer)
  // True if the form could not be sent, because the browser was offline.
  const [isUnsent, setUnsent] = useState(false)
  const result = useActionData<unknown>()
  const [last, setLast] = useState(result)
  if (result !== last) {
    setLast(result)
    if (result) setUnsent(result instanceof SubmissionFailed)
  }
  // After the server has sent the message, the form is cleared. After an error, the focus moves to the invalid field. [S-035]
  useEffect(() => {
    if (!answer || !form.current) return
    if (answer.ok) form.current.reset()
    else if (answer.field)
      form.current.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
    // The honeypot field is cleared, because a browser may have filled it in, and the visitor's next attempt must succeed.
    form.current.querySelector<HTMLInputElement>('[name="website"]')!.value = ''
    // The shop has stored the message.
    if (answer.note) for (const { name } of fields) saveDraft(DRAFT_OWNER, name, '')
  }, [answer])
  const holdBack = (event: FormEvent<HTMLFormElement>) => {
    setUnsent(connectivity.isLost())
    if (connectivity.isLost()) {
      event.preventDefault()
      checkConnectivity()
      return showToast(offlineTexts.notSent)
    }
    const message = event.currentTarget.querySelector('textarea')!
    if (message.value.length <= MAX_FORM_CHARACTERS) return
    event.preventDefault()
    showToast(contactTexts.tooLong)
    message.focus()
  }
  return (
    <Form
      ref={form}
      method="post"
      action="/contact/?tab=mail"
      noValidate
      data-queued
      preventScrollReset
      aria-busy={isPending}
      className={css.form}
      onSubmit={holdBack}
    >
      <NoScriptMessages
        answer={answer}
        className={css.message}
      />
      {fields.map(({ name, type, autoComplete, hint }) => (
        <Field
          label={contactFormTexts.fields[name]}
          name={name}
          id={name}
          error={answer?.field === name ? answer.error : undefined}
          hint={hint}
          example={hint}
          className={`field ${name === 'name' || name === 'message' ? css.wide : ''}`}
          key={name}
        >
          {(tied) => (
            <DraftInput
              {...tied}
              type={type}
              autoComplete={autoComplete}
              defaultValue={typed?.[name] ?? ''}
            />
          )}
        </Field>
      ))}
      {/* Visitors do not see this honeypot field, so only bots fill it in. */}
      <div
        className="visually-hidden"
        aria-hidden="true"
      >
        <label htmlFor="website">{contactFormTexts.honeypot}</label>
        <input
          id="website"
          name="website"
          tabIndex={-1}
          autoComplete="off"
        />
      </div>
      <input
        type="hidden"
        name="stamp"
        value={stored.stamp}
      />
      <div className={`${css.wide} stack ${css.foot}`}>
        <button
          className="button"
          aria-disabled={isPending}
        >
          {contactFormTexts.submit}
        </button>
        <p
          className="error"
          role="alert"
        >
          {isUnsent && !isPending && contactFormTexts.unsent}
        </p>
        {note && !isPending && <p className="notice">{note}</p>}
      </div>
    </Form>
  )
}

/** Keeps the typed values of the last response, because React Router forgets the response when the visitor opens another tab of the contact page. */
function useTypedValues(answer: ContactAnswer | undefined, first: string) {
  const [stored, keep] = useState({
    answer,
    stamp: answer?.stamp || first,
    typed: answer?.typed,
    note: answer?.note,
  })
  if (!answer || answer === stored.answer) return stored
  const next = {
    answer,
    stamp: answer.stamp || stored.stamp,
    typed: answer.typed,
    note: answer.note,
  }
  keep(next)
  return next
}
