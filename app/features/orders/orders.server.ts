/**
 * Orders: the steps that every write to a conversation shares, and asking for an item, which joins the customer's order with her words.
 * Everything here runs inside the writer's transaction, except `requestOrder`, which begins its own.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { isId15, newId15, newId8 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { pictureColumns, readJoinedPicture } from '#app/features/catalog/catalog.server.ts'
import { type Cents, discountedPrice, readDiscount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { type Asked, MAX_MESSAGE, type OrderItem, receiptKey, withPlainBreaks } from './order.ts'

/**
 * DATA-016, DATA-017, S-075: the customer's own conversation, under her uid, made where there is none and held until the transaction ends. One
 * that the owner deletes in between is made anew (PostgreSQL).
 */
export async function holdOwnOrder(tx: Tx, user: User, now: number) {
  const made = { receiptTag: null, isClosed: 0, fromContactPage: 0, lastSeq: 0, createdAt: now, firstCreatedAt: now } as const
  for (let tried = 1; tried <= 5; tried++) {
    await tx
      .insertInto('orders')
      .values({ id: user.id, ...writerColumns(user), ...made })
      // On whichever key: of two that make it at the same moment, PostgreSQL may refuse the later one for its account instead of its id.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const order = await lockOrder(tx, user.id)
    if (order) return order
  }
  throw new Error(`the conversation of ${user.id} could not be made`)
}

/** The customer as she is now: a guest who has become a lasting customer gets her name into the order with her next write. */
export const writerColumns = (user: User) => ({
  userId: user.id,
  userName: user.name,
  userEmail: user.email,
  userPhotoURL: user.image ?? '',
})

/** Holds the row until the transaction ends, on both databases: writers of one conversation follow each other. */
export const lockOrder = (tx: Tx, orderId: string) =>
  tx
    .updateTable('orders')
    .set((eb) => ({ lastSeq: eb.ref('lastSeq') }))
    .where('id', '=', orderId)
    .returningAll()
    .executeTakeFirst()

/** `pictures`: ids of uploads (025) */
export type NewMessage = { message: string; messageId: string; pictures?: readonly string[] }

/**
 * The id under which to keep a message; null when this very message of this sender is already there (a retry). Another text under the same id
 * is another message: a form without script that was filled in anew after Back.
 */
export async function freeMessageId(tx: Tx, orderId: string, sender: string, wanted: NewMessage): Promise<string | null> {
  if (!isId15(wanted.messageId)) return newId15()
  const there = await tx
    .selectFrom('messages')
    .select(['sender', 'message'])
    .where('orderId', '=', orderId)
    .where('id', '=', wanted.messageId)
    .executeTakeFirst()
  if (!there) return wanted.messageId
  return there.sender === sender && there.message === wanted.message ? null : newId15()
}

/** CHAT-08, MSG-07, S-077: raises the order's sequence and its time (DATA-033) and adds the message under it. The order is locked. */
export async function appendMessage(tx: Tx, orderId: string, message: { id: string; message: string; sender: string }, now: number) {
  const { lastSeq } = await tx
    .updateTable('orders')
    .set((eb) => ({ lastSeq: eb('lastSeq', '+', 1), createdAt: now }))
    .where('id', '=', orderId)
    .returning('lastSeq')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('messages')
    .values({ orderId, seq: lastSeq, ...message, createdAt: now })
    .execute()
  // Who has read all before her own message has read that too: a conversation that she has answered needs no counting.
  await tx
    .updateTable('readMarks')
    .set({ seq: lastSeq })
    .where('orderId', '=', orderId)
    .where('reader', '=', message.sender)
    .where('seq', '=', lastSeq - 1)
    .execute()
}

type OrderRequest = { itemId: string; message: string; messageId: string }
type OrderRequested = { ok: true } | { ok: false; refusal: 'not-found' | 'owner' | 'too-long' }

/** ITEM-27 to ITEM-32, S-067 to S-070, S-072. The same messageId sent again changes nothing. */
export async function requestOrder(shop: Pick<Shop, 'db' | 'live' | 'now'>, user: User, asked: OrderRequest): Promise<OrderRequested> {
  const request = { ...asked, message: withPlainBreaks(asked.message) }
  if (user.role === 'admin') return { ok: false, refusal: 'owner' }
  if (request.message.length > MAX_MESSAGE) return { ok: false, refusal: 'too-long' }
  const now = shop.now()
  const done = await transact(shop.db, async (tx): Promise<OrderRequested> => {
    const item = await tx
      .selectFrom('items')
      .select(['id', 'name', 'priceCents', 'categoryId'])
      .where('id', '=', request.itemId)
      .executeTakeFirst()
    if (!item) return { ok: false, refusal: 'not-found' }
    const order = await holdOwnOrder(tx, user, now)
    const id = await freeMessageId(tx, user.id, user.id, request)
    if (id === null) return { ok: true }
    // S-069: what was sold in the closed order can be asked for again.
    if (order.isClosed) await tx.deleteFrom('orderItems').where('orderId', '=', user.id).where('isSold', '=', 1).execute()
    await tx
      .updateTable('orders')
      .set({ ...writerColumns(user), isClosed: 0, receiptTag: order.receiptTag ?? (await newReceiptTag(tx)) })
      .where('id', '=', user.id)
      .execute()
    if (await addItem(tx, user.id, item)) await recordRequest(tx, user.id, item, now)
    await appendMessage(tx, user.id, { id, message: request.message, sender: user.id }, now)
    return { ok: true }
  })
  if (done.ok) shop.live.changed('orders', `order:${user.id}`)
  return done
}

/** ITEM-27, ITEM-28, S-068: id, name and original price, once; false when it stood there already. */
async function addItem(tx: Tx, orderId: string, item: { id: string; name: string; priceCents: number }): Promise<boolean> {
  const last = await tx
    .selectFrom('orderItems')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  const added = await tx
    .insertInto('orderItems')
    .values({ orderId, itemId: item.id, name: item.name, priceCents: item.priceCents, isSold: 0, position: (last?.position ?? 0) + 1 })
    .onConflict((conflict) => conflict.columns(['orderId', 'itemId']).doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** S-070, S-139: one that no order and no sale has had, since receipts are grouped by it. */
async function newReceiptTag(tx: Tx): Promise<string> {
  for (;;) {
    const tag = newId8()
    const ordered = await tx.selectFrom('orders').select('id').where('receiptTag', '=', tag).executeTakeFirst()
    const sold = await tx.selectFrom('sales').select('id').where('receiptTag', '=', tag).executeTakeFirst()
    if (!ordered && !sold) return tag
  }
}

/** S-196: a piece joined an order. Asking again while it stands there unsold is no new request. */
async function recordRequest(tx: Tx, orderId: string, item: { id: string; categoryId: string }, at: number): Promise<void> {
  const category = await tx.selectFrom('categories').select('title').where('id', '=', item.categoryId).executeTakeFirst()
  const { categoryId } = item
  await tx
    .insertInto('requests')
    .values({ id: newId15(), orderId, itemId: item.id, categoryId, categoryTitle: category?.title ?? '', at, saleId: null })
    .execute()
}

type Category = { categoryId: string; categoryTitle: string }
const none: Category = { categoryId: '', categoryTitle: '' }

/** S-197: the category of a piece that is being sold; of one that was deleted meanwhile, the category in which it was asked for. */
export async function categoryOf(tx: Tx, orderId: string, itemId: string): Promise<Category> {
  const now = await tx
    .selectFrom('items')
    .leftJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', itemId)
    .select(['items.categoryId', sql<string>`coalesce("categories"."title", '')`.as('categoryTitle')])
    .executeTakeFirst()
  return now ?? (await newest(tx, orderId, itemId).select(['categoryId', 'categoryTitle']).executeTakeFirst()) ?? none
}

/** S-196: the newest request for it that has come to nothing yet has come to this sale; none, where it was asked for before requests were kept. */
export async function markSold(tx: Tx, orderId: string, itemId: string, saleId: string): Promise<void> {
  await tx
    .updateTable('requests')
    .set({ saleId })
    .where('id', '=', newest(tx, orderId, itemId).where('saleId', 'is', null).select('id'))
    .execute()
}

const newest = (tx: Tx, orderId: string, itemId: string) =>
  tx.selectFrom('requests').where('orderId', '=', orderId).where('itemId', '=', itemId).orderBy('at', 'desc').orderBy('id').limit(1)

/** S-069, ITEM-28: her order is closed; it is open and holds the item unsold; or there is nothing to say. */
export async function readAsked(db: Db | Tx, userId: string, itemId: string): Promise<Asked> {
  const order = await db
    .selectFrom('orders')
    .leftJoin('orderItems', (join) =>
      join.onRef('orderItems.orderId', '=', 'orders.id').on('orderItems.itemId', '=', itemId).on('orderItems.isSold', '=', 0),
    )
    .where('orders.id', '=', userId)
    .select(['orders.isClosed', 'orderItems.itemId'])
    .executeTakeFirst()
  if (!order) return 'new'
  if (order.isClosed) return 'closed'
  return order.itemId === null ? 'new' : 'asked'
}

/** With the conversation that is about to be deleted: call it before, and `removePictureRows` with its answer after. */
export const picturesOfOrder = async (tx: Tx, orderId: string): Promise<string[]> =>
  (await tx.selectFrom('messagePictures').select('pictureId').where('orderId', '=', orderId).execute()).flatMap(
    ({ pictureId }) => pictureId ?? [],
  )

/** What an item was sold for, and by which key its receipt opens (S-179). */
type LineSale = { cents: Cents; receipt: string }
/** `currentCents`: the item's price today, discount taken off (S-068); null once the item is gone (S-057). `sale`: null while it is unsold. */
export type OrderLine = OrderItem & { currentCents: Cents | null; picture: PictureView | null; sale: LineSale | null }

/** MSG-23 */
export async function listOrderLines(db: Db | Tx, orderId: string): Promise<OrderLine[]> {
  const rows = await db
    .selectFrom('orderItems as line')
    .leftJoin('items as item', 'item.id', 'line.itemId')
    .leftJoin('itemPictures as shown', (join) =>
      join.on((eb) =>
        eb(
          'shown.id',
          '=',
          eb
            .selectFrom('itemPictures as p')
            .select('p.id')
            .whereRef('p.itemId', '=', 'line.itemId')
            .orderBy('p.position')
            .orderBy('p.id')
            .limit(1),
        ),
      ),
    )
    .leftJoin('pictures', 'pictures.id', 'shown.pictureId')
    .select(['line.itemId as id', 'line.name', 'line.priceCents', 'line.isSold'])
    .select(['item.priceCents as nowCents', 'item.discountType', 'item.discountValue'])
    .select(pictureColumns)
    .where('line.orderId', '=', orderId)
    .orderBy('line.position')
    .orderBy('line.itemId')
    .execute()
  const sales = await salesOf(
    db,
    orderId,
    rows.filter((row) => row.isSold === 1).map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    priceCents: row.priceCents,
    isSold: row.isSold === 1,
    currentCents: row.nowCents === null ? null : discountedPrice(row.nowCents, readDiscount(row)),
    picture: readJoinedPicture(row),
    sale: sales.get(row.id) ?? null,
  }))
}

/** The customer's newest sale of each of these items. */
async function salesOf(db: Db | Tx, buyerId: string, itemIds: string[]): Promise<Map<string, LineSale>> {
  if (itemIds.length === 0) return new Map()
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'itemId', 'salePriceCents', 'receiptTag'])
    .where('itemId', 'in', itemIds)
    .where('buyerId', '=', buyerId)
    .orderBy('createdAt')
    .orderBy('id', 'desc')
    .execute()
  return new Map(sales.map((sale) => [sale.itemId, { cents: sale.salePriceCents, receipt: receiptKey(sale) }]))
}
