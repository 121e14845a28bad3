import { expect, test } from 'vitest'
import { HOSTED_OWNER, HOSTED_SHOP, writeHostedBucket } from '#test/hosted-bucket.ts'
import { importInto, newFolder } from '#test/moving-shops.ts'
import { openReports } from '#test/open-reports.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { deleteItem } from '#app/features/item-editor/edit-items.server.ts'
import { closeOrder, completeSale, deleteConversation, removeOrderItem } from './owner-actions.server.ts'
import { sumRequests } from '#app/features/reports/reports.server.ts'

test('S-105 S-197 sales that were moved here from the hosted shop appear, with the category of their piece where it came along', async () => {
  const shop = await openReports()
  await importInto(shop.shop, HOSTED_SHOP, { files: await writeHostedBucket(await newFolder()), adminIds: [HOSTED_OWNER] })
  const sales = await shop.db.selectFrom('sales').selectAll().execute()
  const known = sales.filter((sale) => sale.categoryId !== '')
  expect(known.length).toBeGreaterThan(0)
  const [{ at }, { title }] = await Promise.all([
    shop.db.selectFrom('sales').select('createdAt as at').where('id', '=', known[0]!.id).executeTakeFirstOrThrow(),
    shop.db.selectFrom('categories').select('title').where('id', '=', known[0]!.categoryId).executeTakeFirstOrThrow(),
  ])
  const text = await shop.words(`?year=${new Date(at).getUTCFullYear()}`)
  expect(text).toMatch(new RegExp(`Category Pieces Revenue .*${title} \\d`))
  expect(text).toContain('No requests are known of')
})

test('S-197 a sale keeps the category that it had, whatever becomes of the piece: also when it was deleted before the sale', async () => {
  const shop = await openReports()
  const ann = await shop.customer()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  for (const id of ['sold', 'gone', 'moved']) {
    await addItem(shop.db, id, 'walls', { name: id, priceCents: 1000 })
    await ann.act('/order-request', { itemId: id, message: '' })
  }
  await completeSale(shop.shop, ann.id, 'sold', '')
  await deleteItem(shop.shop, 'owner', 'sold')
  await deleteItem(shop.shop, 'owner', 'gone')
  await completeSale(shop.shop, ann.id, 'gone', '')
  await shop.db.updateTable('items').set({ categoryId: 'bags' }).where('id', '=', 'moved').execute()
  await completeSale(shop.shop, ann.id, 'moved', '')
  // The category itself: by its name of today, and by the one of then once it is gone.
  await shop.db.updateTable('categories').set({ title: 'Hangings' }).where('id', '=', 'walls').execute()
  expect(await shop.words()).toMatch(/Category Pieces Revenue Hangings 2 \$20\.00 Bags 1 \$10\.00 Total/)
  await shop.db.deleteFrom('categories').where('id', '=', 'walls').execute()
  expect(await shop.words()).toMatch(/Category Pieces Revenue Walls 2 \$20\.00 Bags 1 \$10\.00 Total/)
})

test('S-196 a request counts in its month, once, and as a sale when it became one, whenever that was', async () => {
  const shop = await openReports({ now: Date.UTC(2026, 0, 20) })
  const owner = { id: 'owner', name: '', email: '', image: null, role: 'admin' as const, sessionId: '' }
  const ann = await shop.customer()
  await addCategory(shop.db, 'walls')
  for (const id of ['moon', 'sun', 'star']) await addItem(shop.db, id, 'walls', { name: id, priceCents: 1000 })
  const ask = (itemId: string) => ann.act('/order-request', { itemId, message: '' })
  expect(await shop.words()).toContain('No Sales Record')

  // Asked for twice while it stands in the order: one request. Taken out and asked for again: two.
  await ask('moon')
  await ask('moon')
  await ask('sun')
  await removeOrderItem(shop.shop, owner, ann.id, 'sun')
  shop.clock.now = Date.UTC(2026, 1, 20)
  await ask('sun')
  await ask('star')
  await completeSale(shop.shop, ann.id, 'moon', '')
  await completeSale(shop.shop, ann.id, 'sun', '')
  const months = async () => (await sumRequests(shop.db, 2026, 'UTC')).slice(0, 3).map(({ requests, sold }) => [requests, sold])
  expect(await months()).toEqual([
    [2, 1],
    [2, 1],
    [0, 0],
  ])

  // A new order of a piece that was sold is a request of its own; a deleted conversation takes none along.
  await closeOrder(shop.shop, owner, ann.id)
  shop.clock.now = Date.UTC(2026, 2, 20)
  await ask('moon')
  expect(await months()).toEqual([
    [2, 1],
    [2, 1],
    [1, 0],
  ])
  await completeSale(shop.shop, ann.id, 'moon', '')
  await deleteConversation(shop.shop, owner, ann.id)
  expect(await months()).toEqual([
    [2, 1],
    [2, 1],
    [1, 1],
  ])
  const text = await shop.words()
  expect(text).toContain('3 of 5 requests became sales: 60%. 0 1 2 J F M A M J J A S O N D Became sales Requests Table of requests')
  expect(text).toMatch(/January 2 1 50% February 2 1 50% March 1 1 100% April 0 0 –/)
  expect(text).toContain('They are kept since January 20, 2026, so what came before does not count.')
})

test('S-196 a request that fails leaves no trace, and of two sales at once only one takes it', async () => {
  const shop = await openReports()
  const ann = await shop.customer()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon', priceCents: 1000 })
  await ann.act('/order-request', { itemId: 'nothing', message: '' })
  await ann.act('/order-request', { itemId: 'moon', message: 'x'.repeat(10_001) })
  expect(await shop.db.selectFrom('requests').selectAll().execute()).toEqual([])
  await Promise.all([1, 2].map(() => ann.act('/order-request', { itemId: 'moon', message: '' })))
  await Promise.all([1, 2, 3].map(() => completeSale(shop.shop, ann.id, 'moon', '')))
  const [sale, ...more] = await shop.db.selectFrom('sales').select('id').execute()
  expect(more).toEqual([])
  expect(await shop.db.selectFrom('requests').select(['orderId', 'itemId', 'categoryId', 'saleId']).execute()).toEqual([
    { orderId: ann.id, itemId: 'moon', categoryId: 'walls', saleId: sale!.id },
  ])
  // Sold once more without a request of its own, as a line of before requests were kept: the one of then stays with its sale.
  await shop.db.updateTable('orderItems').set({ isSold: 0 }).execute()
  expect(await completeSale(shop.shop, ann.id, 'moon', '')).toEqual({ ok: true })
  expect(await shop.db.selectFrom('requests').select('saleId').execute()).toEqual([{ saleId: sale!.id }])
})
