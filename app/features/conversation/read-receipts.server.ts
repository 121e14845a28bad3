import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, OrderTable, Tables, Tx } from '#db/schema.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import type { AppServices, User } from '#services/context.ts'

/** Returns false if `seq` is read already or invalid. */
export async function raiseReadReceipt(
  tx: Tx,
  order: { id: string; lastSeq: number },
  reader: string,
  seq: number,
) {
  const upTo = Math.min(seq, order.lastSeq)
  if (!Number.isSafeInteger(seq) || upTo < 1) return false
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('readReceipts')
    .values({ orderId: order.id, reader, seq: upTo })
    .onConflict((conflict) =>
      conflict
        .columns(['orderId', 'reader'])
        .doUpdateSet({ seq: upTo })
        .where('readReceipts.seq', '<', upTo),
    )
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}

export type OrderExpressions = ExpressionBuilder<Tables & { o: OrderTable }, 'o'>

const readUpTo = (eb: OrderExpressions, reader: string) =>
  eb.fn.coalesce(
    eb
      .selectFrom('readReceipts as receipt')
      .select('receipt.seq')
      .whereRef('receipt.orderId', '=', 'o.id')
      .where('receipt.reader', '=', reader),
    sql.lit(0),
  )

export const unreadCount = (eb: OrderExpressions, reader: string) =>
  eb
    .selectFrom('messages as unread')
    .whereRef('unread.orderId', '=', 'o.id')
    .where('unread.seq', '>', readUpTo(eb, reader))
    .where('unread.sender', '!=', reader)
    .select(({ fn }) => fn.countAll<number>().as('count'))

/** The fast comparison comes first, so that few orders need a count. */
export const hasUnread = (eb: OrderExpressions, reader: string) =>
  eb.and([eb('o.lastSeq', '>', readUpTo(eb, reader)), eb(unreadCount(eb, reader), '>', 0)])

/** The owner's number covers all orders. [S-168] */
export async function countUnread(db: Db, { id, role }: Pick<User, 'id' | 'role'>) {
  const { count } = await db
    .selectFrom('orders as o')
    .where((eb) => hasUnread(eb, id))
    .$if(role !== 'owner', (own) => own.where('o.id', '=', id))
    .select((eb) => eb.fn.sum<number | null>(unreadCount(eb, id)).as('count'))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

export const getUnreadCountCached = (
  app: Pick<AppServices, 'db' | 'live'>,
  user: Pick<User, 'id' | 'role'>,
) => cached(app, ['orders'], `unread messages of ${user.id}`, () => countUnread(app.db, user))
