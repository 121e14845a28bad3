/** The page of one’s own account (S-012). Each section posts to an address of its own. */
import { Field } from '#app/ui/form-fields.tsx'
import { useFetcher, Link } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { LONGEST_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#app/platform/account-limits.ts'
import type { Account } from './account.ts'
import { AccountSection, ProvenAct, OwnProviders } from './account-section.tsx'
import { PhotoForm } from './photo-form.tsx'
import { DevicesSection } from './sessions/devices-section.tsx'
import { LeavingSection, OwnDataSection } from './delete-account/delete-section.tsx'
import { EmailSection } from './email-section.tsx'
import type { SecondFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { TWO_STEP_OFF, TWO_STEP_ON } from '#app/features/auth/two-factor/two-factor.ts'
import { useFocusAfterRemoval } from '#app/ui/use-focus-after-removal.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { helpFor, PROVIDER_ERROR } from '#app/features/auth/oauth/oauth.ts'
import css from './account-page.module.css'

function NameForm({ name }: { name: string }) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  return (
    <fetcher.Form method="post" action="/account/name" aria-busy={isPending}>
      <BackField />
      <Field label="Name" name="name" error={isPending ? undefined : fetcher.data?.error}>
        {/* The key: a name that was saved in another tab stands here too. */}
        {(tied) => <input {...tied} key={name} defaultValue={name} maxLength={LONGEST_NAME} autoComplete="name" />}
      </Field>
      <button className="button" aria-disabled={isPending} aria-busy={isPending}>
        Save Name
      </button>
    </fetcher.Form>
  )
}

const ProfileSection = ({ account: { user } }: { account: Account }) => (
  <AccountSection id="profile-section" title="Profile" hint="How the shop greets you, and who you are in your messages.">
    <PhotoForm image={user.image} />
    <NameForm name={user.name} />
  </AccountSection>
)

function PasswordSection({ account: { user, proof } }: { account: Account }) {
  const label = proof === 'password' ? 'Change Password' : 'Set a Password'
  const newPassword = (
    <Field label="New Password" name="newPassword" hint={`${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`}>
      {(tied) => <input {...tied} type="password" autoComplete="new-password" required />}
    </Field>
  )
  return (
    <AccountSection id="password" title="Password" hint="A new password logs you out everywhere else.">
      <ProvenAct
        label={label}
        question={label}
        action="/account/password"
        proof={proof}
        passwordLabel="Current Password"
        fieldsAfter={newPassword}
      >
        {/* For password managers: whose password it is. */}
        <input type="text" name="username" value={user.email} autoComplete="username" readOnly hidden />
      </ProvenAct>
    </AccountSection>
  )
}

const SecondFactorSection = ({ secondFactor: { isOn, codesLeft } }: { secondFactor: SecondFactor }) => (
  <AccountSection id="second-factor" title="Two-step login" hint="A code of an app on your phone, besides the password.">
    <p>{isOn ? `${TWO_STEP_ON}. Recovery codes left: ${codesLeft}.` : `${TWO_STEP_OFF}.`}</p>
    <Link className="button quiet" to="/account/second-factor/">
      {isOn ? 'Change Two-Step Login' : 'Set Up Two-Step Login'}
    </Link>
  </AccountSection>
)

export function AccountPage({ account }: { account: Account }) {
  useFocusAfterRemoval()
  return (
    <main className={`page ${css.page}`} id="main">
      <h1 className={css.title}>Account</h1>
      <p className="intro">Who you are here, how you log in, and what the shop keeps of you.</p>
      <ProofFailed account={account} />
      <OwnProviders value={account.providers}>
        <div className={`stack ${css.sections}`}>
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
    <div className={`gap-below ${css.failed}`} role="alert">
      <p className="error">{PROVIDER_ERROR}</p>
      <p>{helpFor(failed.reason, providers.find(({ id }) => id === failed.provider)?.name ?? failed.provider)}</p>
    </div>
  )
}
