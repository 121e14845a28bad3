/** What the order request box says about the order that a customer has already. */
import type { Db, Tx } from '#db/tables.ts'
import type { Asked } from './order.ts'

/** S-069, ITEM-28: her order is closed; it is open and holds the item unsold; or there is nothing to say. */
export async function readAsked(db: Db | Tx, userId: string, itemId: string): Promise<Asked> {
  const order = await db
    .selectFrom('orders')
    .leftJoin('orderItems', (join) =>
      join.onRef('orderItems.orderId', '=', 'orders.id').on('orderItems.itemId', '=', itemId).on('orderItems.isSold', '=', 0),
    )
    .where('orders.id', '=', userId)
    .select(['orders.isClosed', 'orderItems.itemId'])
    .executeTakeFirst()
  if (!order) return 'new'
  if (order.isClosed) return 'closed'
  return order.itemId === null ? 'new' : 'asked'
}
