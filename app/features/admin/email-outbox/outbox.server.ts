import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { done, refused, type ActionResult } from '#app/ui/answer.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { LETTER_CODE, PROOF } from '#app/platform/letter-codes.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db } from '#db/schema.ts'
import { mailTexts, type OutboxLetter, type OutboxView } from './outbox.ts'

/** More than an outbox ever holds, unless something is badly wrong. */
const SHOWN = 100

export async function readOutbox({ db, mail, now }: Shop): Promise<OutboxView> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('sentAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  const letters = rows.map((row): OutboxLetter => {
    const isHeld = row.claimedUntil !== null && row.claimedUntil > now()
    // S-231: a code lets somebody in. It is put in as the letter leaves, and nobody else reads it.
    const text = row.kind === PROOF ? row.text.replaceAll(LETTER_CODE, '(a code that only the letter has)') : row.text
    return { ...row, text, lossText: lossText(row.kind), state: row.failedAt !== null ? 'failed' : isHeld ? 'under-way' : 'waiting' }
  })
  const { sent } = await db
    .selectFrom('outbox')
    .select((is) => is.fn.countAll<number>().as('sent'))
    .where('sentAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return { hasServer: mail.hasServer, letters, sent: Number(sent) }
}

function lossText(kind: string): string {
  if (kind === PROOF) return 'Whoever asked for it can ask again.'
  if (kind === 'notice') return 'What it tells of has happened all the same.'
  return `The message itself stays in your conversations${kind === 'contact' ? '; a phone number is only in the letter' : ''}.`
}

/** For the welcome page; a letter to an address that somebody registered and that does not exist is no concern of the owner's. */
export async function countUndelivered(db: Db): Promise<{ failed: number; waiting: number }> {
  const rows = await db
    .selectFrom('outbox')
    .select(['failedAt', 'kind'])
    .where('sentAt', 'is', null)
    .where('lastError', 'is not', null)
    .execute()
  const failed = rows.filter((row) => row.failedAt !== null)
  return { failed: failed.filter((row) => row.kind !== PROOF).length, waiting: rows.length - failed.length }
}

/** Makes the letter due at once, or deletes it. false: it has left, or is just being sent. */
async function changeLetter({ db, now }: Shop, actor: string, id: string, act: 'try-letter-again' | 'give-letter-up'): Promise<boolean> {
  const at = now()
  return transact(db, async (tx) => {
    const letter = await tx
      .updateTable('outbox')
      .set({ nextAttemptAt: at, failedAt: null })
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where((is) => is.or([is('claimedUntil', 'is', null), is('claimedUntil', '<=', at)]))
      .returning(['subject', 'toAddress'])
      .executeTakeFirst()
    if (!letter) return false
    const { subject, toAddress: to } = letter
    if (act === 'give-letter-up') await tx.deleteFrom('outbox').where('id', '=', id).execute()
    await recordAct(tx, { at, actor, act, subject: id, name: subject, also: to, detail: { to, subject } })
    return true
  })
}

export async function handleOutboxAction(shop: Shop, actor: string, form: FormData): Promise<ActionResult> {
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  const isTry = intent === 'try'
  if (!isTry && (intent !== 'give-up' || textOf(form, 'confirm') !== 'Yes')) return refused(400)
  if (!(await changeLetter(shop, actor, id, isTry ? 'try-letter-again' : 'give-letter-up')))
    return refused(404, { toasts: [mailTexts.gone] })
  const isDelivered = isTry && (await shop.mail.deliverSoon(id))
  shop.live.changed('mail')
  if (!isTry) return done(mailTexts.givenUp)
  return isDelivered ? done(mailTexts.delivered) : refused(200, { toasts: [mailTexts.notYet] })
}
