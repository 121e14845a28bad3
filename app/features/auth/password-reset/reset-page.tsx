/** A forgotten password, in two steps: which address, then the code of the letter and the new password. */
import { Form, Link, useNavigation } from 'react-router'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#app/platform/account-limits.ts'
import { Field, EmailField } from '#app/ui/form-fields.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { CodeField, LetterCard, OtherWays, Told } from '#app/features/auth/email-verification/letter-card.tsx'
import { proofTexts, type ResetState } from '#app/features/auth/email-verification/email-verification.ts'

const TITLE = 'Reset Password'
const PASSWORD_HINT = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`

/** `login`: where one goes on from here; a guest has no other login than Link Guest Account. */
export function ResetPage({ state, login }: { state: ResetState; login: string }) {
  const isPending = useNavigation().formAction?.startsWith('/reset-password') ?? false
  if (state.step === 'done') return <Done login={login} />
  return (
    <LetterCard title={TITLE} error={isPending ? '' : state.error}>
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
          <CodeField id="code" defaultValue={code} isInvalid={isBadCode} autoFocus={sentTo !== ''} />
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

const Done = ({ login }: { login: string }) => (
  <LetterCard title={TITLE}>
    <Told>Your password is changed, and every device is logged out. Please log in with the new one.</Told>
    <OtherWays>
      <Link className="button" to={login}>
        Log In
      </Link>
    </OtherWays>
  </LetterCard>
)
