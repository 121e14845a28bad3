/** The end of the account page: all data as a file, and the way out. */
import { askedText, goesText, staysText, OWNER_STAYS } from './delete-account.ts'
import type { Belongings } from '#app/features/auth/belongings.server.ts'
import css from './what-goes.module.css'
import { AccountSection, ProvenAct } from '#app/features/account/account-section.tsx'
import type { ProofWay } from '#app/features/auth/auth-texts.ts'

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

type Props = { isOwner: boolean; proof: ProofWay; belongings: Belongings }

export const OwnDataSection = () => (
  <AccountSection id="data" title="Your data" hint="A page to read, the same for programs, and your pictures.">
    <p>Everything that the shop keeps of you, as one file. It is made while you download it.</p>
    {/* A document's own form: the browser saves the answer as a file and stays where it is. */}
    <form method="post" action="/account/data">
      <input type="hidden" name="back" value="/account/" />
      <button className="button quiet">Download my data</button>
    </form>
  </AccountSection>
)

/** LOGIN-24, LOGIN-38, S-222: what goes and what stays is told before the password is asked for. */
export const LeavingSection = ({ isOwner, proof, belongings }: Props) => (
  <AccountSection id="leaving" title="Delete account" hint="For good: nobody can bring it back.">
    {isOwner ? (
      <p>{OWNER_STAYS}</p>
    ) : (
      <>
        <p>Your account goes with everything in it. You may want to download your data first.</p>
        <ProvenAct
          label="Delete my account"
          question="Delete your account for good?"
          className="button danger"
          action="/account/delete"
          proof={proof}
        >
          <WhatGoes belongings={belongings} />
        </ProvenAct>
      </>
    )}
  </AccountSection>
)
