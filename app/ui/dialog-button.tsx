/** Contains the buttons that open and close dialogs. They work without JavaScript in browsers that support dialog commands. */
import { useId, useRef, type ReactNode } from 'react'
import css from './dialog.module.css'
import { formTexts } from './form-texts.ts'

export type DialogButtonProps = {
  label: ReactNode
  question: string
  className?: string | undefined
  disabled?: boolean
  /** If true, the button cannot be used but keeps the focus. */
  isPending?: boolean | undefined
  ariaLabel?: string | undefined
}

/** Renders a button and the native dialog that it opens. The browser manages the focus and the Escape key. */
export function DialogButton({
  label,
  question,
  className,
  disabled,
  isPending,
  ariaLabel,
  children,
}: DialogButtonProps & { children: (dialogId: string) => ReactNode }) {
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
      <dialog
        id={id}
        ref={dialog}
        className={`card ${css.dialog}`}
        aria-labelledby={`${id}-question`}
      >
        <p
          id={`${id}-question`}
          className={`large ${css.question}`}
        >
          {question}
        </p>
        {children(id)}
      </dialog>
    </>
  )
}

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={css.choices}>{children}</div>
)

export const closestDialog = (button: HTMLElement) => button.closest('dialog')

type CloseProps = {
  dialogId: string
  children: ReactNode
  onClose?: (() => void) | undefined
  isFirst?: boolean
}

/** If `isFirst` is true, the dialog opens with the focus on this button. React never renders the attribute `autofocus` in a browser. */
export function CloseButton({ dialogId, children, onClose, isFirst = false }: CloseProps) {
  return (
    <button
      ref={(button) => void button?.toggleAttribute('autofocus', isFirst)}
      className="button quiet"
      type="button"
      {...{ command: 'close', commandfor: dialogId }}
      onClick={(event) => {
        closestDialog(event.currentTarget)?.close()
        onClose?.()
      }}
    >
      {children}
    </button>
  )
}

type Props = DialogButtonProps & {
  /** Returns a form that contains `yesNo`, which are the buttons "Yes" and "No". "Yes" submits the form with `confirm=Yes`, which the server requires. */
  children: (yesNo: ReactNode) => ReactNode
  onNo?: () => void
  /** If true, the button "Yes" has the style of a destructive action. The default is true if the button that opens the dialog has the class `danger`. */
  isDestructive?: boolean
}

export function ConfirmButton({
  children,
  onNo,
  className = 'button danger',
  isDestructive = className.includes('danger'),
  ...question
}: Props) {
  return (
    <DialogButton
      className={className}
      {...question}
    >
      {(dialogId) =>
        children(
          <DialogActions>
            {/* The dialog closes only after the form was sent, because a button in a closed dialog sends nothing. */}
            <button
              className={`button ${isDestructive ? 'destructive' : ''}`}
              name="confirm"
              value="Yes"
              aria-disabled={false}
              onClick={({ currentTarget }) =>
                setTimeout(() => closestDialog(currentTarget)?.close())
              }
            >
              {formTexts.yes}
            </button>
            <CloseButton
              dialogId={dialogId}
              onClose={onNo}
              isFirst={isDestructive}
            >
              {formTexts.no}
            </CloseButton>
          </DialogActions>,
        )
      }
    </DialogButton>
  )
}
