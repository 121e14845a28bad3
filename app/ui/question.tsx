/** A button and the dialog behind it: the one place where dialogs with a question open and close, without script too where the browser can. */
import { useId, useRef, type ReactNode } from 'react'
import css from './dialog.module.css'

export type QuestionProps = {
  label: ReactNode
  question: string
  className?: string | undefined
  disabled?: boolean
  /** not now, by the dialog's own doing: the button keeps the focus */
  isPending?: boolean | undefined
  ariaLabel?: string | undefined
}

/** Focus, Escape and what lies behind are the browser's: it brings the focus back to the button. */
export function Question({
  label,
  question,
  className,
  disabled,
  isPending,
  ariaLabel,
  children,
}: QuestionProps & { children: (dialogId: string) => ReactNode }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={disabled}
        aria-disabled={isPending}
        aria-label={ariaLabel}
        aria-haspopup="dialog"
        {...{ command: 'show-modal', commandfor: isPending ? undefined : id }}
        onClick={(event) => {
          event.preventDefault()
          if (!isPending && !dialog.current?.open) dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <dialog id={id} ref={dialog} className={`card ${css.dialog}`} aria-labelledby={`${id}-question`}>
        <p id={`${id}-question`} className={`large ${css.question}`}>
          {question}
        </p>
        {children(id)}
      </dialog>
    </>
  )
}

export const Choices = ({ children }: { children: ReactNode }) => <div className={css.choices}>{children}</div>

export const dialogAround = (button: HTMLElement) => button.closest('dialog')

type CloseProps = { dialogId: string; children: ReactNode; onClose?: (() => void) | undefined }

export function CloseButton({ dialogId, children, onClose }: CloseProps) {
  return (
    <button
      className="button quiet"
      type="button"
      {...{ command: 'close', commandfor: dialogId }}
      onClick={(event) => {
        dialogAround(event.currentTarget)?.close()
        onClose?.()
      }}
    >
      {children}
    </button>
  )
}

type Props = QuestionProps & {
  /** the form that "Yes" sends; it gets confirm=Yes, and the server refuses without it */
  children: (yesNo: ReactNode) => ReactNode
  onNo?: () => void
}

export function Ask({ children, onNo, className = 'button danger', ...question }: Props) {
  return (
    <Question className={className} {...question}>
      {(dialogId) =>
        children(
          <Choices>
            {/* Closed after the form has gone out: a button in a closed dialog sends nothing. */}
            <button
              className="button"
              name="confirm"
              value="Yes"
              aria-disabled={false}
              onClick={({ currentTarget }) => setTimeout(() => dialogAround(currentTarget)?.close())}
            >
              Yes
            </button>
            <CloseButton dialogId={dialogId} onClose={onNo}>
              No
            </CloseButton>
          </Choices>,
        )
      }
    </Question>
  )
}
