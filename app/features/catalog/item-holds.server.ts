import type { AppServices } from '#services/context.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { refuse } from '#lib/refusal.ts'
import type { Db, Tx } from '#db/schema.ts'
import { availabilityAt, availabilityTexts as texts, holdDay } from './availability.ts'
import type { Item } from './catalog.ts'
import { onHoldCondition } from './shown-items.server.ts'

const getHoldsCached = (app: Pick<AppServices, 'db' | 'live'>) =>
  cached(app, ['catalog'], 'holds', async () => {
    const rows = await app.db
      .selectFrom('holds')
      .innerJoin('items', 'items.id', 'holds.itemId')
      .where('items.state', '=', 'listed')
      .where('items.kind', '=', 'unique')
      .select(['itemId', 'orderId', 'until'])
      .execute()
    return Object.fromEntries(rows.map(({ itemId, ...hold }) => [itemId, hold]))
  })

type HoldServices = Pick<AppServices, 'db' | 'live' | 'now' | 'timeZone'>

async function readHoldTexts(app: HoldServices, viewerId: string | null) {
  const holds = await getHoldsCached(app)
  const now = app.now()
  return (itemId: string) => {
    const hold = holds[itemId]
    if (!hold || hold.until <= now) return null
    const isOwn = hold.orderId === viewerId
    const text = isOwn ? texts.onHoldForYou : texts.onHold
    return { isOwn, text: text(holdDay(hold.until, now, app.timeZone)) }
  }
}

export async function readAvailability(
  app: HoldServices,
  item: Pick<Item, 'id' | 'kind' | 'state'>,
  viewerId: string | null,
) {
  if (item.state === 'sold') return [texts.sold]
  if (item.kind !== 'unique') return []
  const hold = (await readHoldTexts(app, viewerId))(item.id)
  if (!hold) return [texts.oneOfAKind]
  return [hold.text, hold.isOwn ? texts.oneOfAKind : texts.canStillAsk]
}

export async function isItemOnHold(db: Db, itemId: string, now: number) {
  const query = db.selectFrom('items').select('id').where('id', '=', itemId)
  return (await query.where(onHoldCondition(now)).executeTakeFirst()) !== undefined
}

export async function markHolds<Card extends { id: string; mark?: string }>(
  app: HoldServices,
  cards: readonly Card[],
  viewerId: string | null,
): Promise<Card[]> {
  const holdOf = await readHoldTexts(app, viewerId)
  return cards.map((card) => {
    const hold = holdOf(card.id)
    return hold ? { ...card, mark: hold.text } : card
  })
}

/** Keeps others from holding or selling the item until the transaction ends. */
export async function lockItem(tx: Tx, itemId: string, now: number) {
  const item = await tx
    .selectFrom('items')
    .select(['name', 'kind', 'state'])
    .where('id', '=', itemId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!item) return null
  const hold = await tx
    .selectFrom('holds')
    .select(['orderId', 'offerId', 'until'])
    .where('itemId', '=', itemId)
    .executeTakeFirst()
  const availability = availabilityAt({ ...item, hold: hold ?? null }, now)
  return { ...item, availability, hold: availability === 'on-hold' ? hold! : null }
}

export async function releaseHolds(tx: Tx, orderId: string, itemId?: string) {
  const holds = tx.deleteFrom('holds').where('orderId', '=', orderId)
  const query = itemId === undefined ? holds : holds.where('itemId', '=', itemId)
  const { numDeletedRows } = await query.executeTakeFirst()
  return numDeletedRows > 0n
}

/** Finds another customer's accepted offer for this item, even without a hold. [AGREE-21] */
export const findAgreement = (tx: Tx, itemId: string, orderId: string) =>
  tx
    .selectFrom('orderItems')
    .select('orderId')
    .where('itemId', '=', itemId)
    .where('orderId', '<>', orderId)
    .where('isSold', '=', false)
    .where('offerId', 'is not', null)
    .executeTakeFirst()

type UniqueSale = { itemId: string; orderId: string | null; saleId: string }

/**
 * The lock makes a second, simultaneous sale wait, which is then refused. A sale without `orderId`
 * ignores holds, because the owner has handed over the item already.
 * [AGREE-26]
 */
export async function sellUniqueItem(tx: Tx, { itemId, orderId, saleId }: UniqueSale, now: number) {
  const item = await lockItem(tx, itemId, now)
  if (item?.kind !== 'unique') return { ok: true as const, isChanged: false }
  if (item.availability === 'sold') return refuse('sold-elsewhere')
  if (orderId !== null) {
    const isHeld = item.hold !== null && item.hold.orderId !== orderId
    if (isHeld || (await findAgreement(tx, itemId, orderId))) return refuse('on-hold')
  }
  await tx
    .updateTable('items')
    .set({ state: 'sold', soldSaleId: saleId })
    .where('id', '=', itemId)
    .execute()
  return { ok: true as const, isChanged: true }
}

/** Returns false if this sale is not the one that made the item sold. [AGREE-26] */
export async function unsellItem(
  tx: Tx,
  { itemId, saleId }: Pick<UniqueSale, 'itemId' | 'saleId'>,
) {
  const { numUpdatedRows } = await tx
    .updateTable('items')
    .set({ state: 'listed' })
    .where('id', '=', itemId)
    .where('state', '=', 'sold')
    .where('soldSaleId', '=', saleId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
