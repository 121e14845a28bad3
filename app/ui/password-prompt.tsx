import { useEffect, useId, useRef, type ReactNode, type SubmitEvent } from 'react'
import { useRouteLoaderData } from 'react-router'
import {
  DialogActions,
  CloseButton,
  closestDialog,
  DialogButton,
  type DialogButtonProps,
} from './dialog-button.tsx'
import { Field } from './form-fields.tsx'
import { formTexts } from './form-texts.ts'
import { passwordTexts } from './password-texts.ts'

type Props = DialogButtonProps & {
  /** Returns a form that contains the prompt. The button "Submit" of the prompt sends this form with the field `password`. */
  children: (prompt: ReactNode) => ReactNode
  /** This is true while the form is being sent, and undefined for forms that download a file. */
  isPending?: boolean
}

/** Shows a field for a two-factor code if two-step login is on for the user's account. `reauthenticate` checks this field. */
export function SecondFactorField({ error }: { error?: string | undefined }) {
  const root = useRouteLoaderData<{ user: { hasSecondFactor?: boolean } | null }>('root')
  if (!root?.user?.hasSecondFactor) return null
  return (
    <Field
      label={passwordTexts.code}
      name="code"
      error={error}
    >
      {(tied) => (
        <input
          {...tied}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      )}
    </Field>
  )
}

/** Shows the fields that `reauthenticate` checks. */
export function PasswordField({ label = passwordTexts.password }: { label?: string | undefined }) {
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
}: Props) {
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
  error?: string | undefined
  help?: string | undefined
  className?: string | undefined
  /** The name of the field that gets the focus after an error. Without a name, the focus does not move. */
  field?: string
  isDone?: boolean
  onClose: () => void
}

/** Shows the error of a form in a dialog, and clears the error and the typed text when the dialog closes. */
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

/** Closes the dialog of a form that downloads a file, because the download does not change the page. Closing the dialog clears the password. */
export function closeDialogAfterSubmit({ currentTarget: form }: SubmitEvent<HTMLFormElement>) {
  setTimeout(() => {
    closestDialog(form)?.close()
    form.reset()
  })
}
