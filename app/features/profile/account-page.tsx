/** The page of one's own account (S-012). Each section is a component of its own feature and posts to an address of its own. */
import { DevicesSection } from '#app/features/devices/devices-section.tsx'
import { LeavingSection, OwnDataSection } from '#app/features/leaving/leaving-section.tsx'
import { EmailSection } from '#app/features/address-proof/email-section.tsx'
import { SecondFactorSection } from '#app/features/second-factor/second-factor-section.tsx'
import { useKeptFocus } from '#app/ui/use-kept-focus.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { helpFor, PROVIDER_ERROR } from '#app/features/providers/provider-try.ts'
import css from './account-page.module.css'
import type { Account } from './account.ts'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { OwnProviders } from './proven-act.tsx'

export function AccountPage({ account }: { account: Account }) {
  useKeptFocus()
  return (
    <main className={`page ${css.page}`} id="main">
      <h1 className={css.title}>Account</h1>
      <p className="intro">Who you are here, how you log in, and what the shop keeps of you.</p>
      <ProofFailed account={account} />
      <OwnProviders value={account.providers}>
        <div className={css.sections}>
          <ProfileSection account={account} />
          <EmailSection address={account.address} proof={account.proof} />
          <PasswordSection account={account} />
          {account.secondFactor && <SecondFactorSection secondFactor={account.secondFactor} />}
          <DevicesSection devices={account.devices} timeZone={account.timeZone} />
          <OwnDataSection />
          <LeavingSection isOwner={account.user.role === 'admin'} proof={account.proof} belongings={account.belongings} />
        </div>
      </OwnProviders>
    </main>
  )
}

/** LOGIN-56: told where the try began. A window of its own tells it in the prompt itself. */
function ProofFailed({ account: { failed: told, providers } }: { account: Account }) {
  // It is told once, and stays on the page when its data is loaded anew.
  const failed = useKeptAnswer(told ?? undefined)
  if (!failed) return null
  return (
    <div className={css.failed} role="alert">
      <p className="error">{PROVIDER_ERROR}</p>
      <p>{helpFor(failed.reason, providers.find(({ id }) => id === failed.provider)?.name ?? failed.provider)}</p>
    </div>
  )
}
