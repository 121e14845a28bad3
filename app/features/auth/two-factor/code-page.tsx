/** The second step of the owner's login: a page with one field, which works without script. */
import { useEffect, useRef } from 'react'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { Lead, NarrowCard, Refusal } from '#app/ui/layout/narrow-card.tsx'
import css from './code-page.module.css'

export type CodeFailure = { error: string; isOver: boolean }

export function CodePage({ failure }: { failure: CodeFailure | undefined }) {
  const code = useRef<HTMLInputElement>(null)
  const { search } = useLocation()
  const isPending = useNavigation().formAction?.startsWith('/login/code') ?? false
  useEffect(() => {
    // The focus is the browser's: a wrong code is typed anew.
    if (failure && !failure.isOver) code.current?.select()
  }, [failure])
  const error = isPending ? undefined : failure?.error
  return (
    <NarrowCard title="One more step">
      <Lead>
        {failure?.isOver ? 'Nobody is logged in.' : 'Type the six digits that your app shows now, or one of your recovery codes.'}
      </Lead>
      <Refusal error={error} />
      {!failure?.isOver && (
        <Form method="post" aria-busy={isPending}>
          <div className="field">
            <label htmlFor="code">Code</label>
            <input
              className={`input tabular ${css.code}`}
              id="code"
              name="code"
              ref={code}
              autoComplete="one-time-code"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={40}
              required
              autoFocus
              aria-invalid={failure !== undefined || undefined}
            />
          </div>
          <button className={`button wide ${css.wide}`} aria-disabled={isPending} aria-busy={isPending}>
            Log In
          </button>
        </Form>
      )}
      <p className={`centered-text ${css.back}`}>
        <Link to={`/login/${search}`}>Back to Login</Link>
      </p>
    </NarrowCard>
  )
}
