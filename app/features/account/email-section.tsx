/** The address of one's account: whether it is confirmed, a change that waits, and the way to another one. */
import { useFetcher } from 'react-router'
import { AccountSection, ProvenAct } from './account-section.tsx'
import type { ProofWay } from '#app/features/auth/auth-texts.ts'
import type { Answer } from '#app/ui/answer.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { CircleCheck, CircleDashed } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './email-section.module.css'
import type { AccountAddress } from '#app/features/auth/email-verification/email-verification.ts'

type Props = { address: AccountAddress; proof: ProofWay }

export function EmailSection({ address: { email, isVerified, change }, proof }: Props) {
  const Icon = isVerified ? CircleCheck : CircleDashed
  return (
    <AccountSection id="email-section" title="Email" hint="What you log in with, and where letters of the shop go.">
      <p className={`strong ${css.address}`}>{email}</p>
      <p className={`row soft small ${css.state}`} data-verified={isVerified}>
        <Icon size={18} aria-hidden="true" />
        {isVerified ? 'Confirmed' : 'Not confirmed yet'}
      </p>
      {change && (
        <p className={`raised ${css.change}`}>
          It becomes <strong>{change.newEmail}</strong> once you have confirmed it in the letter to{' '}
          {change.waitsFor === 'old' ? email : 'that address'}.
        </p>
      )}
      <div className="wrap">
        {!isVerified && <OneButton action="/account/verification" intent="send" label="Send Verification Email" />}
        {change && <OneButton action="/account/email" intent="cancel" label="Keep the old one" />}
        <ProvenAct action="/account/email" proof={proof} label="Change Email" question="Change your e-mail">
          <p>
            {isVerified ? 'You confirm it in a letter to each of the two addresses.' : 'You confirm it in a letter to the new address.'}
          </p>
          <Field label="New email" name="email">
            {(tied) => (
              <input {...tied} inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} required maxLength={254} />
            )}
          </Field>
        </ProvenAct>
      </div>
    </AccountSection>
  )
}

/** LOGIN-28 to LOGIN-30: pending, then a toast, then as before. */
function OneButton({ action, intent, label }: { action: string; intent: string; label: string }) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  return (
    <fetcher.Form method="post" action={action}>
      <BackField />
      <button className="button quiet" name="intent" value={intent} aria-disabled={isPending} aria-busy={isPending}>
        {label}
      </button>
    </fetcher.Form>
  )
}
