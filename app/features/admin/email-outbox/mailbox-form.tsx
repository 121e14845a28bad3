import { useEffect, useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { ReauthenticatedForm } from '#app/features/account/account-section.tsx'
import type { ReauthMethod } from '#app/features/auth/reauthenticate.server.ts'
import { loginErrorTexts } from '#app/features/auth/texts.ts'
import { Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { SecondFactorField } from '#app/ui/password-prompt.tsx'
import { UnsavedInputDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import type { MailboxAnswer, MailboxView } from './outbox.ts'
import { mailboxTexts as texts } from './texts.ts'
import css from './outbox-page.module.css'

type Props = {
  mailbox: MailboxView
  hasServer: boolean
  answer: MailboxAnswer | undefined
  reauthMethod: ReauthMethod
}

/** The form in which the owner enters, tests and removes her mailbox. [OWN-110, OWN-111, OWN-117] */
export function MailboxForm({ mailbox, hasServer, answer, reauthMethod }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const intent = useNavigation().formData?.get('intent')
  const isSaving = intent === 'save-mailbox'
  const shown = { host: '', port: '587', user: '', ...mailbox, ...answer?.typed }
  // Moves the focus to the first field with an error.
  useEffect(() => {
    if (answer?.field) form.current?.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
  }, [answer])
  const input = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
  return (
    <section
      className={`card slim ${css.mailbox}`}
      aria-labelledby="mailbox"
      id="mailbox-form"
    >
      <h2 id="mailbox">{texts.title}</h2>
      <p className="soft">{texts.intro}</p>
      {hasServer && !mailbox && <p className="soft">{texts.fromEnvironment}</p>}
      {reauthMethod === 'stale' && <p className="notice">{loginErrorTexts.staleLogin}</p>}
      <Form
        ref={form}
        method="post"
        noValidate
        preventScrollReset
        aria-busy={isSaving}
        key={JSON.stringify(mailbox)}
      >
        <input
          type="hidden"
          name="intent"
          value="save-mailbox"
        />
        <Field
          label={texts.fields.host}
          name="host"
          id="host"
          error={answer?.errors?.host}
          hint={texts.hints.host}
        >
          {(tied) => (
            <input
              {...tied}
              {...input}
              inputMode="url"
              defaultValue={shown.host}
            />
          )}
        </Field>
        <Field
          label={texts.fields.port}
          name="port"
          id="port"
          error={answer?.errors?.port}
          hint={texts.hints.port}
        >
          {(tied) => (
            <input
              {...tied}
              inputMode="numeric"
              defaultValue={shown.port}
            />
          )}
        </Field>
        <Field
          label={texts.fields.user}
          name="user"
          id="user"
          error={answer?.errors?.user}
          hint={texts.hints.user}
        >
          {(tied) => (
            <input
              {...tied}
              {...input}
              inputMode="email"
              autoComplete="off"
              defaultValue={shown.user}
            />
          )}
        </Field>
        <Field
          label={texts.fields.password}
          name="mailboxPassword"
          id="mailboxPassword"
          error={answer?.errors?.mailboxPassword}
          hint={mailbox ? texts.hints.keepPassword : texts.hints.password}
        >
          {(tied) => (
            <PasswordInput
              {...tied}
              autoComplete="off"
              isHidden={isSaving}
            />
          )}
        </Field>
        {reauthMethod === 'password' && (
          <Field
            label={texts.fields.ownPassword}
            name="password"
            id="password"
            error={answer?.errors?.password}
            hint={texts.hints.ownPassword}
          >
            {(tied) => (
              <PasswordInput
                {...tied}
                autoComplete="current-password"
                isHidden={isSaving}
              />
            )}
          </Field>
        )}
        <SecondFactorField error={answer?.errors?.code} />
        <button
          className="button"
          aria-disabled={isSaving}
          aria-busy={isSaving}
        >
          {texts.save}
        </button>
        <p
          role="status"
          className="soft flush"
        >
          {isSaving && texts.saving}
        </p>
      </Form>
      <UnsavedInputDialog
        root={form}
        isRefused={answer?.typed !== undefined}
      />
      {hasServer && (
        <div className="cluster">
          <Form
            method="post"
            preventScrollReset
          >
            <HiddenFields />
            <button
              className="button"
              name="intent"
              value="test-mailbox"
              aria-disabled={intent === 'test-mailbox'}
              aria-busy={intent === 'test-mailbox'}
            >
              {texts.test}
            </button>
          </Form>
          {mailbox && (
            <ReauthenticatedForm
              label={texts.remove}
              question={texts.removeQuestion}
              className="button danger"
              action="/manage/mail"
              reauthMethod={reauthMethod}
              passwordLabel={texts.fields.ownPassword}
            >
              <input
                type="hidden"
                name="intent"
                value="remove-mailbox"
              />
            </ReauthenticatedForm>
          )}
        </div>
      )}
    </section>
  )
}
