/** The owner's list of conversations, a part at a time; quick however many there are (docs/decisions/026-orders-and-their-list.md). */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Db, OrderTable, ReadMarkTable, Tables, Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { ConversationLine } from '#app/features/orders/order.ts'
import { writerOf } from './conversation-reads.server.ts'
import { readConversationSearch, wordsOf, type ConversationList, type ConversationSearch, type ListCut } from './conversation-search.ts'

export const PER_PART = 30
/** As much of the newest message as a line can show. */
const BEGINNING = 140
const ALL = readConversationSearch(new URLSearchParams())

type Build = ExpressionBuilder<Tables & { o: OrderTable; mark: Partial<ReadMarkTable> }, 'o' | 'mark'>

/** MSG-01, MSG-02, DATA-102, S-081, S-177: newest change first, unread messages counted for `viewerId`. */
export async function listConversations(
  db: Db | Tx,
  search: ConversationSearch = ALL,
  viewerId: string = ADMIN_ID,
): Promise<ConversationList> {
  const rows = await marked(db, viewerId)
    .leftJoin('messages as last', (join) => join.onRef('last.orderId', '=', 'o.id').onRef('last.seq', '=', 'o.lastSeq'))
    .select(['o.id', 'o.userName', 'o.userEmail', 'o.userPhotoURL', 'o.isClosed', 'o.fromContactPage', 'o.createdAt'])
    .select(['last.sender as lastSender', 'last.createdAt as lastAt'])
    .select(sql<string | null>`substr(${sql.ref('last.message')}, 1, ${sql.lit(BEGINNING)})`.as('lastMessage'))
    .select((eb) => [
      unreadOf(eb, viewerId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('unread'),
      askedFor(eb)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('pieces'),
    ])
    .where((eb) => eb.and(conditions(eb, search, viewerId)))
    .orderBy('o.createdAt', 'desc')
    .orderBy('o.id')
    .limit(PER_PART + 1)
    .execute()
  const lines = rows.slice(0, PER_PART).map(({ userName, userEmail, userPhotoURL, ...row }): ConversationLine => {
    const isClosed = row.isClosed === 1
    const user = writerOf({ id: row.id, userName, userEmail, userPhotoURL })
    const pieces = isClosed ? 0 : Number(row.pieces)
    return { ...row, user, isClosed, fromContactPage: row.fromContactPage === 1, unread: Number(row.unread), pieces }
  })
  const last = lines.at(-1)
  return {
    lines,
    counts: await countConversations(db, viewerId),
    search,
    older: rows.length > PER_PART && last ? { createdAt: last.createdAt, id: last.id } : null,
  }
}

const marked = (db: Db | Tx, viewerId: string) =>
  db
    .selectFrom('orders as o')
    .leftJoin('readMarks as mark', (join) => join.onRef('mark.orderId', '=', 'o.id').on('mark.reader', '=', viewerId))

/** Somebody else's messages after the reader's mark. */
const unreadOf = (eb: Build, viewerId: string) =>
  eb
    .selectFrom('messages as m')
    .whereRef('m.orderId', '=', 'o.id')
    .where('m.sender', '!=', viewerId)
    .where((inner) => inner('m.seq', '>', inner.fn.coalesce('mark.seq', sql<number>`0`)))

/** The messages are looked at only where the newest lies beyond the mark. */
const isUnread = (eb: Build, viewerId: string) =>
  eb.and([eb('o.lastSeq', '>', eb.fn.coalesce('mark.seq', sql<number>`0`)), eb.exists(unreadOf(eb, viewerId).select('m.seq'))])

const askedFor = (eb: Build) => eb.selectFrom('orderItems as line').whereRef('line.orderId', '=', 'o.id').where('line.isSold', '=', 0)

const isRequest = (eb: Build) =>
  eb.and([
    eb('o.isClosed', '=', 0),
    eb('o.fromContactPage', '=', 0),
    eb('o.id', 'in', eb.selectFrom('orderItems as unsold').select('unsold.orderId').where('unsold.isSold', '=', 0)),
  ])

function conditions(eb: Build, { text, shown, behind }: ConversationSearch, viewerId: string): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = wordsOf(text).map((word) => holdsWord(eb, word))
  if (shown === 'unread') all.push(isUnread(eb, viewerId))
  if (shown === 'requests') all.push(isRequest(eb))
  if (behind) all.push(isBehind(eb, behind))
  return all
}

/** By the time alone the index finds where to go on; the rest tells apart what was written in one millisecond. */
const isBehind = (eb: Build, { createdAt, id }: ListCut) =>
  eb.and([eb('o.createdAt', '<=', createdAt), eb.or([eb('o.createdAt', '<', createdAt), eb('o.id', '>', id)])])

const WHO = sql<string>`o."userName" || ' ' || o."userEmail" || ' ' || coalesce(o."receiptTag", '')`
const PIECE = sql<string>`"named"."name"`

/** Who it is, the tag of the receipt, or a piece in the order; the few names of pieces are looked through once. */
function holdsWord(eb: Build, word: string): Expression<SqlBool> {
  const names = eb
    .selectFrom((from) => from.selectFrom('orderItems').select('name').distinct().as('named'))
    .select('named.name')
    .where(contains(PIECE, word))
  const pieces = eb.selectFrom('orderItems as asked').select('asked.orderId').where('asked.name', 'in', names)
  return eb.or([contains(WHO, word), eb('o.id', 'in', pieces)])
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
  const count = async (query: ReturnType<typeof marked>) =>
    Number((await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count)
  const { all } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  return {
    all: Number(all),
    unread: await count(marked(db, viewerId).where((eb) => isUnread(eb, viewerId))),
    requests: await count(marked(db, viewerId).where((eb) => isRequest(eb))),
  }
}
