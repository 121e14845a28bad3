import { useEffect, useId, useRef, type ReactNode, type SubmitEvent } from 'react'
import { Choices, CloseButton, dialogAround, Question, type QuestionProps } from './question.tsx'

type Props = QuestionProps & {
  /** the form that "Submit" sends, with the field `password`; the server checks it */
  children: (prompt: ReactNode) => ReactNode
  /** while that form is under way; unset: nobody knows, as of a download */
  isPending?: boolean
}

export function PasswordField({ label = 'Password' }: { label?: string | undefined }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input className="input" id={id} name="password" type="password" autoComplete="current-password" required />
    </div>
  )
}

export function PasswordPrompt({ children, className = 'button quiet', isPending = false, ...question }: Props) {
  return (
    <Question className={className} {...question}>
      {(dialogId) =>
        children(
          <>
            <PasswordField />
            <Choices>
              <CloseButton dialogId={dialogId}>Cancel</CloseButton>
              <button className="button" aria-disabled={isPending} aria-busy={isPending}>
                Submit
              </button>
            </Choices>
          </>,
        )
      }
    </Question>
  )
}

type DialogErrorProps = {
  error?: string | undefined
  help?: string | undefined
  className?: string | undefined
  /** name of the field that takes the focus after a refusal; unset: the focus stays */
  field?: string
  isDone?: boolean
  onClose: () => void
}

/** What was refused, in a form of an open dialog. Whoever closes the dialog leaves nothing typed and nothing refused behind. */
export function DialogError({ error, help, className = '', field, isDone = false, onClose }: DialogErrorProps) {
  const place = useRef<HTMLParagraphElement>(null)
  // Focus and dialog are the browser's.
  useEffect(() => {
    if (error && field) place.current?.closest('form')?.querySelector<HTMLInputElement>(`input[name=${field}]`)?.select()
  }, [error, field])
  useEffect(() => {
    const form = place.current?.closest('form')
    const dialog = form && dialogAround(form)
    if (!dialog) return undefined
    const clean = () => {
      form.reset()
      onClose()
    }
    dialog.addEventListener('close', clean)
    if (isDone) dialog.close()
    return () => dialog.removeEventListener('close', clean)
  }, [isDone, onClose])
  return (
    <p className={`error ${className}`} role="alert" ref={place}>
      {error}
      {help && <small>{help}</small>}
    </p>
  )
}

/** For a document's own form whose answer is a file: the page stays as it is, so its dialog closes once the form has left, and keeps no password. */
export function closeAfterwards({ currentTarget: form }: SubmitEvent<HTMLFormElement>) {
  setTimeout(() => {
    dialogAround(form)?.close()
    form.reset()
  })
}
