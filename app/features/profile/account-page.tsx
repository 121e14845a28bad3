/** The page of one's own account (S-012). Each section is a component of its own feature and posts to an address of its own. */
import { SecondFactorSection } from '#app/features/second-factor/second-factor-section.tsx'
import { ProveSection } from '#app/features/providers/prove-section.tsx'
import css from './account-page.module.css'
import type { Account } from './account.ts'
import { ProfileSection } from './profile-section.tsx'

export function AccountPage({ account }: { account: Account }) {
  return (
    <main className={`page ${css.page}`} id="main">
      <h1 className={css.title}>Account</h1>
      <p className="intro">Who you are here, how you log in, and what the shop keeps of you.</p>
      <div className={css.sections}>
        {account.prover && account.proof === 'stale' && <ProveSection prover={account.prover} />}
        <ProfileSection account={account} />
        {account.secondFactor && <SecondFactorSection secondFactor={account.secondFactor} />}
      </div>
    </main>
  )
}
