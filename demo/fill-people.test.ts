// The demo shop's people as the shop itself would have written them.
import { expect, test } from 'vitest'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { customers } from './catalogue.ts'
import { fillSales } from './fill-people.server.ts'

test('S-200 whoever bought several pieces, or twice, is one buyer of the demo shop, and every sale has its request', async () => {
  const { db } = await openTestShop()
  const uids = new Map(customers.map(({ id }) => [id, `uid-of-${id}`]))
  await db.transaction().execute((tx) => fillSales(tx, uids, NOON))

  const sales = await db.selectFrom('sales').select(['id', 'buyerId', 'buyerName', 'itemId', 'categoryId', 'categoryTitle']).execute()
  const byName = Map.groupBy(sales, (sale) => sale.buyerName)
  expect([...byName.values()].filter((own) => own.length > 1).length).toBeGreaterThan(3)
  for (const own of byName.values()) expect(new Set(own.map((sale) => sale.buyerId)).size).toBe(1)
  expect(new Set(sales.map((sale) => sale.buyerId)).size).toBe(byName.size)
  const requests = await db.selectFrom('requests').select(['saleId as id', 'orderId as buyerId', 'itemId']).execute()
  const plain = ({ id, buyerId, itemId }: { id: string | null; buyerId: string; itemId: string }) => `${id} ${buyerId} ${itemId}`
  expect(requests.map(plain).toSorted()).toEqual(sales.map(plain).toSorted())
})
