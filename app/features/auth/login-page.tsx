/** Signing in, registering, or looking around as a guest. */
import { useEffect, useRef, type ReactNode } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { EmailField } from '#app/ui/form-fields.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { fieldOf } from './auth-texts.ts'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import css from './login-page.module.css'

/** What the last try was answered; `error` may be empty (LOGIN-43). */
export type LoginFailure = { error: string; help?: string | undefined; email: string; intent: string }

/** `children`: further ways in, each with a form of its own */
export function LoginPage({ failure, children }: { failure: LoginFailure | undefined; children?: ReactNode }) {
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const navigation = useNavigation()
  const pending = navigation.formAction?.startsWith('/login') ? (navigation.formData?.get('intent') ?? null) : null
  const isPending = pending !== null
  // S-010: an error without a text still shows where it is.
  const isSilent = failure?.error === ''
  const wrong = failure ? fieldOf(failure.error) : null
  useEffect(() => {
    // The focus is the browser's: it goes to what has to be typed again.
    if (failure && failure.intent !== 'guest') (wrong === 'email' ? email : password).current?.focus()
  }, [failure, wrong])
  return (
    <NarrowCard title="Login">
      <Lead>Keep your favorites and talk with the maker.</Lead>
      <Refusal id="refusal" error={isPending ? '' : failure?.error} help={isPending ? undefined : failure?.help} />
      <Form method="post" aria-busy={isPending && pending !== 'guest'}>
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
          <button className="button" name="intent" value="login" aria-disabled={isPending} aria-busy={pending === 'login'}>
            Log In
          </button>
          <button className="button quiet" name="intent" value="register" aria-disabled={isPending} aria-busy={pending === 'register'}>
            Register
          </button>
        </div>
      </Form>
      <p className={`row soft small ${css.or}`}>or</p>
      <div className={`stack ${css.others}`}>
        {children}
        <Form method="post" aria-busy={pending === 'guest'}>
          <button className="button quiet" name="intent" value="guest" aria-disabled={isPending} aria-busy={pending === 'guest'}>
            Log In Anonymously
          </button>
        </Form>
      </div>
    </NarrowCard>
  )
}
