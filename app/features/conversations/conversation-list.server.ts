/** The owner's list of conversations, a part at a time; quick however many there are (docs/decisions/026-orders-and-their-list.md). */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Db, OrderTable, Tables, Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { ConversationLine } from '#app/features/orders/order.ts'
import { writerOf } from './conversation-reads.server.ts'
import { beginningOfLast } from './message-pictures.server.ts'
import { readConversationSearch, wordsOf, type ConversationList, type ConversationSearch, type ListCut } from './conversation-search.ts'

export const PER_PART = 30
/** As much of the newest message as a line can show. */
const BEGINNING = 140
const ALL = readConversationSearch(new URLSearchParams())

type Build = ExpressionBuilder<Tables & { o: OrderTable }, 'o'>

/** MSG-01, MSG-02, DATA-102, S-081, S-177: newest change first, unread messages counted for `viewerId`. */
export async function listConversations(
  db: Db | Tx,
  search: ConversationSearch = ALL,
  viewerId: string = ADMIN_ID,
): Promise<ConversationList> {
  const rows = await db
    .selectFrom('orders as o')
    .leftJoin('unreadCounts as news', (join) => join.onRef('news.orderId', '=', 'o.id').on('news.reader', '=', viewerId))
    .leftJoin('messages as last', (join) => join.onRef('last.orderId', '=', 'o.id').onRef('last.seq', '=', 'o.lastSeq'))
    .select(['o.id', 'o.userName', 'o.userEmail', 'o.userPhotoURL', 'o.isClosed', 'o.fromContactPage', 'o.createdAt'])
    .select(['last.sender as lastSender', 'last.createdAt as lastAt'])
    .select(beginningOfLast(BEGINNING).as('lastMessage'))
    .select('news.unread')
    .select((eb) => [
      askedFor(eb)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('pieces'),
    ])
    .where((eb) => eb.and(conditions(eb, search)))
    .orderBy('o.createdAt', 'desc')
    .orderBy('o.id')
    .limit(PER_PART + 1)
    .execute()
  const lines = rows.slice(0, PER_PART).map(({ userName, userEmail, userPhotoURL, ...row }): ConversationLine => {
    const isClosed = row.isClosed === 1
    const user = writerOf({ id: row.id, userName, userEmail, userPhotoURL })
    const pieces = isClosed ? 0 : Number(row.pieces)
    return { ...row, user, isClosed, fromContactPage: row.fromContactPage === 1, unread: row.unread ?? 0, pieces }
  })
  const last = lines.at(-1)
  return {
    lines,
    counts: await countConversations(db, viewerId),
    search,
    older: rows.length > PER_PART && last ? { createdAt: last.createdAt, id: last.id } : null,
  }
}

const askedFor = (eb: Build) => eb.selectFrom('orderItems as line').whereRef('line.orderId', '=', 'o.id').where('line.isSold', '=', 0)

const isRequest = (eb: Build) =>
  eb.and([
    eb('o.isClosed', '=', 0),
    eb('o.fromContactPage', '=', 0),
    eb('o.id', 'in', eb.selectFrom('orderItems as unsold').select('unsold.orderId').where('unsold.isSold', '=', 0)),
  ])

function conditions(eb: Build, { text, shown, behind }: ConversationSearch): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = wordsOf(text).map((word) => holdsWord(eb, word))
  if (shown === 'unread') all.push(sql<SqlBool>`"news"."unread" > 0`)
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
    .where(contains(NAME, word))
  const pieces = eb.selectFrom('orderItems as asked').select('asked.orderId').where('asked.name', 'in', names)
  const who = eb
    .selectFrom('orderWords')
    .select('orderWords.orderId')
    .where(sql<SqlBool>`instr("orderWords"."words", ${word}) > 0`)
  return eb.or([eb('o.id', 'in', who), eb('o.id', 'in', pieces)])
}

/**
 * What LIKE takes for a wildcard stands for itself. A text of plain letters needs no folding, only small ones: that is ten times as fast on
 * SQLite, where `fold` is a function of the shop's own.
 */
function contains(text: Expression<string>, word: string): Expression<SqlBool> {
  const like = sql`like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
  return sql<SqlBool>`(lower(${text}) ${like} or (octet_length(${text}) > length(${text}) and fold(${text}) ${like}))`
}

async function countConversations(db: Db | Tx, viewerId: string): Promise<ConversationList['counts']> {
  const { all } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  return { all: Number(all), unread: await countUnreadConversations(db, viewerId), requests: await countRequests(db) }
}

export async function countUnreadConversations(db: Db | Tx, reader: string): Promise<number> {
  const { count } = await db
    .selectFrom('unreadCounts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reader', '=', reader)
    .where('unread', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** MSG-02, S-177: open conversations with pieces that are not sold. */
export async function countRequests(db: Db | Tx): Promise<number> {
  const { count } = await db
    .selectFrom('orders as o')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((eb) => isRequest(eb))
    .executeTakeFirstOrThrow()
  return Number(count)
}
