/** The owner's mailbox, through which the shop sends its emails. It replaces SMTP_URL. [OWN-110] */
import { z } from 'zod'
import { classifySmtpError, verifyMailServer, type MailServer } from '#app/lib/email/transport.server.ts'
import { formText, validateForm, isValidEmail } from '#app/lib/http/form-data.server.ts'
import { decryptText, encryptText } from '#app/lib/text/encrypt.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { ownerEmail, readSettings, saveSettingGroup } from '#app/features/settings/settings.server.ts'
import { done, refused, type ActionOutcome } from '#app/ui/action-result.ts'
import type { Db } from '#db/schema.ts'
import type { MailboxAnswer, MailboxView } from './outbox.ts'
import { mailboxTexts as texts } from './texts.ts'

/** As stored in the settings; the password is encrypted with the process's secret. */
type StoredMailbox = { host: string; port: number; user: string; encryptedPassword: string }

async function readStored(db: Db): Promise<StoredMailbox | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', 'mailbox').executeTakeFirst()
  return row ? (JSON.parse(row.value) as StoredMailbox | null) : null
}

export async function readMailbox(db: Db): Promise<MailboxView> {
  const stored = await readStored(db)
  return stored && { host: stored.host, port: String(stored.port), user: stored.user }
}

/** `otherSender`: the sender if the mailbox's user name is no address. null: the owner has not set a mailbox, or its password was encrypted with another secret. */
export async function readMailboxServer(db: Db, secret: string, otherSender: string): Promise<MailServer | null> {
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
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535, texts.errors.port)
    .transform(Number),
  user: z.string().trim().min(1, texts.errors.user).max(254, texts.errors.user),
  password: z.string().max(1000, texts.errors.longPassword),
})

const faultFields = { login: 'password', encryption: 'port' } as const

/** Connects and logs in before anything is stored, so that a mailbox that does not work never replaces one that does. */
async function saveMailbox(app: AppServices, actor: string, form: FormData): Promise<ActionOutcome<MailboxAnswer>> {
  const typed = Object.fromEntries(['host', 'port', 'user', 'password'].map((key) => [key, formText(form, key)]))
  const refuse = (errors: Record<string, string>) => {
    const [field, error] = Object.entries(errors)[0]!
    const { password: _, ...shown } = typed
    return refused<MailboxAnswer>(422, { field, error, errors, toasts: [error], typed: shown })
  }
  const checked = validateForm(MailboxSchema, typed)
  if (!checked.ok) return refuse(checked.errors)
  const { host, port, user } = checked.data
  // An empty password keeps the stored one, but never sends it to another server.
  const stored = await readStored(app.db)
  const isSame = stored?.host === host && stored.port === port && stored.user === user
  const password = checked.data.password || (isSame ? await decryptText(stored.encryptedPassword, app.mailboxSecret) : null)
  if (!password) return refuse({ password: texts.errors.password })
  const failure = await verifyMailServer({ host, port, user, password, from: user })
  if (failure) {
    const { fault, reason } = classifySmtpError(failure)
    app.log.error('the mailbox did not work', failure)
    return refuse({ [fault in faultFields ? faultFields[fault as keyof typeof faultFields] : 'host']: texts.errors.refused(fault, reason) })
  }
  const encryptedPassword = await encryptText(password, app.mailboxSecret)
  await writeMailbox(app, actor, { host, port, user, encryptedPassword })
  return done(texts.saved)
}

async function writeMailbox(app: AppServices, actor: string, mailbox: StoredMailbox | null): Promise<void> {
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
  app.live.changed('mail')
}

/** The email is sent immediately, and not through the outbox, so that the owner sees why it failed. */
async function sendTestEmail(app: AppServices): Promise<ActionOutcome> {
  if (!(await app.outbox.hasServer())) return refused(409, { toasts: [texts.noMailbox] })
  const [to, { name }] = [await ownerEmail(app.db), await readSettings(app.db)]
  const email = { id: `test-${newId15()}`, kind: 'test', to, ...texts.testEmail(name) }
  const failure = await app.outbox.sendNow(email)
  return failure === null ? done(texts.testSent(to)) : refused(502, { toasts: [texts.testFailed(failure)] })
}

export async function handleMailboxAction(app: AppServices, actor: string, form: FormData): Promise<ActionOutcome<MailboxAnswer>> {
  const intent = formText(form, 'intent')
  if (intent === 'save-mailbox') return saveMailbox(app, actor, form)
  if (intent === 'test-mailbox') return sendTestEmail(app)
  if (intent !== 'remove-mailbox' || formText(form, 'confirm') !== 'Yes') return refused(400)
  await writeMailbox(app, actor, null)
  return done(texts.removed)
}
