/** What the sections of the account page have in common: their frame, and acts that ask for the password. */
import { createContext, useContext, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { SignInWith } from '#app/features/auth/oauth/sign-in-with.tsx'
import type { ProviderChoice } from '#app/platform/providers.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { DialogError, PasswordField } from '#app/ui/password-prompt.tsx'
import { Choices, CloseButton, Question, type QuestionProps } from '#app/ui/question.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './account-section.module.css'
import type { Belongings } from '#app/features/auth/belongings.server.ts'
import { askedText, goesText, staysText } from './delete-account/delete-account.ts'
import { STALE_LOGIN, type ProofWay } from '#app/features/auth/auth-texts.ts'

type SectionProps = { id: string; title: string; hint?: ReactNode; children: ReactNode }

/** `id` is also the section's anchor. */
export const AccountSection = ({ id, title, hint, children }: SectionProps) => (
  <section className={`card stack ${css.section}`} id={id} aria-labelledby={`${id}-title`}>
    <div>
      <h2 className={css.title} id={`${id}-title`}>
        {title}
      </h2>
      {hint && <p className="soft small flush">{hint}</p>}
    </div>
    <div className={`slim ${css.content}`}>{children}</div>
  </section>
)

/** The providers by which the account of this page logs in. */
export const OwnProviders = createContext<readonly ProviderChoice[]>([])

type Props = QuestionProps & {
  /** the address that takes the form; its action calls `proveItsYou` and answers by `answer` */
  action: string
  proof: ProofWay
  passwordLabel?: string | undefined
  /** the fields before the password, and what should be read before */
  children?: ReactNode
  /** the fields after it */
  fieldsAfter?: ReactNode
}

/** LOGIN-28 to LOGIN-30: pending while it is sent; a refusal stands in the dialog until it is closed, a success closes it. */
export function ProvenAct({ action, proof, passwordLabel, children, fieldsAfter, className = 'button quiet', ...question }: Props) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const providers = useContext(OwnProviders)
  const isPending = fetcher.state !== 'idle'
  const isDone = !isPending && fetcher.data?.ok === true
  const form = (dialogId: string) => (
    <fetcher.Form method="post" action={action} aria-busy={isPending}>
      <BackField />
      {children}
      {proof === 'password' && <PasswordField label={passwordLabel} />}
      {fieldsAfter}
      <DialogError {...(isPending ? {} : fetcher.data)} className={css.told} isDone={isDone} onClose={fetcher.reset} />
      <Choices>
        <CloseButton dialogId={dialogId}>Cancel</CloseButton>
        <button className="button" aria-disabled={isPending} aria-busy={isPending}>
          Submit
        </button>
      </Choices>
    </fetcher.Form>
  )
  // An account without a password: a fresh log-in stands for it, and leads back to this page.
  const stale = (dialogId: string) => (
    <>
      <p>{STALE_LOGIN}</p>
      {providers.map((provider) => (
        <SignInWith key={provider.id} provider={provider} purpose="prove" label={`Log In with ${provider.name} Again`} />
      ))}
      <Choices>
        <CloseButton dialogId={dialogId}>Cancel</CloseButton>
      </Choices>
    </>
  )
  return (
    <Question className={className} {...question}>
      {proof === 'stale' ? stale : form}
    </Question>
  )
}

export function WhatGoes({ belongings, whose = 'your' }: { belongings: Belongings; whose?: 'your' | 'their' }) {
  const [goes, { asked, purchases }] = [goesText(belongings), belongings]
  return (
    <ul className={`stack ${css.list}`}>
      <li>{goes ? `This goes at once: the account with ${goes}.` : 'The account goes at once; there is nothing in it.'}</li>
      {asked.length > 0 && <li>{askedText(asked)}</li>}
      {purchases > 0 && <li>{staysText(purchases, whose)}</li>}
      {purchases > 0 && whose === 'your' && (
        <li>Is something of it not in your hands yet? Settle that first: the messages about it go, too.</li>
      )}
    </ul>
  )
}
