/** Reads and counts the conversations for the owner's list. The list uses cursor pagination. */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Db, OrderTable, Tables } from '#db/schema.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import type { AppServices } from '#app/services/context.ts'
import { hasUnread, unreadCount, toWriter } from './conversations.server.ts'
import { lastMessageExcerpt } from './message-images.server.ts'
import {
  parseConversationSearch,
  conversationSearchWords,
  type ConversationFilter,
  type ConversationSearch,
  type ListCursor,
} from './conversation-search.ts'

export const CONVERSATIONS_PAGE_SIZE = 30
const EXCERPT_LENGTH = 140
const ALL_CONVERSATIONS = parseConversationSearch(new URLSearchParams())

type OrderExpressions = ExpressionBuilder<Tables & { o: OrderTable }, 'o'>

/** Returns a page of conversations, sorted by the time of the last message, with the number of messages that `viewerId` has not read. [MSG-01, MSG-02, DATA-102, S-081, S-177] */
export async function listConversations(
  app: Deps,
  search: ConversationSearch = ALL_CONVERSATIONS,
  viewerId: string = ADMIN_ID,
) {
  const rows = await app.db
    .selectFrom('orders as o')
    .leftJoin('messages as last', (join) =>
      join.onRef('last.orderId', '=', 'o.id').onRef('last.seq', '=', 'o.lastSeq'),
    )
    .select([
      'o.id',
      'o.userName',
      'o.userEmail',
      'o.userPhotoURL',
      'o.isClosed',
      'o.fromContactPage',
      'o.lastMessageAt',
    ])
    .select(['last.sender as lastSender', 'last.createdAt as lastAt'])
    .select(lastMessageExcerpt(EXCERPT_LENGTH).as('lastMessage'))
    .select((eb) => [
      unreadCount(eb, viewerId).as('unread'),
      requestedItems(eb)
        .select(({ fn }) => fn.sum<number>('line.quantity').as('sum'))
        .as('pieces'),
    ])
    .where((eb) => eb.and(conditions(eb, search, viewerId)))
    .orderBy('o.lastMessageAt', 'desc')
    .orderBy('o.id')
    .limit(CONVERSATIONS_PAGE_SIZE + 1)
    .execute()
  const lines = rows
    .slice(0, CONVERSATIONS_PAGE_SIZE)
    .map(({ userName, userEmail, userPhotoURL, ...row }) => {
      const isClosed = row.isClosed === 1
      const user = toWriter({ id: row.id, userName, userEmail, userPhotoURL })
      // Items that stay unsold in a closed order do not count as requested items.
      const pieces = isClosed ? 0 : Number(row.pieces)
      return {
        ...row,
        user,
        isClosed,
        fromContactPage: row.fromContactPage === 1,
        unread: Number(row.unread),
        pieces,
      }
    })
  const last = lines.at(-1)
  return {
    lines,
    counts: await countConversations(app, viewerId),
    search,
    older:
      rows.length > CONVERSATIONS_PAGE_SIZE && last
        ? { at: last.lastMessageAt, id: last.id }
        : null,
  }
}

export type FoundConversations = Awaited<ReturnType<typeof listConversations>>
export type ConversationRow = FoundConversations['lines'][number]

const requestedItems = (eb: OrderExpressions) =>
  eb
    .selectFrom('orderItems as line')
    .whereRef('line.orderId', '=', 'o.id')
    .where('line.isSold', '=', 0)

const hasUnsoldItems = (eb: OrderExpressions) =>
  eb.and([
    eb('o.isClosed', '=', 0),
    eb('o.fromContactPage', '=', 0),
    eb(
      'o.id',
      'in',
      eb.selectFrom('orderItems as unsold').select('unsold.orderId').where('unsold.isSold', '=', 0),
    ),
  ])

function conditions(
  eb: OrderExpressions,
  { text, shown, behind }: ConversationSearch,
  viewerId: string,
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = conversationSearchWords(text).map((word) =>
    matchesWord(eb, word),
  )
  if (shown === 'unread') all.push(hasUnread(eb, viewerId))
  if (shown === 'requests') all.push(hasUnsoldItems(eb))
  if (behind) all.push(isAfterCursor(eb, behind))
  return all
}

/** Matches the conversations that come after the cursor in the list. The list begins with the newest conversation, and sorts conversations with equal times by id. */
const isAfterCursor = (eb: OrderExpressions, { at, id }: ListCursor) =>
  eb.and([
    eb('o.lastMessageAt', '<=', at),
    eb.or([eb('o.lastMessageAt', '<', at), eb('o.id', '>', id)]),
  ])

/** Matches a conversation if the word is part of the customer's name, the email address, the receipt tag or the name of an item. */
function matchesWord(eb: OrderExpressions, word: string): Expression<SqlBool> {
  const pieces = eb
    .selectFrom('orderItems as asked')
    .select('asked.orderId')
    .where(sql<SqlBool>`instr("asked"."searchName", ${word}) > 0`)
  return eb.or([sql<SqlBool>`instr("o"."searchText", ${word}) > 0`, eb('o.id', 'in', pieces)])
}

async function countOrders(
  db: Db,
  isCounted: (eb: OrderExpressions) => Expression<SqlBool>,
): Promise<number> {
  const counted = db.selectFrom('orders as o').select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await counted.where((eb) => isCounted(eb)).executeTakeFirstOrThrow()).count)
}

type Deps = Pick<AppServices, 'db' | 'live'>

/** Counts all conversations, those with messages that `reader` has not read, and the open ones with unsold items. The cache keeps the numbers, because counting reads every conversation. [MSG-02, S-177] */
export const countConversations = (
  app: Deps,
  reader: string,
): Promise<Record<ConversationFilter, number>> =>
  cached(app, ['orders'], `counts of conversations ${reader}`, async () => ({
    all: await countOrders(app.db, (eb) => eb.lit(true)),
    unread: await countOrders(app.db, (eb) => hasUnread(eb, reader)),
    requests: await countOrders(app.db, hasUnsoldItems),
  }))
