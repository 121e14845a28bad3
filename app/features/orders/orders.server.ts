/** Handles order requests, and contains the steps that all writes to a conversation share. Only `requestOrder` opens its own transaction. */
import type { Db, Tx } from '#db/schema.ts'
import { hasName } from '#app/services/guest-name.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { isId15, newId15, newId8 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { isForSale, mayVisit } from '#app/features/catalog/catalog.ts'
import { type Cents, discountedPrice, readDiscount } from '#app/features/pricing/money.ts'
import { readColorName, recordRequest } from './requests.server.ts'
import { type RequestState, MAX_MESSAGE_LENGTH, withPlainBreaks } from './order.ts'

/**
 * Returns the customer's conversation and locks it until the transaction ends. Creates the conversation if the customer has none, or if
 * the owner deletes it at the same time. [DATA-016, DATA-017, S-075]
 */
export async function getOrCreateLockedOrder(tx: Tx, user: User, now: number) {
  const times = { lastMessageAt: now, createdAt: now, firstCreatedAt: now }
  const made = { receiptTag: null, isClosed: 0, fromContactPage: 0, lastSeq: 0, ...times } as const
  for (let tried = 1; tried <= 5; tried++) {
    await tx
      .insertInto('orders')
      .values({ id: user.id, ...customerColumns(user), ...made })
      // Without a column name, `doNothing` ignores every conflict. PostgreSQL may report the conflict of a concurrent insert on `userId` instead of `id`.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const order = await lockOrder(tx, user.id)
    if (order) return order
  }
  throw new Error(`the conversation of ${user.id} could not be made`)
}

/** Each message or order request of the customer stores these columns again, because a guest who becomes a customer gets another name and email address. */
export const customerColumns = (user: User) => ({
  userId: user.id,
  userName: user.name,
  userEmail: user.email,
  userPhotoURL: user.image ?? '',
})

/** Locks the conversation by an update that changes nothing, because such a lock works with SQLite and with PostgreSQL. */
export const lockOrder = (tx: Tx, orderId: string) =>
  tx
    .updateTable('orders')
    .set((eb) => ({ lastSeq: eb.ref('lastSeq') }))
    .where('id', '=', orderId)
    .returningAll()
    .executeTakeFirst()

/** Opens a closed order. If the order has items, it gets a new receipt tag, so that later sales do not join the earlier receipt. [S-304] */
export async function openClosedOrder(tx: Tx, orderId: string): Promise<void> {
  const item = await tx
    .selectFrom('orderItems')
    .select('itemId')
    .where('orderId', '=', orderId)
    .limit(1)
    .executeTakeFirst()
  const receiptTag = item ? await newReceiptTag(tx) : null
  await tx
    .updateTable('orders')
    .set({ isClosed: 0, receiptTag })
    .where('id', '=', orderId)
    .execute()
}

/** Adds the difference between a sale price and the agreed price to the offer of the sold piece, so that the open amount matches the invoice. [AGREE-101] */
export async function addSoldDifference(tx: Tx, offerId: string, cents: Cents): Promise<void> {
  if (cents === 0) return
  const changed = tx
    .updateTable('offers')
    .set((eb) => ({ soldDifferenceCents: eb('soldDifferenceCents', '+', cents) }))
  await changed.where('id', '=', offerId).execute()
}

/** `pictures` contains the ids of uploaded images. */
export type NewMessage = {
  message: string
  messageId: string
  pictures?: readonly string[]
  /** the name of the color in an order request */
  color?: string
  /** the sequence number of the newest message that the sender saw */
  seen?: number
}

/**
 * Returns the id under which to store a message, or null if the message is already stored. A different text or color with the same id is a new
 * message, because without JavaScript a customer can go back to the form and send another text.
 */
export async function resolveMessageId(
  tx: Tx,
  orderId: string,
  sender: string,
  message: NewMessage,
): Promise<string | null> {
  if (!isId15(message.messageId)) return newId15()
  const existing = await tx
    .selectFrom('messages')
    .select(['sender', 'message', 'itemColor'])
    .where('orderId', '=', orderId)
    .where('id', '=', message.messageId)
    .executeTakeFirst()
  if (!existing) return message.messageId
  const isSame =
    existing.sender === sender &&
    existing.message === message.message &&
    (existing.itemColor ?? '') === (message.color ?? '')
  return isSame ? null : newId15()
}

type MessageRow = {
  id: string
  message: string
  sender: string
  itemId?: string
  itemName?: string
  itemColor?: string
  itemPriceCents?: Cents
  offerId?: string
}

/** Adds a message, and updates the sequence number and the time of the order. The caller must have locked the order. [CHAT-08, MSG-07, S-077, DATA-033] */
export async function appendMessage(tx: Tx, orderId: string, message: MessageRow, now: number) {
  const { lastSeq } = await tx
    .updateTable('orders')
    .set((eb) => ({ lastSeq: eb('lastSeq', '+', 1), lastMessageAt: now, createdAt: now }))
    .where('id', '=', orderId)
    .returning('lastSeq')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('messages')
    .values({ orderId, seq: lastSeq, ...message, createdAt: now })
    .execute()
  // If the sender has read all earlier messages, her read receipt now includes her own new message.
  await tx
    .updateTable('readReceipts')
    .set({ seq: lastSeq })
    .where('orderId', '=', orderId)
    .where('reader', '=', message.sender)
    .where('seq', '=', lastSeq - 1)
    .execute()
}

/** `name` is stored as the customer's name only if she has no name yet. */
type OrderRequest = {
  itemId: string
  colorId?: string
  message: string
  messageId: string
  name?: string
}
type OrderRequestResult =
  | { ok: true }
  | { ok: false; refusal: 'not-found' | 'not-for-sale' | 'no-color' | 'owner' | 'too-long' }

/** Adds the item and the message to the customer's order. If the same order request is already stored, nothing changes. [ITEM-27 to ITEM-32, S-067 to S-070, S-072] */
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
    const id = await resolveMessageId(tx, user.id, user.id, { ...request, color })
    if (id === null) return { ok: true }
    const name = hasName(user) ? user.name : request.name || user.name
    if (name !== user.name)
      await tx.updateTable('user').set({ name }).where('id', '=', user.id).execute()
    // A request that reopens a closed order removes the sold items from the order. Items of an agreement stay, because its invoice needs them. [S-069]
    if (order.isClosed)
      await tx
        .deleteFrom('orderItems')
        .where('orderId', '=', user.id)
        .where('isSold', '=', 1)
        .where('offerId', 'is', null)
        .execute()
    await tx
      .updateTable('orders')
      .set({
        ...customerColumns({ ...user, name }),
        isClosed: 0,
        receiptTag: order.receiptTag ?? (await newReceiptTag(tx)),
      })
      .where('id', '=', user.id)
      .execute()
    const shownPriceCents = discountedPrice(item.priceCents, readDiscount(item))
    const line = {
      orderId: user.id,
      itemId: item.id,
      name: item.name,
      priceCents: item.priceCents,
      shownPriceCents,
      color,
    }
    if (await addItem(tx, line)) await recordRequest(tx, user.id, item, now)
    const shown = {
      itemId: item.id,
      itemName: item.name,
      itemColor: color,
      itemPriceCents: shownPriceCents,
    }
    await appendMessage(
      tx,
      user.id,
      { id, message: request.message, sender: user.id, ...shown },
      now,
    )
    return { ok: true }
  })
  if (done.ok)
    app.live.changed(
      'orders',
      `order:${user.id}`,
      ...(request.name ? [`user:${user.id}` as const] : []),
    )
  return done
}

type RequestedItem = {
  orderId: string
  itemId: string
  name: string
  priceCents: Cents
  shownPriceCents: Cents
  color: string
}

/**
 * Adds an unsold item to an order. If the order already contains the unsold item, the function only updates the color and the shown price
 * of the item, and returns false. An earlier sale of the same item does not matter. The caller must have locked the order. [ITEM-27, ITEM-28, S-068, S-300, S-306]
 */
async function addItem(tx: Tx, item: RequestedItem): Promise<boolean> {
  const { shownPriceCents, color } = item
  const requested = await tx
    .updateTable('orderItems')
    .set((eb) => ({
      shownPriceCents,
      // The color of an agreed piece does not change any more.
      ...(color && {
        color: eb.case().when('agreedCents', 'is', null).then(color).else(eb.ref('color')).end(),
      }),
    }))
    .where('orderId', '=', item.orderId)
    .where('itemId', '=', item.itemId)
    .where('isSold', '=', 0)
    .executeTakeFirst()
  if (requested.numUpdatedRows > 0n) return false
  const last = await tx
    .selectFrom('orderItems')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('orderId', '=', item.orderId)
    .executeTakeFirst()
  await tx
    .insertInto('orderItems')
    .values({ ...item, isSold: 0, position: (last?.position ?? 0) + 1 })
    .execute()
  return true
}

/** Gives the order a receipt tag if it has none, because nobody has requested an item in it. */
export async function ensureReceiptTag(tx: Tx, orderId: string): Promise<void> {
  const receiptTag = await newReceiptTag(tx)
  await tx
    .updateTable('orders')
    .set({ receiptTag })
    .where('id', '=', orderId)
    .where('receiptTag', 'is', null)
    .execute()
}

/** Returns a receipt tag that no order or sale has, because all sales with the same tag form one receipt. [S-070, S-139] */
export async function newReceiptTag(tx: Tx): Promise<string> {
  for (;;) {
    const tag = newId8()
    const ordered = await tx
      .selectFrom('orders')
      .select('id')
      .where('receiptTag', '=', tag)
      .executeTakeFirst()
    const sold = await tx
      .selectFrom('sales')
      .select('id')
      .where('receiptTag', '=', tag)
      .executeTakeFirst()
    if (!ordered && !sold) return tag
  }
}

export async function readRequestState(
  db: Db | Tx,
  userId: string,
  itemId: string,
): Promise<RequestState> {
  const order = await db
    .selectFrom('orders')
    .leftJoin('orderItems', (join) =>
      join
        .onRef('orderItems.orderId', '=', 'orders.id')
        .on('orderItems.itemId', '=', itemId)
        .on('orderItems.isSold', '=', 0),
    )
    .where('orders.id', '=', userId)
    .select(['orders.isClosed', 'orderItems.itemId'])
    .executeTakeFirst()
  if (!order) return 'new'
  if (order.isClosed) return 'closed'
  return order.itemId === null ? 'new' : 'asked'
}

/** Returns the ids of the pictures in a conversation. The caller reads the ids before it deletes the conversation, and then passes the ids to `removePictureRows`. */
export const picturesOfOrder = async (tx: Tx, orderId: string): Promise<string[]> =>
  (
    await tx
      .selectFrom('messagePictures')
      .select('pictureId')
      .where('orderId', '=', orderId)
      .execute()
  ).flatMap(({ pictureId }) => pictureId ?? [])
