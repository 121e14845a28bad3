import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { done, refused, type ActionOutcome } from '#app/ui/action-result.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { CODE_PLACEHOLDER, VERIFICATION_EMAIL } from '#app/lib/auth/verification-codes.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { Db } from '#db/schema.ts'
import type { OutboxEmail, OutboxView } from './outbox.ts'
import { readMailbox } from './mailbox.server.ts'
import { outboxTexts } from './texts.ts'

/** The page shows at most this many emails; normally the outbox contains fewer. */
const MAX_SHOWN = 100

export async function readOutbox({
  db,
  outbox,
  now,
}: Pick<AppServices, 'db' | 'outbox' | 'now'>): Promise<OutboxView> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('sentAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(MAX_SHOWN)
    .execute()
  const emails = rows.map((row): OutboxEmail => {
    const isHeld = row.claimedUntil !== null && row.claimedUntil > now()
    // The stored text contains a placeholder. The verification code replaces it only when the email is sent. [S-231]
    const text =
      row.kind === VERIFICATION_EMAIL
        ? row.text.replaceAll(CODE_PLACEHOLDER, '(a code that only the email contains)')
        : row.text
    return {
      ...row,
      text,
      lossText: consequenceText(row.kind),
      state: row.failedAt !== null ? 'failed' : isHeld ? 'under-way' : 'waiting',
    }
  })
  const { all, written } = await db
    .selectFrom('outbox')
    .select((is) => [
      is.fn.countAll<number>().as('all'),
      is.fn.count<number>('lastError').as('written'),
    ])
    .where('sentAt', 'is not', null)
    .executeTakeFirstOrThrow()
  const [hasServer, canSend, mailbox] = await Promise.all([
    outbox.hasServer(),
    outbox.canSend(),
    readMailbox(db),
  ])
  return {
    hasServer,
    canSend,
    mailbox,
    emails,
    sent: Number(all) - Number(written),
    written: Number(written),
  }
}

function consequenceText(kind: string): string {
  if (kind === VERIFICATION_EMAIL) return outboxTexts.cancelVerification
  if (kind === 'notice') return outboxTexts.cancelNotice
  return outboxTexts.cancelMessage
}

/** Counts the emails that could not be sent. Failed verification emails do not count, because they fail when a customer mistypes her address. */
export async function countUndeliveredEmails(db: Db): Promise<{ failed: number; waiting: number }> {
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

/** Schedules the next attempt for now, or deletes the email. Returns false if the email was already sent or is being sent. */
async function retryOrCancelEmail(
  { db, now }: AppServices,
  actor: string,
  id: string,
  act: 'retry-email' | 'cancel-email',
): Promise<boolean> {
  const at = now()
  return inTransaction(db, async (tx) => {
    const email = await tx
      .updateTable('outbox')
      .set({ nextAttemptAt: at, failedAt: null })
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where((is) => is.or([is('claimedUntil', 'is', null), is('claimedUntil', '<=', at)]))
      .returning(['subject', 'toAddress'])
      .executeTakeFirst()
    if (!email) return false
    const { subject, toAddress: to } = email
    if (act === 'cancel-email') await tx.deleteFrom('outbox').where('id', '=', id).execute()
    await recordAuditEvent(tx, {
      at,
      actor,
      act,
      subject: id,
      name: subject,
      also: to,
      detail: { to, subject },
    })
    return true
  })
}

export async function handleOutboxAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome> {
  const [intent, id] = [formText(form, 'intent'), formText(form, 'id')]
  const isTry = intent === 'try'
  if (!isTry && (intent !== 'give-up' || formText(form, 'confirm') !== 'Yes')) return refused(400)
  if (!(await retryOrCancelEmail(app, actor, id, isTry ? 'retry-email' : 'cancel-email')))
    return refused(404, { toasts: [outboxTexts.gone] })
  const isDelivered = isTry && (await app.outbox.deliverSoon(id))
  app.live.changed('mail')
  if (!isTry) return done(outboxTexts.canceled)
  return isDelivered ? done(outboxTexts.delivered) : refused(200, { toasts: [outboxTexts.notYet] })
}
