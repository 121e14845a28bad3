/** Behind the links of the letters: what a code stands for, and the button that does it. A program that only looks does nothing. */
import { Form, Link, useNavigation } from 'react-router'
import { CodeField, LetterCard, OtherWays, Told } from './letter-card.tsx'
import { proofTexts, verificationSent, type ConfirmState, type Confirmation } from './email-verification.ts'

const TITLE = 'Confirm Email'

/** `shopName` tells whose account it is; whoever comes from a letter has never seen this page. */
export function ConfirmPage({ state, shopName }: { state: ConfirmState; shopName: string }) {
  const isPending = useNavigation().formAction?.startsWith('/confirm-email') ?? false
  const { asked, done, code, error, isConfirmed } = state
  if (done) return <Done done={done} />
  return (
    <LetterCard title={TITLE} error={isPending ? '' : error}>
      {asked ? (
        <Question asked={asked} shopName={shopName} />
      ) : (
        <p>{isConfirmed && error ? proofTexts.wasVerified : 'The code is in the letter.'}</p>
      )}
      <Form method="post" aria-busy={isPending}>
        {asked ? (
          <input type="hidden" name="code" value={code} />
        ) : (
          <CodeField id="code" defaultValue={code} isInvalid={error === proofTexts.badCode} />
        )}
        <button className="button" aria-disabled={isPending} aria-busy={isPending}>
          Confirm
        </button>
      </Form>
      <OtherWays>{asked ? <Link to="/">Not mine, confirm nothing</Link> : <Link to="/account/">Send me another letter</Link>}</OtherWays>
    </LetterCard>
  )
}

function Question({ asked: { kind, email, newEmail }, shopName }: { asked: Confirmation; shopName: string }) {
  if (kind === 'change-old')
    return (
      <p>
        Your account at {shopName} is to have the e-mail <strong>{newEmail}</strong> instead of <strong>{email}</strong>. Do you want that?
      </p>
    )
  return (
    <p>
      {kind === 'verify' ? 'There is' : 'From now on there is to be'} an account at {shopName} with the e-mail{' '}
      <strong>{kind === 'verify' ? email : newEmail}</strong>. Is it yours?
    </p>
  )
}

const Done = ({ done: { kind, newEmail } }: { done: Confirmation }) => (
  <LetterCard title={TITLE}>
    <Told>
      {kind === 'verify' && proofTexts.verified}
      {kind === 'change-old' && `${verificationSent(newEmail)} Once you have confirmed it there, it is the e-mail of your account.`}
      {kind === 'change-new' && `${proofTexts.changed} From now on you log in with ${newEmail}.`}
    </Told>
    <OtherWays>
      <Link className="button" to="/">
        To the shop
      </Link>
    </OtherWays>
  </LetterCard>
)
