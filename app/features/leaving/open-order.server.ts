/** An order that is open while its customer leaves: the owner must hear of it, as the conversation goes (035). */
import type { Tx } from '#db/tables.ts'
import { formatMoney } from '#app/features/money/money.ts'
import { nameOf } from '#app/features/orders/order.ts'

export type OpenOrder = { receiptTag: string | null; items: { name: string; priceCents: number; isSold: 0 | 1 }[] }

/** null: there is none, it is closed, or holds nothing. */
export async function findOpenOrder(tx: Tx, id: string): Promise<OpenOrder | null> {
  const order = await tx.selectFrom('orders').select('receiptTag').where('id', '=', id).where('isClosed', '=', 0).executeTakeFirst()
  if (!order) return null
  const items = await tx
    .selectFrom('orderItems')
    .select(['name', 'priceCents', 'isSold'])
    .where('orderId', '=', id)
    .orderBy('position')
    .orderBy('itemId')
    .execute()
  return items.length > 0 ? { receiptTag: order.receiptTag, items } : null
}

const list = (title: string, items: OpenOrder['items']) =>
  items.length > 0 ? [[title, ...items.map((item) => `- ${item.name}, ${formatMoney(item.priceCents)}`)].join('\n')] : []

/** S-223: so that what was bought can still be handed over; like every sent letter it leaves the shop after 30 days. */
export function letterAboutOrder({ receiptTag, items }: OpenOrder, who: { name: string; email: string }, shopName: string) {
  const name = nameOf(who)
  const text = [
    `${name} (${who.email}) has deleted their account at ${shopName} while an order was open${receiptTag ? `, receipt ${receiptTag}` : ''}.`,
    ...list(
      'Asked for, and no longer wanted:',
      items.filter((item) => item.isSold === 0),
    ),
    ...list(
      'Sold already; if something of this has not been handed over yet, please write to them:',
      items.filter((item) => item.isSold === 1),
    ),
    'The conversation is deleted. This letter is all that still says who they were: please delete it when everything is settled.',
  ]
  return { subject: `${name} has left, with an open order`, text: `${text.join('\n\n')}\n`, replyTo: who.email }
}
