import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '#db/schema.ts'
import { countRows } from '#lib/db/count-rows.server.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import type { AppServices } from '#services/context.ts'
import {
  type OrderExpressions,
  hasUnread,
  unreadCount,
} from '#conversation/read-receipts.server.ts'
import { toWriter } from '#conversation/people.ts'
import { lastMessageExcerpt } from '../images/message-images.server.ts'
import {
  parseConversationSearch,
  conversationSearchWords,
  type ConversationSearch,
  type ListCursor,
} from './conversation-search.ts'

export const CONVERSATIONS_PAGE_SIZE = 30
const EXCERPT_LENGTH = 140
const ALL_CONVERSATIONS = parseConversationSearch(new URLSearchParams())

export async function listConversations(
  app: Pick<AppServices, 'db' | 'live'>,
  search = ALL_CONVERSATIONS,
  viewerId = OWNER_ID,
) {
  const rows = await newestConversations(app.db)
    .select(['o.userPhotoURL', 'o.isClosed', 'o.fromContactPage', 'o.lastMessageAt'])
    .select((eb) => [unreadCount(eb, viewerId).as('unread'), requestedPieces(eb)])
    .where((eb) => matchesSearch(eb, search, viewerId))
    .limit(CONVERSATIONS_PAGE_SIZE + 1)
    .execute()
  const lines = rows
    .slice(0, CONVERSATIONS_PAGE_SIZE)
    .map(({ userName, userEmail, userPhotoURL, ...row }) => ({
      ...row,
      user: toWriter({ id: row.id, userName, userEmail, userPhotoURL }),
      unread: Number(row.unread),
      // In a closed order, no piece waits for an answer.
      pieces: row.isClosed ? 0 : Number(row.pieces),
    }))
  const last = rows.length > lines.length ? lines.at(-1) : undefined
  return {
    lines,
    counts: await countConversations(app, viewerId),
    search,
    older: last ? { at: last.lastMessageAt, id: last.id } : null,
  }
}

export type FoundConversations = Awaited<ReturnType<typeof listConversations>>
export type ConversationRow = FoundConversations['lines'][number]

export const newestConversations = (db: Db) =>
  db
    .selectFrom('orders as o')
    .leftJoin('messages as last', (join) =>
      join.onRef('last.orderId', '=', 'o.id').onRef('last.seq', '=', 'o.lastSeq'),
    )
    .select(['o.id', 'o.userName', 'o.userEmail'])
    .select(['last.sender as lastSender', 'last.createdAt as lastAt'])
    .select(lastMessageExcerpt(EXCERPT_LENGTH).as('lastMessage'))
    .orderBy('o.lastMessageAt', 'desc')
    .orderBy('o.id')

export const requestedPieces = (eb: OrderExpressions) =>
  requestedItems(eb)
    .select(({ fn }) => fn.sum<number>('line.quantity').as('sum'))
    .as('pieces')

export const requestedItems = (eb: OrderExpressions) =>
  eb
    .selectFrom('orderItems as line')
    .whereRef('line.orderId', '=', 'o.id')
    .where('line.isSold', '=', false)

const hasUnsoldItems = (eb: OrderExpressions) =>
  eb.and([
    eb('o.isClosed', '=', false),
    eb('o.fromContactPage', '=', false),
    eb(
      'o.id',
      'in',
      eb
        .selectFrom('orderItems as unsold')
        .select('unsold.orderId')
        .where('unsold.isSold', '=', false),
    ),
  ])

function matchesSearch(
  eb: OrderExpressions,
  { text, shown, behind }: ConversationSearch,
  viewerId: string,
) {
  const conditions: Expression<SqlBool>[] = conversationSearchWords(text).map((word) =>
    matchesWord(eb, word),
  )
  if (shown === 'unread') conditions.push(hasUnread(eb, viewerId))
  if (shown === 'requests') conditions.push(hasUnsoldItems(eb))
  if (behind) conditions.push(isAfterCursor(eb, behind))
  return eb.and(conditions)
}

const isAfterCursor = (eb: OrderExpressions, { at, id }: ListCursor) =>
  eb.and([
    eb('o.lastMessageAt', '<=', at),
    eb.or([eb('o.lastMessageAt', '<', at), eb('o.id', '>', id)]),
  ])

function matchesWord(eb: OrderExpressions, word: string) {
  const orderIds = eb
    .selectFrom('orderItems as asked')
    .select('asked.orderId')
    .where(sql<SqlBool>`instr("asked"."searchName", ${word}) > 0`)
  return eb.or([sql<SqlBool>`instr("o"."searchText", ${word}) > 0`, eb('o.id', 'in', orderIds)])
}

/** A cache keeps the numbers, because counting reads every conversation. [MSG-02] */
export const countConversations = (app: Pick<AppServices, 'db' | 'live'>, reader: string) =>
  cached(app, ['orders'], `counts of conversations ${reader}`, async () => {
    const orders = app.db.selectFrom('orders as o')
    return {
      all: await countRows(orders),
      unread: await countRows(orders.where((eb) => hasUnread(eb, reader))),
      requests: await countRows(orders.where(hasUnsoldItems)),
    }
  })
