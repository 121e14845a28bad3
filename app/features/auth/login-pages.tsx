/** Login: sign in, register, or look around as a guest. Link Guest Account: the same form, and a look at what will move (NAV-41, S-002). */
import { useEffect, useRef, type ReactNode } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { EmailField } from '#app/ui/form-fields.tsx'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { fieldOf } from './auth-texts.ts'
import { linesOf, type WhatMoves } from './guests/guests.ts'
import css from './login-pages.module.css'

/** What the last try was answered; `error` may be empty (LOGIN-43). */
type LoginFailure = { error: string; help?: string | undefined; email: string; intent?: string }

/** The intent of the page's form that is being sent; null: none is. */
function usePending(page: string): string | null {
  const { formMethod, formAction, formData } = useNavigation()
  return formMethod === 'POST' && formAction?.startsWith(page) ? String(formData?.get('intent') ?? '') : null
}

const labels = { login: 'Log In', register: 'Register' }
type Way = keyof typeof labels
type FormProps = { failure: LoginFailure | undefined; pending: string | null; ways: [first: Way, second: Way] }

function CredentialsForm({ failure, pending, ways: [first, second] }: FormProps) {
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const isPending = pending !== null
  // S-010: an error without a text still shows where it is.
  const isSilent = failure?.error === ''
  const wrong = failure ? fieldOf(failure.error) : null
  useEffect(() => {
    // The focus is the browser's: it goes to what has to be typed again.
    if (failure && failure.intent !== 'guest') (wrong === 'email' ? email : password).current?.focus()
  }, [failure, wrong])
  return (
    <>
      <Refusal id="refusal" error={isPending ? '' : failure?.error} help={isPending ? undefined : failure?.help} />
      <Form method="post" aria-busy={pending === first || pending === second}>
        <EmailField
          ref={email}
          aria-invalid={wrong === 'email' || undefined}
          aria-describedby={wrong === 'email' ? 'refusal' : undefined}
          autoFocus={wrong === 'email'}
          defaultValue={failure?.email}
        />
        <div className={`field ${css.password}`}>
          <label htmlFor="password">Password</label>
          <PasswordInput
            id="password"
            name="password"
            ref={password}
            autoComplete="current-password"
            required
            isHidden={isPending}
            aria-invalid={wrong === 'password' || undefined}
            aria-describedby={isSilent ? 'forgotten' : wrong === 'password' ? 'refusal' : undefined}
            autoFocus={wrong === 'password'}
          />
        </div>
        <Link className={`tap small ${css.forgotten}`} id="forgotten" data-wanted={isSilent || undefined} to="/reset-password/">
          Forgot your password?
        </Link>
        <div className={`stack ${css.choices}`}>
          <button className="button" name="intent" value={first} aria-disabled={isPending} aria-busy={pending === first}>
            {labels[first]}
          </button>
          <button className="button quiet" name="intent" value={second} aria-disabled={isPending} aria-busy={pending === second}>
            {labels[second]}
          </button>
        </div>
      </Form>
    </>
  )
}

/** `children`: further ways in, each with a form of its own */
export function LoginPage({ failure, children }: { failure: LoginFailure | undefined; children?: ReactNode }) {
  const pending = usePending('/login')
  return (
    <NarrowCard title="Login">
      <Lead>Keep your favorites and talk with the maker.</Lead>
      <CredentialsForm failure={failure} pending={pending} ways={['login', 'register']} />
      <p className={`row soft small ${css.or}`}>or</p>
      <div className={`stack ${css.others}`}>
        {children}
        <Form method="post" aria-busy={pending === 'guest'}>
          <button className="button quiet" name="intent" value="guest" aria-disabled={pending !== null} aria-busy={pending === 'guest'}>
            Log In Anonymously
          </button>
        </Form>
      </div>
    </NarrowCard>
  )
}

type LinkProps = { moves: WhatMoves | null; from: string; failure: LoginFailure | undefined; children: ReactNode }

export function LinkGuestPage({ moves, from, failure, children }: LinkProps) {
  const pending = usePending('/link-guest')
  if (moves) return <Confirm moves={moves} isPending={pending !== null} error={pending === null ? failure?.error : undefined} />
  return (
    <NarrowCard title="Link Guest Account">
      <Lead>Keep your favorites, messages and order requests.</Lead>
      <CredentialsForm failure={failure} pending={pending} ways={['register', 'login']} />
      <p className={`soft small ${css.hint}`}>
        “Register” makes a new account of what you have here. “Log In” moves it to an account that you have already, after showing you what
        will move.
      </p>
      <div className={`stack ${css.others}`}>{children}</div>
      <Link className={`tap ${css.cancel}`} to={from}>
        Cancel
      </Link>
    </NarrowCard>
  )
}

function Confirm({ moves, isPending, error }: { moves: WhatMoves; isPending: boolean; error: string | undefined }) {
  const lines = linesOf(moves)
  const question = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The form that had the focus is gone; whoever listens to the page hears the question.
    question.current?.focus()
  }, [])
  return (
    <NarrowCard title="Link Guest Account">
      <Form method="post" aria-busy={isPending}>
        <input type="hidden" name="intent" value="move" />
        <input type="hidden" name="seen" value={moves.version} />
        <h2 className={`large ${css.question}`} tabIndex={-1} ref={question}>
          Move to <span className={css.email}>{moves.email}</span>?
        </h2>
        <Refusal error={error} />
        <p>{lines.length > 0 ? 'This will move to your account:' : 'There is nothing to move. You will be logged in to your account.'}</p>
        {lines.length > 0 && (
          <ul className={css.list}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {moves.hasConversation && moves.messages > 0 && (
          <p className={`soft small ${css.hint}`}>
            Your account has a conversation with the maker already. It goes on with these messages.
          </p>
        )}
        <p className={`soft small ${css.hint}`}>The guest account ends with it.</p>
        <div className={`stack ${css.choices}`}>
          <button className="button" name="confirm" value="Yes" aria-disabled={isPending} aria-busy={isPending}>
            Yes
          </button>
          <button className="button quiet" name="confirm" value="No" aria-disabled={isPending}>
            No
          </button>
        </div>
      </Form>
    </NarrowCard>
  )
}
