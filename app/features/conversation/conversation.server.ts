import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { OrderTable, Tx, Tables } from '#db/schema.ts'
import type { AppServices, User } from '#services/context.ts'
import type { RunTransaction } from '#lib/db/transaction.server.ts'
import { type Refusal, isRefusal, refuse } from '#lib/refusal.ts'
import type { AuditEvent } from '#services/audit-log.server.ts'
import {
  change,
  type ChangeResult,
  type ChangeServices,
  type Written,
} from '#services/change.server.ts'
import { customerOf } from './people.ts'
import type { Cents } from '#pricing/money.ts'
import { isId15, newId15, newId8 } from '#lib/text/ids.ts'

export type OwnerContext = { app: AppServices; owner: User; orderId: string }
export type CustomerContext = { app: AppServices; user: User }

export type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

export const lockOrder = (tx: Tx, orderId: string) =>
  tx.selectFrom('orders').selectAll().where('id', '=', orderId).forNoKeyUpdate().executeTakeFirst()

/** Tries again if the owner deletes the order at the same time. [S-075] */
export async function getOrCreateLockedOrder(tx: Tx, user: Customer, now: number) {
  for (let attempt = 1; attempt <= 5; attempt++) {
    await tx
      .insertInto('orders')
      .values({
        id: user.id,
        ...customerColumns(user),
        receiptTag: null,
        isClosed: false,
        fromContactPage: false,
        lastSeq: 0,
        lastMessageAt: now,
        createdAt: now,
        firstCreatedAt: now,
      })
      // `id` and `userId` are both unique, and PostgreSQL may report a conflict of either.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const order = await lockOrder(tx, user.id)
    if (order) return order
  }
  throw new Error(`the conversation of ${user.id} could not be made`)
}

type Customer = Pick<User, 'id' | 'name' | 'email' | 'image'>

const customerColumns = (user: Customer) => ({
  userId: user.id,
  userName: user.name,
  userEmail: user.email,
  userPhotoURL: user.image ?? '',
})

export const updateCustomer = (tx: Tx, user: User) =>
  updateOrder(tx, user.id, customerColumns(user))

export const updateOrder = (tx: Tx, orderId: string, changes: Updateable<OrderTable>) =>
  tx.updateTable('orders').set(changes).where('id', '=', orderId).execute()

/** A new receipt tag keeps later sales from joining the earlier receipt. [S-304] */
export async function openClosedOrder(tx: Tx, orderId: string) {
  const item = await tx
    .selectFrom('orderItems')
    .select('itemId')
    .where('orderId', '=', orderId)
    .limit(1)
    .executeTakeFirst()
  const receiptTag = item ? await newReceiptTag(tx) : null
  await updateOrder(tx, orderId, { isClosed: false, receiptTag })
}

export async function imagesOfOrder(tx: Tx, orderId: string) {
  const rows = await tx
    .selectFrom('messageImages')
    .select('imageId')
    .where('orderId', '=', orderId)
    .execute()
  return rows.flatMap(({ imageId }) => imageId ?? [])
}

export type ConversationChange = { tx: Tx; order: Order; now: number }

type WrittenToConversation = Omit<Written, 'audit'> & {
  isCatalogChanged?: boolean
  audit?: Omit<AuditEvent, 'at' | 'actor' | 'act' | 'subject'> | undefined
}

type Frame = {
  actor: string
  act?: AuditEvent['act']
  failure?: string
  run?: RunTransaction<Tables>
}

type ConversationLock = string | ((tx: Tx, now: number) => Promise<Order | undefined>)

/** Every write to a conversation runs in this function, which locks the conversation. */
export const changeConversation = <Result extends WrittenToConversation | Refusal>(
  app: ChangeServices,
  lock: ConversationLock,
  { actor, act, failure = `a conversation could not be changed (${act})`, run }: Frame,
  write: (conversation: ConversationChange) => Promise<Result>,
): Promise<ChangeResult<Result> | Refusal<'not-found' | 'failed'>> =>
  change(app, { failure, ...(run && { run }) }, async (tx, now) => {
    const order = await (typeof lock === 'string' ? lockOrder(tx, lock) : lock(tx, now))
    if (!order) return refuse('not-found')
    const result = await write({ tx, order, now })
    if (isRefusal(result)) return result
    const { audit, topics = [], isCatalogChanged, value } = result as WrittenToConversation
    const catalog = isCatalogChanged ? (['catalog'] as const) : []
    return {
      value,
      topics: ['orders', `order:${order.id}`, ...catalog, ...topics],
      audit: act && audit && { name: customerOf(order), ...audit, actor, act, subject: order.id },
    }
  }) as Promise<ChangeResult<Result> | Refusal<'not-found' | 'failed'>>

export const findOffer = (tx: Tx, orderId: string, offerId: string) =>
  tx
    .selectFrom('offers')
    .selectAll()
    .where('id', '=', offerId)
    .where('orderId', '=', orderId)
    .executeTakeFirst()

export async function addSoldDifference(tx: Tx, offerId: string, cents: Cents) {
  if (cents === 0) return
  await tx
    .updateTable('offers')
    .set((eb) => ({ soldDifferenceCents: eb('soldDifferenceCents', '+', cents) }))
    .where('id', '=', offerId)
    .execute()
}

export type NewMessage = {
  message: string
  messageId: string
  images?: readonly string[]
  color?: string
  seen?: number
}

/** Returns null if this message is already stored. If another text has its id, returns a new id. */
export async function resolveMessageId(
  tx: Tx,
  orderId: string,
  sender: string,
  { message, messageId, color = '' }: NewMessage,
) {
  if (!isId15(messageId)) return newId15()
  const existing = await tx
    .selectFrom('messages')
    .select(['sender', 'message', 'itemColor'])
    .where('orderId', '=', orderId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!existing) return messageId
  const isSame =
    existing.sender === sender &&
    existing.message === message &&
    (existing.itemColor ?? '') === color
  return isSame ? null : newId15()
}

type MessageRow = Omit<Insertable<Tables['messages']>, 'orderId' | 'seq' | 'id' | 'createdAt'> & {
  id?: string
}

/** The caller has locked the order. [MSG-07] */
export async function appendMessage(
  tx: Tx,
  orderId: string,
  { id = newId15(), ...message }: MessageRow,
  now: number,
) {
  const { lastSeq } = await tx
    .updateTable('orders')
    .set((eb) => ({ lastSeq: eb('lastSeq', '+', 1), lastMessageAt: now, createdAt: now }))
    .where('id', '=', orderId)
    .returning('lastSeq')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('messages')
    .values({ orderId, seq: lastSeq, id, ...message, createdAt: now })
    .execute()
  // If the sender has read all earlier messages, her own message counts as read, too.
  await tx
    .updateTable('readReceipts')
    .set({ seq: lastSeq })
    .where('orderId', '=', orderId)
    .where('reader', '=', message.sender)
    .where('seq', '=', lastSeq - 1)
    .execute()
}

export const receiptKeySql = sql<string>`coalesce(nullif("sales"."receiptTag", ''), "sales"."id")`

/** Sales with the same tag form one receipt, so the tag must be unused. [S-070] */
export async function newReceiptTag(tx: Tx) {
  for (;;) {
    const tag = newId8()
    const order = tx.selectFrom('orders').select('id').where('receiptTag', '=', tag)
    const sale = tx.selectFrom('sales').select('id').where('receiptTag', '=', tag)
    if (!(await order.unionAll(sale).executeTakeFirst())) return tag
  }
}

export async function ensureReceiptTag(tx: Tx, orderId: string) {
  const receiptTag = await newReceiptTag(tx)
  await tx
    .updateTable('orders')
    .set({ receiptTag })
    .where('id', '=', orderId)
    .where('receiptTag', 'is', null)
    .execute()
}

/** Locks the conversation before the sales. Returns the ids of the sales. */
export async function lockReceipt(tx: Tx, key: string) {
  await tx
    .selectFrom('orders')
    .select('id')
    .where('receiptTag', '=', key)
    .forNoKeyUpdate()
    .execute()
  const sales = await tx
    .selectFrom('sales')
    .select('id')
    .where(isOfReceipt(key))
    .forNoKeyUpdate()
    .execute()
  return sales.map(({ id }) => id)
}

export const isOfReceipt = (key: string) => sql<SqlBool>`("receiptTag" = ${key}
  or ("id" = ${key} and coalesce("receiptTag", '') = ''))`
