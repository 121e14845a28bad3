/** Name and photo, as the shop and its owner see them. */
import { AccountSection } from './account-section.tsx'
import type { Account } from './account.ts'

export const ProfileSection = ({ account: { user } }: { account: Account }) => (
  <AccountSection id="profile-section" title="Profile" hint="How the shop greets you, and how you stand in your messages.">
    <p>{user.name || user.email}</p>
  </AccountSection>
)
