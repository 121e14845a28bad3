/** The steps that every write to a conversation shares; all of them run inside the writer's transaction. */
import type { Tx } from '#db/tables.ts'
import type { User } from '#app/platform/context.ts'
import { isId15, newId15 } from '#app/platform/ids.ts'

/** DATA-016, DATA-017, S-075: one conversation per customer, under her uid; an existing one stays as it is. */
async function ensureOrder(tx: Tx, user: User, now: number): Promise<void> {
  await tx
    .insertInto('orders')
    .values({
      id: user.id,
      ...writerColumns(user),
      receiptTag: null,
      isClosed: 0,
      fromContactPage: 0,
      lastSeq: 0,
      createdAt: now,
      firstCreatedAt: now,
    })
    // On whichever key: of two that make it at the same moment, PostgreSQL may refuse the later one for its account instead of its id.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Many more than an owner can delete meanwhile. */
const TRIES = 5

/**
 * The customer's own conversation, made where there is none, and held until the transaction ends. One that the owner deletes in between is
 * made anew (PostgreSQL; on SQLite nothing comes in between).
 */
export async function holdOwnOrder(tx: Tx, user: User, now: number) {
  for (let tried = 1; ; tried++) {
    await ensureOrder(tx, user, now)
    const order = await lockOrder(tx, user.id)
    if (order) return order
    if (tried === TRIES) throw new Error(`the conversation of ${user.id} could not be made`)
  }
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
