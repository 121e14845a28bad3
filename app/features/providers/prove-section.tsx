/** An account without a password whose login is older than ten minutes: logging in again with its provider stands for the password (S-211). */
import { AccountSection } from '#app/features/profile/account-section.tsx'
import type { Prover } from './prover.server.ts'
import { SignInWith } from './sign-in-with.tsx'

export const ProveSection = ({ prover: { provider, failed } }: { prover: Prover }) => (
  <AccountSection
    id="prove"
    title="Log in again"
    hint={`Before your account can be changed, ${provider.name} has to say once more that it is you. You stay on this page.`}
  >
    <SignInWith provider={provider} purpose="prove" failed={failed} />
  </AccountSection>
)
