/** Link Guest Account: into a new account, or into one that is there already, after a look at what will move (NAV-41, S-002). */
import { useEffect, useRef, type ReactNode } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import { EmailField } from '#app/ui/form-fields.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { linesOf, type WhatMoves } from './guests.ts'
import css from './link-guest-page.module.css'

export type LinkFailure = { error: string; help?: string | undefined; email: string }
/** `children`: further ways, each with a form of its own */
type Props = { moves: WhatMoves | null; from: string; failure: LinkFailure | undefined; children: ReactNode }

export function LinkGuestPage({ moves, from, failure, children }: Props) {
  const { formMethod, formAction, formData } = useNavigation()
  // What is being sent, not where a link leads.
  const pending = formMethod === 'POST' && formAction?.startsWith('/link-guest') ? String(formData?.get('intent') ?? '') : null
  const shared = { pending, error: pending === null ? failure?.error : undefined }
  return (
    <NarrowCard title="Link Guest Account">
      {moves ? (
        <Confirm moves={moves} {...shared} />
      ) : (
        <Ways {...shared} help={failure?.help} email={failure?.email ?? ''} others={children} from={from} />
      )}
    </NarrowCard>
  )
}

type Shared = { pending: string | null; error: string | undefined }

type WaysProps = Shared & { from: string; email: string; help: string | undefined; others: ReactNode }

function Ways({ from, pending, error, help, email, others }: WaysProps) {
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The focus is the browser's: it goes to what has to be typed again.
    if (error !== undefined) password.current?.focus()
  }, [error])
  return (
    <>
      <Lead>Keep your favorites, messages and order requests.</Lead>
      <Form method="post" aria-busy={pending !== null}>
        <Refusal error={error} help={error && help} />
        <EmailField defaultValue={email} />
        <div className="field">
          <label htmlFor="password">Password</label>
          <PasswordInput
            id="password"
            name="password"
            ref={password}
            autoComplete="current-password"
            required
            isHidden={pending !== null}
          />
        </div>
        <div className={`stack ${css.choices}`}>
          <button className="button" name="intent" value="register" aria-disabled={pending !== null} aria-busy={pending === 'register'}>
            Register
          </button>
          <button className="button quiet" name="intent" value="login" aria-disabled={pending !== null} aria-busy={pending === 'login'}>
            Log In
          </button>
        </div>
        <p className={`soft small ${css.hint}`}>
          “Register” makes a new account of what you have here. “Log In” moves it to an account that you have already, after showing you
          what will move.
        </p>
      </Form>
      <div className={css.others}>{others}</div>
      <p className={css.back}>
        <Link to="/reset-password/">Forgot your password?</Link>
        <Link to={from}>Cancel</Link>
      </p>
    </>
  )
}

function Confirm({ moves, pending, error }: Shared & { moves: WhatMoves }) {
  const lines = linesOf(moves)
  const question = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The form that had the focus is gone; whoever listens to the page hears the question.
    question.current?.focus()
  }, [])
  return (
    <Form method="post" aria-busy={pending !== null}>
      <input type="hidden" name="intent" value="move" />
      <input type="hidden" name="seen" value={moves.version} />
      <h2 className={`large ${css.question}`} tabIndex={-1} ref={question}>
        Move to <span className={css.email}>{moves.email}</span>?
      </h2>
      <Refusal error={error} />
      {lines.length > 0 ? (
        <>
          <p>This will move to your account:</p>
          <ul className={css.list}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>There is nothing to move. You will be logged in to your account.</p>
      )}
      {moves.hasConversation && moves.messages > 0 && (
        <p className={`soft small ${css.hint}`}>Your account has a conversation with the maker already. It goes on with these messages.</p>
      )}
      <p className={`soft small ${css.hint}`}>The guest account ends with it.</p>
      <div className={`stack ${css.choices}`}>
        <button className="button" name="confirm" value="Yes" aria-disabled={pending !== null} aria-busy={pending !== null}>
          Yes
        </button>
        <button className="button quiet" name="confirm" value="No" aria-disabled={pending !== null}>
          No
        </button>
      </div>
    </Form>
  )
}
