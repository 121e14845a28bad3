/** The pages on which a code is typed: of a letter (036), for a new password or to confirm an address, and of the owner's app (037). */
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#app/platform/account-limits.ts'
import { EmailField, Field } from '#app/ui/form-fields.tsx'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import {
  proofTexts,
  verificationSent,
  type Confirmation,
  type ConfirmState,
  type ResetState,
} from './email-verification/email-verification.ts'
import css from './code-pages.module.css'

type Props = { title: string; lead?: string; error?: string | undefined; children: ReactNode }

function LetterCard({ title, lead, error = '', children }: Props) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    // The focus is the browser's: it goes to what has to be typed again (S-203).
    const wrong = error ? card.current?.querySelector<HTMLInputElement>('[aria-invalid=true]') : null
    wrong?.focus()
    wrong?.select()
  }, [error])
  return (
    <NarrowCard title={title} className={css.letter} ref={card}>
      {lead && <Lead>{lead}</Lead>}
      <Refusal error={error} />
      {children}
    </NarrowCard>
  )
}

/** What has been done: it takes the focus from the form that is gone, and so is read out. */
function Told({ children }: { children: ReactNode }) {
  const text = useRef<HTMLParagraphElement>(null)
  // The focus is the browser's.
  useEffect(() => text.current?.focus(), [])
  return (
    <p role="status" tabIndex={-1} ref={text} className={css.told}>
      {children}
    </p>
  )
}

/** Links under the form. */
const OtherWays = ({ children }: { children: ReactNode }) => <p className={css.others}>{children}</p>

type CodeProps = ComponentProps<'input'> & { isInvalid: boolean }

/** A code typed or pasted; dashes, spaces and small letters are all taken. */
const CodeField = ({ isInvalid, ...input }: CodeProps) => (
  <div className="field">
    <label htmlFor="code">Code</label>
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

/** `shopName` tells whose account it is; whoever comes from a letter has never seen this page. */
export function ConfirmPage({ state, shopName }: { state: ConfirmState; shopName: string }) {
  const isPending = usePending('/confirm-email')
  const { asked, done, code, error, isConfirmed } = state
  if (done)
    return (
      <Done title="Confirm Email" to="/" label="To the shop">
        {done.kind === 'verify' && proofTexts.verified}
        {done.kind === 'change-old' &&
          `${verificationSent(done.newEmail)} Once you have confirmed it there, it is the e-mail of your account.`}
        {done.kind === 'change-new' && `${proofTexts.changed} From now on you log in with ${done.newEmail}.`}
      </Done>
    )
  return (
    <LetterCard title="Confirm Email" error={isPending ? '' : error}>
      {asked ? (
        <Question asked={asked} shopName={shopName} />
      ) : (
        <p>{isConfirmed && error ? proofTexts.wasVerified : 'The code is in the letter.'}</p>
      )}
      <Form method="post" aria-busy={isPending}>
        {asked ? (
          <input type="hidden" name="code" value={code} />
        ) : (
          <CodeField defaultValue={code} isInvalid={error === proofTexts.badCode} />
        )}
        <button className="button" aria-disabled={isPending} aria-busy={isPending}>
          Confirm
        </button>
      </Form>
      <OtherWays>{asked ? <Link to="/">Not mine, confirm nothing</Link> : <Link to="/account/">Send me another letter</Link>}</OtherWays>
    </LetterCard>
  )
}

function Question({ asked: { kind, email, newEmail }, shopName }: { asked: Confirmation; shopName: string }) {
  if (kind === 'change-old')
    return (
      <p>
        Your account at {shopName} is to have the e-mail <strong>{newEmail}</strong> instead of <strong>{email}</strong>. Do you want that?
      </p>
    )
  return (
    <p>
      {kind === 'verify' ? 'There is' : 'From now on there is to be'} an account at {shopName} with the e-mail{' '}
      <strong>{kind === 'verify' ? email : newEmail}</strong>. Is it yours?
    </p>
  )
}

type DoneProps = { title: string; to: string; label: string; children: ReactNode }

const Done = ({ title, to, label, children }: DoneProps) => (
  <LetterCard title={title}>
    <Told>{children}</Told>
    <OtherWays>
      <Link className="button" to={to}>
        {label}
      </Link>
    </OtherWays>
  </LetterCard>
)

const PASSWORD_HINT = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`

/** `login`: where one goes on from here; a guest has no other login than Link Guest Account. */
export function ResetPage({ state, login }: { state: ResetState; login: string }) {
  const isPending = usePending('/reset-password')
  if (state.step === 'done')
    return (
      <Done title="Reset Password" to={login} label="Log In">
        Your password is changed, and every device is logged out. Please log in with the new one.
      </Done>
    )
  return (
    <LetterCard title="Reset Password" error={isPending ? '' : state.error}>
      {state.step === 'ask' ? <Ask {...state} {...{ isPending, login }} /> : <Choose {...state} {...{ isPending, login }} />}
    </LetterCard>
  )
}

type Step<Name extends ResetState['step']> = Extract<ResetState, { step: Name }> & { isPending: boolean; login: string }

const Ask = ({ email, error, isPending, login }: Step<'ask'>) => (
  <>
    <p>Tell us your e-mail, and a letter with a code for a new password is sent there.</p>
    <Form method="post" aria-busy={isPending} key="ask">
      <EmailField defaultValue={email} aria-invalid={error === proofTexts.badEmail || undefined} />
      <button className="button" name="intent" value="ask" aria-disabled={isPending} aria-busy={isPending}>
        Send Code
      </button>
    </Form>
    <OtherWays>
      <Link to="/reset-password/?code=">I have a code</Link>
      <Link to={login}>Back to the login</Link>
    </OtherWays>
  </>
)

function Choose({ sentTo, email, code, error, fault, isPending, login }: Step<'choose'>) {
  const isBadCode = error === proofTexts.badCode && fault === null
  return (
    <>
      {/* S-013: the same for every address. */}
      {sentTo ? (
        <p role="status">
          If <strong>{sentTo}</strong> has an account here, a letter with a code is on its way. The code works once, within an hour.
        </p>
      ) : (
        <p>{email ? <>Choose a new password. Whoever is logged in with the old one is logged out.</> : 'The code is in the letter.'}</p>
      )}
      <Form method="post" aria-busy={isPending} key="choose">
        {email ? (
          <>
            <input type="hidden" name="code" value={code} />
            <div className="field">
              <label htmlFor="account">Email</label>
              {/* For password managers, which keep the two together. */}
              <input className="input" id="account" value={email} readOnly autoComplete="username" />
            </div>
          </>
        ) : (
          <CodeField defaultValue={code} isInvalid={isBadCode} autoFocus={sentTo !== ''} />
        )}
        <Field label="New password" name="password" id="password" error={fault ?? undefined} hint={PASSWORD_HINT}>
          {(tied) => (
            <PasswordInput
              {...tied}
              autoComplete="new-password"
              required
              minLength={SHORTEST_PASSWORD}
              maxLength={LONGEST_PASSWORD}
              isHidden={isPending}
            />
          )}
        </Field>
        <button className="button" name="intent" value="choose" aria-disabled={isPending} aria-busy={isPending}>
          Change Password
        </button>
      </Form>
      <OtherWays>
        <Link to="/reset-password/">{sentTo ? 'Ask once more' : 'Send me a code'}</Link>
        <Link to={login}>Back to the login</Link>
      </OtherWays>
    </>
  )
}

type CodeFailure = { error: string; isOver: boolean }

/** The second step of the owner's login. */
export function LoginCodePage({ failure }: { failure: CodeFailure | undefined }) {
  const { search } = useLocation()
  const isPending = usePending('/login/code')
  const isOver = failure?.isOver ?? false
  const lead = isOver ? 'Nobody is logged in.' : 'Type the six digits that your app shows now, or one of your recovery codes.'
  return (
    <LetterCard title="One more step" lead={lead} error={isPending ? '' : failure?.error}>
      {!isOver && (
        <Form method="post" aria-busy={isPending}>
          <CodeField autoCapitalize="none" autoFocus isInvalid={failure !== undefined} />
          <button className="button" aria-disabled={isPending} aria-busy={isPending}>
            Log In
          </button>
        </Form>
      )}
      <OtherWays>
        <Link to={`/login/${search}`}>Back to Login</Link>
      </OtherWays>
    </LetterCard>
  )
}
