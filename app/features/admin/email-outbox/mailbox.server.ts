/** The shop sends its emails through the mailbox that the owner enters. Her mailbox is used instead of the mail server in SMTP_URL. [OWN-110] */
import { z } from 'zod'
import {
  classifySmtpError,
  verifyMailServer,
  type MailServer,
} from '#app/lib/email/transport.server.ts'
import { formText, validateForm, isValidEmail } from '#app/lib/http/form-data.server.ts'
import { decryptText, encryptText } from '#app/lib/text/encrypt.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import type { AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { loginResults } from '#app/features/auth/texts.ts'
import { reauthenticate } from '#app/features/auth/reauthenticate.server.ts'
import {
  ownerEmail,
  readSettings,
  saveSettingGroup,
} from '#app/features/settings/settings.server.ts'
import { done, refused, refusedWith, type ActionOutcome } from '#app/ui/action-result.ts'
import type { Db } from '#db/schema.ts'
import type { MailboxAnswer, MailboxView } from './outbox.ts'
import { mailboxTexts as texts } from './texts.ts'

/** The mailbox as it is stored in the settings. The password is encrypted with `mailboxSecret`. */
type StoredMailbox = { host: string; port: number; user: string; encryptedPassword: string }

async function readStored(db: Db): Promise<(StoredMailbox & { updatedAt: number }) | null> {
  const row = await db
    .selectFrom('settings')
    .select(['value', 'updatedAt'])
    .where('key', '=', 'mailbox')
    .executeTakeFirst()
  const stored = row && (JSON.parse(row.value) as StoredMailbox | null)
  return stored ? { ...stored, updatedAt: row.updatedAt } : null
}

export async function readMailbox(db: Db): Promise<MailboxView> {
  const stored = await readStored(db)
  return (
    stored && {
      host: stored.host,
      port: String(stored.port),
      user: stored.user,
      savedAt: stored.updatedAt,
    }
  )
}

/** Returns null if there is no mailbox, or if its password cannot be decrypted. Emails have the sender `otherSender` if the user name of the mailbox is not an email address. */
export async function readMailboxServer(
  db: Db,
  secret: string,
  otherSender: string,
): Promise<MailServer | null> {
  const stored = await readStored(db)
  const password = stored && (await decryptText(stored.encryptedPassword, secret))
  if (!stored || password === null) return null
  const { host, port, user } = stored
  return { host, port, user, password, from: isValidEmail(user) ? user : otherSender }
}

const MailboxSchema = z.object({
  host: z
    .string()
    .trim()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i, texts.errors.host),
  port: z
    .string()
    .trim()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535,
      texts.errors.port,
    )
    .transform(Number),
  user: z.string().trim().min(1, texts.errors.user).max(254, texts.errors.user),
  mailboxPassword: z.string().max(1000, texts.errors.longPassword),
})

const faultFields = { login: 'mailboxPassword', encryption: 'port' } as const

/** Stores the mailbox only after a login to its mail server has succeeded. Requires the owner's password, because a stranger's mail server could read all emails with codes. [OWN-117] */
async function saveMailbox(
  auth: AuthRequest,
  owner: User,
  form: FormData,
): Promise<ActionOutcome<MailboxAnswer>> {
  const { app } = auth
  const typed = Object.fromEntries(
    ['host', 'port', 'user', 'mailboxPassword'].map((key) => [key, formText(form, key)]),
  )
  const refuse = (errors: Record<string, string>, status = 422) => {
    const [field, error] = Object.entries(errors)[0]!
    const { mailboxPassword: _, ...shown } = typed
    return refused<MailboxAnswer>(status, { field, error, errors, toasts: [error], typed: shown })
  }
  const checked = validateForm(MailboxSchema, typed)
  // A code works only once, so it is not used up for a form with errors.
  if (!checked.ok && owner.hasSecondFactor) return refuse(checked.errors)
  const reauthentication = await reauthenticate(auth, owner, form)
  if (!reauthentication.ok) {
    const { error, status, field } = reauthentication
    const wrongPassword =
      formText(form, 'password') === '' ? texts.errors.noOwnPassword : texts.errors.ownPassword
    const password = error === loginResults.invalidCredentials ? wrongPassword : error
    return refuse(
      { ...(!checked.ok && checked.errors), ...(field ? { [field]: error } : { password }) },
      status,
    )
  }
  if (!checked.ok) return refuse(checked.errors)
  const { host, port, user } = checked.data
  // If the owner leaves the password empty, the stored password is used. But a different server must not receive the stored password.
  const stored = await readStored(app.db)
  const isSame = stored?.host === host && stored.port === port && stored.user === user
  const password =
    checked.data.mailboxPassword ||
    (isSame ? await decryptText(stored.encryptedPassword, app.mailboxSecret) : null)
  if (!password) return refuse({ mailboxPassword: texts.errors.password })
  const failure = await verifyMailServer({ host, port, user, password, from: user })
  if (failure) {
    const { fault, reason } = classifySmtpError(failure)
    app.log.info('the mailbox did not work', { fault, reason })
    return refuse({
      [fault in faultFields ? faultFields[fault as keyof typeof faultFields] : 'host']:
        texts.errors.refused(fault, reason),
    })
  }
  const encryptedPassword = await encryptText(password, app.mailboxSecret)
  await writeMailbox(app, owner.id, { host, port, user, encryptedPassword })
  return done(texts.saved)
}

async function writeMailbox(
  app: AppServices,
  actor: string,
  mailbox: StoredMailbox | null,
): Promise<void> {
  const at = app.now()
  const before = await readStored(app.db)
  await inTransaction(app.db, async (tx) => {
    await saveSettingGroup(tx, { mailbox }, at)
    await recordAuditEvent(tx, {
      at,
      actor,
      act: mailbox ? 'set-mailbox' : 'remove-mailbox',
      subject: '',
      name: (mailbox ?? before)?.user,
    })
  })
  await app.outbox.sendAgain()
  app.live.changed('mail')
}

/** The test email does not go through the outbox, so that the owner sees immediately why sending fails. */
async function sendTestEmail(app: AppServices): Promise<ActionOutcome> {
  if (!(await app.outbox.hasServer())) return refused(409, { toasts: [texts.noMailbox] })
  const [to, { name }] = [await ownerEmail(app.db), await readSettings(app.db)]
  const email = { id: `test-${newId15()}`, kind: 'test', to, ...texts.testEmail(name) }
  const failure = await app.outbox.sendNow(email)
  return failure === null
    ? done(texts.testSent(to))
    : refused(502, { toasts: [texts.testFailed(failure)] })
}

export async function handleMailboxAction(
  auth: AuthRequest,
  owner: User,
  form: FormData,
): Promise<ActionOutcome<MailboxAnswer>> {
  const intent = formText(form, 'intent')
  if (intent === 'save-mailbox') return saveMailbox(auth, owner, form)
  if (intent === 'test-mailbox') return sendTestEmail(auth.app)
  if (intent !== 'remove-mailbox') return refused(400)
  const reauthentication = await reauthenticate(auth, owner, form)
  if (!reauthentication.ok) return refusedWith(reauthentication)
  await writeMailbox(auth.app, owner.id, null)
  return done(texts.removed)
}
