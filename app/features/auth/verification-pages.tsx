import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#app/lib/auth/account-limits.ts'
import { EmailField, Field } from '#app/ui/form-fields.tsx'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import type {
  Confirmation,
  ConfirmState,
  ResetState,
} from './email-verification/email-verification.ts'
import { confirmPageTexts, resetPageTexts, verificationTexts } from './email-verification/texts.ts'
import { loginCodeTexts } from './two-factor/texts.ts'
import { loginErrorTexts } from './texts.ts'
import css from './verification-pages.module.css'

type Props = { title: string; lead?: string; error?: string | undefined; children: ReactNode }

function VerificationCard({ title, lead, error = '', children }: Props) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    // Moves the focus to the field that the user must correct. [S-203]
    const wrong = error
      ? card.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')
      : null
    wrong?.focus()
    wrong?.select()
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

/** Moves the focus to the message, because the form that had the focus has disappeared. Screen readers then read the message. */
function DoneMessage({ children }: { children: ReactNode }) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <p
      role="status"
      tabIndex={-1}
      ref={text}
      className={css.message}
    >
      {children}
    </p>
  )
}

const OtherOptions = ({ children }: { children: ReactNode }) => (
  <p className={css.others}>{children}</p>
)

type CodeProps = ComponentProps<'input'> & { isInvalid: boolean }

/** The field for a code, which may be typed with dashes, spaces and in lower case. */
const CodeField = ({ isInvalid, ...input }: CodeProps) => (
  <div className="field">
    <label htmlFor="code">{verificationTexts.code}</label>
    <input
      className={`input tabular ${css.code}`}
      id="code"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      required
      maxLength={200}
      aria-invalid={isInvalid || undefined}
      {...input}
    />
  </div>
)

const usePending = (page: string): boolean => useNavigation().formAction?.startsWith(page) ?? false

/** The page names the shop, because a user who comes from an email may not have seen its pages yet. */
export function ConfirmPage({ state, shopName }: { state: ConfirmState; shopName: string }) {
  const isPending = usePending('/confirm-email')
  const { pending, done, code, error, isConfirmed } = state
  if (done)
    return (
      <Done
        title={confirmPageTexts.title}
        to="/"
        label={confirmPageTexts.toShop}
      >
        {done.kind === 'verify' && confirmPageTexts.verified}
        {done.kind === 'change-old' && confirmPageTexts.nextEmail(done.newEmail)}
        {done.kind === 'change-new' && confirmPageTexts.changed(done.newEmail)}
      </Done>
    )
  return (
    <VerificationCard
      title={confirmPageTexts.title}
      error={isPending ? '' : error}
    >
      {pending ? (
        <ConfirmQuestion
          pending={pending}
          shopName={shopName}
        />
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
          <input
            type="hidden"
            name="code"
            value={code}
          />
        ) : (
          <CodeField
            defaultValue={code}
            isInvalid={error === verificationTexts.badCode}
          />
        )}
        <button
          className="button"
          aria-disabled={isPending}
          aria-busy={isPending}
        >
          {confirmPageTexts.confirm}
        </button>
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

function ConfirmQuestion({
  pending: { kind, email, newEmail },
  shopName,
}: {
  pending: Confirmation
  shopName: string
}) {
  if (kind === 'change-old')
    return (
      <p>
        {confirmPageTexts.changeQuestion.before(shopName)}
        <strong>{email}</strong>
        {confirmPageTexts.changeQuestion.between}
        <strong>{newEmail}</strong>
        {confirmPageTexts.changeQuestion.after}
      </p>
    )
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

const Done = ({ title, to, label, children }: DoneProps) => (
  <VerificationCard title={title}>
    <DoneMessage>{children}</DoneMessage>
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

/** `loginPage` is the page on which the user logs in after the reset. For a guest, this is "Link Guest Account". Links to `loginPage` keep the item page to which the user returns. [OWN-121] */
export function ResetPage({ state, loginPage }: { state: ResetState; loginPage: string }) {
  const from = new URLSearchParams(useLocation().search).get('from')
  const back = from === null ? '' : `?from=${encodeURIComponent(from)}`
  const login = `${loginPage}${back}`
  const isPending = usePending('/reset-password')
  if (state.step === 'done')
    return (
      <Done
        title={resetPageTexts.title}
        to={login}
        label={resetPageTexts.login}
      >
        {resetPageTexts.done}
      </Done>
    )
  if (state.step === 'unavailable')
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
      </VerificationCard>
    )
  return (
    <VerificationCard
      title={resetPageTexts.title}
      error={isPending ? '' : state.error}
    >
      {state.step === 'ask' ? (
        <RequestStep
          {...state}
          {...{ isPending, login, back }}
        />
      ) : (
        <NewPasswordStep
          {...state}
          {...{ isPending, login, back }}
        />
      )}
    </VerificationCard>
  )
}

type Step<Name extends ResetState['step']> = Extract<ResetState, { step: Name }> & {
  isPending: boolean
  login: string
  back: string
}

const RequestStep = ({ email, error, isPending, login, back }: Step<'ask'>) => (
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
      <button
        className="button"
        name="intent"
        value="ask"
        aria-disabled={isPending}
        aria-busy={isPending}
      >
        {resetPageTexts.sendCode}
      </button>
    </Form>
    <OtherOptions>
      <Link to={`/reset-password/?code=${back.replace('?', '&')}`}>{resetPageTexts.haveCode}</Link>
      <Link to={login}>{resetPageTexts.backToLogin}</Link>
    </OtherOptions>
  </>
)

function NewPasswordStep({
  sentTo,
  email,
  code,
  error,
  fault,
  isPending,
  login,
  back,
}: Step<'choose'>) {
  const isBadCode = error === verificationTexts.badCode && fault === null
  return (
    <>
      {/* The text must not depend on whether the address has an account. [S-013] */}
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
            <input
              type="hidden"
              name="code"
              value={code}
            />
            <div className="field">
              <label htmlFor="account">{resetPageTexts.email}</label>
              {/* Password managers store this email address together with the new password. */}
              <input
                className="input"
                id="account"
                value={email}
                readOnly
                autoComplete="username"
              />
            </div>
          </>
        ) : (
          <CodeField
            defaultValue={code}
            isInvalid={isBadCode}
            autoFocus={sentTo !== ''}
          />
        )}
        <Field
          label={resetPageTexts.newPassword}
          name="password"
          id="password"
          error={fault ?? undefined}
          hint={resetPageTexts.passwordHint}
        >
          {(tied) => (
            <PasswordInput
              {...tied}
              autoComplete="new-password"
              required
              minLength={MIN_PASSWORD_LENGTH}
              maxLength={MAX_PASSWORD_LENGTH}
              isHidden={isPending}
            />
          )}
        </Field>
        <button
          className="button"
          name="intent"
          value="choose"
          aria-disabled={isPending}
          aria-busy={isPending}
        >
          {resetPageTexts.changePassword}
        </button>
      </Form>
      <OtherOptions>
        <Link to={`/reset-password/${back}`}>
          {sentTo ? resetPageTexts.sendNewCode : resetPageTexts.sendMeCode}
        </Link>
        <Link to={login}>{resetPageTexts.backToLogin}</Link>
      </OtherOptions>
    </>
  )
}

type CodeFailure = { error: string; isOver: boolean }

export function LoginCodePage({ failure }: { failure: CodeFailure | undefined }) {
  const { search } = useLocation()
  const isPending = usePending('/login/code')
  const isOver = failure?.isOver ?? false
  const lead = isOver ? loginCodeTexts.over : loginCodeTexts.lead
  return (
    <VerificationCard
      title={loginCodeTexts.title}
      lead={lead}
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
            isInvalid={failure !== undefined}
          />
          <button
            className="button"
            aria-disabled={isPending}
            aria-busy={isPending}
          >
            {loginCodeTexts.login}
          </button>
        </Form>
      )}
      <OtherOptions>
        <Link to={`/login/${search}`}>{loginCodeTexts.backToLogin}</Link>
      </OtherOptions>
    </VerificationCard>
  )
}
