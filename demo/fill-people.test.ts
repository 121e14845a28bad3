// The people of the demo shop, as the reports see them.
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { customers, receipts } from './catalogue.ts'
import { fillSales } from './fill-people.server.ts'

test('S-200 in the demo shop each receipt has one buyer, and who came again is the same', async () => {
  const shop = await openTestShop()
  const uids = new Map(customers.map(({ id }) => [id, `uid-${id}`]))
  await shop.db.transaction().execute((tx) => fillSales(tx, uids, shop.now()))
  const sales = await shop.db.selectFrom('sales').select(['buyerId', 'buyerEmail', 'receiptTag']).execute()

  const buyersOf = (chosen: typeof sales) => new Set(chosen.map(({ buyerId }) => buyerId)).size
  for (const { tag } of receipts) expect(buyersOf(sales.filter(({ receiptTag }) => receiptTag === tag))).toBe(1)
  const emails = new Set(sales.map(({ buyerEmail }) => buyerEmail).filter((email) => email !== ''))
  expect(emails.size).toBeGreaterThan(5)
  for (const email of emails) expect(buyersOf(sales.filter(({ buyerEmail }) => buyerEmail === email))).toBe(1)
})
