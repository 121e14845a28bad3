import { Link, useFetcher } from 'react-router'
import type { OAuthFailure } from '#app/features/auth/oauth/oauth.ts'
import { providerHelpTexts, providerTexts } from '#app/features/auth/oauth/texts.ts'
import type { TwoFactorState } from '#app/features/auth/two-factor/two-factor.server.ts'
import { customerName } from '#app/features/orders/order.ts'
import { MAX_NAME_LENGTH } from '#app/lib/auth/account-limits.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { formatDate, formatTime } from '#app/ui/format-date.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { CircleCheck, CircleDashed, LaptopMinimal, Smartphone } from '#app/ui/icons.tsx'
import { ConfirmButton } from '#app/ui/dialog-button.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { useFocusAfterRemoval } from '#app/ui/use-focus-after-removal.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import {
  AccountSection,
  LinkedProvidersContext,
  ReauthenticatedForm,
  DeletionSummary,
} from './account-section.tsx'
import type { Account } from './account.action.server.ts'
import { PhotoForm } from './photo-form.tsx'
import { accountTexts, deleteAccountTexts, devicesTexts, emailTexts } from './texts.ts'
import { ownDataTexts, passwordTexts, profileTexts, secondFactorTexts } from './texts.ts'
import css from './account-page.module.css'

/** `failed` says why the customer's last re-authentication on a provider's page failed. Without such a failure, `failed` is null. */
type Section = { account: Account & { failed: OAuthFailure | null } }

const SESSIONS_URL = '/account/devices'

function NameForm({ name, hint }: { name: string; hint: string }) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  return (
    <fetcher.Form
      method="post"
      action="/account/name"
      aria-busy={isPending}
    >
      <RedirectToField />
      <Field
        label={profileTexts.name}
        name="name"
        hint={hint}
        error={isPending ? undefined : fetcher.data?.error}
      >
        {/* When another browser tab saves a new name, this `key` changes. React then replaces the input, so that the input shows the new name. */}
        {(tied) => (
          <input
            {...tied}
            key={name}
            defaultValue={name}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="name"
          />
        )}
      </Field>
      <button
        className="button"
        aria-disabled={isPending}
        aria-busy={isPending}
      >
        {profileTexts.saveName}
      </button>
    </fetcher.Form>
  )
}

const ProfileSection = ({ account: { user } }: Section) => (
  <AccountSection
    id="profile-section"
    title={profileTexts.title}
    hint={profileTexts.hint}
  >
    <PhotoForm image={user.image} />
    <NameForm
      name={user.name}
      hint={
        user.role === 'admin'
          ? profileTexts.ownerNameHint
          : profileTexts.nameHint(customerName({ name: '', email: user.email }))
      }
    />
  </AccountSection>
)

function PasswordSection({ account: { user, reauthMethod } }: Section) {
  const label = reauthMethod === 'password' ? passwordTexts.change : passwordTexts.set
  const newPassword = (
    <Field
      label={passwordTexts.new}
      name="newPassword"
      hint={passwordTexts.newHint}
    >
      {(tied) => (
        <input
          {...tied}
          type="password"
          autoComplete="new-password"
          required
        />
      )}
    </Field>
  )
  return (
    <AccountSection
      id="password"
      title={passwordTexts.title}
      hint={passwordTexts.hint}
    >
      <ReauthenticatedForm
        label={label}
        question={label}
        action="/account/password"
        reauthMethod={reauthMethod}
        passwordLabel={passwordTexts.current}
        fieldsAfter={newPassword}
      >
        {/* Password managers read the account's email address from this hidden field. */}
        <input
          type="text"
          name="username"
          value={user.email}
          autoComplete="username"
          readOnly
          hidden
        />
      </ReauthenticatedForm>
    </AccountSection>
  )
}

function EmailSection({ account: { address, reauthMethod } }: Section) {
  const { email, isVerified, change } = address
  const Icon = isVerified ? CircleCheck : CircleDashed
  return (
    <AccountSection
      id="email-section"
      title={emailTexts.title}
      hint={emailTexts.hint}
    >
      <p className={`strong ${css.address}`}>{email}</p>
      <p
        className={`row soft small ${css.state}`}
        data-verified={isVerified}
      >
        <Icon
          size={18}
          aria-hidden="true"
        />
        {isVerified ? emailTexts.confirmed : emailTexts.notConfirmed}
      </p>
      {change && (
        <p className={`raised ${css.change}`}>
          {emailTexts.change.before}
          <strong>{change.newEmail}</strong>
          {emailTexts.change.after(change.waitsFor === 'old' ? email : emailTexts.newAddress)}
        </p>
      )}
      <div className="wrap">
        {!isVerified && (
          <ActionButton
            action="/account/verification"
            intent="send"
            label={emailTexts.sendVerification}
          />
        )}
        {change && (
          <ActionButton
            action="/account/email"
            intent="cancel"
            label={emailTexts.keepOld}
          />
        )}
        <ReauthenticatedForm
          action="/account/email"
          reauthMethod={reauthMethod}
          label={emailTexts.changeEmail}
          question={emailTexts.question}
        >
          <p>{isVerified ? emailTexts.confirmBoth : emailTexts.confirmNew}</p>
          <Field
            label={emailTexts.newEmail}
            name="email"
          >
            {(tied) => (
              <input
                {...tied}
                inputMode="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                required
                maxLength={254}
              />
            )}
          </Field>
        </ReauthenticatedForm>
      </div>
    </AccountSection>
  )
}

function ActionButton({
  action,
  intent,
  label,
}: {
  action: string
  intent: string
  label: string
}) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  return (
    <fetcher.Form
      method="post"
      action={action}
    >
      <RedirectToField />
      <button
        className="button quiet"
        name="intent"
        value={intent}
        aria-disabled={isPending}
        aria-busy={isPending}
      >
        {label}
      </button>
    </fetcher.Form>
  )
}

/** Lists the providers that the user can remove. The only way to log in cannot be removed. [S-350] */
const ProvidersSection = ({ account: { providers, reauthMethod } }: Section) => (
  <AccountSection
    id="providers"
    title={providerTexts.unlinkTitle}
    hint={providerTexts.unlinkHint}
  >
    <div className="wrap">
      {providers.map(({ id, name }) => (
        <ReauthenticatedForm
          key={id}
          label={providerTexts.unlink(name)}
          question={providerTexts.unlinkQuestion(name)}
          action="/account/unlink"
          reauthMethod={reauthMethod}
        >
          <input
            type="hidden"
            name="provider"
            value={id}
          />
        </ReauthenticatedForm>
      ))}
    </div>
  </AccountSection>
)

const SecondFactorSection = ({
  secondFactor: { isOn, codesLeft },
}: {
  secondFactor: TwoFactorState
}) => (
  <AccountSection
    id="second-factor"
    title={secondFactorTexts.title}
    hint={secondFactorTexts.hint}
  >
    <p>{isOn ? secondFactorTexts.on(codesLeft) : secondFactorTexts.off}</p>
    <Link
      className="button quiet"
      to="/account/second-factor/"
    >
      {isOn ? secondFactorTexts.change : secondFactorTexts.setUp}
    </Link>
  </AccountSection>
)

function SessionsSection({ account: { devices, timeZone } }: Section) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const seen = (at: number) =>
    devicesTexts.lastSeen(formatDate(at, timeZone), formatTime(at, timeZone))
  return (
    <AccountSection
      id="devices"
      title={devicesTexts.title}
      hint={devicesTexts.hint}
    >
      <ul
        role="list"
        className={css.devices}
      >
        {devices.map((device) => (
          <li
            className={`row ruled ${css.device}`}
            key={device.id}
          >
            {device.isHandheld ? (
              <Smartphone
                size={24}
                aria-hidden="true"
              />
            ) : (
              <LaptopMinimal
                size={24}
                aria-hidden="true"
              />
            )}
            <p className={`flush slim ${css.message}`}>
              <span className="strong">{device.name}</span>
              <span className="soft small">
                {device.isThis ? devicesTexts.thisDevice : seen(device.seenAt)}
              </span>
              <span className="soft small">
                {devicesTexts.loggedIn(formatDate(device.since, timeZone))}
              </span>
            </p>
            {!device.isThis && (
              <fetcher.Form
                method="post"
                action={SESSIONS_URL}
              >
                <RedirectToField />
                <input
                  type="hidden"
                  name="id"
                  value={device.id}
                />
                <button
                  className="button quiet"
                  name="intent"
                  value="one"
                  aria-disabled={isPending}
                  aria-label={devicesTexts.logOutDevice(device.name)}
                >
                  {devicesTexts.logOut}
                </button>
              </fetcher.Form>
            )}
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <div className={css.all}>
          <ConfirmButton
            label={devicesTexts.logOutOthers}
            question={devicesTexts.logOutOthersQuestion}
            className="button quiet"
            isPending={isPending}
          >
            {(yesNo) => (
              <fetcher.Form
                method="post"
                action={SESSIONS_URL}
              >
                <RedirectToField />
                <input
                  type="hidden"
                  name="intent"
                  value="others"
                />
                {yesNo}
              </fetcher.Form>
            )}
          </ConfirmButton>
        </div>
      )}
    </AccountSection>
  )
}

const OwnDataSection = () => (
  <AccountSection
    id="data"
    title={ownDataTexts.title}
    hint={ownDataTexts.hint}
  >
    <p>{ownDataTexts.text}</p>
    {/* The browser itself sends this native form, saves the response as a file and stays on the page. */}
    <form
      method="post"
      action="/account/data"
    >
      <input
        type="hidden"
        name="back"
        value="/account/"
      />
      <button className="button quiet">{ownDataTexts.download}</button>
    </form>
  </AccountSection>
)

/** Shows which data an account deletion removes and which data stays, and asks for the password. [LOGIN-24, LOGIN-38, S-222] */
const DeleteAccountSection = ({ account: { user, reauthMethod, dataSummary } }: Section) => (
  <AccountSection
    id="leaving"
    title={deleteAccountTexts.title}
    hint={deleteAccountTexts.hint}
  >
    {user.role === 'admin' ? (
      <p>{deleteAccountTexts.owner}</p>
    ) : (
      <>
        <p>{deleteAccountTexts.text}</p>
        <ReauthenticatedForm
          label={deleteAccountTexts.deleteAccount}
          question={deleteAccountTexts.question}
          className="button danger"
          action="/account/delete"
          reauthMethod={reauthMethod}
        >
          <DeletionSummary belongings={dataSummary} />
        </ReauthenticatedForm>
      </>
    )}
  </AccountSection>
)

export function AccountPage({ account }: Section) {
  useFocusAfterRemoval()
  return (
    <main
      className={`page ${css.page}`}
      id="main"
    >
      <h1 className={css.title}>{accountTexts.title}</h1>
      <p className="intro">{accountTexts.intro}</p>
      <ReauthenticationFailed account={account} />
      <LinkedProvidersContext value={account.providers}>
        <div className={`stack ${css.sections}`}>
          <ProfileSection account={account} />
          <EmailSection account={account} />
          <PasswordSection account={account} />
          {account.providers.length > (account.reauthMethod === 'password' ? 0 : 1) && (
            <ProvidersSection account={account} />
          )}
          {account.secondFactor && <SecondFactorSection secondFactor={account.secondFactor} />}
          <SessionsSection account={account} />
          <OwnDataSection />
          <DeleteAccountSection account={account} />
        </div>
      </LinkedProvidersContext>
    </main>
  )
}

/** Shows why a re-authentication with a login provider failed. If the re-authentication ran in a popup, the dialog that opened the popup shows the error instead. [LOGIN-56] */
function ReauthenticationFailed({ account: { failed: failure, providers } }: Section) {
  // This hook keeps the error visible when React Router loads the page's data again.
  const failed = usePersistentActionData(failure ?? undefined)
  if (!failed) return null
  return (
    <div
      className={`gap-below ${css.failed}`}
      role="alert"
    >
      <p className="error">{providerTexts.error}</p>
      <p>
        {providerHelpTexts[failed.reason](
          providers.find(({ id }) => id === failed.provider)?.name ?? failed.provider,
        )}
      </p>
    </div>
  )
}
