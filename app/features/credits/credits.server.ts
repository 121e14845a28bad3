/** Creates, uses and releases credits. Each of these changes is one conditional write, together with its row in the audit log. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { canceledSaleIds } from '#app/services/canceled-sales.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { newCreditCode } from '#app/lib/auth/human-readable-codes.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import {
  type Credit,
  type CreditAction,
  creditState,
  creditTransitions,
  REWARD_CENTS,
} from './credit.ts'

/**
 * Creates the credit for the testimony of a receipt. A receipt earns only one credit. If the customer has a credit for a purchase that was undone or
 * canceled, this credit becomes the credit of the receipt, and she earns no second one. The caller must have locked the user. [AGREE-63]
 */
export async function earnCredit(
  tx: Tx,
  { userId, receiptTag, name }: { userId: string; receiptTag: string; name: string },
  now: number,
): Promise<boolean> {
  if (await findCreditOfReceipt(tx, receiptTag)) return false
  const creditOfCanceledPurchase = tx
    .selectFrom('credits')
    .select('code')
    .where('userId', '=', userId)
    .where('receiptTag', 'not in', keysOfUncanceledReceipts(tx, userId))
    .orderBy('createdAt')
    .limit(1)
  const moved = await tx
    .updateTable('credits')
    .set({ receiptTag })
    .where('code', '=', creditOfCanceledPurchase)
    .returning('code')
    .executeTakeFirst()
  const event = { at: now, actor: 'customer', subject: receiptTag, name } as const
  if (moved) {
    await recordAuditEvent(tx, { ...event, act: 'move-credit', detail: moved })
    return true
  }
  const credit = { code: newCreditCode(), userId, receiptTag, cents: REWARD_CENTS, createdAt: now }
  const made = await tx
    .insertInto('credits')
    .values({ ...credit, offerId: null, usedAt: null })
    .onConflict((conflict) => conflict.column('receiptTag').doNothing())
    .returning('code')
    .executeTakeFirst()
  if (!made) return false
  await recordAuditEvent(tx, {
    ...event,
    act: 'earn-credit',
    detail: { code: credit.code, creditCents: credit.cents },
  })
  return true
}

/** Selects the keys of the receipts of a customer with a sale that was neither undone nor canceled. */
function keysOfUncanceledReceipts(tx: Tx, userId: string) {
  return tx
    .selectFrom('sales')
    .select(sql<string>`coalesce(nullif("receiptTag", ''), "id")`.as('key'))
    .where('buyerId', '=', userId)
    .where('cancels', 'is', null)
    .where('id', 'not in', canceledSaleIds(tx))
}

const creditsIn = (db: Db | Tx) =>
  db.selectFrom('credits').select(['code', 'cents', 'usedAt', 'createdAt'])
const toCredit = (row: { code: string; cents: Cents; usedAt: number | null }): Credit => ({
  code: row.code,
  cents: row.cents,
  state: creditState(row),
})

/** Lists all credits of a customer. The oldest credit is first. */
export const listCredits = async (
  db: Db | Tx,
  userId: string,
): Promise<(Credit & { createdAt: number; usedAt: number | null })[]> =>
  (
    await creditsIn(db).where('userId', '=', userId).orderBy('createdAt').orderBy('code').execute()
  ).map((row) => ({
    ...row,
    ...toCredit(row),
  }))

export async function findCreditOfReceipt(db: Db | Tx, receiptTag: string): Promise<Credit | null> {
  const found = await creditsIn(db).where('receiptTag', '=', receiptTag).executeTakeFirst()
  return found ? toCredit(found) : null
}

export async function findCredit(
  db: Db | Tx,
  code: string,
  userId: string,
): Promise<Credit | null> {
  const found = await creditsIn(db)
    .where('code', '=', code)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found ? toCredit(found) : null
}

/** One use of a credit, for the audit log. `subject` is the id of the conversation, and `name` the name of the customer. */
type Use = { code: string; offerId: string; userId: string; subject: string; name: string }

/** Uses the credit in an accepted offer. Returns false if another offer has used the credit, or if the credit belongs to another customer. [AGREE-65] */
export const redeemCredit = (tx: Tx, use: Use, now: number): Promise<boolean> =>
  changeCredit(tx, 'use', use, now)

/** Makes a credit usable again, because the owner has canceled the agreement in which the customer used it, or deletes its conversation. [AGREE-66] */
export const releaseCredit = (tx: Tx, use: Use, now: number): Promise<boolean> =>
  changeCredit(tx, 'release', use, now)

async function changeCredit(
  tx: Tx,
  action: CreditAction,
  { code, offerId, userId, subject, name }: Use,
  now: number,
): Promise<boolean> {
  const { by, from, to } = creditTransitions[action]
  const changed = await tx
    .updateTable('credits')
    .set(to === 'used' ? { offerId, usedAt: now } : { offerId: null, usedAt: null })
    .where('code', '=', code)
    .where('userId', '=', userId)
    .where('usedAt', from === 'open' ? 'is' : 'is not', null)
    .$if(from === 'used', (query) => query.where('offerId', '=', offerId))
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  const actor = by === 'owner' ? ADMIN_ID : by
  await recordAuditEvent(tx, {
    at: now,
    actor,
    act: `${action}-credit`,
    subject,
    name,
    detail: { code, offer: offerId },
  })
  return true
}
