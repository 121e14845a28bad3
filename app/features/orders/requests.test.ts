import { expect, test } from 'vitest'
import {
  HOSTED_OWNER,
  HOSTED_SHOP,
  importInto,
  newFolder,
  writeHostedBucket,
} from '#test/fixtures/data-folders.ts'
import { openReports } from '#test/fixtures/prepared-shops.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { deleteItem } from '#item-editor/edit-items.server.ts'
import { closeOrder, removeOrderItem, completeSale } from './orders.server.ts'
import { deleteConversation } from '#messaging/messages.server.ts'
import { sumOrderRequests } from '#reports/reports.server.ts'

test('the reports group sales of an imported shop by category [S-105, S-197]', async () => {
  const shop = await openReports()
  await importInto(shop.shop, HOSTED_SHOP, {
    files: await writeHostedBucket(await newFolder()),
    adminIds: [HOSTED_OWNER],
  })
  const sales = await shop.db.selectFrom('sales').selectAll().execute()
  const known = sales.filter((sale) => sale.categoryId !== '')
  expect(known.length).toBeGreaterThan(0)
  const [{ at }, { title }] = await Promise.all([
    shop.db
      .selectFrom('sales')
      .select('createdAt as at')
      .where('id', '=', known[0]!.id)
      .executeTakeFirstOrThrow(),
    shop.db
      .selectFrom('categories')
      .select('title')
      .where('id', '=', known[0]!.categoryId)
      .executeTakeFirstOrThrow(),
  ])
  const text = await shop.words(`?year=${new Date(at).getUTCFullYear()}`)
  expect(text).toMatch(new RegExp(`Category Pieces Revenue .*${title} \\d`))
  expect(text).toContain('There are no requests from')
})

test('a sale keeps its category when its item is moved or deleted [S-197]', async () => {
  const shop = await openReports()
  const ann = await shop.customer()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  for (const id of ['sold', 'gone', 'moved']) {
    await addItem(shop.db, id, 'walls', { name: id, priceCents: 1000 })
    await ann.act('/order-request', { itemId: id, message: '' })
  }
  await completeSale(shop.shop, ann.id, { itemId: 'sold', price: '' })
  await deleteItem(shop.shop, 'owner', 'sold')
  await deleteItem(shop.shop, 'owner', 'gone')
  await completeSale(shop.shop, ann.id, { itemId: 'gone', price: '' })
  await shop.db.updateTable('items').set({ categoryId: 'bags' }).where('id', '=', 'moved').execute()
  await completeSale(shop.shop, ann.id, { itemId: 'moved', price: '' })
  // Reports show the current title of a category. For a deleted category, reports show the title
  // that was stored with the sale.
  await shop.db
    .updateTable('categories')
    .set({ title: 'Hangings' })
    .where('id', '=', 'walls')
    .execute()
  expect(await shop.words()).toMatch(
    /Category Pieces Revenue Hangings 2 \$20\.00 Bags 1 \$10\.00 Total/,
  )
  await shop.db.deleteFrom('categories').where('id', '=', 'walls').execute()
  expect(await shop.words()).toMatch(
    /Category Pieces Revenue Walls 2 \$20\.00 Bags 1 \$10\.00 Total/,
  )
})

test('the reports count each order request in its month, and count it as sold if it became a sale [S-196]', async () => {
  const shop = await openReports({ now: Date.UTC(2026, 0, 20) })
  const ann = await shop.customer()
  await addCategory(shop.db, 'walls')
  for (const id of ['moon', 'sun', 'star']) {
    await addItem(shop.db, id, 'walls', { name: id, priceCents: 1000 })
  }
  const ask = (itemId: string) => ann.act('/order-request', { itemId, message: '' })
  expect(await shop.words()).toContain('No Sales Record')

  // Two order requests for the same unsold item count once. After the owner has removed the item
  // from the order, a new order request counts again.
  await ask('moon')
  await ask('moon')
  await ask('sun')
  await removeOrderItem(shop.shop, ann.id, 'sun')
  shop.clock.now = Date.UTC(2026, 1, 20)
  await ask('sun')
  await ask('star')
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '' })
  await completeSale(shop.shop, ann.id, { itemId: 'sun', price: '' })
  const months = async () =>
    (await sumOrderRequests(shop.db, 2026, 'UTC'))
      .slice(0, 3)
      .map(({ requests, sold }) => `${requests} asked, ${sold} sold`)
  expect(await months()).toEqual(['2 asked, 1 sold', '2 asked, 1 sold', '0 asked, 0 sold'])

  // A new order request for a sold item counts again. After the owner has deleted the conversation,
  // its order requests still count.
  await closeOrder(shop.shop, ann.id)
  shop.clock.now = Date.UTC(2026, 2, 20)
  await ask('moon')
  expect(await months()).toEqual(['2 asked, 1 sold', '2 asked, 1 sold', '1 asked, 0 sold'])
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '' })
  await deleteConversation(shop.shop, ann.id)
  expect(await months()).toEqual(['2 asked, 1 sold', '2 asked, 1 sold', '1 asked, 1 sold'])
  const text = await shop.words()
  expect(text).toContain(
    '3 of 5 requests became sales: 60%. 0 1 2 J F M A M J J A S O N D Became sales Requests Table of requests',
  )
  expect(text).toMatch(/January 2 1 50% February 2 1 50% March 1 1 100% April 0 0 –/)
  expect(text).toContain('Recorded since January 20, 2026; earlier requests are not included.')
})
