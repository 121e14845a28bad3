/** What waits for the owner when she opens her side of the shop. */
import type { Db } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'

/** Conversations with something unread, colours to buy again, and the newest sales. */
export async function listWaiting(db: Db) {
  const unread = await db
    .selectFrom('orders')
    .leftJoin('readMarks', (join) => join.onRef('readMarks.orderId', '=', 'orders.id').on('readMarks.reader', '=', ADMIN_ID))
    .where((is) => is.or([is('readMarks.seq', 'is', null), is('readMarks.seq', '<', is.ref('orders.lastSeq'))]))
    .where('orders.lastSeq', '>', 0)
    .select(['orders.id', 'orders.userName', 'orders.createdAt'])
    .orderBy('orders.createdAt', 'desc')
    .limit(8)
    .execute()
  const colors = await db
    .selectFrom('colors')
    .select(['id', 'name', 'isAvailable'])
    .where((is) => is.or([is('isLowOnStock', '=', 1), is('isAvailable', '=', 0)]))
    .orderBy('name')
    .limit(12)
    .execute()
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'buyerName', 'itemName', 'salePriceCents', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(5)
    .execute()
  return { unread, colors, sales }
}

export type Waiting = Awaited<ReturnType<typeof listWaiting>>
