/** Name and photo, as the shop and its owner see them. */
import type { Account } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { NameForm } from './name-form.tsx'
import { PhotoForm } from './photo-form.tsx'

export const ProfileSection = ({ account: { user } }: { account: Account }) => (
  <AccountSection id="profile-section" title="Profile" hint="How the shop greets you, and who you are in your messages.">
    <PhotoForm image={user.image} />
    <NameForm name={user.name} />
  </AccountSection>
)
