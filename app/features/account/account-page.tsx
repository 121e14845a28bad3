/** The page of one’s own account (S-012). Each section posts to an address of its own. */
import { Link, useFetcher } from 'react-router'
import { helpFor, PROVIDER_ERROR, type Failed } from '#app/features/auth/oauth/oauth.ts'
import type { SecondFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { TWO_STEP_OFF, TWO_STEP_ON } from '#app/features/auth/two-factor/two-factor.ts'
import { LONGEST_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#app/platform/account-limits.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { CircleCheck, CircleDashed, LaptopMinimal, Smartphone } from '#app/ui/icons.tsx'
import { Ask } from '#app/ui/question.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { useFocusAfterRemoval } from '#app/ui/use-focus-after-removal.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { AccountSection, OwnProviders, ProvenAct, WhatGoes } from './account-section.tsx'
import type { Account } from './account.action.server.ts'
import { OWNER_STAYS } from './delete-account/delete-account.ts'
import { PhotoForm } from './photo-form.tsx'
import css from './account-page.module.css'

/** `failed`: why re-authentication by a provider failed, where it took the whole page instead of a popup. */
type Section = { account: Account & { failed: Failed | null } }

const DEVICES = '/account/devices'

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

const ProfileSection = ({ account: { user } }: Section) => (
  <AccountSection id="profile-section" title="Profile" hint="How the shop greets you, and who you are in your messages.">
    <PhotoForm image={user.image} />
    <NameForm name={user.name} />
  </AccountSection>
)

function PasswordSection({ account: { user, proof } }: Section) {
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

function EmailSection({ account: { address, proof } }: Section) {
  const { email, isVerified, change } = address
  const Icon = isVerified ? CircleCheck : CircleDashed
  return (
    <AccountSection id="email-section" title="Email" hint="What you log in with, and where letters of the shop go.">
      <p className={`strong ${css.address}`}>{email}</p>
      <p className={`row soft small ${css.state}`} data-verified={isVerified}>
        <Icon size={18} aria-hidden="true" />
        {isVerified ? 'Confirmed' : 'Not confirmed yet'}
      </p>
      {change && (
        <p className={`raised ${css.change}`}>
          It becomes <strong>{change.newEmail}</strong> once you have confirmed it in the letter to{' '}
          {change.waitsFor === 'old' ? email : 'that address'}.
        </p>
      )}
      <div className="wrap">
        {!isVerified && <OneButton action="/account/verification" intent="send" label="Send Verification Email" />}
        {change && <OneButton action="/account/email" intent="cancel" label="Keep the old one" />}
        <ProvenAct action="/account/email" proof={proof} label="Change Email" question="Change your e-mail">
          <p>
            {isVerified ? 'You confirm it in a letter to each of the two addresses.' : 'You confirm it in a letter to the new address.'}
          </p>
          <Field label="New email" name="email">
            {(tied) => (
              <input {...tied} inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} required maxLength={254} />
            )}
          </Field>
        </ProvenAct>
      </div>
    </AccountSection>
  )
}

/** LOGIN-28 to LOGIN-30: pending, then a toast, then as before. */
function OneButton({ action, intent, label }: { action: string; intent: string; label: string }) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  return (
    <fetcher.Form method="post" action={action}>
      <BackField />
      <button className="button quiet" name="intent" value={intent} aria-disabled={isPending} aria-busy={isPending}>
        {label}
      </button>
    </fetcher.Form>
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

/** Where one is logged in, and logging out there (S-219). */
function DevicesSection({ account: { devices, timeZone } }: Section) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const seen = (at: number) => `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
  return (
    <AccountSection id="devices" title="Devices" hint="Where you are logged in. Log out what you do not know, and change your password.">
      <ul role="list" className={css.devices}>
        {devices.map((device) => (
          <li className={`row ruled ${css.device}`} key={device.id}>
            {device.isHandheld ? <Smartphone size={24} aria-hidden="true" /> : <LaptopMinimal size={24} aria-hidden="true" />}
            <p className={`flush slim ${css.told}`}>
              <span className="strong">{device.name}</span>
              <span className="soft small">{device.isThis ? 'This device' : `Last seen ${seen(device.seenAt)}`}</span>
              <span className="soft small">{`Logged in ${formatDate(device.since, timeZone)}`}</span>
            </p>
            {!device.isThis && (
              <fetcher.Form method="post" action={DEVICES}>
                <BackField />
                <input type="hidden" name="id" value={device.id} />
                <button className="button quiet" name="intent" value="one" aria-disabled={isPending} aria-label={`Log out ${device.name}`}>
                  Log Out
                </button>
              </fetcher.Form>
            )}
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <div className={css.all}>
          <Ask label="Log Out All Other Devices" question="Log out on all other devices?" className="button quiet" isPending={isPending}>
            {(yesNo) => (
              <fetcher.Form method="post" action={DEVICES}>
                <BackField />
                <input type="hidden" name="intent" value="others" />
                {yesNo}
              </fetcher.Form>
            )}
          </Ask>
        </div>
      )}
    </AccountSection>
  )
}

const OwnDataSection = () => (
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
const LeavingSection = ({ account: { user, proof, belongings } }: Section) => (
  <AccountSection id="leaving" title="Delete account" hint="For good: nobody can bring it back.">
    {user.role === 'admin' ? (
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

export function AccountPage({ account }: Section) {
  useFocusAfterRemoval()
  return (
    <main className={`page ${css.page}`} id="main">
      <h1 className={css.title}>Account</h1>
      <p className="intro">Who you are here, how you log in, and what the shop keeps of you.</p>
      <ProofFailed account={account} />
      <OwnProviders value={account.providers}>
        <div className={`stack ${css.sections}`}>
          <ProfileSection account={account} />
          <EmailSection account={account} />
          <PasswordSection account={account} />
          {account.secondFactor && <SecondFactorSection secondFactor={account.secondFactor} />}
          <DevicesSection account={account} />
          <OwnDataSection />
          <LeavingSection account={account} />
        </div>
      </OwnProviders>
    </main>
  )
}

/** LOGIN-56: told where the try began. A window of its own tells it in the prompt itself. */
function ProofFailed({ account: { failed: told, providers } }: Section) {
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
