import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, OrderTable, Tables, Tx } from '#db/schema.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { keep } from '#app/platform/kept.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import {
  type MessageLink,
  type MessagePage,
  type SendRefusal,
  type Writer,
  MAX_MESSAGE,
  whyNoReply,
  withPlainBreaks,
} from '#app/features/orders/order.ts'
import {
  type NewMessage,
  appendMessage,
  freeMessageId,
  holdOwnOrder,
  lockOrder,
  writerColumns,
} from '#app/features/orders/orders.server.ts'
import { MAX_MESSAGE_PICTURES } from './message-pictures.ts'
import { bringsOthers, hangPictures, PicturesLost, withPictures } from './message-pictures.server.ts'
import { type Match, LinkifyIt } from 'linkify-it'

type Doors = Pick<Shop, 'db' | 'live' | 'now'>
export type Sent = { ok: true } | { ok: false; refusal: SendRefusal }

/** CHAT-07, CHAT-08, MSG-07, ROLES-25, S-074, S-075, S-078: the sender is who is signed in. The same messageId sent again changes nothing. */
export async function sendMessage(
  shop: Doors,
  user: User,
  orderId: string,
  { message: text, messageId, pictures = [] }: NewMessage,
): Promise<Sent> {
  const message = withPlainBreaks(text)
  if (!mayUse(user, orderId)) return { ok: false, refusal: 'not-found' }
  if (message.length > MAX_MESSAGE) return { ok: false, refusal: 'too-long' }
  if (pictures.length > MAX_MESSAGE_PICTURES) return { ok: false, refusal: 'too-many-pictures' }
  const isCustomer = user.role !== 'admin'
  const now = shop.now()
  const write = async (tx: Tx): Promise<Sent> => {
    const order = isCustomer ? await holdOwnOrder(tx, user, now) : await lockOrder(tx, orderId)
    if (!order) return { ok: false, refusal: 'not-found' }
    const known = await freeMessageId(tx, orderId, user.id, { message, messageId })
    if (known === null && !(await bringsOthers(tx, { orderId, messageId, sender: user.id }, pictures))) return { ok: true }
    const id = known ?? newId15()
    const refusal = whyNoReply({ isClosed: order.isClosed === 1, fromContactPage: order.fromContactPage === 1 })
    if (refusal) return { ok: false, refusal }
    if (isCustomer) await tx.updateTable('orders').set(writerColumns(user)).where('id', '=', orderId).execute()
    await appendMessage(tx, orderId, { id, message, sender: user.id }, now)
    await hangPictures(tx, { orderId, messageId: id, sender: user.id }, [...new Set(pictures)])
    return { ok: true }
  }
  const done = await transact(shop.db, write).catch((error: unknown): Sent => {
    if (error instanceof PicturesLost) return { ok: false, refusal: 'pictures-lost' }
    throw error
  })
  if (done.ok) shop.live.changed('orders', `order:${orderId}`)
  return done
}

/** CHAT-10 to CHAT-13, MSG-06: up to `seq`, never back, never beyond the newest. Nothing is written when nothing changes. */
export async function markRead(shop: Doors, user: User, orderId: string, seq: number): Promise<void> {
  if (!mayUse(user, orderId) || !Number.isSafeInteger(seq) || seq < 1) return
  const isChanged = await transact(shop.db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return false
    const upTo = Math.min(seq, order.lastSeq)
    const marked = await tx
      .insertInto('readMarks')
      .values({ orderId, reader: user.id, seq: upTo })
      .onConflict((conflict) => conflict.columns(['orderId', 'reader']).doUpdateSet({ seq: upTo }).where('readMarks.seq', '<', upTo))
      .executeTakeFirst()
    if (!marked.numInsertedOrUpdatedRows || upTo === 0) return false
    await tx.updateTable('orders').set({ createdAt: shop.now() }).where('id', '=', orderId).execute()
    return true
  })
  if (isChanged) shop.live.changed('orders', `order:${orderId}`)
}

export const writerOf = (order: Pick<OrderTable, 'id' | 'userName' | 'userEmail' | 'userPhotoURL'>): Writer => ({
  id: order.id,
  name: order.userName,
  email: order.userEmail,
  photoURL: order.userPhotoURL,
})

/** DATA-103, S-164: one conversation as `viewerId` sees it, a page of its messages at a time; whether she may is the caller's question. */
export async function readConversation(db: Db | Tx, orderId: string, viewerId: string, before: number | null = null) {
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  if (!order) return null
  const page = await readMessages(db, orderId, before)
  const readMarks = await db.selectFrom('readMarks').select(['reader', 'seq']).where('orderId', '=', orderId).orderBy('reader').execute()
  const mark = readMarks.find(({ reader }) => reader === viewerId)?.seq ?? 0
  // What the reader has before her: a message that comes meanwhile must not count as read with it.
  const lastSeq = page.messages.at(-1)?.seq ?? 0
  return {
    id: order.id,
    user: writerOf(order),
    ...page,
    /** newer messages than those of this page exist */
    hasLater: before !== null && lastSeq < order.lastSeq,
    readMarks,
    receiptTag: order.receiptTag,
    isClosed: order.isClosed === 1,
    fromContactPage: order.fromContactPage === 1,
    /** the account of the customer is gone: a reply reaches nobody (S-004) */
    isAbandoned: order.userId === null && order.fromContactPage === 0,
    createdAt: order.createdAt,
    lastSeq,
    // Of a page of earlier messages, what is newer does not count: the reader cannot see it.
    unread: await countUnreadOf(db, orderId, viewerId, mark, lastSeq),
  }
}

export type Conversation = NonNullable<Awaited<ReturnType<typeof readConversation>>>

/** CHAT-09, S-076: newer than the reader's mark, up to the last message that she can see, and written by somebody else. */
async function countUnreadOf(db: Db | Tx, orderId: string, viewerId: string, mark: number, lastSeq: number): Promise<number> {
  if (lastSeq <= mark) return 0
  const { count } = await db
    .selectFrom('messages')
    .where('orderId', '=', orderId)
    .where('seq', '>', mark)
    .where('seq', '<=', lastSeq)
    .where('sender', '!=', viewerId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type InOrders = ExpressionBuilder<Tables & { o: OrderTable }, 'o'>

const readUpTo = (eb: InOrders, reader: string) =>
  eb.fn.coalesce(
    eb
      .selectFrom('readMarks as receipt')
      .select('receipt.seq')
      .whereRef('receipt.orderId', '=', 'o.id')
      .where('receipt.reader', '=', reader),
    sql.lit(0),
  )

/** CHAT-09: how many messages of the order `o` are newer than the reader's mark and written by somebody else. */
export const unreadCount = (eb: InOrders, reader: string) =>
  eb
    .selectFrom('messages as unread')
    .whereRef('unread.orderId', '=', 'o.id')
    .where('unread.seq', '>', readUpTo(eb, reader))
    .where('unread.sender', '!=', reader)
    .select(({ fn }) => fn.countAll<number>().as('count'))

/** The last message decides for most orders, so that messages are counted of few. */
export const hasUnread = (eb: InOrders, reader: string) =>
  eb.and([eb('o.lastSeq', '>', readUpTo(eb, reader)), eb(unreadCount(eb, reader), '>', 0)])

/** NAV-46, NAV-48, S-168: the owner's across all orders, anyone else's in their own conversation. */
export async function countUnread(db: Db | Tx, { id, role }: Pick<User, 'id' | 'role'>): Promise<number> {
  const { count } = await db
    .selectFrom('orders as o')
    .where((eb) => hasUnread(eb, id))
    .$if(role !== 'admin', (own) => own.where('o.id', '=', id))
    .select((eb) => eb.fn.sum<number | null>(unreadCount(eb, id)).as('count'))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

/** For the bell of every page. Counted anew it would go through all conversations for the owner, and through all unread messages for a customer. */
export const countUnreadKept = (shop: Pick<Shop, 'db' | 'live'>, user: Pick<User, 'id' | 'role'>): Promise<number> =>
  keep(shop, ['orders'], `unread messages of ${user.id}`, () => countUnread(shop.db, user))

/** S-164 */
export const PAGE = 50

/** DATA-103, S-164, S-165: those before a sequence, null for the newest; oldest first, links found. One message more is read than shown: it says whether there are earlier ones. */
export async function readMessages(db: Db | Tx, orderId: string, before: number | null): Promise<MessagePage> {
  const rows = await db
    .selectFrom('messages')
    .select(['seq', 'id', 'message', 'sender', 'createdAt'])
    .where('orderId', '=', orderId)
    .$if(before !== null, (query) => query.where('seq', '<', before))
    .orderBy('seq', 'desc')
    .limit(PAGE + 1)
    .execute()
  const messages = rows
    .slice(0, PAGE)
    .toReversed()
    .map((message) => {
      const links = findLinks(message.message)
      return links.length > 0 ? { ...message, links } : message
    })
  return { messages: await withPictures(db, orderId, messages), hasEarlier: rows.length > PAGE }
}

/** ROLES-13, S-001: everyone but the owner reaches their own conversation only. */
export const mayUse = (user: Pick<User, 'id' | 'role'>, orderId: string): boolean => user.role === 'admin' || user.id === orderId

const finder = new LinkifyIt({ fuzzyLink: true }).add('ftp:', null).add('//', null)
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])
/** Without "https://" before it, only this is taken for an address: "thanks.it" and "1.com" are far more often a missing space. */
const PLAIN_ADDRESS = /^(www\.|[\p{L}\d.-]*\p{L}[\p{L}\d-]*\.(com|net|org|shop|store|art)(?=[/:?#]|$))/iu
/** Marks that nobody sees can make a link look like another one. */
const UNSEEN = /\p{Cf}/u
/** What stands right beside a match that is only a part of a longer address, as in "https://bank.com@evil.com". */
const GOES_ON = /^([@%\\]|:\S)/
const GOES_BEFORE = /[@%\\]/

/** S-165: web and e-mail addresses; everything else stays text. */
export function findLinks(text: string): MessageLink[] {
  return (finder.match(text) ?? []).flatMap((match) => {
    const href = hrefOf(match, text)
    return href === null ? [] : [{ from: match.index, to: match.lastIndex, href }]
  })
}

function hrefOf(match: Match, text: string): string | null {
  if (UNSEEN.test(match.raw) || GOES_ON.test(text.slice(match.lastIndex, match.lastIndex + 2))) return null
  if (match.schema === '' && (GOES_BEFORE.test(text.charAt(match.index - 1)) || !PLAIN_ADDRESS.test(match.raw))) return null
  const url = URL.parse(match.schema === '' ? `https://${match.raw}` : match.url)
  if (!url || !PROTOCOLS.has(url.protocol) || url.username || url.password) return null
  return url.href
}
