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
    .select([
      'id',
      'kind',
      'toAddress',
      'replyTo',
      'subject',
      'text',
      'createdAt',
      'attempts',
      'nextAttemptAt',
      'claimedUntil',
      'failedAt',
      'lastError',
    ])
    .where('sentAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  const letters = rows.map(({ failedAt, claimedUntil, ...row }): OutboxLetter => {
    const isHeld = claimedUntil !== null && claimedUntil > now()
    return {
      ...row,
      // S-231: a code lets somebody in. It is put in as the letter leaves, and nobody else reads it.
      text: row.kind === PROOF ? row.text.replaceAll(LETTER_CODE, '(a code that only the letter has)') : row.text,
      lossText: lossText(row.kind),
      state: failedAt !== null ? 'failed' : isHeld ? 'under-way' : 'waiting',
    }
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

/** Whether it has left now; null: there is no such letter any more, or it is just being sent. */
export async function tryLetterAgain(shop: Shop, actor: string, id: string): Promise<boolean | null> {
  const at = shop.now()
  const isDue = await transact(shop.db, async (tx) => {
    const row = await tx
      .updateTable('outbox')
      .set({ nextAttemptAt: at, failedAt: null })
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where((is) => is.or([is('claimedUntil', 'is', null), is('claimedUntil', '<=', at)]))
      .returning(['subject', 'toAddress'])
      .executeTakeFirst()
    if (row) await recordAct(tx, { at, actor, act: 'try-letter-again', subject: id, name: row.subject, also: row.toAddress })
    return row !== undefined
  })
  if (!isDue) return null
  const delivered = await shop.mail.deliverSoon(id)
  shop.live.changed('mail')
  return delivered
}

export async function giveLetterUp(shop: Shop, actor: string, id: string): Promise<boolean> {
  const at = shop.now()
  const isGone = await transact(shop.db, async (tx) => {
    const row = await tx
      .deleteFrom('outbox')
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where((is) => is.or([is('claimedUntil', 'is', null), is('claimedUntil', '<=', at)]))
      .returning(['toAddress', 'subject'])
      .executeTakeFirst()
    const detail = { to: row?.toAddress, subject: row?.subject }
    if (row) await recordAct(tx, { at, actor, act: 'give-letter-up', subject: id, name: row.subject, also: row.toAddress, detail })
    return row !== undefined
  })
  if (isGone) shop.live.changed('mail')
  return isGone
}

export async function handleOutboxAction(shop: Shop, actor: string, form: FormData): Promise<ActionResult> {
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  const gone = refused(404, { toasts: [mailTexts.gone] })
  if (intent === 'try') {
    const delivered = await tryLetterAgain(shop, actor, id)
    if (delivered === null) return gone
    return delivered ? done(mailTexts.delivered) : refused(200, { toasts: [mailTexts.notYet] })
  }
  if (intent !== 'give-up' || textOf(form, 'confirm') !== 'Yes') return refused(400)
  return (await giveLetterUp(shop, actor, id)) ? done(mailTexts.givenUp) : gone
}
