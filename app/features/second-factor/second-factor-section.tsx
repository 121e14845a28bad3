/** Two-step login on the owner's account page: whether it is on, and the way to its own page. */
import { Link } from 'react-router'
import { AccountSection } from '#app/features/profile/account-section.tsx'
import type { SecondFactor } from './change-second-factor.server.ts'
import { TWO_STEP_OFF, TWO_STEP_ON } from './second-factor.ts'

export const SecondFactorSection = ({ secondFactor: { isOn, codesLeft } }: { secondFactor: SecondFactor }) => (
  <AccountSection id="second-factor" title="Two-step login" hint="A code of an app on your phone, besides the password.">
    <p>{isOn ? `${TWO_STEP_ON}. Recovery codes left: ${codesLeft}.` : `${TWO_STEP_OFF}.`}</p>
    <Link className="button quiet" to="/account/second-factor/">
      {isOn ? 'Change Two-Step Login' : 'Set Up Two-Step Login'}
    </Link>
  </AccountSection>
)
