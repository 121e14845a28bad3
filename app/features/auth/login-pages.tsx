import { Fragment, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { SubmitButton } from '#ui/action-form.tsx'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { EmailField, HiddenInputs, InputField } from '#ui/form-fields.tsx'
import { Lead, NarrowCard, Refusal } from '#ui/layout/narrow-card.tsx'
import { PasswordInput } from '#ui/password-input.tsx'
import { linkGuestTexts } from './guests/texts.ts'
import { passwordTexts } from '#ui/password-texts.ts'
import { loginErrorTexts as errors, loginTexts } from './texts.ts'
import { mergePreviewLines } from './guests/guests.ts'
import type { MergePreview } from './guests/link-guest.server.ts'
import type { LoginRefusal } from './sign-in.server.ts'
import css from './login-pages.module.css'

type LoginFailure = Pick<LoginRefusal, 'error' | 'help' | 'errors' | 'asksForCode'> & {
  email: string
  name: string
  intent?: string
}

function usePendingIntent() {
  const { formMethod, formData } = useNavigation()
  return formMethod === 'POST' ? String(formData?.get('intent') ?? '') : null
}

type LoginPageProps = { failure: LoginFailure | undefined; children: ReactNode }

/** Visitors who are ordering see the button for guests first. */
export function LoginPage({
  failure,
  lead,
  isOrdering,
  children,
}: LoginPageProps & { lead: string; isOrdering: boolean }) {
  const pending = usePendingIntent()
  const guestForm = (
    <Form method="post">
      <button
        className={isOrdering ? 'button w-full' : 'button quiet w-full'}
        name="intent"
        value="guest"
        aria-disabled={pending !== null}
        aria-busy={pending === 'guest'}
      >
        {loginTexts.guest}
      </button>
    </Form>
  )
  return (
    <NarrowCard title={loginTexts.title}>
      <Lead>{lead}</Lead>
      {isOrdering && (
        <>
          {guestForm}
          <Or />
        </>
      )}
      <CredentialsForm
        failure={failure}
        pending={pending}
        ways={['login', 'register']}
      />
      {!isOrdering && <Or />}
      <div className={`grid gap-4 ${css.others}`}>
        {children}
        {!isOrdering && guestForm}
      </div>
    </NarrowCard>
  )
}

const Or = () => (
  <p className={`flex items-center gap-3 text-soft text-sm ${css.or}`}>{loginTexts.or}</p>
)

type LinkGuestPageProps = LoginPageProps & { moves: MergePreview | null; from: string }

export function LinkGuestPage({ moves, from, failure, children }: LinkGuestPageProps) {
  const pending = usePendingIntent()
  if (moves) {
    return (
      <ConfirmMerge
        moves={moves}
        isPending={pending !== null}
        error={pending === null ? failure?.error : undefined}
      />
    )
  }
  return (
    <NarrowCard title={linkGuestTexts.title}>
      <Lead>{linkGuestTexts.lead}</Lead>
      <CredentialsForm
        failure={failure}
        pending={pending}
        ways={['register', 'login']}
      />
      <p className={`text-soft text-sm ${css.hint}`}>{linkGuestTexts.hint}</p>
      <div className={`grid gap-4 ${css.others}`}>{children}</div>
      <Link
        className={`tap ${css.cancel}`}
        to={from}
      >
        {linkGuestTexts.cancel}
      </Link>
    </NarrowCard>
  )
}

type Intent = 'login' | 'register'
type CredentialsFormProps = {
  failure: LoginFailure | undefined
  pending: string | null
  ways: readonly [Intent, Intent]
}

function CredentialsForm({ failure, pending, ways }: CredentialsFormProps) {
  const { search } = useLocation()
  const form = useRef<HTMLFormElement>(null)
  const refusal = useRef<HTMLParagraphElement>(null)
  const isPending = pending !== null
  const wrongField = failure ? fieldForError(failure.error) : null
  useEffect(() => {
    if (failure && failure.intent !== 'guest' && !failure.asksForCode) {
      const field = wrongField === 'email' ? '#email' : '#password'
      form.current?.querySelector<HTMLInputElement>(field)?.focus()
    }
    // On a phone, the text above the field may be out of view.
    if (failure?.error) refusal.current?.scrollIntoView({ block: 'nearest' })
  }, [failure, wrongField])
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
        ref={form}
        aria-busy={ways.some((intent) => intent === pending)}
      >
        <EmailField
          aria-invalid={wrongField === 'email' || undefined}
          aria-describedby={wrongField === 'email' ? 'refusal' : undefined}
          autoFocus={wrongField === 'email'}
          defaultValue={failure?.email}
        />
        <LoginPasswordField
          isWrong={wrongField === 'password'}
          error={isPending ? undefined : failure?.errors?.password}
          isPending={isPending}
        />
        {failure?.asksForCode && (
          <InputField
            label={passwordTexts.code}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            required
            autoFocus
          />
        )}
        <Link
          className={`tap text-sm ${css.forgotten}`}
          id="forgotten"
          data-wanted={failure?.error === '' || undefined}
          to={`/reset-password/${search}`}
        >
          {loginTexts.forgotPassword}
        </Link>
        <IntentButtons
          failure={failure}
          pending={pending}
          ways={ways}
        />
      </Form>
    </>
  )
}

function fieldForError(error: string) {
  if (error === errors.missingUser || error === errors.invalidEmail) return 'email'
  if (error === errors.longName) return 'name'
  return error === errors.other || error === errors.weakPassword ? 'password' : null
}

type LoginPasswordFieldProps = { isWrong: boolean; error: string | undefined; isPending: boolean }

function LoginPasswordField({ isWrong, error, isPending }: LoginPasswordFieldProps) {
  const refusalId = isWrong ? 'refusal' : undefined
  return (
    <div className={`field ${css.password}`}>
      <label htmlFor="password">{loginTexts.password}</label>
      <PasswordInput
        id="password"
        name="password"
        autoComplete="current-password"
        required
        isHidden={isPending}
        aria-invalid={isWrong || error !== undefined || undefined}
        aria-describedby={error ? 'password-error' : refusalId}
        autoFocus={isWrong}
      />
      <p
        className={`error ${css.note}`}
        id="password-error"
        role="alert"
      >
        {error}
      </p>
    </div>
  )
}

function IntentButtons({ failure, pending, ways }: CredentialsFormProps) {
  const nameError = failure?.error === errors.longName ? failure.error : failure?.errors?.name
  return (
    <div className={`grid gap-4 ${css.choices}`}>
      {ways.map((intent) => (
        <Fragment key={intent}>
          {intent === 'register' && (
            <InputField
              label={loginTexts.name}
              name="name"
              id="name"
              hint={loginTexts.nameHint}
              error={pending === null ? nameError : undefined}
              className={`field ${css.name}`}
              autoComplete="name"
              defaultValue={failure?.name}
              onKeyDown={registerOnEnter}
            />
          )}
          <button
            className={intent === ways[0] ? 'button' : 'button quiet'}
            name="intent"
            value={intent}
            aria-disabled={pending !== null}
            aria-busy={pending === intent}
            data-uncovered
          >
            {loginTexts[intent]}
          </button>
        </Fragment>
      ))}
    </div>
  )
}

/** By default, Enter would press the form's first button, "Log In". */
function registerOnEnter(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form!.requestSubmit(
    event.currentTarget.form!.querySelector<HTMLButtonElement>('[value=register]'),
  )
}

type ConfirmMergeProps = { moves: MergePreview; isPending: boolean; error: string | undefined }

function ConfirmMerge({ moves, isPending, error }: ConfirmMergeProps) {
  const lines = mergePreviewLines(moves)
  const question = useRef<HTMLHeadingElement>(null)
  useEffect(() => question.current?.focus(), [])
  return (
    <NarrowCard title={linkGuestTexts.title}>
      <Form
        method="post"
        aria-busy={isPending}
      >
        <HiddenInputs
          intent="move"
          seen={moves.version}
        />
        <h2
          className={`text-lg ${css.question}`}
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
          <p className={`text-soft text-sm ${css.hint}`}>{linkGuestTexts.joinsConversation}</p>
        )}
        <p className={`text-soft text-sm ${css.hint}`}>{linkGuestTexts.guestDeleted}</p>
        <div className={`grid gap-4 ${css.choices}`}>
          <SubmitButton
            name="confirm"
            value="Yes"
            isPending={isPending}
          >
            {linkGuestTexts.yes}
          </SubmitButton>
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
