/** Orders and sales as a test needs them, with everything that it does not name filled in. */
import type { Db, OrderTable, SaleTable } from '#db/schema.ts'
import { newId15 } from '#app/platform/ids.ts'

/** the same as the test shop's clock; that file stands on the whole server, which journeys do without */
const NOON = Date.UTC(2026, 2, 4, 12)

type Line = { itemId: string; name?: string; priceCents?: number }

/** A conversation of Ann's with these lines asked for. */
export async function placeOrder(db: Db, lines: Line[], given: Partial<OrderTable> = {}): Promise<OrderTable> {
  const order: OrderTable = {
    id: 'ann-uid',
    userId: null,
    userName: 'Ann Buyer',
    userEmail: 'ann@mail.test',
    userPhotoURL: '/pictures/ann.jpg',
    receiptTag: 'TAG00001',
    isClosed: 0,
    fromContactPage: 0,
    lastSeq: 0,
    createdAt: NOON - 1000,
    firstCreatedAt: NOON - 1000,
    ...given,
  }
  await db.insertInto('orders').values(order).execute()
  for (const [position, line] of lines.entries())
    await db
      .insertInto('orderItems')
      .values({ orderId: order.id, name: 'Plant hanger', priceCents: 3500, isSold: 0, position, ...line })
      .execute()
  return order
}

/** One line that Ann bought. */
type SoldIn = { categoryId?: string; categoryTitle?: string }
export async function addSale(db: Db, given: Partial<SaleTable> & SoldIn = {}): Promise<SaleTable> {
  const sale: SaleTable = {
    id: newId15(),
    buyerId: 'ann-uid',
    buyerName: 'Ann Buyer',
    buyerEmail: 'ann@mail.test',
    buyerPhotoURL: '',
    itemId: 'hanger',
    itemName: 'Plant hanger',
    itemPriceCents: 3500,
    salePriceCents: 3500,
    receiptTag: 'TAG00001',
    createdAt: NOON,
    ...given,
  }
  await db.insertInto('sales').values(sale).execute()
  return sale
}
