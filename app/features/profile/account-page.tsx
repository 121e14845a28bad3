/** The page of one's own account (S-012). Each section is a component of its own feature and posts to an address of its own. */
import { DevicesSection } from '#app/features/devices/devices-section.tsx'
import { LeavingSection, OwnDataSection } from '#app/features/leaving/leaving-section.tsx'
import { EmailSection } from '#app/features/address-proof/email-section.tsx'
import { SecondFactorSection } from '#app/features/second-factor/second-factor-section.tsx'
import { ProveSection } from '#app/features/providers/prove-section.tsx'
import css from './account-page.module.css'
import type { Account } from './account.ts'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'

export function AccountPage({ account }: { account: Account }) {
  return (
    <main className={`page ${css.page}`} id="main">
      <h1 className={css.title}>Account</h1>
      <p className="intro">Who you are here, how you log in, and what the shop keeps of you.</p>
      <div className={css.sections}>
        {account.prover && account.proof === 'stale' && <ProveSection prover={account.prover} />}
        <ProfileSection account={account} />
        <EmailSection address={account.address} proof={account.proof} />
        <PasswordSection account={account} />
        {account.secondFactor && <SecondFactorSection secondFactor={account.secondFactor} />}
        <DevicesSection devices={account.devices} timeZone={account.timeZone} />
        <OwnDataSection />
        <LeavingSection isOwner={account.user.role === 'admin'} proof={account.proof} belongings={account.belongings} />
      </div>
    </main>
  )
}
