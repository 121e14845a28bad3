import { isEmailAddress } from '#lib/text/email-address.server.ts'
import { z } from 'zod'
import type { Db } from '#db/schema.ts'
import type { AuthRequest } from '#auth/auth-client.server.ts'
import { reauthenticate } from '#auth/reauthenticate.server.ts'
import { loginResults } from '#auth/texts.ts'
import { ownerEmail, readSettings, saveSettingGroup } from '#settings/settings.server.ts'
import { CODE_PLACEHOLDER, VERIFICATION_EMAIL } from '#lib/auth/verification-codes.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { classifySmtpError, verifyMailServer } from '#lib/email/transport.server.ts'
import { type ActionTable, confirmed } from '#lib/http/form-actions.server.ts'
import { formText, validateForm } from '#lib/http/form-data.server.ts'
import { decryptText, encryptText } from '#lib/text/encrypt.server.ts'
import { newId15 } from '#lib/text/ids.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { type ActionResult, done, refused, refusedWith } from '#ui/action-result.ts'
import {
  BRIDGE_HOST,
  DEFAULT_PORT,
  findProvider,
  findProviderByExchangers,
  guessServer,
  providerOf,
} from './providers.ts'
import { type EmailState, mailboxTexts as texts, mailTexts } from './texts.ts'

const MAX_SHOWN = 100

export type MailView = Awaited<ReturnType<typeof readMail>>

export async function readMail({ db, outbox, now }: Pick<AppServices, 'db' | 'outbox' | 'now'>) {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('sentAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(MAX_SHOWN)
    .execute()
  const emails = rows.map((row) => {
    const isBeingSent = row.claimedUntil !== null && row.claimedUntil > now()
    const openState = isBeingSent ? 'under-way' : 'waiting'
    const state: EmailState = row.failedAt === null ? openState : 'failed'
    const text =
      row.kind === VERIFICATION_EMAIL
        ? row.text.replaceAll(CODE_PLACEHOLDER, '(a code that only the email contains)')
        : row.text
    return { ...row, text, lossText: consequenceText(row.kind), state }
  })
  const { all, written } = await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.count<number>('lastError').as('written'),
    ])
    .where('sentAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return {
    hasServer: await outbox.hasServer(),
    canSend: await outbox.canSend(),
    mailbox: await readMailbox(db),
    emails,
    sent: Number(all) - Number(written),
    written: Number(written),
  }
}

function consequenceText(kind: string) {
  if (kind === VERIFICATION_EMAIL) return mailTexts.cancelVerification
  if (kind === 'notice') return mailTexts.cancelNotice
  return mailTexts.cancelMessage
}

/** Ignores verification emails, because customers mistype their address. */
export async function countUndeliveredEmails(db: Db) {
  const rows = await db
    .selectFrom('outbox')
    .select(['failedAt', 'kind'])
    .where('sentAt', 'is', null)
    .where('lastError', 'is not', null)
    .execute()
  const failed = rows.filter((row) => row.failedAt !== null)
  return {
    failed: failed.filter((row) => row.kind !== VERIFICATION_EMAIL).length,
    waiting: rows.length - failed.length,
  }
}

async function retryOrCancelEmail(
  { db, now }: AppServices,
  actor: string,
  id: string,
  act: 'retry-email' | 'cancel-email',
) {
  const at = now()
  return inTransaction(db, async (tx) => {
    const email = await tx
      .updateTable('outbox')
      .set({ nextAttemptAt: at, failedAt: null })
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', at)]))
      .returning(['toAddress as to', 'subject'])
      .executeTakeFirst()
    if (!email) return false
    if (act === 'cancel-email') await tx.deleteFrom('outbox').where('id', '=', id).execute()
    await recordAuditEvent(tx, {
      at,
      actor,
      act,
      subject: id,
      name: email.subject,
      also: email.to,
      detail: email,
    })
    return true
  })
}

export type MailboxAnswer = ActionResult & { typed?: Record<string, string> }
type MailContext = { auth: AuthRequest; owner: User }

const noSuchEmail = refused(404, { toasts: [mailTexts.gone] })

export const mailActions: ActionTable<MailContext, MailboxAnswer> = {
  async try({ auth: { app }, owner }, form) {
    const id = formText(form, 'id')
    if (!(await retryOrCancelEmail(app, owner.id, id, 'retry-email'))) return noSuchEmail
    const isDelivered = await app.outbox.deliverSoon(id)
    app.live.changed('mail')
    return isDelivered ? done(mailTexts.delivered) : refused(200, { toasts: [mailTexts.notYet] })
  },
  'give-up': confirmed(async ({ auth: { app }, owner }, form) => {
    const id = formText(form, 'id')
    if (!(await retryOrCancelEmail(app, owner.id, id, 'cancel-email'))) return noSuchEmail
    app.live.changed('mail')
    return done(mailTexts.canceled)
  }),
  'find-provider': findMailServer,
  'save-mailbox': saveMailbox,
  async 'remove-mailbox'({ auth, owner }, form) {
    const refusal = await reauthenticate(auth, owner, form)
    if (refusal) return refusedWith(refusal)
    await writeMailbox(auth.app, owner.id, null)
    return done(texts.removed)
  },
  'test-mailbox': ({ auth }) => sendTestEmail(auth.app),
}

type StoredMailbox = { host: string; port: number; user: string; encryptedPassword: string }

async function readStored(db: Db) {
  const row = await db
    .selectFrom('settings')
    .select(['value', 'updatedAt'])
    .where('key', '=', 'mailbox')
    .executeTakeFirst()
  const mailbox = row && (JSON.parse(row.value) as StoredMailbox | null)
  return mailbox ? { ...mailbox, savedAt: row.updatedAt } : null
}

export async function readMailbox(db: Db) {
  const mailbox = await readStored(db)
  if (!mailbox) return null
  const { host, port, user, savedAt } = mailbox
  return { host, port: String(port), user, savedAt }
}

/** Returns null if no password can be read. `otherSender` is used if `user` is no email address. */
export async function readMailboxServer(db: Db, secret: string, otherSender: string) {
  const mailbox = await readStored(db)
  const password = mailbox && (await decryptText(mailbox.encryptedPassword, secret))
  if (!mailbox || password === null) return null
  const { host, port, user } = mailbox
  return { host, port, user, password, from: isEmailAddress(user) ? user : otherSender }
}

/** Without JavaScript, this is the first step of the form, and the page then shows the second. */
async function findMailServer({ auth: { app } }: MailContext, form: FormData) {
  const user = formText(form, 'user').trim()
  if (user === '' || user.length > 254) {
    const error = texts.errors.user
    return refused<MailboxAnswer>(422, { field: 'user', error, toasts: [error] })
  }
  const provider = findProvider(user) ?? (await findHostingProvider(app, user))
  const { host = '', port = DEFAULT_PORT } = provider ?? {}
  const typed = { user, host, port: String(port) }
  return { answer: { ok: true, typed }, status: 200 }
}

async function findHostingProvider(app: AppServices, address: string) {
  if (!isEmailAddress(address)) return
  const exchangers = await app.readMailExchangers(address.slice(address.lastIndexOf('@') + 1))
  return findProviderByExchangers(exchangers)
}

const MailboxSchema = z.object({
  user: z.string().trim().min(1, texts.errors.user).max(254, texts.errors.user),
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
  mailboxPassword: z.string().max(1000, texts.errors.longPassword),
})

const faultFields: Record<string, string> = { login: 'mailboxPassword', encryption: 'port' }

/** Asks for the password, because whoever sets the mail server can read all emailed codes. */
async function saveMailbox({ auth, owner }: MailContext, form: FormData) {
  const { app } = auth
  const typed = Object.fromEntries(
    ['user', 'host', 'port', 'mailboxPassword'].map((key) => [key, formText(form, key)]),
  )
  const refuse = (errors: Record<string, string>, status = 422) => {
    const [field, error] = Object.entries(errors)[0]!
    const { mailboxPassword: _, ...kept } = typed
    return refused<MailboxAnswer>(status, { field, error, errors, toasts: [error], typed: kept })
  }
  const checked = validateForm(MailboxSchema, typed)
  // A code works only once, so a form with errors must not use it up.
  if (!checked.ok && owner.hasSecondFactor) return refuse(checked.errors)
  const refusal = await reauthenticate(auth, owner, form)
  if (refusal) {
    const { error, status, field } = refusal
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
  // An empty field means the stored password, which must not be sent to another server.
  const savedMailbox = await readStored(app.db)
  const isSame =
    savedMailbox?.host === host && savedMailbox.port === port && savedMailbox.user === user
  const password =
    checked.data.mailboxPassword ||
    (isSame ? await decryptText(savedMailbox.encryptedPassword, app.mailboxSecret) : null)
  if (!password) return refuse({ mailboxPassword: texts.errors.password })
  const failure = await verifyMailServer({ host, port, user, password, from: user })
  if (failure) {
    const { fault, reason } = classifySmtpError(failure)
    app.log.info('the mailbox did not work', { fault, reason })
    const advice = adviceFor(fault, { user, host })
    return refuse({ [faultFields[fault] ?? 'host']: `${reason} ${advice}`.trim() })
  }
  const encryptedPassword = await encryptText(password, app.mailboxSecret)
  await writeMailbox(app, owner.id, { host, port, user, encryptedPassword })
  return done(texts.saved)
}

function adviceFor(fault: string, mailbox: { user: string; host: string }) {
  const provider = providerOf(mailbox)
  const needsBridge = provider?.host === BRIDGE_HOST
  switch (fault) {
    case 'login':
      return provider?.advice ?? texts.advice.login
    case 'timeout':
    case 'unreachable':
      return needsBridge
        ? provider.advice
        : texts.advice.server(provider?.host ?? guessServer(mailbox.user))
    case 'encryption':
      return texts.advice.encryption
    default:
      return ''
  }
}

async function writeMailbox(app: AppServices, actor: string, mailbox: StoredMailbox | null) {
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

/** Sends without the outbox, so that the owner sees at once why sending fails. */
async function sendTestEmail(app: AppServices) {
  if (!(await app.outbox.hasServer())) return refused(409, { toasts: [texts.noMailbox] })
  const to = await ownerEmail(app.db)
  const { name } = await readSettings(app.db)
  const email = { id: `test-${newId15()}`, kind: 'test', to, ...texts.testEmail(name) }
  const failure = await app.outbox.sendNow(email)
  return failure === null
    ? done(texts.testSent(to))
    : refused(502, { toasts: [texts.testFailed(failure)] })
}
