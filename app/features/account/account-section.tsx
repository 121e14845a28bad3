import { createContext, useContext, type ReactNode } from 'react'
import { SignInWith } from '#auth/oauth/sign-in-with.tsx'
import type { ProviderChoice } from '#lib/auth/oauth-providers.server.ts'
import { SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { HiddenFields, type HiddenValues } from '#ui/form-fields.tsx'
import { DialogError, PasswordField } from '#ui/password-prompt.tsx'
import {
  DialogActions,
  CloseButton,
  DialogButton,
  type DialogButtonProps,
} from '#ui/dialog-button.tsx'
import css from './account-section.module.css'
import type { UserDataSummary } from '#auth/user-data-summary.server.ts'
import { accountTexts, deletionSummaryTexts as texts } from './texts.ts'
import type { ReauthMethod } from '#auth/reauthenticate.server.ts'
import { loginErrorTexts } from '#auth/texts.ts'
import { providerTexts } from '#auth/oauth/texts.ts'

type SectionProps = {
  id: string
  texts: { title: string; hint?: ReactNode }
  children: ReactNode
}

export const AccountSection = ({ id, texts: { title, hint }, children }: SectionProps) => (
  <section
    className={`card grid gap-4 ${css.section}`}
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
      {hint && <p className="text-soft text-sm m-0">{hint}</p>}
    </div>
    <div className={`min-w-0 ${css.content}`}>{children}</div>
  </section>
)

export const LinkedProvidersContext = createContext<readonly ProviderChoice[]>([])

type ReauthenticatedFormProps = DialogButtonProps & {
  /** The action at this URL must call `reauthenticate` and `respond`. */
  action: string
  /** Another component can read the answer by this key. */
  formKey?: string
  reauthMethod: ReauthMethod
  fields?: HiddenValues
  passwordLabel?: string | undefined
  children?: ReactNode
  fieldsAfter?: ReactNode
}

export function ReauthenticatedForm({
  action,
  formKey,
  reauthMethod,
  fields,
  passwordLabel,
  children,
  fieldsAfter,
  className = 'button quiet',
  ...question
}: ReauthenticatedFormProps) {
  const form = useActionForm(formKey)
  const providers = useContext(LinkedProvidersContext)
  const passwordForm = (dialogId: string) => (
    <form.Form
      method="post"
      action={action}
      aria-busy={form.isPending}
    >
      <HiddenFields {...fields} />
      {children}
      {reauthMethod === 'password' && <PasswordField label={passwordLabel} />}
      {fieldsAfter}
      <DialogError
        field="password"
        {...(form.isPending ? {} : form.answer)}
        className={css.message}
        isDone={!form.isPending && form.answer?.ok === true}
        onClose={form.reset}
      />
      <DialogActions>
        <CloseButton dialogId={dialogId}>{accountTexts.cancel}</CloseButton>
        <SubmitButton
          isPending={form.isPending}
          className={`button ${className.includes('danger') ? 'destructive' : ''}`}
        >
          {/* The specification prescribes "Submit" only for the password prompt. [TOAST-06] */}
          {reauthMethod === 'password' ? accountTexts.submit : question.label}
        </SubmitButton>
      </DialogActions>
    </form.Form>
  )
  const loginAgain = (dialogId: string) => (
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
      {reauthMethod === 'stale' ? loginAgain : passwordForm}
    </DialogButton>
  )
}

export const deletedDataText = ({
  favorites,
  messages,
  images,
  testimonies,
  credits,
}: UserDataSummary) =>
  texts.list(
    [
      favorites > 0 && texts.favorites(favorites),
      messages > 0 && texts.messages(messages, images),
      testimonies > 0 && texts.testimonies(testimonies),
      credits > 0 && texts.credits(credits),
    ].filter((part) => part !== false),
  )

type DeletionSummaryProps = { belongings: UserDataSummary; whose?: 'your' | 'their' }

export function DeletionSummary({ belongings, whose = 'your' }: DeletionSummaryProps) {
  const deletedData = deletedDataText(belongings)
  const { requested, hasAgreement, purchases, invoices, invoiceYears } = belongings
  return (
    <ul className={`grid gap-4 ${css.list}`}>
      <li>{deletedData ? texts.immediately(deletedData) : texts.empty}</li>
      {requested.length > 0 && <li>{texts.requested(requested)}</li>}
      {hasAgreement && <li>{texts.agreement(whose)}</li>}
      {purchases > 0 && <li>{texts.remaining(purchases, whose)}</li>}
      {invoices > 0 && invoiceYears > 0 && (
        <li>{texts.onInvoices(invoices, invoiceYears, whose)}</li>
      )}
      {purchases > 0 && whose === 'your' && <li>{texts.settleFirst}</li>}
    </ul>
  )
}
