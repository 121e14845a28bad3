/** The messages of a conversation, a page at a time: the newest first, earlier ones before a sequence. */
import type { Db, Tx } from '#db/tables.ts'
import type { User } from '#app/platform/context.ts'
import type { MessagePage } from '#app/features/orders/order.ts'
import { mayUse } from './may-use.ts'
import { withPictures } from './message-pictures.server.ts'
import { findLinks } from './message-links.server.ts'

/** `before`: only what is older than this sequence; null from the newest one. */
export type Cut = { before: number | null; limit: number }
/** S-164 */
export const PAGE = 50
export const pageBefore = (before: number | null): Cut => ({ before, limit: PAGE })
export const NEWEST = pageBefore(null)

/** DATA-103, S-164, S-165: oldest first, links found. One message more is read than shown: it says whether there are earlier ones. */
export async function readMessages(db: Db | Tx, orderId: string, { before, limit }: Cut): Promise<MessagePage> {
  const rows = await db
    .selectFrom('messages')
    .select(['seq', 'id', 'message', 'sender', 'createdAt'])
    .where('orderId', '=', orderId)
    .$if(before !== null, (query) => query.where('seq', '<', before))
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute()
  const messages = rows
    .slice(0, limit)
    .toReversed()
    .map((message) => {
      const links = findLinks(message.message)
      return links.length > 0 ? { ...message, links } : message
    })
  return { messages: await withPictures(db, orderId, messages), hasEarlier: rows.length > limit }
}

/** S-164, ROLES-13: what comes before `seq`, for the two of the conversation; null for everybody else. */
export async function readEarlier(db: Db, user: User | null, orderId: string, before: number): Promise<MessagePage | null> {
  if (!user || !mayUse(user, orderId)) return null
  return readMessages(db, orderId, pageBefore(before))
}
