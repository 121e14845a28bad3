import { useState } from 'react'
import { Link } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import type { OAuthFailure } from '#auth/oauth/oauth.ts'
import { providerHelpTexts, providerTexts } from '#auth/oauth/texts.ts'
import type { TwoFactorState } from '#auth/two-factor/two-factor.server.ts'
import { customerName } from '#conversation/people.ts'
import { MAX_NAME_LENGTH } from '#lib/auth/account-limits.ts'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { formatDate, formatTime } from '#ui/format-date.ts'
import { ImageField } from '#images/image-field.tsx'
import { resizeImage } from '#images/image-upload-queue.ts'
import { InputField } from '#ui/form-fields.tsx'
import { photoOf } from '#ui/profile-photo.ts'
import { CircleCheck, CircleDashed, LaptopMinimal, Smartphone } from '#ui/icons.tsx'
import { useFocusAfterRemoval } from '#ui/use-focus-after-removal.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import {
  AccountSection,
  LinkedProvidersContext,
  ReauthenticatedForm,
  DeletionSummary,
} from './account-section.tsx'
import type { Account } from './account.action.server.ts'
import {
  accountTexts,
  deleteAccountTexts,
  devicesTexts,
  emailTexts,
  ownDataTexts,
  passwordTexts,
  profileTexts,
  secondFactorTexts,
} from './texts.ts'
import css from './account-page.module.css'

type Section = { account: Account & { failed: OAuthFailure | null } }

const SESSIONS_URL = '/account/devices'

function NameForm({ name, hint }: { name: string; hint: string }) {
  const form = useActionForm()
  return (
    <ActionForm
      form={form}
      action="/account/name"
    >
      <InputField
        label={profileTexts.name}
        name="name"
        hint={hint}
        // The key makes the input show a name that another tab has saved.
        key={name}
        defaultValue={name}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="name"
      />
      <SubmitButton>{profileTexts.saveName}</SubmitButton>
    </ActionForm>
  )
}

const PHOTO_URL = '/account/photo'

function PhotoForm({ image }: Pick<Account['user'], 'image'>) {
  const [isResizing, setResizing] = useState(false)
  const form = useActionForm()
  const isPending = isResizing || form.isPending

  async function send(fields: FormData) {
    const file = fields.get('file')
    if (file instanceof File && file.size > 0) {
      setResizing(true)
      const resized = await resizeImage(file)
      fields.set('file', resized.file, file.name)
      setResizing(false)
    }
    await form.submit(fields, {
      method: 'post',
      action: PHOTO_URL,
      encType: 'multipart/form-data',
    })
  }

  return (
    <div className={`grid gap-4 mb-5 border-b ${css.photo}`}>
      <img
        src={photoOf(image)}
        width={96}
        height={96}
        alt={image ? profileTexts.yourPhoto : profileTexts.noPhoto}
      />
      <ActionForm
        form={form}
        className={`grid gap-4 min-w-0 ${css.photoForm}`}
        action={PHOTO_URL}
        encType="multipart/form-data"
        aria-busy={isPending}
        onSubmit={(event) => {
          if (event.defaultPrevented) return
          event.preventDefault()
          void send(new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter))
        }}
      >
        <ImageField label={profileTexts.photo} />
        <div className="flex flex-wrap gap-3">
          <SubmitButton isPending={isPending}>{profileTexts.savePhoto}</SubmitButton>
          {image !== null && (
            <SubmitButton
              isPending={isPending}
              className="button quiet"
              name="intent"
              value="remove"
              formNoValidate
            >
              {profileTexts.removePhoto}
            </SubmitButton>
          )}
        </div>
      </ActionForm>
    </div>
  )
}

const ProfileSection = ({ account: { user } }: Section) => (
  <AccountSection
    id="profile-section"
    texts={profileTexts}
  >
    <PhotoForm image={user.image} />
    <NameForm
      name={user.name}
      hint={
        user.role === 'owner'
          ? profileTexts.ownerNameHint
          : profileTexts.nameHint(customerName({ name: '', email: user.email }))
      }
    />
  </AccountSection>
)

function PasswordSection({ account: { user, reauthMethod } }: Section) {
  const label = reauthMethod === 'password' ? passwordTexts.change : passwordTexts.set
  const newPassword = (
    <InputField
      label={passwordTexts.new}
      name="newPassword"
      hint={passwordTexts.newHint}
      type="password"
      autoComplete="new-password"
      required
    />
  )
  return (
    <AccountSection
      id="password"
      texts={passwordTexts}
    >
      <ReauthenticatedForm
        label={label}
        question={label}
        action="/account/password"
        reauthMethod={reauthMethod}
        passwordLabel={passwordTexts.current}
        fieldsAfter={newPassword}
      >
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
      texts={emailTexts}
    >
      <p className={`font-semibold ${css.address}`}>{email}</p>
      <p
        className={`flex items-center gap-3 text-soft text-sm ${css.state}`}
        data-verified={isVerified}
      >
        <Icon size={18} />
        {isVerified ? emailTexts.confirmed : emailTexts.notConfirmed}
      </p>
      {change && (
        <p className={`bg-raised ${css.change}`}>
          {emailTexts.change.before}
          <strong>{change.newEmail}</strong>
          {emailTexts.change.after(change.waitsForOld ? email : emailTexts.newAddress)}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
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
          <InputField
            label={emailTexts.newEmail}
            name="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={254}
          />
        </ReauthenticatedForm>
      </div>
    </AccountSection>
  )
}

function ActionButton({ action, intent, label }: Record<'action' | 'intent' | 'label', string>) {
  const form = useActionForm()
  return (
    <ActionForm
      form={form}
      action={action}
      fields={{ intent }}
    >
      <SubmitButton className="button quiet">{label}</SubmitButton>
    </ActionForm>
  )
}

const ProvidersSection = ({ account: { providers, reauthMethod } }: Section) => (
  <AccountSection
    id="providers"
    texts={providerTexts}
  >
    <div className="flex flex-wrap gap-3">
      {providers.map(({ id, name }) => (
        <ReauthenticatedForm
          key={id}
          label={providerTexts.unlink(name)}
          question={providerTexts.unlinkQuestion(name)}
          action="/account/unlink"
          reauthMethod={reauthMethod}
          fields={{ provider: id }}
        />
      ))}
    </div>
  </AccountSection>
)

const SecondFactorSection = ({ isOn, codesLeft }: TwoFactorState) => (
  <AccountSection
    id="second-factor"
    texts={secondFactorTexts}
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

function SessionsSection({ account: { devices } }: Section) {
  const form = useActionForm()
  return (
    <AccountSection
      id="devices"
      texts={devicesTexts}
    >
      <ul
        role="list"
        className={css.devices}
      >
        {devices.map((device) => (
          <li
            className={`flex items-center gap-3 border-b ${css.device}`}
            key={device.id}
          >
            <DeviceDescription {...device} />
            {!device.isThis && (
              <ActionForm
                form={form}
                action={SESSIONS_URL}
                fields={{ intent: 'one', id: device.id }}
              >
                <SubmitButton
                  className="button quiet"
                  aria-label={devicesTexts.logOutDevice(device.name)}
                >
                  {devicesTexts.logOut}
                </SubmitButton>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <div className={css.all}>
          <ConfirmForm
            form={form}
            action={SESSIONS_URL}
            fields={{ intent: 'others' }}
            label={devicesTexts.logOutOthers}
            question={devicesTexts.logOutOthersQuestion}
            className="button quiet"
          />
        </div>
      )}
    </AccountSection>
  )
}

type Device = Account['devices'][number]

function DeviceDescription({ name, isHandheld, isThis, seenAt, since }: Device) {
  const timeZone = useShopTimeZone()
  const DeviceIcon = isHandheld ? Smartphone : LaptopMinimal
  const lastSeen = devicesTexts.lastSeen(formatDate(seenAt, timeZone), formatTime(seenAt, timeZone))
  return (
    <>
      <DeviceIcon size={24} />
      <p className={`m-0 min-w-0 ${css.message}`}>
        <span className="font-semibold">{name}</span>
        <span className="text-soft text-sm">{isThis ? devicesTexts.thisDevice : lastSeen}</span>
        <span className="text-soft text-sm">
          {devicesTexts.loggedIn(formatDate(since, timeZone))}
        </span>
      </p>
    </>
  )
}

const OwnDataSection = () => (
  <AccountSection
    id="data"
    texts={ownDataTexts}
  >
    <p>{ownDataTexts.text}</p>
    {/* React Router's <Form> could not save a file. */}
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

const DeleteAccountSection = ({ account: { user, reauthMethod, dataSummary } }: Section) => (
  <AccountSection
    id="leaving"
    texts={deleteAccountTexts}
  >
    {user.role === 'owner' ? (
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
        <div className={`grid gap-4 ${css.sections}`}>
          <ProfileSection account={account} />
          <EmailSection account={account} />
          <PasswordSection account={account} />
          {account.providers.length > (account.reauthMethod === 'password' ? 0 : 1) && (
            <ProvidersSection account={account} />
          )}
          {account.secondFactor && <SecondFactorSection {...account.secondFactor} />}
          <SessionsSection account={account} />
          <OwnDataSection />
          <DeleteAccountSection account={account} />
        </div>
      </LinkedProvidersContext>
    </main>
  )
}

function ReauthenticationFailed({ account: { failed: failure, providers } }: Section) {
  const failed = usePersistentActionData(failure ?? undefined)
  if (!failed) return null
  return (
    <div
      className={`mb-5 ${css.failed}`}
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
