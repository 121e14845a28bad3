/** The form of the Mail tab. */
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Form, useNavigation } from 'react-router'
import { Field } from '#app/ui/form-fields.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { ToldWithoutScript, useAnswerToasts } from '#app/ui/toasts.tsx'
import { contactTexts, type ContactField } from './contact.ts'
import type { ContactAnswer } from './contact.server.ts'
import css from './contact-page.module.css'

const fields: { name: ContactField; label: string; type: string; autoComplete?: string; hint?: string }[] = [
  { name: 'name', label: 'Name', type: 'text', autoComplete: 'name' },
  { name: 'email', label: 'Email Address', type: 'email', autoComplete: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel', autoComplete: 'tel', hint: '10 or 11 characters' },
  { name: 'message', label: 'Message', type: 'textarea' },
]

/** More than the shop reads at once: its answer would come in the place of the page, and take what was typed with it. */
const UNREADABLE = 100_000

type Props = { answer: ContactAnswer | undefined; stamp: string }

export function ContactForm({ answer, stamp }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const isPending = navigation.formAction?.startsWith('/contact') ?? false
  const { typed, note, ...kept } = useKept(answer, stamp)
  useAnswerToasts(answer)
  // The browser holds what is typed and where the focus is: cleared when it was sent (S-035), led to the mistake when not.
  useEffect(() => {
    if (!answer || !form.current) return
    if (answer.ok) form.current.reset()
    else if (answer.field) form.current.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
    // A browser may have filled in the trap; the next press is a person's.
    form.current.querySelector<HTMLInputElement>('[name="website"]')!.value = ''
  }, [answer])
  const holdBack = (event: FormEvent<HTMLFormElement>) => {
    const message = event.currentTarget.querySelector('textarea')!
    if (message.value.length <= UNREADABLE) return
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
      preventScrollReset
      aria-busy={isPending}
      className={css.form}
      onSubmit={holdBack}
    >
      <ToldWithoutScript answer={answer} className={css.told} />
      {fields.map(({ name, label, type, autoComplete, hint }) => (
        <Field
          label={label}
          name={name}
          id={name}
          error={answer?.field === name ? answer.error : undefined}
          hint={hint}
          className={`field ${name === 'name' || name === 'message' ? css.wide : ''}`}
          key={name}
        >
          {(tied) => {
            const shared = { ...tied, autoComplete, defaultValue: typed?.[name] ?? '' }
            return type === 'textarea' ? <textarea rows={7} {...shared} /> : <input type={type} {...shared} />
          }}
        </Field>
      ))}
      {/* Only programs fill this in. */}
      <div className="unseen" aria-hidden="true">
        <label htmlFor="website">Website</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <input type="hidden" name="stamp" value={kept.stamp} />
      <div className={`${css.wide} stack ${css.foot}`}>
        <button className="button" aria-disabled={isPending}>
          Submit
        </button>
        {note && !isPending && <p className="notice">{note}</p>}
      </div>
    </Form>
  )
}

/** What the last answer left in the form. It outlives a change of tabs, which drops the answer; the stamp is never a newer one than needed. */
function useKept(answer: ContactAnswer | undefined, first: string) {
  const [kept, keep] = useState({ answer, stamp: answer?.stamp || first, typed: answer?.typed, note: answer?.note })
  if (!answer || answer === kept.answer) return kept
  const next = { answer, stamp: answer.stamp || kept.stamp, typed: answer.typed, note: answer.note }
  keep(next)
  return next
}
