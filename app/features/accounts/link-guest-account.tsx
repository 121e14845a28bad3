/** The guest's way to a lasting account (NAV-41, S-002): an e-mail address and a password, and everything stays. */
import { useId } from 'react'
import { UserRoundPlus } from 'lucide-react'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Choices, CloseButton, Question } from '#app/ui/question.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'

export function LinkGuestAccount({ className }: { className: string | undefined }) {
  const id = useId()
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const error = isPending ? undefined : fetcher.data?.error
  const label = (
    <>
      <UserRoundPlus size={20} aria-hidden="true" />
      Link Guest Account
    </>
  )
  return (
    <Question label={label} question="Keep your favorites, messages and order requests" className={className}>
      {(dialogId) => (
        <fetcher.Form method="post" action="/link-guest">
          <BackField />
          <div className="field">
            <label htmlFor={`${id}-email`}>Email</label>
            <input className="input" id={`${id}-email`} name="email" inputMode="email" autoComplete="username" required />
          </div>
          <div className="field">
            <label htmlFor={`${id}-password`}>Password</label>
            <input className="input" id={`${id}-password`} name="password" type="password" autoComplete="new-password" required />
          </div>
          <p className="error" role="alert">
            {error}
          </p>
          <Choices>
            <CloseButton dialogId={dialogId}>Cancel</CloseButton>
            <button className="button" disabled={isPending} aria-busy={isPending}>
              Submit
            </button>
          </Choices>
        </fetcher.Form>
      )}
    </Question>
  )
}
