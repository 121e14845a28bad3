/** The name that one is greeted by and that the owner reads (LOGIN-16). */
import { useId } from 'react'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { LONGEST_NAME } from '#app/platform/name-length.ts'

export function NameForm({ name }: { name: string }) {
  const id = useId()
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const error = isPending ? undefined : fetcher.data?.error
  return (
    <fetcher.Form method="post" action="/account/name" aria-busy={isPending}>
      <BackField />
      <div className="field">
        <label htmlFor={id}>Name</label>
        <input
          className="input"
          id={id}
          name="name"
          // A name that was saved in another tab stands here too.
          key={name}
          defaultValue={name}
          maxLength={LONGEST_NAME}
          autoComplete="name"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-told`}
        />
        <p className="error" id={`${id}-told`} role="alert">
          {error}
        </p>
      </div>
      <button className="button" aria-disabled={isPending} aria-busy={isPending}>
        Save Name
      </button>
    </fetcher.Form>
  )
}
