import { Fragment, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { EmailField, Field } from '#app/ui/form-fields.tsx'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { linkGuestTexts } from './guests/texts.ts'
import { passwordTexts } from '#app/ui/password-texts.ts'
import { loginErrorTexts as errors, loginTexts } from './texts.ts'
import { mergePreviewLines, type MergePreview } from './guests/guests.ts'
import css from './login-pages.module.css'

/** Why the last login or registration failed. The text of `error` may be empty. [LOGIN-43] */
type LoginFailure = {
  error: string
  help?: string | undefined
  /** true if the password was correct, and the form must also ask for a two-factor code */
  asksForCode?: boolean | undefined
  /** Further errors, which are shown next to their fields. */
  errors?: FieldErrors | undefined
  email: string
  name?: string | undefined
  intent?: string
}
export type FieldErrors = { password?: string; name?: string }

/** Returns the intent of the form that is being sent, or null. */
function usePending(page: string): string | null {
  const { formMethod, formAction, formData } = useNavigation()
  return formMethod === 'POST' && formAction?.startsWith(page)
    ? String(formData?.get('intent') ?? '')
    : null
}

/** Returns the field that the error concerns, or null if the error does not concern exactly one field. [S-202] */
function fieldForError(error: string): 'email' | 'password' | 'name' | null {
  if (error === errors.missingUser || error === errors.invalidEmail) return 'email'
  if (error === errors.longName) return 'name'
  return error === errors.other || error === errors.weakPassword ? 'password' : null
}

type Intent = 'login' | 'register'
type FormProps = {
  failure: LoginFailure | undefined
  pending: string | null
  ways: readonly [Intent, Intent]
}

/** Enter in the field for the name presses "Register". By default, Enter would press the form's first button, "Log In". */
function registerOnEnter(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form!.requestSubmit(
    event.currentTarget.form!.querySelector<HTMLButtonElement>('[value=register]'),
  )
}

function CredentialsForm({ failure, pending, ways }: FormProps) {
  const { search } = useLocation()
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const refusal = useRef<HTMLParagraphElement>(null)
  const isPending = pending !== null
  // An error without a text only marks the fields as invalid. [S-010]
  const isSilent = failure?.error === ''
  const wrong = failure ? fieldForError(failure.error) : null
  const more: FieldErrors = isPending ? {} : (failure?.errors ?? {})
  useEffect(() => {
    // Moves the focus to the field that the user must correct.
    if (failure && failure.intent !== 'guest' && !failure.asksForCode)
      (wrong === 'email' ? email : password).current?.focus()
    // On a phone, the explanation above the field may be out of view.
    if (failure?.error) refusal.current?.scrollIntoView({ block: 'nearest' })
  }, [failure, wrong])
  return (
    <>
      <Refusal
        ref={refusal}
        id="refusal"
        error={isPending ? '' : failure?.error}
        help={isPending ? undefined : failure?.help}
      />
      <Form
        method="post"
        aria-busy={ways.some((intent) => intent === pending)}
      >
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
            aria-invalid={wrong === 'password' || more.password !== undefined || undefined}
            aria-describedby={
              more.password ? 'password-error' : wrong === 'password' ? 'refusal' : undefined
            }
            autoFocus={wrong === 'password'}
          />
          <p
            className={`error ${css.note}`}
            id="password-error"
            role="alert"
          >
            {more.password}
          </p>
        </div>
        {failure?.asksForCode && (
          <Field
            label={passwordTexts.code}
            name="code"
          >
            {(tied) => (
              <input
                {...tied}
                autoComplete="one-time-code"
                autoCapitalize="none"
                required
                autoFocus
              />
            )}
          </Field>
        )}
        <Link
          className={`tap small ${css.forgotten}`}
          id="forgotten"
          data-wanted={isSilent || undefined}
          to={`/reset-password/${search}`}
        >
          {loginTexts.forgotPassword}
        </Link>
        <div className={`stack ${css.choices}`}>
          {ways.map((intent) => (
            <Fragment key={intent}>
              {intent === 'register' && (
                <Field
                  label={loginTexts.name}
                  name="name"
                  id="name"
                  hint={loginTexts.nameHint}
                  error={more.name ?? (wrong === 'name' && !isPending ? failure?.error : undefined)}
                  className={`field ${css.name}`}
                >
                  {(tied) => (
                    <input
                      {...tied}
                      autoComplete="name"
                      defaultValue={failure?.name}
                      onKeyDown={registerOnEnter}
                    />
                  )}
                </Field>
              )}
              <button
                className={intent === ways[0] ? 'button' : 'button quiet'}
                name="intent"
                value={intent}
                aria-disabled={isPending}
                aria-busy={pending === intent}
                data-uncovered
              >
                {loginTexts[intent]}
              </button>
            </Fragment>
          ))}
        </div>
      </Form>
    </>
  )
}

/** `children` are other ways to log in, each with its own form. */
export function LoginPage({
  failure,
  children,
}: {
  failure: LoginFailure | undefined
  children?: ReactNode
}) {
  const pending = usePending('/login')
  return (
    <NarrowCard title={loginTexts.title}>
      <Lead>{loginTexts.lead}</Lead>
      <CredentialsForm
        failure={failure}
        pending={pending}
        ways={['login', 'register']}
      />
      <p className={`row soft small ${css.or}`}>{loginTexts.or}</p>
      <div className={`stack ${css.others}`}>
        {children}
        <Form
          method="post"
          aria-busy={pending === 'guest'}
        >
          <button
            className="button quiet"
            name="intent"
            value="guest"
            aria-disabled={pending !== null}
            aria-busy={pending === 'guest'}
          >
            {loginTexts.guest}
          </button>
        </Form>
      </div>
    </NarrowCard>
  )
}

type LinkProps = {
  moves: MergePreview | null
  from: string
  failure: LoginFailure | undefined
  children: ReactNode
}

export function LinkGuestPage({ moves, from, failure, children }: LinkProps) {
  const pending = usePending('/link-guest')
  if (moves)
    return (
      <ConfirmMerge
        moves={moves}
        isPending={pending !== null}
        error={pending === null ? failure?.error : undefined}
      />
    )
  return (
    <NarrowCard title={linkGuestTexts.title}>
      <Lead>{linkGuestTexts.lead}</Lead>
      <CredentialsForm
        failure={failure}
        pending={pending}
        ways={['register', 'login']}
      />
      <p className={`soft small ${css.hint}`}>{linkGuestTexts.hint}</p>
      <div className={`stack ${css.others}`}>{children}</div>
      <Link
        className={`tap ${css.cancel}`}
        to={from}
      >
        {linkGuestTexts.cancel}
      </Link>
    </NarrowCard>
  )
}

function ConfirmMerge({
  moves,
  isPending,
  error,
}: {
  moves: MergePreview
  isPending: boolean
  error: string | undefined
}) {
  const lines = mergePreviewLines(moves)
  const question = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Moves the focus to the question, because the form that had the focus has disappeared. Screen readers then read the question.
    question.current?.focus()
  }, [])
  return (
    <NarrowCard title={linkGuestTexts.title}>
      <Form
        method="post"
        aria-busy={isPending}
      >
        <input
          type="hidden"
          name="intent"
          value="move"
        />
        <input
          type="hidden"
          name="seen"
          value={moves.version}
        />
        <h2
          className={`large ${css.question}`}
          tabIndex={-1}
          ref={question}
        >
          {linkGuestTexts.question.before}
          {moves.email}
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
        {moves.hasConversation && moves.messages > 0 && (
          <p className={`soft small ${css.hint}`}>{linkGuestTexts.joinsConversation}</p>
        )}
        <p className={`soft small ${css.hint}`}>{linkGuestTexts.guestDeleted}</p>
        <div className={`stack ${css.choices}`}>
          <button
            className="button"
            name="confirm"
            value="Yes"
            aria-disabled={isPending}
            aria-busy={isPending}
          >
            {linkGuestTexts.yes}
          </button>
          <button
            className="button quiet"
            name="confirm"
            value="No"
            aria-disabled={isPending}
          >
            {linkGuestTexts.no}
          </button>
        </div>
      </Form>
    </NarrowCard>
  )
}
