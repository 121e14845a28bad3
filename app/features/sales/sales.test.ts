import { expect, test } from 'vitest'
import { addSale, placeOrder } from '#test/fixtures/orders.ts'
import { NOON, openTestShop } from '#test/fixtures/test-shop.ts'
import { pageOf, within, wordsOf as words } from '#test/fixtures/html.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { completeSale } from '#orders/orders.server.ts'

const DAY = 86_400_000

async function openSalesShop(options: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(options)
  const owner = await shop.owner()
  return {
    ...shop,
    owner,
    words: async (search = '') => words(await owner.page(`/manage/sales/${search}`)),
  }
}

test('the Sales screen first shows the current month and its days, and links to the previous and next month and week [SALES-01, SALES-02, SALES-03, SALES-06, SALES-12, CONST-02]', async () => {
  const shop = await openSalesShop({ now: Date.UTC(2026, 11, 4, 12) })
  const html = await shop.owner.page('/manage/sales/')
  const hrefOf = (name: string) => pageOf(html).getByRole('link', { name }).getAttribute('href')

  expect(words(html)).toContain('December 2026 All Weeks December 01, 2026 – December 31, 2026')
  expect(hrefOf('Next month')).toBe('/manage/sales/?month=1')
  expect(hrefOf('Previous month')).toBe('/manage/sales/?month=11')
  expect(hrefOf('Next week')).toBe('/manage/sales/?month=12&week=1')
  expect(hrefOf('Previous week')).toBe('/manage/sales/?month=12&week=5')
  expect(await shop.words('?month=12&week=5')).toContain(
    'December 2026 5th December 29, 2026 – December 31, 2026',
  )
})

test('the Sales screen shows sales at the first and the last millisecond of the chosen period, and no sale outside of the period [SALES-04, SALES-13, SALES-14, DATA-117, DATA-118]', async () => {
  const shop = await openSalesShop({ timeZone: 'America/New_York' })
  const from = Date.UTC(2026, 2, 8, 5)
  const to = Date.UTC(2026, 2, 15, 4) - 1
  for (const [itemName, createdAt] of [
    ['Too early', from - 1],
    ['First instant', from],
    ['Last instant', to],
    ['Too late', to + 1],
    ['Last year', from - 365 * DAY],
  ] as const) {
    await addSale(shop.db, { itemName, createdAt, receiptTag: null })
  }

  const week = await shop.words('?month=3&week=2')
  const month = await shop.words('?month=3')

  expect(week).toMatch(/Last instant.*First instant/)
  expect(week).not.toMatch(/Too early|Too late|Last year/)
  expect(month).toMatch(/Too late.*Last instant.*First instant.*Too early/)
  expect(month).not.toContain('Last year')
  expect(await shop.words('?month=4')).toContain('No Sales Record')
})

test('each receipt shows its buyer, date, items and prices, and strikes an original price through if the buyer paid another price [SALES-18, SALES-19, SALES-20, SALES-21, SALES-22, SALES-23]', async () => {
  const shop = await openSalesShop()
  await addSale(shop.db, { salePriceCents: 3000, createdAt: NOON - 2 * DAY })
  await addSale(shop.db, {
    itemName: 'Coaster',
    itemPriceCents: 800,
    salePriceCents: 800,
    createdAt: NOON - DAY,
  })
  const guest = { receiptTag: null, buyerName: '', buyerEmail: '' }
  await addSale(shop.db, {
    ...guest,
    itemName: 'Key chain',
    itemPriceCents: null,
    salePriceCents: 500,
    createdAt: NOON,
  })

  const html = await shop.owner.page('/manage/sales/')

  const ofAnn =
    'Ann Buyer March 03, 2026 Coaster $8.00 Plant hanger Original price: $35.00 Sold for: $30.00'
  expect(words(html)).toContain(
    `Guest March 04, 2026 Key chain $5.00 Print ${ofAnn} Print Total $43.00`,
  )
  const struck = pageOf(html)
    .getAllByText('Original price:')
    .map((text) => text.closest('s'))
  expect(struck.map((element) => element?.textContent)).toEqual(['Original price: $35.00'])
})

test('if the sales cannot be read, the error is logged, and the Sales screen and the reports appear without sales [ERR-04, ERR-05]', async () => {
  const shop = await openSalesShop()
  await saveSettings(shop.db, { name: 'Still here' }, NOON)
  await shop.db.schema.dropTable('sales').execute()

  const response = await shop.owner.get('/manage/sales/?month=3&receipt=TAG00001')
  const text = words(await response.text())

  expect(response.status).toBe(200)
  expect(text).toContain('March 2026 All Weeks')
  expect(text).toContain('No Sales Record')
  expect(await shop.words('?month=4')).toContain('April 2026')
  const reports = words(await shop.owner.page('/manage/reports/?year=2024'))
  expect(reports).toMatch(/Reports 2026 The reports could not be read just now.*Download/)
  const logged = shop.logged.map((line) => line.message)
  expect([...new Set(logged)]).toEqual(
    ['sales', 'receipt', 'reports'].map((what) => `The ${what} could not be read.`),
  )
})

test('when a sale is completed, the shop notifies open pages, and the Sales screen shows the sale [SALES-24, DATA-116]', async () => {
  const shop = await openSalesShop()
  await placeOrder(shop.db, [{ itemId: 'hanger' }])
  expect(await shop.words()).toMatch(/No Sales Record.*Total \$0\.00/)

  await completeSale(shop.shop, 'ann-uid', { itemId: 'hanger', price: '' })

  expect(shop.changedTopics).toContain('sales')
  expect(await shop.words()).toContain('Plant hanger $35.00')
  expect(await shop.words()).not.toContain('No Sales Record')
  for (const emptyPeriod of ['?month=4', '?month=3&week=2']) {
    expect(await shop.words(emptyPeriod)).toMatch(/No Sales Record.*Total \$0\.00/)
  }
})

test('in January, the Sales screen shows no sales of last December, but the printed documents of a receipt contain its sales of both years [S-189]', async () => {
  const midnight = Date.UTC(2027, 0, 1, 5)
  const shop = await openSalesShop({ now: midnight + 20 * 60_000, timeZone: 'America/New_York' })
  const buyer = { receiptTag: 'winter', buyerName: 'Wilma Winter' }
  await addSale(shop.db, {
    ...buyer,
    itemName: 'Wreath',
    itemPriceCents: 4500,
    salePriceCents: 4500,
    createdAt: midnight - 20 * 60_000,
  })
  await addSale(shop.db, {
    ...buyer,
    itemName: 'Star',
    itemPriceCents: 2000,
    salePriceCents: 1500,
    createdAt: midnight + 10 * 60_000,
  })
  const pageWords = async (path: string) => words(await shop.owner.page(path))

  const january = await pageWords('/manage/sales/')
  expect(january).toContain('January 2027')
  expect(january).toMatch(/Star Original price: \$20\.00 Sold for: \$15\.00.* Total \$15\.00/)
  expect(january).not.toContain('Wreath')
  expect(await pageWords('/manage/sales/?month=12')).toMatch(
    /December 2027.*No Sales Record.*Total \$0\.00/,
  )
  const screen = pageOf(await shop.owner.page('/manage/sales/'))
  const link = within(screen.getByRole('main')).getByRole('link', { name: 'Reports' })
  expect(link.getAttribute('href')).toBe('/manage/reports')
  expect(await pageWords('/manage/reports/?year=2027')).toContain('Revenue $15.00 1 piece')
  expect(await pageWords('/manage/reports/?year=2026')).toContain('Revenue $45.00 1 piece')
  const dataOf = async (path: string) => (await shop.owner.get(path)).text()
  expect(await dataOf('/manage/sales.data')).not.toContain('"Wreath"')
  expect(await dataOf('/manage/sales.data?receipt=winter')).toContain('"Wreath"')
})
