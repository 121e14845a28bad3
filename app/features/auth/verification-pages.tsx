import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { SubmitButton } from '#ui/action-form.tsx'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#lib/auth/account-limits.ts'
import { EmailField, HiddenInputs, InputField } from '#ui/form-fields.tsx'
import { Lead, NarrowCard, Refusal } from '#ui/layout/narrow-card.tsx'
import { PasswordInputField } from '#ui/password-input.tsx'
import type {
  Confirmation,
  ConfirmState,
  ResetState,
} from './email-verification/verification.server.ts'
import { confirmPageTexts, resetPageTexts, verificationTexts } from './email-verification/texts.ts'
import { loginCodeTexts } from './two-factor/texts.ts'
import { loginErrorTexts } from './texts.ts'
import css from './verification-pages.module.css'

type VerificationCardProps = {
  title: string
  lead?: string
  error?: string | undefined
  children: ReactNode
}

function VerificationCard({ title, lead, error = '', children }: VerificationCardProps) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    const field = error
      ? card.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')
      : null
    field?.focus()
    field?.select()
  }, [error])
  return (
    <NarrowCard
      title={title}
      className={css.card}
      ref={card}
    >
      {lead && <Lead>{lead}</Lead>}
      <Refusal error={error} />
      {children}
    </NarrowCard>
  )
}

const OtherOptions = ({ children }: { children: ReactNode }) => (
  <p className={css.others}>{children}</p>
)

const CodeField = (input: ComponentProps<'input'>) => (
  <InputField
    label={verificationTexts.code}
    id="code"
    name="code"
    controlClassName={`input tabular-nums ${css.code}`}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    autoCorrect="off"
    spellCheck={false}
    required
    maxLength={200}
    {...input}
  />
)

const isBadCode = (error?: string) => error === verificationTexts.badCode || undefined

const useIsPending = () => useNavigation().formMethod === 'POST'

type ConfirmPageProps = { state: ConfirmState; shopName: string; loginPage: string }

export function ConfirmPage({ state, shopName, loginPage }: ConfirmPageProps) {
  const isPending = useIsPending()
  const { pending, done, code, error, fault, isConfirmed } = state
  if (done) {
    return (
      <Done
        title={confirmPageTexts.title}
        to={done.hasNewPassword ? loginPage : '/'}
        label={done.hasNewPassword ? resetPageTexts.login : confirmPageTexts.toShop}
      >
        {done.kind === 'verify' && confirmPageTexts.verified}
        {done.kind === 'change-old' && confirmPageTexts.nextEmail(done.newEmail)}
        {done.kind === 'change-new' && confirmPageTexts.changed(done.newEmail)}
        {done.hasNewPassword && ` ${confirmPageTexts.passwordSet}`}
      </Done>
    )
  }
  return (
    <VerificationCard
      title={confirmPageTexts.title}
      error={isPending ? '' : error}
    >
      {pending ? (
        <>
          <ConfirmQuestion
            {...pending}
            shopName={shopName}
          />
          {pending.needsPassword && <p>{confirmPageTexts.needsPassword}</p>}
        </>
      ) : (
        <p>
          {isConfirmed && error ? verificationTexts.wasVerified : verificationTexts.codeInEmail}
        </p>
      )}
      <Form
        method="post"
        aria-busy={isPending}
      >
        {pending ? (
          <HiddenInputs code={code} />
        ) : (
          <CodeField
            defaultValue={code}
            aria-invalid={isBadCode(error)}
          />
        )}
        {pending?.needsPassword && (
          <>
            <AccountField email={pending.newEmail || pending.email} />
            <NewPasswordField
              fault={fault}
              isPending={isPending}
            />
          </>
        )}
        <SubmitButton isPending={isPending}>{confirmPageTexts.confirm}</SubmitButton>
      </Form>
      <OtherOptions>
        {pending ? (
          <Link to="/">{confirmPageTexts.notMine}</Link>
        ) : (
          <Link to="/account/">{confirmPageTexts.sendAnother}</Link>
        )}
      </OtherOptions>
    </VerificationCard>
  )
}

type ConfirmQuestionProps = Confirmation & { shopName: string }

function ConfirmQuestion({ kind, email, newEmail, shopName }: ConfirmQuestionProps) {
  if (kind === 'change-old') {
    return (
      <p>
        {confirmPageTexts.changeQuestion.before(shopName)}
        <strong>{email}</strong>
        {confirmPageTexts.changeQuestion.between}
        <strong>{newEmail}</strong>
        {confirmPageTexts.changeQuestion.after}
      </p>
    )
  }
  const question =
    kind === 'verify' ? confirmPageTexts.verifyQuestion : confirmPageTexts.newEmailQuestion
  return (
    <p>
      {question.before(shopName)}
      <strong>{kind === 'verify' ? email : newEmail}</strong>
      {question.after}
    </p>
  )
}

type DoneProps = { title: string; to: string; label: string; children: ReactNode }

function Done({ title, to, label, children }: DoneProps) {
  const message = useRef<HTMLParagraphElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <VerificationCard title={title}>
      <p
        role="status"
        tabIndex={-1}
        ref={message}
        className={css.message}
      >
        {children}
      </p>
      <OtherOptions>
        <Link
          className="button"
          to={to}
        >
          {label}
        </Link>
      </OtherOptions>
    </VerificationCard>
  )
}

export function ResetPage({ state, loginPage }: { state: ResetState; loginPage: string }) {
  const from = new URLSearchParams(useLocation().search).get('from')
  const back = from === null ? '' : `?from=${encodeURIComponent(from)}`
  const login = `${loginPage}${back}`
  const isPending = useIsPending()
  if (state.step === 'done') {
    return (
      <Done
        title={resetPageTexts.title}
        to={login}
        label={resetPageTexts.login}
      >
        {resetPageTexts.done}
      </Done>
    )
  }
  if (state.step === 'unavailable') {
    return (
      <VerificationCard title={resetPageTexts.title}>
        <p>{resetPageTexts.unavailable}</p>
        <OtherOptions>
          {state.phone && (
            <a href={`tel:${state.phone.replaceAll(/[^\d+]/g, '')}`}>{state.phone}</a>
          )}
          {state.email && <a href={`mailto:${state.email}`}>{state.email}</a>}
          <Link to="/contact/">{resetPageTexts.contactPage}</Link>
          <Link to={login}>{resetPageTexts.backToLogin}</Link>
        </OtherOptions>
        <p className="text-soft">{resetPageTexts.owner}</p>
      </VerificationCard>
    )
  }
  return (
    <VerificationCard
      title={resetPageTexts.title}
      error={isPending ? '' : state.error}
    >
      {state.step === 'ask' ? (
        <RequestStep
          state={state}
          isPending={isPending}
        />
      ) : (
        <NewPasswordStep
          state={state}
          isPending={isPending}
        />
      )}
      <OtherOptions>
        {state.step === 'ask' ? (
          <Link to={`/reset-password/?code=${back.replace('?', '&')}`}>
            {resetPageTexts.haveCode}
          </Link>
        ) : (
          <Link to={`/reset-password/${back}`}>
            {state.sentTo ? resetPageTexts.sendNewCode : resetPageTexts.sendMeCode}
          </Link>
        )}
        <Link to={login}>{resetPageTexts.backToLogin}</Link>
      </OtherOptions>
    </VerificationCard>
  )
}

type StepProps<Name extends ResetState['step']> = {
  state: Extract<ResetState, { step: Name }>
  isPending: boolean
}

const RequestStep = ({ state: { email, error }, isPending }: StepProps<'ask'>) => (
  <>
    <p>{resetPageTexts.intro}</p>
    <Form
      method="post"
      aria-busy={isPending}
      key="ask"
    >
      <EmailField
        defaultValue={email}
        aria-invalid={error === loginErrorTexts.invalidEmail || undefined}
      />
      <SubmitButton
        name="intent"
        value="ask"
        isPending={isPending}
      >
        {resetPageTexts.sendCode}
      </SubmitButton>
    </Form>
  </>
)

function NewPasswordStep({ state, isPending }: StepProps<'choose'>) {
  const { sentTo, email, code, error, fault } = state
  return (
    <>
      {/* The text must not reveal whether the address has an account. [S-013] */}
      {sentTo ? (
        <p role="status">
          {resetPageTexts.sent.before}
          <strong>{sentTo}</strong>
          {resetPageTexts.sent.after}
        </p>
      ) : (
        <p>{email ? resetPageTexts.choose : verificationTexts.codeInEmail}</p>
      )}
      <Form
        method="post"
        aria-busy={isPending}
        key="choose"
      >
        {email ? (
          <>
            <HiddenInputs code={code} />
            <AccountField email={email} />
          </>
        ) : (
          <CodeField
            defaultValue={code}
            aria-invalid={isBadCode(error)}
            autoFocus={Boolean(sentTo)}
          />
        )}
        <NewPasswordField
          fault={fault}
          isPending={isPending}
        />
        <SubmitButton
          name="intent"
          value="choose"
          isPending={isPending}
        >
          {resetPageTexts.changePassword}
        </SubmitButton>
      </Form>
    </>
  )
}

/** Password managers look for this field. */
const AccountField = ({ email }: { email: string }) => (
  <div className="field">
    <label htmlFor="account">{resetPageTexts.email}</label>
    <input
      className="input"
      id="account"
      value={email}
      readOnly
      autoComplete="username"
    />
  </div>
)

type NewPasswordFieldProps = { fault: string | null | undefined; isPending: boolean }

const NewPasswordField = ({ fault, isPending }: NewPasswordFieldProps) => (
  <PasswordInputField
    label={resetPageTexts.newPassword}
    name="password"
    id="password"
    error={fault ?? undefined}
    hint={resetPageTexts.passwordHint}
    autoComplete="new-password"
    required
    minLength={MIN_PASSWORD_LENGTH}
    maxLength={MAX_PASSWORD_LENGTH}
    isHidden={isPending}
  />
)

type LoginCodePageProps = { failure: { error: string; isOver: boolean } | undefined }

export function LoginCodePage({ failure }: LoginCodePageProps) {
  const { search } = useLocation()
  const isPending = useIsPending()
  const isOver = failure?.isOver ?? false
  return (
    <VerificationCard
      title={loginCodeTexts.title}
      lead={isOver ? loginCodeTexts.over : loginCodeTexts.lead}
      error={isPending ? '' : failure?.error}
    >
      {!isOver && (
        <Form
          method="post"
          aria-busy={isPending}
        >
          <CodeField
            autoCapitalize="none"
            autoFocus
            aria-invalid={failure ? true : undefined}
          />
          <SubmitButton isPending={isPending}>{loginCodeTexts.login}</SubmitButton>
        </Form>
      )}
      <OtherOptions>
        <Link to={`/login/${search}`}>{loginCodeTexts.backToLogin}</Link>
      </OtherOptions>
    </VerificationCard>
  )
}
