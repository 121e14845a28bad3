import { type RefObject, useRef, useState } from 'react'
import { ReauthenticatedForm } from '#account/account-section.tsx'
import type { ReauthMethod } from '#auth/reauthenticate.server.ts'
import { loginErrorTexts } from '#auth/texts.ts'
import { ActionForm, type FormState, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { FormContext, HiddenInputs, InputField, useFocusFirstInvalid } from '#ui/form-fields.tsx'
import { PasswordInputField } from '#ui/password-input.tsx'
import { SecondFactorField } from '#ui/password-prompt.tsx'
import { NoScriptMessages } from '#ui/toasts.tsx'
import { UnsavedInputDialog } from '#ui/unsaved-changes-dialog.tsx'
import { useStoredValues } from '#ui/use-stored-values.ts'
import type { MailboxAnswer, MailView } from './mail.server.ts'
import { DEFAULT_PORT, findProvider, guessServer, providerOf } from './providers.ts'
import { mailboxTexts } from './texts.ts'
import css from './mail-page.module.css'

type MailboxFormProps = Pick<MailView, 'mailbox' | 'hasServer'> & {
  form: FormState<MailboxAnswer>
  reauthMethod: ReauthMethod
}

export function MailboxForm({ mailbox, hasServer, form, reauthMethod }: MailboxFormProps) {
  return (
    <section
      className={`card min-w-0 ${css.mailbox}`}
      aria-labelledby="mailbox"
      id="mailbox-form"
    >
      <h2 id="mailbox">{mailboxTexts.title}</h2>
      <p className="text-soft">{mailboxTexts.intro}</p>
      {hasServer && !mailbox && <p className="text-soft">{mailboxTexts.fromEnvironment}</p>}
      {reauthMethod === 'stale' && <p className="notice">{loginErrorTexts.staleLogin}</p>}
      <ServerForm
        key={JSON.stringify(mailbox)}
        mailbox={mailbox}
        form={form}
        reauthMethod={reauthMethod}
      />
      {hasServer && (
        <div className="row">
          <ActionForm
            form={form}
            fields={{ intent: 'test-mailbox' }}
          >
            <SubmitButton isPending={form.pendingIntent === 'test-mailbox'}>
              {mailboxTexts.test}
            </SubmitButton>
          </ActionForm>
          {mailbox && (
            <ReauthenticatedForm
              label={mailboxTexts.remove}
              question={mailboxTexts.removeQuestion}
              className="button danger"
              action="/manage/mail"
              reauthMethod={reauthMethod}
              passwordLabel={mailboxTexts.fields.ownPassword}
              fields={{ intent: 'remove-mailbox' }}
            />
          )}
        </div>
      )}
    </section>
  )
}

type ServerFormProps = Omit<MailboxFormProps, 'hasServer'>

function ServerForm({ mailbox, form, reauthMethod }: ServerFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const typed = form.answer?.typed
  const values: ServerValues = { ...noServer, user: '', ...mailbox, ...typed }
  const search = useProviderSearch(element, values)
  const isOpen = mailbox !== null || typed !== undefined || search.hasMatched
  useFocusFirstInvalid(element, form.answer)
  const isSaving = form.pendingIntent === 'save-mailbox'
  const isSearching = form.pendingIntent === 'find-provider' || search.isPending
  return (
    <>
      {form.answer?.ok && <NoScriptMessages answer={form.answer} />}
      <form.Form
        method="post"
        preventScrollReset
        ref={element}
        noValidate
        aria-busy={form.isPending}
      >
        {/* Without JavaScript, a redirect would lose the answer to the first step. */}
        <HiddenInputs intent={isOpen ? 'save-mailbox' : 'find-provider'} />
        <FormContext value={form}>
          <InputField
            {...textInput}
            label={mailboxTexts.fields.user}
            hint={mailboxTexts.hints.user}
            name="user"
            inputMode="email"
            autoComplete="off"
            defaultValue={values.user}
            onChange={(event) => search.changeAddress(event.currentTarget.value)}
            onBlur={() => isOpen && search.askShop()}
          />
          <p
            role="status"
            className={`text-soft ${css.found}`}
          >
            {isSearching ? mailboxTexts.searching : search.text}
          </p>
          {isOpen && (
            <ServerFields
              mailbox={mailbox}
              reauthMethod={reauthMethod}
              search={search}
              isSaving={isSaving}
              isFound={form.answer?.ok === true && typed !== undefined}
            />
          )}
          <SubmitButton isPending={form.isPending}>
            {isOpen ? mailboxTexts.save : mailboxTexts.continue}
          </SubmitButton>
          <p
            role="status"
            className="text-soft m-0"
          >
            {isSaving && mailboxTexts.saving}
          </p>
        </FormContext>
      </form.Form>
      <UnsavedInputDialog
        root={element}
        isRefused={typed !== undefined}
      />
    </>
  )
}

const textInput = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
const noServer = { host: '', port: String(DEFAULT_PORT) }
type ServerValues = { user: string; host: string; port: string }

/** Fills in server and port for the typed address, unless the owner has typed a server herself. */
function useProviderSearch(form: RefObject<HTMLFormElement | null>, values: ServerValues) {
  const { answer, isPending, submit } = useActionForm<MailboxAnswer>('mail-provider')
  const [address, setAddress] = useState(values.user)
  const [hasMatched, setHasMatched] = useState(false)
  const user = address.trim()
  const typedProvider = findProvider(user)
  const answered = [answer?.typed as ServerValues | undefined, values].find(
    (found) => user !== '' && found?.user === user,
  )
  const { host, port } = typedProvider
    ? { host: typedProvider.host, port: String(typedProvider.port) }
    : (answered ?? noServer)
  const [hasOwnServer, setHasOwnServer] = useState(
    values.host !== '' && !(providerOf(values)?.port === Number(values.port)),
  )
  useStoredValues(form, hasOwnServer ? {} : { host, port })
  const provider = providerOf({ user, host })
  const unknownText = answered?.host === '' ? mailboxTexts.unknownProvider(guessServer(user)) : null
  return {
    address: user,
    advice: provider?.advice,
    text: provider ? mailboxTexts.settingsOf(provider.name, host, port) : unknownText,
    server: hasOwnServer ? { host: values.host, port: values.port } : { host, port },
    isPending,
    hasMatched,
    changeAddress(typed: string) {
      setAddress(typed)
      if (findProvider(typed)) setHasMatched(true)
    },
    keepServer: () => setHasOwnServer(true),
    askShop() {
      if (user === '' || typedProvider || answered || hasOwnServer) return
      void submit({ intent: 'find-provider', user }, { method: 'post' })
    },
  }
}

type ServerFieldsProps = Pick<ServerFormProps, 'mailbox' | 'reauthMethod'> & {
  search: ReturnType<typeof useProviderSearch>
  isSaving: boolean
  isFound: boolean
}

function ServerFields({ mailbox, reauthMethod, search, isSaving, isFound }: ServerFieldsProps) {
  const { fields, hints } = mailboxTexts
  const { host, port } = search.server
  const isStored = mailbox?.user === search.address
  return (
    <>
      <InputField
        {...textInput}
        label={fields.host}
        hint={hints.host}
        name="host"
        inputMode="url"
        defaultValue={host}
        autoFocus={isFound && host === ''}
        onChange={search.keepServer}
      />
      <InputField
        label={fields.port}
        hint={hints.port}
        name="port"
        inputMode="numeric"
        defaultValue={port}
      />
      <PasswordInputField
        label={fields.password}
        name="mailboxPassword"
        id="mailboxPassword"
        hint={isStored ? hints.keepPassword : (search.advice ?? hints.password)}
        autoComplete="off"
        autoFocus={isFound && host !== ''}
        isHidden={isSaving}
      />
      {reauthMethod === 'password' && (
        <PasswordInputField
          label={fields.ownPassword}
          name="password"
          id="password"
          hint={hints.ownPassword}
          autoComplete="current-password"
          isHidden={isSaving}
        />
      )}
      <SecondFactorField />
    </>
  )
}
