/** A sensitive act of the account page: a button, behind it the form that asks for the password (S-015), with Cancel and Submit (TOAST-06). */
import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { SignInWith } from '#app/features/providers/sign-in-with.tsx'
import type { ProviderChoice } from '#app/platform/providers.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { PasswordField } from '#app/ui/password-prompt.tsx'
import { Choices, CloseButton, dialogAround, Question, type QuestionProps } from '#app/ui/question.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './proven-act.module.css'
import { STALE_LOGIN, type ProofWay } from './proof.ts'

/** The providers by which the account of this page logs in. */
export const OwnProviders = createContext<readonly ProviderChoice[]>([])

type Props = QuestionProps & {
  /** the address that takes the form; its action calls `proveItsYou` and answers by `answer` */
  action: string
  proof: ProofWay
  passwordLabel?: string
  /** the fields before the password, and what should be read before */
  children?: ReactNode
  /** the fields after it */
  fieldsAfter?: ReactNode
}

export const ProvenAct = (props: Props) => (props.proof === 'stale' ? <StaleAct {...props} /> : <FormAct {...props} />)

/** LOGIN-28 to LOGIN-30: pending while it is sent; a refusal stands in the dialog until it is closed, a success closes it. */
function FormAct({ action, proof, passwordLabel = 'Password', children, fieldsAfter, className = 'button quiet', ...question }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const isDone = !isPending && fetcher.data?.ok === true
  const { reset } = fetcher
  // The dialog is the browser's: success closes it, and whoever closes it leaves nothing typed and nothing refused behind.
  useEffect(() => {
    const dialog = form.current && dialogAround(form.current)
    if (!dialog) return undefined
    const clean = () => {
      form.current?.reset()
      reset()
    }
    dialog.addEventListener('close', clean)
    if (isDone) dialog.close()
    return () => dialog.removeEventListener('close', clean)
  }, [isDone, reset])
  return (
    <Question className={className} {...question}>
      {(dialogId) => (
        <fetcher.Form method="post" action={action} ref={form} aria-busy={isPending}>
          <BackField />
          {children}
          {proof === 'password' && <PasswordField label={passwordLabel} />}
          {fieldsAfter}
          <p className={`error ${css.told}`} role="alert">
            {isPending ? '' : fetcher.data?.error}
            {!isPending && fetcher.data?.help && <small>{fetcher.data.help}</small>}
          </p>
          <Choices>
            <CloseButton dialogId={dialogId}>Cancel</CloseButton>
            <button className="button" aria-disabled={isPending} aria-busy={isPending}>
              Submit
            </button>
          </Choices>
        </fetcher.Form>
      )}
    </Question>
  )
}

/** An account without a password: a fresh log-in stands for it, and leads back to this page. */
function StaleAct({ label, question, className = 'button quiet', disabled = false }: Props) {
  const providers = useContext(OwnProviders)
  return (
    <Question {...{ label, question, className, disabled }}>
      {(dialogId) => (
        <>
          <p>{STALE_LOGIN}</p>
          {providers.map((provider) => (
            <SignInWith key={provider.id} provider={provider} purpose="prove" label={`Log In with ${provider.name} Again`} />
          ))}
          <Choices>
            <CloseButton dialogId={dialogId}>Cancel</CloseButton>
          </Choices>
        </>
      )}
    </Question>
  )
}
