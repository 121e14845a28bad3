/** The form of the Mail tab. */
import { useEffect, useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { ContactField, ContactForm as Typed } from './contact.ts'
import css from './contact-page.module.css'

export type ContactAnswer = Answer & { typed?: Typed }

const fields: { name: ContactField; label: string; type: string; autoComplete?: string; hint?: string }[] = [
  { name: 'name', label: 'Name', type: 'text', autoComplete: 'name' },
  { name: 'email', label: 'Email Address', type: 'email', autoComplete: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel', autoComplete: 'tel', hint: '10 or 11 characters' },
  { name: 'message', label: 'Message', type: 'textarea' },
]

export function ContactForm({ answer }: { answer: ContactAnswer | undefined }) {
  const form = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const isPending = navigation.formAction?.startsWith('/contact') ?? false
  useAnswerToasts(answer)
  // The browser holds what is typed and where the focus is: cleared when it was sent (S-035), led to the mistake when not.
  useEffect(() => {
    if (answer?.ok) form.current?.reset()
    else if (answer?.field) form.current?.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
  }, [answer])
  return (
    <Form ref={form} method="post" action="/contact/?tab=mail" noValidate preventScrollReset aria-busy={isPending} className={css.form}>
      {fields.map(({ name, label, type, autoComplete, hint }) => {
        const error = answer?.field === name ? answer.error : undefined
        const shared = {
          id: name,
          name,
          autoComplete,
          className: 'input',
          defaultValue: answer?.typed?.[name] ?? '',
          'aria-invalid': error ? true : undefined,
          'aria-describedby': error ? `${name}-error` : hint ? `${name}-hint` : undefined,
        }
        return (
          <div className="field" key={name}>
            <label htmlFor={name}>{label}</label>
            {type === 'textarea' ? <textarea rows={6} {...shared} /> : <input type={type} {...shared} />}
            {error ? (
              <p className="error" id={`${name}-error`}>
                {error}
              </p>
            ) : (
              hint && (
                <span className="hint" id={`${name}-hint`}>
                  {hint}
                </span>
              )
            )}
          </div>
        )
      })}
      {/* Only programs fill this in. */}
      <div className={css.trap} aria-hidden="true">
        <label htmlFor="website">Website</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <noscript>
        {answer?.toasts?.map((text) => (
          <p role="status" key={text}>
            {text}
          </p>
        ))}
      </noscript>
      <button className="button" disabled={isPending}>
        Submit
      </button>
    </Form>
  )
}
