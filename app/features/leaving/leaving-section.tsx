/** The end of the account page: all data as a file, and the way out. */
import { AccountSection } from '#app/features/profile/account-section.tsx'
import type { ProofWay } from '#app/features/profile/proof.ts'
import { ProvenAct } from '#app/features/profile/proven-act.tsx'
import { OWNER_STAYS, type Belongings } from './leaving.ts'
import { WhatGoes } from './what-goes.tsx'

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
