/** The guest's way to a lasting account (NAV-41, S-002): an e-mail address and a password, and everything stays. */
import { useId, useRef } from 'react'
import { UserRoundPlus } from 'lucide-react'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import dialogCss from '#app/ui/dialog.module.css'
import { useAnswerToasts } from '#app/ui/toasts.tsx'

export function LinkGuestAccount({ className }: { className: string | undefined }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const error = isPending ? undefined : fetcher.data?.error
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        {...{ command: 'show-modal', commandfor: id }}
        onClick={(event) => {
          event.preventDefault()
          if (!dialog.current?.open) dialog.current?.showModal()
        }}
      >
        <UserRoundPlus size={20} aria-hidden="true" />
        Link Guest Account
      </button>
      <dialog id={id} ref={dialog} className={dialogCss.dialog} aria-labelledby={`${id}-title`}>
        <p id={`${id}-title`} className={dialogCss.question}>
          Keep your favorites, messages and order requests
        </p>
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
          <div className={dialogCss.choices}>
            <button
              type="button"
              className="button quiet"
              {...{ command: 'close', commandfor: id }}
              onClick={() => dialog.current?.close()}
            >
              Cancel
            </button>
            <button className="button" disabled={isPending} aria-busy={isPending}>
              Submit
            </button>
          </div>
        </fetcher.Form>
      </dialog>
    </>
  )
}
