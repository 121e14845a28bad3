/** A button that asks for the password first: a non-empty input with Cancel and Submit (TOAST-06, TOAST-07). Works without script where the browser can. */
import { useId, useRef, type ReactNode } from 'react'
import css from './dialog.module.css'

type Props = {
  label: ReactNode
  question: string
  className?: string
  /** the form that "Submit" sends, with the field `password`; the server checks it */
  children: (prompt: ReactNode) => ReactNode
}

export function PasswordPrompt({ label, question, className = 'button quiet', children }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const prompt = (
    <>
      <div className="field">
        <label htmlFor={`${id}-password`}>Password</label>
        <input className="input" id={`${id}-password`} name="password" type="password" autoComplete="current-password" required />
      </div>
      <div className={css.choices}>
        <button type="button" className="button quiet" {...{ command: 'close', commandfor: id }} onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button className="button">Submit</button>
      </div>
    </>
  )
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        {...{ command: 'show-modal', commandfor: id }}
        onClick={(event) => {
          event.preventDefault()
          if (!dialog.current?.open) dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <dialog id={id} ref={dialog} className={css.dialog} aria-labelledby={`${id}-question`}>
        <p id={`${id}-question`} className={css.question}>
          {question}
        </p>
        {children(prompt)}
      </dialog>
    </>
  )
}
