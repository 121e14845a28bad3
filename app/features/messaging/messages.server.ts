import type { Db, Tx } from '#db/schema.ts'
import { releaseHolds } from '#catalog/item-holds.server.ts'
import {
  type NewMessage,
  appendMessage,
  changeConversation,
  getOrCreateLockedOrder,
  imagesOfOrder,
  lockOrder,
  openClosedOrder,
  resolveMessageId,
  updateCustomer,
  updateOrder,
} from '#conversation/conversation.server.ts'
import { canAccess, replyBlockedReason } from '#conversation/conversation.ts'
import { MAX_MESSAGE_LENGTH, withPlainBreaks } from '#conversation/message.ts'
import { toWriter } from '#conversation/people.ts'
import { raiseReadReceipt } from '#conversation/read-receipts.server.ts'
import { requestColumns, withRequestedPieces } from '#conversation/requests.server.ts'
import { deleteImageFiles, removeImageRows } from '#images/edit-images.server.ts'
import { markOffersSeen, releaseCredits, withOffers } from '#offers/offers.server.ts'
import { countRows } from '#lib/db/count-rows.server.ts'
import { inSharedTransaction } from '#lib/db/transaction.server.ts'
import { refuse } from '#lib/refusal.ts'
import { newId15 } from '#lib/text/ids.ts'
import type { ChangeServices } from '#services/change.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { attachImages, hasNewAttachments, withImages } from './images/message-images.server.ts'
import { MAX_MESSAGE_IMAGES } from './images/message-images.ts'
import { findLinks } from './message-links.server.ts'

/** The caller has checked the viewer's access. [DATA-103] */
export async function readConversation(
  db: Db,
  orderId: string,
  viewerId: string,
  before: number | null = null,
) {
  const order = await db
    .selectFrom('orders')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('user')
        .select('emailVerified')
        .whereRef('user.id', '=', 'orders.userId')
        .as('isEmailConfirmed'),
    )
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!order) return null
  const page = await readMessages(db, orderId, before)
  const readReceipts = await db
    .selectFrom('readReceipts')
    .select(['reader', 'seq'])
    .where('orderId', '=', orderId)
    .orderBy('reader')
    .execute()
  const readSeq = readReceipts.find(({ reader }) => reader === viewerId)?.seq ?? 0
  // The page marks messages as read up to `lastSeq`, so later messages stay unread.
  const lastSeq = page.messages.at(-1)?.seq ?? 0
  return {
    id: order.id,
    user: toWriter(order),
    phone: order.userPhone,
    isEmailUnconfirmed: order.userId !== null && !order.isEmailConfirmed,
    ...page,
    hasLater: before !== null && lastSeq < order.lastSeq,
    readReceipts,
    isClosed: order.isClosed,
    fromContactPage: order.fromContactPage,
    isAbandoned: order.userId === null && !order.fromContactPage,
    lastSeq,
    unread: await countUnread(db, orderId, viewerId, readSeq, lastSeq),
  }
}

export type Conversation = NonNullable<Awaited<ReturnType<typeof readConversation>>>

async function countUnread(
  db: Db,
  orderId: string,
  viewerId: string,
  readSeq: number,
  lastSeq: number,
) {
  if (lastSeq <= readSeq) return 0
  return countRows(
    db
      .selectFrom('messages')
      .where('orderId', '=', orderId)
      .where('seq', '>', readSeq)
      .where('seq', '<=', lastSeq)
      .where('sender', '!=', viewerId),
  )
}

export const MESSAGES_PAGE_SIZE = 50

/** `before` is null for the newest messages. The oldest comes first. [DATA-103] */
export async function readMessages(db: Db, orderId: string, before: number | null) {
  const rows = await db
    .selectFrom('messages')
    .select(['seq', 'id', 'message', 'sender', 'createdAt', 'offerId', ...requestColumns])
    .where('orderId', '=', orderId)
    .$if(before !== null, (query) => query.where('seq', '<', before))
    .orderBy('seq', 'desc')
    .limit(MESSAGES_PAGE_SIZE + 1)
    .execute()
  const messages = rows
    .slice(0, MESSAGES_PAGE_SIZE)
    .toReversed()
    .map((message) => {
      const links = findLinks(message.message)
      return links.length > 0 ? { ...message, links } : message
    })
  const withCards = await withRequestedPieces(db, orderId, await withOffers(db, messages))
  return {
    messages: await withImages(db, orderId, withCards),
    hasEarlier: rows.length > MESSAGES_PAGE_SIZE,
  }
}

export async function deleteConversation(
  app: ChangeServices & Pick<AppServices, 'images'>,
  orderId: string,
) {
  const frame = { actor: OWNER_ID, act: 'delete-conversation' } as const
  const result = await changeConversation(app, orderId, frame, async ({ tx, order, now }) => {
    const images = await imagesOfOrder(tx, orderId)
    const isHoldReleased = await releaseHolds(tx, orderId)
    await releaseCredits(tx, order, now)
    await tx.deleteFrom('orders').where('id', '=', orderId).execute()
    return {
      audit: {},
      isCatalogChanged: isHoldReleased,
      value: await removeImageRows(tx, images),
    }
  })
  if (result.ok) await deleteImageFiles(app, result.value)
  return result
}

export async function sendMessage(
  app: ChangeServices,
  user: User,
  orderId: string,
  { message: text, messageId, images = [], seen = 0 }: NewMessage,
) {
  const message = withPlainBreaks(text)
  if (!canAccess(user, orderId)) return refuse('not-found')
  if (message.length > MAX_MESSAGE_LENGTH) return refuse('too-long')
  if (images.length > MAX_MESSAGE_IMAGES) return refuse('too-many-images')
  const isCustomer = user.role !== 'owner'
  const sender = user.id
  const lock = (tx: Tx, now: number) =>
    isCustomer ? getOrCreateLockedOrder(tx, user, now) : lockOrder(tx, orderId)
  const frame = {
    actor: sender,
    failure: 'a message could not be sent',
    run: inSharedTransaction,
  }
  return changeConversation(app, lock, frame, async ({ tx, order, now }) => {
    const freeId = await resolveMessageId(tx, orderId, sender, { message, messageId })
    const isStored =
      freeId === null && !(await hasNewAttachments(tx, { orderId, messageId, sender }, images))
    if (isStored) return {}
    const reason = isCustomer ? null : replyBlockedReason(order)
    if (reason) return refuse(reason)
    if (isCustomer) await updateCustomer(tx, user)
    if (order.isClosed) await openClosedOrder(tx, orderId)
    // A message that arrived while the sender was writing stays unread.
    const isRaised = await raiseReadReceipt(tx, order, sender, seen)
    if (isCustomer && isRaised) await markOffersSeen(tx, orderId, seen, now)
    const id = freeId ?? newId15()
    await appendMessage(tx, orderId, { id, message, sender }, now)
    const key = { orderId, messageId: id, sender }
    const isComplete = await attachImages(tx, key, [...new Set(images)])
    return isComplete ? {} : refuse('images-lost')
  })
}

/** The receipt never moves backward or beyond the newest message. [MSG-06] */
export async function markRead(app: ChangeServices, user: User, orderId: string, seq: number) {
  if (!canAccess(user, orderId)) return refuse('not-found')
  const frame = { actor: user.id, failure: 'messages could not be marked as read' }
  return changeConversation(app, orderId, frame, async ({ tx, order, now }) => {
    if (!(await raiseReadReceipt(tx, order, user.id, seq))) return refuse('already-read')
    if (user.role !== 'owner') await markOffersSeen(tx, orderId, seq, now)
    await updateOrder(tx, orderId, { createdAt: now })
    return {}
  })
}
