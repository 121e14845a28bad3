import { useEffect, useRef, type ReactNode } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { EmailField } from '#app/ui/form-fields.tsx'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { linkGuestTexts } from './guests/texts.ts'
import { loginErrorTexts as errors, loginTexts } from './texts.ts'
import { mergePreviewLines, type MergePreview } from './guests/guests.ts'
import css from './login-pages.module.css'

/** The result of the last attempt; the text of `error` may be empty. [LOGIN-43] */
type LoginFailure = { error: string; help?: string | undefined; email: string; intent?: string }

/** The intent of the form that is being sent, or null. */
function usePending(page: string): string | null {
  const { formMethod, formAction, formData } = useNavigation()
  return formMethod === 'POST' && formAction?.startsWith(page) ? String(formData?.get('intent') ?? '') : null
}

/** null: the error concerns neither field, or both. [S-202] */
function fieldForError(error: string): 'email' | 'password' | null {
  if (error === errors.missingUser || error === errors.invalidEmail) return 'email'
  return error === errors.other || error === errors.weakPassword ? 'password' : null
}

type Intent = 'login' | 'register'
type FormProps = { failure: LoginFailure | undefined; pending: string | null; ways: [first: Intent, second: Intent] }

function CredentialsForm({ failure, pending, ways: [first, second] }: FormProps) {
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const isPending = pending !== null
  // A field is marked even when the error has no text. [S-010]
  const isSilent = failure?.error === ''
  const wrong = failure ? fieldForError(failure.error) : null
  useEffect(() => {
    // Moves the focus to the field that the user must type again.
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
          <label htmlFor="password">{loginTexts.password}</label>
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
          {loginTexts.forgotPassword}
        </Link>
        <div className={`stack ${css.choices}`}>
          <button className="button" name="intent" value={first} aria-disabled={isPending} aria-busy={pending === first}>
            {loginTexts[first]}
          </button>
          <button className="button quiet" name="intent" value={second} aria-disabled={isPending} aria-busy={pending === second}>
            {loginTexts[second]}
          </button>
        </div>
      </Form>
    </>
  )
}

/** `children`: other ways to log in, each with its own form. */
export function LoginPage({ failure, children }: { failure: LoginFailure | undefined; children?: ReactNode }) {
  const pending = usePending('/login')
  return (
    <NarrowCard title={loginTexts.title}>
      <Lead>{loginTexts.lead}</Lead>
      <CredentialsForm failure={failure} pending={pending} ways={['login', 'register']} />
      <p className={`row soft small ${css.or}`}>{loginTexts.or}</p>
      <div className={`stack ${css.others}`}>
        {children}
        <Form method="post" aria-busy={pending === 'guest'}>
          <button className="button quiet" name="intent" value="guest" aria-disabled={pending !== null} aria-busy={pending === 'guest'}>
            {loginTexts.guest}
          </button>
        </Form>
      </div>
    </NarrowCard>
  )
}

type LinkProps = { moves: MergePreview | null; from: string; failure: LoginFailure | undefined; children: ReactNode }

export function LinkGuestPage({ moves, from, failure, children }: LinkProps) {
  const pending = usePending('/link-guest')
  if (moves) return <ConfirmMerge moves={moves} isPending={pending !== null} error={pending === null ? failure?.error : undefined} />
  return (
    <NarrowCard title={linkGuestTexts.title}>
      <Lead>{linkGuestTexts.lead}</Lead>
      <CredentialsForm failure={failure} pending={pending} ways={['register', 'login']} />
      <p className={`soft small ${css.hint}`}>{linkGuestTexts.hint}</p>
      <div className={`stack ${css.others}`}>{children}</div>
      <Link className={`tap ${css.cancel}`} to={from}>
        {linkGuestTexts.cancel}
      </Link>
    </NarrowCard>
  )
}

function ConfirmMerge({ moves, isPending, error }: { moves: MergePreview; isPending: boolean; error: string | undefined }) {
  const lines = mergePreviewLines(moves)
  const question = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The form that had the focus was removed; with the focus on the question, screen readers announce it.
    question.current?.focus()
  }, [])
  return (
    <NarrowCard title={linkGuestTexts.title}>
      <Form method="post" aria-busy={isPending}>
        <input type="hidden" name="intent" value="move" />
        <input type="hidden" name="seen" value={moves.version} />
        <h2 className={`large ${css.question}`} tabIndex={-1} ref={question}>
          {linkGuestTexts.question.before}
          <span className={css.email}>{moves.email}</span>
          {linkGuestTexts.question.after}
        </h2>
        <Refusal error={error} />
        <p>{lines.length > 0 ? linkGuestTexts.moves : linkGuestTexts.nothingMoves}</p>
        {lines.length > 0 && (
          <ul className={css.list}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {moves.hasConversation && moves.messages > 0 && <p className={`soft small ${css.hint}`}>{linkGuestTexts.joinsConversation}</p>}
        <p className={`soft small ${css.hint}`}>{linkGuestTexts.guestDeleted}</p>
        <div className={`stack ${css.choices}`}>
          <button className="button" name="confirm" value="Yes" aria-disabled={isPending} aria-busy={isPending}>
            {linkGuestTexts.yes}
          </button>
          <button className="button quiet" name="confirm" value="No" aria-disabled={isPending}>
            {linkGuestTexts.no}
          </button>
        </div>
      </Form>
    </NarrowCard>
  )
}
