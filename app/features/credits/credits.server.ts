import type { Db, Tx } from '#db/schema.ts'
import { canceledSaleIds } from '#services/canceled-sales.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import { newCreditCode } from '#lib/auth/human-readable-codes.ts'
import { receiptKeySql } from '#conversation/conversation.server.ts'
import type { Cents } from '#pricing/money.ts'
import {
  type Credit,
  type CreditAction,
  creditState,
  creditTransitions,
  REWARD_CENTS,
} from './credit.ts'

/**
 * If an earlier purchase was canceled, its credit moves to this purchase. The caller has locked the
 * user. [AGREE-63]
 */
export async function earnCredit(
  tx: Tx,
  { userId, receiptTag, name }: { userId: string; receiptTag: string; name: string },
  now: number,
) {
  if (await findCreditOfReceipt(tx, receiptTag)) return false
  const creditOfCanceledPurchase = tx
    .selectFrom('credits')
    .select('code')
    .where('userId', '=', userId)
    .where('receiptTag', 'not in', keysOfUncanceledReceipts(tx, userId))
    .orderBy('createdAt')
    .limit(1)
  const movedCredit = await tx
    .updateTable('credits')
    .set({ receiptTag })
    .where('code', '=', creditOfCanceledPurchase)
    .returning('code')
    .executeTakeFirst()
  const event = { at: now, actor: 'customer', subject: receiptTag, name } as const
  if (movedCredit) {
    await recordAuditEvent(tx, { ...event, act: 'move-credit', detail: movedCredit })
    return true
  }
  const credit = await tx
    .insertInto('credits')
    .values({ code: newCreditCode(), userId, receiptTag, cents: REWARD_CENTS, createdAt: now })
    .onConflict((conflict) => conflict.column('receiptTag').doNothing())
    .returning(['code', 'cents as creditCents'])
    .executeTakeFirst()
  if (!credit) return false
  await recordAuditEvent(tx, { ...event, act: 'earn-credit', detail: credit })
  return true
}

const keysOfUncanceledReceipts = (tx: Tx, userId: string) =>
  tx
    .selectFrom('sales')
    .select(receiptKeySql.as('key'))
    .where('buyerId', '=', userId)
    .where('cancels', 'is', null)
    .where('id', 'not in', canceledSaleIds(tx))

const creditsIn = (db: Db) =>
  db.selectFrom('credits').select(['code', 'cents', 'usedAt', 'createdAt'])
const toCredit = (row: { code: string; cents: Cents; usedAt: number | null }): Credit => ({
  code: row.code,
  cents: row.cents,
  state: creditState(row),
})

export async function listCredits(db: Db, userId: string) {
  const rows = await creditsIn(db)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('code')
    .execute()
  return rows.map((row) => ({ ...row, ...toCredit(row) }))
}

export async function findCreditOfReceipt(db: Db, receiptTag: string) {
  const credit = await creditsIn(db).where('receiptTag', '=', receiptTag).executeTakeFirst()
  return credit ? toCredit(credit) : null
}

export async function findCredit(db: Db, code: string, userId: string) {
  const credit = await creditsIn(db)
    .where('code', '=', code)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return credit ? toCredit(credit) : null
}

/** Returns false if another offer has used the credit or another customer owns it. [AGREE-65] */
export async function changeCredit(
  tx: Tx,
  action: CreditAction,
  use: { code: string; offerId: string; userId: string; subject: string; name: string },
  now: number,
) {
  const { code, offerId, userId, subject, name } = use
  const { by, from, to } = creditTransitions[action]
  const { numUpdatedRows } = await tx
    .updateTable('credits')
    .set(to === 'used' ? { offerId, usedAt: now } : { offerId: null, usedAt: null })
    .where('code', '=', code)
    .where('userId', '=', userId)
    .where('usedAt', from === 'open' ? 'is' : 'is not', null)
    .$if(from === 'used', (query) => query.where('offerId', '=', offerId))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await recordAuditEvent(tx, {
    at: now,
    actor: by === 'owner' ? OWNER_ID : by,
    act: `${action}-credit`,
    subject,
    name,
    detail: { code, offer: offerId },
  })
  return true
}
