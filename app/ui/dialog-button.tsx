import { useId, useRef, type ReactNode } from 'react'
import css from './dialog.module.css'
import { formTexts } from './form-texts.ts'

export type DialogButtonProps = {
  label: ReactNode
  question: string
  className?: string
  disabled?: boolean
  isPending?: boolean
  ariaLabel?: string
}

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
          className={`text-lg ${css.question}`}
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
  onClose?: () => void
  isFirst?: boolean
}

/** React does not render the attribute `autofocus` in a browser, so the ref sets it. */
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

type ConfirmButtonProps = DialogButtonProps & {
  children: (yesNo: ReactNode) => ReactNode
  onNo?: () => void
  isDestructive?: boolean
}

export function ConfirmButton({
  children,
  onNo,
  className = 'button danger',
  isDestructive = className.includes('danger'),
  ...question
}: ConfirmButtonProps) {
  return (
    <DialogButton
      className={className}
      {...question}
    >
      {(dialogId) =>
        children(
          <DialogActions>
            {/* The dialog closes later, because a button in a closed dialog sends nothing. */}
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
