import { useEffect, useId, useRef, type ReactNode, type SubmitEvent } from 'react'
import { useRouteLoaderData } from 'react-router'
import {
  DialogActions,
  CloseButton,
  closestDialog,
  DialogButton,
  type DialogButtonProps,
} from './dialog-button.tsx'
import { HiddenInputs, InputField, type HiddenValues } from './form-fields.tsx'
import { formTexts } from './form-texts.ts'
import { passwordTexts } from './password-texts.ts'

type PasswordPromptProps = DialogButtonProps & { children: (prompt: ReactNode) => ReactNode }

export function SecondFactorField() {
  const root = useRouteLoaderData<{ user: { hasSecondFactor?: boolean } | null }>('root')
  if (!root?.user?.hasSecondFactor) return null
  return (
    <InputField
      label={passwordTexts.code}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  )
}

export function PasswordField({ label = passwordTexts.password }: { label?: string }) {
  const id = useId()
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <input
          className="input"
          id={id}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </div>
      <SecondFactorField />
    </>
  )
}

export function PasswordPrompt({
  children,
  className = 'button quiet',
  isPending = false,
  ...question
}: PasswordPromptProps) {
  return (
    <DialogButton
      className={className}
      {...question}
    >
      {(dialogId) =>
        children(
          <>
            <PasswordField />
            <DialogActions>
              <CloseButton dialogId={dialogId}>{formTexts.cancel}</CloseButton>
              <button
                className="button"
                aria-disabled={isPending}
                aria-busy={isPending}
              >
                {formTexts.submit}
              </button>
            </DialogActions>
          </>,
        )
      }
    </DialogButton>
  )
}

type DialogErrorProps = {
  error?: string
  help?: string
  className?: string
  field?: string
  isDone?: boolean
  onClose: () => void
}

export function DialogError({
  error,
  help,
  className = '',
  field,
  isDone = false,
  onClose,
}: DialogErrorProps) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const input =
      error && field
        ? place.current?.closest('form')?.querySelector<HTMLInputElement>(`input[name=${field}]`)
        : null
    input?.focus()
    input?.select()
  }, [error, field])
  useEffect(() => {
    const form = place.current?.closest('form')
    const dialog = form && closestDialog(form)
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
    <p
      className={`error ${className}`}
      role="alert"
      ref={place}
    >
      {error}
      {help && <small>{help}</small>}
    </p>
  )
}

type PasswordDownloadProps = DialogButtonProps & { action: string; fields: HiddenValues }

/** Uses a plain form, because React Router's <Form> could not save a file. */
export const PasswordDownload = ({ action, fields, ...question }: PasswordDownloadProps) => (
  <PasswordPrompt {...question}>
    {(prompt) => (
      <form
        method="post"
        action={action}
        onSubmit={closeDialogAfterSubmit}
      >
        <HiddenInputs {...fields} />
        {prompt}
      </form>
    )}
  </PasswordPrompt>
)

/** A download leaves the page open, so the dialog must close and clear the password. */
function closeDialogAfterSubmit({ currentTarget: form }: SubmitEvent<HTMLFormElement>) {
  setTimeout(() => {
    closestDialog(form)?.close()
    form.reset()
  })
}
