/** A button that asks first: the question with Yes and No (TOAST-05). The dialog opens without script where the browser can. */
import { useId, useRef, type ReactNode } from 'react'
import css from './dialog.module.css'

type Props = {
  question: string
  /** the form that "Yes" sends; it gets confirm=Yes, and the server refuses without it */
  children: (yesNo: ReactNode) => ReactNode
  label: ReactNode
  className?: string
  disabled?: boolean
  ariaLabel?: string
  onNo?: () => void
}

export function Ask({ question, children, label, className = 'button danger', disabled = false, ariaLabel, onNo }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  const yesNo = (
    <div className={css.choices}>
      <button className="button" name="confirm" value="Yes" onClick={() => setTimeout(close)}>
        Yes
      </button>
      <button
        className="button quiet"
        type="button"
        {...{ command: 'close', commandfor: id }}
        onClick={() => {
          close()
          onNo?.()
        }}
      >
        No
      </button>
    </div>
  )
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={disabled}
        aria-label={ariaLabel}
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
        {children(yesNo)}
      </dialog>
    </>
  )
}
