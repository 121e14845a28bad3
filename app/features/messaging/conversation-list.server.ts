/** The owner's list of conversations, a part at a time; quick however many there are (docs/decisions/026-orders-and-their-list.md). */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Db, OrderTable, Tables, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { hasUnread, unreadCount, writerOf } from './conversations.server.ts'
import { beginningOfLast } from './message-pictures.server.ts'
import { readConversationSearch, wordsOf, type ConversationSearch, type ListCut } from './conversation-search.ts'

export const PER_PART = 30
const BEGINNING = 140
const ALL = readConversationSearch(new URLSearchParams())

type Build = ExpressionBuilder<Tables & { o: OrderTable }, 'o'>

/** MSG-01, MSG-02, DATA-102, S-081, S-177: newest change first, unread messages counted for `viewerId`. */
export async function listConversations(db: Db | Tx, search: ConversationSearch = ALL, viewerId: string = ADMIN_ID) {
  const rows = await db
    .selectFrom('orders as o')
    .leftJoin('messages as last', (join) => join.onRef('last.orderId', '=', 'o.id').onRef('last.seq', '=', 'o.lastSeq'))
    .select(['o.id', 'o.userName', 'o.userEmail', 'o.userPhotoURL', 'o.isClosed', 'o.fromContactPage', 'o.createdAt'])
    .select(['last.sender as lastSender', 'last.createdAt as lastAt'])
    .select(beginningOfLast(BEGINNING).as('lastMessage'))
    .select((eb) => [
      unreadCount(eb, viewerId).as('unread'),
      askedFor(eb)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('pieces'),
    ])
    .where((eb) => eb.and(conditions(eb, search, viewerId)))
    .orderBy('o.createdAt', 'desc')
    .orderBy('o.id')
    .limit(PER_PART + 1)
    .execute()
  const lines = rows.slice(0, PER_PART).map(({ userName, userEmail, userPhotoURL, ...row }) => {
    const isClosed = row.isClosed === 1
    const user = writerOf({ id: row.id, userName, userEmail, userPhotoURL })
    // Asked for in it, and neither sold nor closed.
    const pieces = isClosed ? 0 : Number(row.pieces)
    return { ...row, user, isClosed, fromContactPage: row.fromContactPage === 1, unread: Number(row.unread), pieces }
  })
  const last = lines.at(-1)
  return {
    lines,
    counts: {
      all: await countOrders(db, (eb) => eb.lit(true)),
      unread: await countUnreadConversations(db, viewerId),
      requests: await countRequests(db),
    },
    search,
    older: rows.length > PER_PART && last ? { createdAt: last.createdAt, id: last.id } : null,
  }
}

export type FoundConversations = Awaited<ReturnType<typeof listConversations>>
export type ConversationLine = FoundConversations['lines'][number]

const askedFor = (eb: Build) => eb.selectFrom('orderItems as line').whereRef('line.orderId', '=', 'o.id').where('line.isSold', '=', 0)

const isRequest = (eb: Build) =>
  eb.and([
    eb('o.isClosed', '=', 0),
    eb('o.fromContactPage', '=', 0),
    eb('o.id', 'in', eb.selectFrom('orderItems as unsold').select('unsold.orderId').where('unsold.isSold', '=', 0)),
  ])

function conditions(eb: Build, { text, shown, behind }: ConversationSearch, viewerId: string): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = wordsOf(text).map((word) => holdsWord(eb, word))
  if (shown === 'unread') all.push(hasUnread(eb, viewerId))
  if (shown === 'requests') all.push(isRequest(eb))
  if (behind) all.push(isBehind(eb, behind))
  return all
}

/** By the time alone the index finds where to go on; the rest tells apart what was written in one millisecond. */
const isBehind = (eb: Build, { createdAt, id }: ListCut) =>
  eb.and([eb('o.createdAt', '<=', createdAt), eb.or([eb('o.createdAt', '<', createdAt), eb('o.id', '>', id)])])

const NAME = sql<string>`"named"."name"`

/** Who it is, the tag of the receipt, or a piece in the order; the few names of pieces are looked through once. */
function holdsWord(eb: Build, word: string): Expression<SqlBool> {
  const names = eb
    .selectFrom((from) => from.selectFrom('orderItems').select('name').distinct().as('named'))
    .select('named.name')
    .where(sql<SqlBool>`instr(fold(${NAME}), ${word}) > 0`)
  const pieces = eb.selectFrom('orderItems as asked').select('asked.orderId').where('asked.name', 'in', names)
  return eb.or([sql<SqlBool>`instr("o"."searchText", ${word}) > 0`, eb('o.id', 'in', pieces)])
}

async function countOrders(db: Db | Tx, isCounted: (eb: Build) => Expression<SqlBool>): Promise<number> {
  const counted = db.selectFrom('orders as o').select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await counted.where((eb) => isCounted(eb)).executeTakeFirstOrThrow()).count)
}

export const countUnreadConversations = (db: Db | Tx, reader: string): Promise<number> => countOrders(db, (eb) => hasUnread(eb, reader))

/** MSG-02, S-177: open conversations with pieces that are not sold. */
export const countRequests = (db: Db | Tx): Promise<number> => countOrders(db, isRequest)
