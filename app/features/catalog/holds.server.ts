/** Reads which items are on hold, and marks one-of-a-kind items as sold. The files in features/holds/ place and release holds. */
import type { Db, Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { onHoldCondition } from './shown-items.server.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { availabilityTexts as texts } from './availability-texts.ts'
import type { Item } from './catalog.ts'
import { availabilityAt, availabilityTransitions, type Hold, holdText } from './availability.ts'

/** Reads all holds at once, because pages show many items. The result may contain holds that have ended. */
const getHoldsCached = (app: Pick<AppServices, 'db' | 'live'>): Promise<Record<string, Hold>> =>
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

type HoldDeps = Pick<AppServices, 'db' | 'live' | 'now' | 'timeZone'>

/** Returns for example "On hold until Friday", or undefined if the item is not on hold. The customer for whom the item is on hold reads "On hold for you until Friday". [AGREE-25] */
async function readHoldMarks(
  app: HoldDeps,
  viewerId: string | null,
): Promise<(itemId: string) => string | undefined> {
  const [holds, now] = [await getHoldsCached(app), app.now()]
  return (itemId) => {
    const hold = holds[itemId]
    return hold && hold.until > now
      ? holdText(hold, hold.orderId === viewerId, now, app.timeZone)
      : undefined
  }
}

/** Returns the lines about availability on the page of an item, for example "On hold until Friday" and what a request means meanwhile. [AGREE-92] */
export async function readAvailability(
  app: HoldDeps,
  item: Pick<Item, 'id' | 'kind' | 'state'>,
  viewerId: string | null,
): Promise<string[]> {
  if (item.state === 'sold') return [texts.sold]
  if (item.kind !== 'unique') return []
  const [hold, now] = [(await getHoldsCached(app))[item.id], app.now()]
  if (!hold || hold.until <= now) return [texts.oneOfAKind]
  const isOwn = hold.orderId === viewerId
  return [holdText(hold, isOwn, now, app.timeZone), isOwn ? texts.oneOfAKind : texts.canStillAsk]
}

/** Returns whether the item is on hold for a customer. */
export const isItemOnHold = async (db: Db, itemId: string, now: number): Promise<boolean> =>
  (await db
    .selectFrom('items')
    .select('id')
    .where('id', '=', itemId)
    .where(onHoldCondition(now))
    .executeTakeFirst()) !== undefined

/** Adds the marks of holds to cards that are cached for all viewers. */
export async function markHolds<Card extends { id: string; mark?: string | undefined }>(
  app: HoldDeps,
  cards: readonly Card[],
  viewerId: string | null,
): Promise<Card[]> {
  const markOf = await readHoldMarks(app, viewerId)
  return cards.map((card) => {
    const mark = markOf(card.id)
    return mark ? { ...card, mark } : card
  })
}

/** Locks an item until the transaction ends, so that no other transaction can hold or sell it. Returns its availability and its hold, or null if no such item exists. */
export async function lockItem(tx: Tx, itemId: string, now: number) {
  const item = await tx
    .updateTable('items')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('id', '=', itemId)
    .returning(['name', 'kind', 'state'])
    .executeTakeFirst()
  if (!item) return null
  const found = await tx
    .selectFrom('holds')
    .select(['orderId', 'offerId', 'until'])
    .where('itemId', '=', itemId)
    .executeTakeFirst()
  const availability = availabilityAt({ ...item, hold: found ?? null }, now)
  return { ...item, availability, hold: availability === 'on-hold' ? found! : null }
}

/** Releases the items that are on hold for a conversation, or only the item `itemId`. Returns whether a hold has ended. */
export async function releaseHolds(tx: Tx, orderId: string, itemId?: string): Promise<boolean> {
  const held = tx.deleteFrom('holds').where('orderId', '=', orderId)
  const { numDeletedRows } = await (
    itemId === undefined ? held : held.where('itemId', '=', itemId)
  ).executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Finds the conversation of another customer who has accepted an offer with the item. There may be no hold: when she accepted the offer, the item may have been
 * retired, or not yet one of a kind. [AGREE-21]
 */
export const findAgreement = (
  tx: Tx,
  itemId: string,
  orderId: string,
): Promise<{ orderId: string } | undefined> =>
  tx
    .selectFrom('orderItems')
    .select('orderId')
    .where('itemId', '=', itemId)
    .where('orderId', '<>', orderId)
    .where('isSold', '=', 0)
    .where('offerId', 'is not', null)
    .executeTakeFirst()

/**
 * Marks a one-of-a-kind item as sold, also if it was a draft or retired. Returns the reason of a refusal, or whether the item has changed. An item of another kind can be sold again and again.
 * `orderId` is null for a sale outside a conversation: the owner has already handed the item over, so a hold cannot prevent this sale. [AGREE-26]
 */
export async function sellUniqueItem(
  tx: Tx,
  { itemId, orderId, saleId }: { itemId: string; orderId: string | null; saleId: string },
  now: number,
): Promise<{ refusal: 'sold-elsewhere' | 'on-hold' } | { refusal: null; isChanged: boolean }> {
  const item = await lockItem(tx, itemId, now)
  if (item?.kind !== 'unique') return { refusal: null, isChanged: false }
  if (item.availability === 'sold') return { refusal: 'sold-elsewhere' }
  if (item.hold && orderId !== null && item.hold.orderId !== orderId) return { refusal: 'on-hold' }
  if (orderId !== null && (await findAgreement(tx, itemId, orderId))) return { refusal: 'on-hold' }
  const sold = tx
    .updateTable('items')
    .set({ state: availabilityTransitions.sell.to as 'sold', soldSaleId: saleId })
  const { numUpdatedRows } = await sold.where('id', '=', itemId).executeTakeFirst()
  return { refusal: null, isChanged: numUpdatedRows > 0n }
}

/** Offers an item for sale again after the owner has undone or canceled the sale that made it sold. Returns whether the item has changed. [AGREE-26] */
export async function unsellItem(
  tx: Tx,
  { itemId, saleId }: { itemId: string; saleId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('items')
    .set({ state: 'listed' })
    .where('id', '=', itemId)
    .where('state', '=', 'sold')
    .where('soldSaleId', '=', saleId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
