import { createContext, useContext, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { SignInWith } from '#app/features/auth/oauth/sign-in-with.tsx'
import type { ProviderChoice } from '#app/lib/auth/oauth-providers.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { DialogError, PasswordField } from '#app/ui/password-prompt.tsx'
import {
  DialogActions,
  CloseButton,
  DialogButton,
  type DialogButtonProps,
} from '#app/ui/dialog-button.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import css from './account-section.module.css'
import type { UserDataSummary } from '#app/features/auth/user-data-summary.server.ts'
import { deletedDataText } from './delete-account/delete-account.ts'
import { accountTexts, deletionSummaryTexts as texts } from './texts.ts'
import type { ReauthMethod } from '#app/features/auth/reauthenticate.server.ts'
import { loginErrorTexts } from '#app/features/auth/texts.ts'
import { providerTexts } from '#app/features/auth/oauth/texts.ts'

type SectionProps = { id: string; title: string; hint?: ReactNode; children: ReactNode }

export const AccountSection = ({ id, title, hint, children }: SectionProps) => (
  <section
    className={`card stack ${css.section}`}
    id={id}
    aria-labelledby={`${id}-title`}
  >
    <div>
      <h2
        className={css.title}
        id={`${id}-title`}
      >
        {title}
      </h2>
      {hint && <p className="soft small flush">{hint}</p>}
    </div>
    <div className={`slim ${css.content}`}>{children}</div>
  </section>
)

export const LinkedProvidersContext = createContext<readonly ProviderChoice[]>([])

type Props = DialogButtonProps & {
  /** The URL to which the form is sent. The route action of this URL must call `reauthenticate` and `respond`. */
  action: string
  reauthMethod: ReauthMethod
  passwordLabel?: string | undefined
  /** Text and fields that are shown before the password field. */
  children?: ReactNode
  /** Fields that are shown after the password field. */
  fieldsAfter?: ReactNode
}

/** A dialog with a form that asks for the user's password. An error stays visible until the user closes the dialog. A success closes the dialog. [LOGIN-28 to LOGIN-30] */
export function ReauthenticatedForm({
  action,
  reauthMethod,
  passwordLabel,
  children,
  fieldsAfter,
  className = 'button quiet',
  ...question
}: Props) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const providers = useContext(LinkedProvidersContext)
  const isPending = fetcher.state !== 'idle'
  const isDone = !isPending && fetcher.data?.ok === true
  const form = (dialogId: string) => (
    <fetcher.Form
      method="post"
      action={action}
      aria-busy={isPending}
    >
      <RedirectToField />
      {children}
      {reauthMethod === 'password' && <PasswordField label={passwordLabel} />}
      {fieldsAfter}
      <DialogError
        field="password"
        {...(isPending ? {} : fetcher.data)}
        className={css.message}
        isDone={isDone}
        onClose={fetcher.reset}
      />
      <DialogActions>
        <CloseButton dialogId={dialogId}>{accountTexts.cancel}</CloseButton>
        <button
          className={`button ${className.includes('danger') ? 'destructive' : ''}`}
          aria-disabled={isPending}
          aria-busy={isPending}
        >
          {/* The specification prescribes the button text "Submit" only for the password prompt. Other dialogs repeat the label of their question. [TOAST-06] */}
          {reauthMethod === 'password' ? accountTexts.submit : question.label}
        </button>
      </DialogActions>
    </fetcher.Form>
  )
  // A customer without a password must log in again with a login provider if her last login is too old.
  const stale = (dialogId: string) => (
    <>
      <p>{loginErrorTexts.staleLogin}</p>
      {providers.map((provider) => (
        <SignInWith
          key={provider.id}
          provider={provider}
          purpose="prove"
          label={providerTexts.logInAgain(provider.name)}
        />
      ))}
      <DialogActions>
        <CloseButton dialogId={dialogId}>{accountTexts.cancel}</CloseButton>
      </DialogActions>
    </>
  )
  return (
    <DialogButton
      className={className}
      {...question}
    >
      {reauthMethod === 'stale' ? stale : form}
    </DialogButton>
  )
}

export function DeletionSummary({
  belongings,
  whose = 'your',
}: {
  belongings: UserDataSummary
  whose?: 'your' | 'their'
}) {
  const [goes, { requested, hasAgreement, purchases }] = [deletedDataText(belongings), belongings]
  return (
    <ul className={`stack ${css.list}`}>
      <li>{goes ? texts.immediately(goes) : texts.empty}</li>
      {requested.length > 0 && <li>{texts.requested(requested)}</li>}
      {hasAgreement && <li>{texts.agreement(whose)}</li>}
      {purchases > 0 && <li>{texts.remaining(purchases, whose)}</li>}
      {purchases > 0 && whose === 'your' && <li>{texts.settleFirst}</li>}
    </ul>
  )
}
