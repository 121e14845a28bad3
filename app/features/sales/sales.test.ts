import { expect, test } from 'vitest'
import { addSale, placeOrder } from '#test/a-sale.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { wordsOf as words } from '#test/words.ts'
import { saveSettings } from '#app/features/settings/settings.server.ts'
import { completeSale } from '#app/features/orders/owner-actions.server.ts'

const DAY = 86_400_000

async function openSalesShop(options: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(options)
  const owner = await shop.owner()
  return { ...shop, owner, words: async (search = '') => words(await owner.page(`/manage/sales/${search}`)) }
}

test('SALES-01 SALES-02 SALES-03 SALES-05 SALES-06 SALES-12 CONST-02 the screen opens at this month with arrows and its date range', async () => {
  const shop = await openSalesShop({ now: Date.UTC(2026, 11, 4, 12) })
  const html = await shop.owner.page('/manage/sales/')

  expect(words(html)).toContain('December 2026 All Weeks December 01, 2026 – December 31, 2026')
  const arrow = (name: string) => html.match(new RegExp(`<a[^>]*aria-label="${name}"[^>]*>`))?.[0]
  expect(arrow('Next month')).toContain('href="/manage/sales/?month=1"')
  expect(arrow('Previous month')).toContain('href="/manage/sales/?month=11"')
  expect(arrow('Next week')).toContain('href="/manage/sales/?month=12&amp;week=1"')
  expect(arrow('Previous week')).toContain('href="/manage/sales/?month=12&amp;week=5"')
})

test('SALES-07 SALES-08 SALES-09 SALES-10 SALES-12 the chosen week shows its number and days', async () => {
  const shop = await openSalesShop()
  const seen = await Promise.all([1, 2, 3, 4, 5].map((week) => shop.words(`?month=3&week=${week}`)))
  expect(seen.map((text) => /March 2026 (.*?, 2026 – .*?, 2026)/.exec(text)?.[1])).toEqual([
    '1st March 01, 2026 – March 07, 2026',
    '2nd March 08, 2026 – March 14, 2026',
    '3rd March 15, 2026 – March 21, 2026',
    '4th March 22, 2026 – March 28, 2026',
    '5th March 29, 2026 – March 31, 2026',
  ])
})

test('SALES-04 SALES-13 SALES-14 DATA-117 DATA-118 a period holds the sales of its first and last instant and none beyond', async () => {
  const shop = await openSalesShop({ timeZone: 'America/New_York' })
  const from = Date.UTC(2026, 2, 8, 5)
  const to = Date.UTC(2026, 2, 15, 4) - 1
  for (const [itemName, createdAt] of [
    ['Too early', from - 1],
    ['First instant', from],
    ['Last instant', to],
    ['Too late', to + 1],
    ['Last year', from - 365 * DAY],
  ] as const)
    await addSale(shop.db, { itemName, createdAt, receiptTag: null })

  const week = await shop.words('?month=3&week=2')
  const month = await shop.words('?month=3')

  expect(week).toMatch(/Last instant.*First instant/)
  expect(week).not.toMatch(/Too early|Too late|Last year/)
  expect(month).toMatch(/Too late.*Last instant.*First instant.*Too early/)
  expect(month).not.toContain('Last year')
  expect(await shop.words('?month=4')).toContain('No Sales Record')
})

test('SALES-17 SALES-18 SALES-19 SALES-20 SALES-21 SALES-22 SALES-23 SALES-25 DATA-119 S-110 S-118 receipts newest first, with items, prices, buyer, date and the total', async () => {
  const shop = await openSalesShop()
  await addSale(shop.db, { salePriceCents: 3000, createdAt: NOON - 2 * DAY })
  await addSale(shop.db, { itemName: 'Coaster', itemPriceCents: 800, salePriceCents: 800, createdAt: NOON - DAY })
  await addSale(shop.db, {
    itemName: 'Key chain',
    itemPriceCents: null,
    salePriceCents: 500,
    receiptTag: null,
    buyerName: '',
    buyerEmail: '',
    createdAt: NOON,
  })

  const html = await shop.owner.page('/manage/sales/')

  expect(words(html)).toContain(
    'Guest March 04, 2026 Key chain $5.00 Print ' +
      'Ann Buyer March 03, 2026 Coaster $8.00 Plant hanger Original price: $35.00 Sold for: $30.00 Print Total $43.00',
  )
  expect(html.match(/<s>.*?<\/s>/g)).toHaveLength(1)
  expect(html).toMatch(/<s>.*?\$35\.00<\/s>/)
})

test('DATA-092 a sale kept as a plain name shows without a struck price, in the list and on the invoice', async () => {
  const shop = await openSalesShop()
  await addSale(shop.db, { itemPriceCents: null, salePriceCents: 500 })
  const html = await shop.owner.page('/manage/sales/?month=3&receipt=TAG00001')
  expect(words(html)).toContain('Plant hanger $5.00')
  expect(html).not.toContain('<s>')
})

test('SALES-24 a period without sales shows "No Sales Record" and a total of nothing', async () => {
  const shop = await openSalesShop()
  expect(await shop.words()).toMatch(/No Sales Record.*Total \$0\.00/)
})

test('ERR-04 ERR-05 a failing sales query is only logged and the page keeps working', async () => {
  const shop = await openSalesShop()
  await saveSettings(shop.db, { name: 'Still here' }, NOON)
  await shop.db.schema.dropTable('sales').execute()

  const response = await shop.owner.get('/manage/sales/?month=3&receipt=TAG00001')
  const text = words(await response.text())

  expect(response.status).toBe(200)
  expect(text).toContain('March 2026 All Weeks')
  expect(text).toContain('No Sales Record')
  expect(shop.logged.map((line) => line.message)).toContain('The sales could not be read.')
  expect(await shop.words('?month=4')).toContain('April 2026')
})

test('ROLES-20 the sales are the owner’s alone', async () => {
  const shop = await openSalesShop()
  await addSale(shop.db)
  expect(await shop.words()).toContain('Ann Buyer')
  for (const person of [shop.visitor(), await shop.customer(), await shop.guest()]) {
    expect(await person.page('/manage/sales/')).not.toContain('Ann Buyer')
    expect(await person.page('/manage/sales.data?receipt=TAG00001')).not.toContain('Ann Buyer')
  }
})

test('DATA-116 a sale completed elsewhere is signalled as a change of the sales, and read anew it is there', async () => {
  const shop = await openSalesShop()
  await placeOrder(shop.db, [{ itemId: 'hanger' }])
  expect(await shop.words()).toContain('No Sales Record')

  await completeSale(shop.shop, 'ann-uid', 'hanger', '')

  expect(shop.heard).toContain('sales')
  expect(await shop.words()).toContain('Plant hanger $35.00')
})
