/** Signing in, registering, or looking around as a guest. */
import { useEffect, useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { KnotMark } from './knot-mark.tsx'
import css from './login-page.module.css'

/** What the last try was answered; `error` may be empty (LOGIN-43). */
export type LoginFailure = { error: string; email: string; intent: string }

export function LoginPage({ failure }: { failure: LoginFailure | undefined }) {
  const password = useRef<HTMLInputElement>(null)
  const navigation = useNavigation()
  const pending = navigation.formAction?.startsWith('/login') ? (navigation.formData?.get('intent') ?? null) : null
  // S-010: an error without a text still shows where it is.
  const isSilent = failure?.error === ''
  useEffect(() => {
    // The focus is the browser's: it goes to what has to be typed again.
    if (failure && failure.intent !== 'guest') password.current?.focus()
  }, [failure])
  return (
    <main className={`page ${css.page}`} id="main">
      <section className={`card ${css.card}`}>
        <KnotMark className={css.mark} />
        <h1 className={css.title}>Login</h1>
        <p className={css.welcome}>Keep your favorites and talk with the maker.</p>
        <Form method="post" aria-busy={pending !== null}>
          <p role="alert" className={css.error}>
            {pending === null ? failure?.error : ''}
          </p>
          <div className="field">
            <label htmlFor="email">Email</label>
            <input
              className="input"
              id="email"
              name="email"
              type="text"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              defaultValue={failure?.email}
            />
          </div>
          <div className="field">
            <label htmlFor="password">Password</label>
            <input
              className="input"
              id="password"
              name="password"
              type="password"
              ref={password}
              autoComplete="current-password"
              required
              aria-invalid={isSilent || undefined}
              autoFocus={isSilent}
            />
          </div>
          <div className={css.choices}>
            <button className="button" name="intent" value="login" disabled={pending !== null} data-pending={pending === 'login'}>
              Log In
            </button>
            <button className="button quiet" name="intent" value="register" disabled={pending !== null}>
              Register
            </button>
          </div>
          <p className={css.or}>or</p>
          <button className={`button quiet ${css.wide}`} name="intent" value="guest" formNoValidate disabled={pending !== null}>
            Log In Anonymously
          </button>
        </Form>
      </section>
    </main>
  )
}
