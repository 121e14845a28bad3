/** Steps that all writes to a conversation share, and order requests. Everything runs inside the caller's transaction, except `requestOrder`. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { hasName } from '#app/services/guest-name.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { isId15, newId15, newId8 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { colorName, isForSale, type ItemState, mayVisit } from '#app/features/catalog/catalog.ts'
import { pictureColumns, toJoinedImageView } from '#app/features/catalog/catalog.server.ts'
import { type Cents, discountedPrice, readDiscount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { type RequestState, MAX_MESSAGE_LENGTH, type OrderItem, receiptKey, withPlainBreaks } from './order.ts'

/**
 * Returns the customer's conversation, locked until the transaction ends. Creates it if there is none, or if the owner deletes it
 * concurrently. [DATA-016, DATA-017, S-075]
 */
export async function getOrCreateLockedOrder(tx: Tx, user: User, now: number) {
  const made = { receiptTag: null, isClosed: 0, fromContactPage: 0, lastSeq: 0, createdAt: now, firstCreatedAt: now } as const
  for (let tried = 1; tried <= 5; tried++) {
    await tx
      .insertInto('orders')
      .values({ id: user.id, ...customerColumns(user), ...made })
      // A conflict on any key counts: of two concurrent inserts PostgreSQL may refuse the second one for its account instead of its id.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const order = await lockOrder(tx, user.id)
    if (order) return order
  }
  throw new Error(`the conversation of ${user.id} could not be made`)
}

/** If a guest becomes a customer, the next write puts her name into the order. */
export const customerColumns = (user: User) => ({
  userId: user.id,
  userName: user.name,
  userEmail: user.email,
  userPhotoURL: user.image ?? '',
})

/** Only one writer at a time changes a conversation, on both databases. */
export const lockOrder = (tx: Tx, orderId: string) =>
  tx
    .updateTable('orders')
    .set((eb) => ({ lastSeq: eb.ref('lastSeq') }))
    .where('id', '=', orderId)
    .returningAll()
    .executeTakeFirst()

/** `pictures`: upload ids */
export type NewMessage = { message: string; messageId: string; pictures?: readonly string[] }

/**
 * Returns the id under which to store a message; null: the message was stored already. Another text under the same id is a new message,
 * because a form without JavaScript was filled in again after Back.
 */
export async function resolveMessageId(tx: Tx, orderId: string, sender: string, message: NewMessage): Promise<string | null> {
  if (!isId15(message.messageId)) return newId15()
  const there = await tx
    .selectFrom('messages')
    .select(['sender', 'message'])
    .where('orderId', '=', orderId)
    .where('id', '=', message.messageId)
    .executeTakeFirst()
  if (!there) return message.messageId
  return there.sender === sender && there.message === message.message ? null : newId15()
}

type MessageRow = {
  id: string
  message: string
  sender: string
  itemId?: string
  itemName?: string
  itemColor?: string
  itemPriceCents?: Cents
}

/** Requires the lock of the order; raises its sequence number and sets its time. [CHAT-08, MSG-07, S-077, DATA-033] */
export async function appendMessage(tx: Tx, orderId: string, message: MessageRow, now: number) {
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
  // If the sender has read every earlier message, her read receipt moves to her own message.
  await tx
    .updateTable('readReceipts')
    .set({ seq: lastSeq })
    .where('orderId', '=', orderId)
    .where('reader', '=', message.sender)
    .where('seq', '=', lastSeq - 1)
    .execute()
}

/** `name`: stored if the customer has none yet. */
type OrderRequest = { itemId: string; colorId?: string; message: string; messageId: string; name?: string }
type OrderRequestResult = { ok: true } | { ok: false; refusal: 'not-found' | 'not-for-sale' | 'no-color' | 'owner' | 'too-long' }

/** Adds the item to the customer's order with the message. A repeated messageId changes nothing. [ITEM-27 to ITEM-32, S-067 to S-070, S-072] */
export async function requestOrder(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  user: User,
  orderRequest: OrderRequest,
): Promise<OrderRequestResult> {
  const request = { ...orderRequest, message: withPlainBreaks(orderRequest.message) }
  if (user.role === 'admin') return { ok: false, refusal: 'owner' }
  if (request.message.length > MAX_MESSAGE_LENGTH) return { ok: false, refusal: 'too-long' }
  const now = app.now()
  const done = await inTransaction(app.db, async (tx): Promise<OrderRequestResult> => {
    const item = await tx
      .selectFrom('items')
      .select(['id', 'name', 'priceCents', 'categoryId', 'discountType', 'discountValue', 'state'])
      .where('id', '=', request.itemId)
      .executeTakeFirst()
    if (!item || !mayVisit(item.state)) return { ok: false, refusal: 'not-found' }
    if (!isForSale(item.state)) return { ok: false, refusal: 'not-for-sale' }
    const color = await readColorName(tx, item.id, request.colorId ?? '')
    if (color === null) return { ok: false, refusal: 'no-color' }
    const order = await getOrCreateLockedOrder(tx, user, now)
    const id = await resolveMessageId(tx, user.id, user.id, request)
    if (id === null) return { ok: true }
    const name = hasName(user) ? user.name : request.name || user.name
    if (name !== user.name) await tx.updateTable('user').set({ name }).where('id', '=', user.id).execute()
    // Items that were sold in the closed order can be requested again. [S-069]
    if (order.isClosed) await tx.deleteFrom('orderItems').where('orderId', '=', user.id).where('isSold', '=', 1).execute()
    await tx
      .updateTable('orders')
      .set({ ...customerColumns({ ...user, name }), isClosed: 0, receiptTag: order.receiptTag ?? (await newReceiptTag(tx)) })
      .where('id', '=', user.id)
      .execute()
    if (await addItem(tx, user.id, { ...item, color })) await recordRequest(tx, user.id, item, now)
    const shown = {
      itemId: item.id,
      itemName: item.name,
      itemColor: color,
      itemPriceCents: discountedPrice(item.priceCents, readDiscount(item)),
    }
    await appendMessage(tx, user.id, { id, message: request.message, sender: user.id, ...shown }, now)
    return { ok: true }
  })
  if (done.ok) app.live.changed('orders', `order:${user.id}`, ...(request.name ? [`user:${user.id}` as const] : []))
  return done
}

/** Returns the name of one of the item's colors, and '' for no color; null: the item has no such color. */
async function readColorName(tx: Tx, itemId: string, colorId: string): Promise<string | null> {
  if (colorId === '') return ''
  const color = await tx
    .selectFrom('itemPictures as p')
    .innerJoin('itemPictureColors as c', 'c.itemPictureId', 'p.id')
    .innerJoin('colors', 'colors.id', 'c.colorId')
    .select('colors.name')
    .where('p.itemId', '=', itemId)
    .where('colors.id', '=', colorId)
    .executeTakeFirst()
  return color ? colorName(color) : null
}

type RequestedItem = { id: string; name: string; priceCents: number; color: string }

/** Adds id, name, original price and color of an item once; false: the order contains it already, perhaps in another color. [ITEM-27, ITEM-28, S-068, S-306] */
async function addItem(tx: Tx, orderId: string, { id, color, ...item }: RequestedItem): Promise<boolean> {
  const last = await tx
    .selectFrom('orderItems')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  const added = await tx
    .insertInto('orderItems')
    .values({ orderId, itemId: id, name: item.name, priceCents: item.priceCents, isSold: 0, position: (last?.position ?? 0) + 1, color })
    .onConflict((conflict) => conflict.columns(['orderId', 'itemId']).doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 1n) return true
  // The newest color counts, unless the item is sold.
  const line = tx.updateTable('orderItems').set({ color }).where('orderId', '=', orderId).where('itemId', '=', id).where('isSold', '=', 0)
  if (color) await line.execute()
  return false
}

/** Returns a tag that no order or sale has had, because sales are grouped into receipts by it. [S-070, S-139] */
async function newReceiptTag(tx: Tx): Promise<string> {
  for (;;) {
    const tag = newId8()
    const ordered = await tx.selectFrom('orders').select('id').where('receiptTag', '=', tag).executeTakeFirst()
    const sold = await tx.selectFrom('sales').select('id').where('receiptTag', '=', tag).executeTakeFirst()
    if (!ordered && !sold) return tag
  }
}

/** A second request for an item that is still unsold is not recorded. [S-196] */
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

/** Returns the item's category; if the item was deleted, the category that was stored with the customer's request. [S-197] */
export async function categoryOf(tx: Tx, orderId: string, itemId: string): Promise<Category> {
  const now = await tx
    .selectFrom('items')
    .leftJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', itemId)
    .select(['items.categoryId', sql<string>`coalesce("categories"."title", '')`.as('categoryTitle')])
    .executeTakeFirst()
  return now ?? (await newestRequest(tx, orderId, itemId).select(['categoryId', 'categoryTitle']).executeTakeFirst()) ?? none
}

/** Links the newest open request of the item to its sale. [S-196] */
export async function markSold(tx: Tx, orderId: string, itemId: string, saleId: string): Promise<void> {
  await tx
    .updateTable('requests')
    .set({ saleId })
    .where('id', '=', newestRequest(tx, orderId, itemId).where('saleId', 'is', null).select('id'))
    .execute()
}

const newestRequest = (tx: Tx, orderId: string, itemId: string) =>
  tx.selectFrom('requests').where('orderId', '=', orderId).where('itemId', '=', itemId).orderBy('at', 'desc').orderBy('id').limit(1)

export async function readRequestState(db: Db | Tx, userId: string, itemId: string): Promise<RequestState> {
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

/** Call it before deleting the conversation, and pass the result to `removePictureRows` afterwards. */
export const picturesOfOrder = async (tx: Tx, orderId: string): Promise<string[]> =>
  (await tx.selectFrom('messagePictures').select('pictureId').where('orderId', '=', orderId).execute()).flatMap(
    ({ pictureId }) => pictureId ?? [],
  )

/** The price for which an item was sold, and the key of its receipt. [S-179] */
type LineSale = { cents: Cents; receipt: string }
/** `currentCents`: today's price with discount [S-068]; null: the item was deleted, as with `state` [S-057]. `sale`: null while the item is unsold */
export type OrderLine = OrderItem & {
  color: string
  currentCents: Cents | null
  state: ItemState | null
  picture: PictureView | null
  sale: LineSale | null
}

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
    .select(['line.itemId as id', 'line.name', 'line.priceCents', 'line.isSold', 'line.color'])
    .select(['item.priceCents as nowCents', 'item.discountType', 'item.discountValue', 'item.state'])
    .select(pictureColumns)
    .where('line.orderId', '=', orderId)
    .orderBy('line.position')
    .orderBy('line.itemId')
    .execute()
  const sales = await readSalesOf(
    db,
    orderId,
    rows.filter((row) => row.isSold === 1).map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    priceCents: row.priceCents,
    color: row.color,
    isSold: row.isSold === 1,
    currentCents: row.nowCents === null ? null : discountedPrice(row.nowCents, readDiscount(row)),
    state: row.state,
    picture: toJoinedImageView(row),
    sale: sales.get(row.id) ?? null,
  }))
}

/** Reads the newest sale of each item. */
async function readSalesOf(db: Db | Tx, buyerId: string, itemIds: string[]): Promise<Map<string, LineSale>> {
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
