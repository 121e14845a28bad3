import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clearCache } from '#lib/db/topic-cache.server.ts'
import { recordQueries, type Recorded } from '#test/fixtures/database.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'
import { addSale } from '#test/fixtures/orders.ts'
import { openReports } from '#test/fixtures/prepared-shops.ts'
import { NOON, type TestShop } from '#test/fixtures/test-shop.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'
import { completeSale, cancelSale } from '#orders/orders.server.ts'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { deleteConversation } from '#messaging/messages.server.ts'
import { periodRange } from '#sales/period.ts'
import { totalCents } from '#sales/receipt.ts'
import { listReceipts, sumSales } from '#sales/sales.server.ts'
import { ticksUpTo } from './report-charts.tsx'
import { KINDS, addSums } from './report.ts'
import { listYears, rankSales, sumMonths } from './reports.server.ts'

const DAY = 86_400_000

const reportsOf = async ({ db, timeZone }: Pick<TestShop, 'db' | 'timeZone'>, year: number) => {
  const months = await sumMonths(db, year, timeZone)
  return { months, total: addSums(months) }
}

test('the owner can open the report of every year with sales, and gets the current year for an unknown year [S-105, S-198]', async () => {
  const shop = await openReports()
  expect(await shop.words()).toContain('Reports 2026 No Sales Record')
  await addSale(shop.db, { createdAt: Date.UTC(2019, 5, 1), salePriceCents: 1100 })
  await addSale(shop.db, { createdAt: Date.UTC(2024, 11, 31, 23, 59), salePriceCents: 2200 })
  await addSale(shop.db, { createdAt: Date.UTC(2025, 0, 1), salePriceCents: 3300 })

  expect(await shop.words()).toContain('Reports 2026 2025 2024 2019 No Sales Record')
  expect(await shop.words('?year=2024')).toContain('Revenue $22.00 1 piece')
  expect(await shop.words('?year=2019')).toContain('Revenue $11.00 1 piece')
  for (const odd of ['2020', '02024', '%00']) {
    expect(await shop.words(`?year=${odd}`)).toContain('No Sales Record')
  }
})

test('a year begins and ends in the time zone of the shop [S-108, S-198]', async () => {
  const shop = await openReports({ now: Date.UTC(2026, 0, 1, 2), timeZone: 'America/New_York' })
  await addSale(shop.db, { createdAt: Date.UTC(2026, 0, 1, 4, 59, 59, 999), salePriceCents: 100 })
  await addSale(shop.db, { createdAt: Date.UTC(2026, 0, 1, 5), salePriceCents: 200 })
  expect(await listYears(shop.db, shop.now(), shop.timeZone)).toEqual([2026, 2025])
  expect(await shop.words()).toContain('Revenue $1.00')
  expect(await shop.words('?year=2026')).toContain('Revenue $2.00')
})

test(
  'the reports and the Sales screen have the same totals in every time zone [S-199]',
  { tags: ['random'] },
  async () => {
    const zones = [
      'UTC',
      'America/New_York',
      'Asia/Manila',
      'America/Santiago',
      'Africa/Cairo',
      'Atlantic/Azores',
    ]
    const shop = await openReports()
    const text = fc.constantFrom('', 'a', 'b', 'Ä', "x'y", '%_')
    const cents = fc.integer({ min: 0, max: 99_999_999 })
    const sale = fc.record({
      itemId: text,
      itemName: text,
      buyerId: text,
      buyerName: text,
      buyerEmail: text,
      receiptTag: fc.option(text),
      itemPriceCents: fc.option(cents),
      salePriceCents: cents,
      // Many of these random sales are made shortly before or after the end of a month or year.
      createdAt: fc
        .tuple(
          fc.integer({ min: 0, max: 24 }),
          fc.constantFrom(0, 1, 4, 5, 12, 1000, 60_000),
          fc.constantFrom(1, -1),
          fc.constantFrom(0, 1, 5, 8),
        )
        .map(([month, more, sign, hours]) => Date.UTC(2024, month, 1, hours) + sign * more),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(sale, { maxLength: 40 }),
        fc.constantFrom(...zones),
        async (sales, timeZone) => {
          await shop.db.deleteFrom('sales').execute()
          for (const values of sales) await addSale(shop.db, values)
          const years = await listYears(shop.db, NOON, timeZone)
          let all = 0
          for (const year of years) {
            const { months, total } = await reportsOf({ db: shop.db, timeZone }, year)
            for (const { month, sales: count, revenue } of months) {
              const range = periodRange({ year, month, week: 0 }, timeZone)
              const { receipts } = await listReceipts(shop.db, range)
              const pieces = receipts.reduce((sum, receipt) => sum + receipt.items.length, 0)
              expect(count).toBe(pieces)
              expect(revenue).toBe(totalCents(receipts))
              expect(revenue).toBe(await sumSales(shop.db, range))
            }
            for (const kind of KINDS) {
              const { rows, others } = await rankSales(shop.db, kind, year, timeZone, total)
              const sum = (name: 'sales' | 'revenue') =>
                [...rows, others].reduce((total, row) => total + row[name], 0)
              expect(sum('sales')).toBe(total.sales)
              expect(sum('revenue')).toBe(total.revenue)
              expect(others).toMatchObject({ count: 0, revenue: 0, sales: 0 })
            }
            all += total.sales
          }
          expect(all).toBe(sales.length)
        },
      ),
      { numRuns: 12 },
    )
  },
)

test('the report of a year shows the revenue by month, category, item and buyer, and the sum of the discounts [S-199]', async () => {
  const shop = await openReports()
  await addCategory(shop.db, 'walls', { title: 'Wall Hangings' })
  await addItem(shop.db, 'hanger', 'walls', { name: 'Plant hanger, new name', priceCents: 3500 })
  const walls = { categoryId: 'walls', categoryTitle: 'Walls of old' }
  await addSale(shop.db, { salePriceCents: 3000, createdAt: NOON, ...walls })
  await addSale(shop.db, {
    salePriceCents: 4000,
    createdAt: NOON - 40 * DAY,
    receiptTag: 'B',
    buyerId: 'ben',
    buyerName: ' ',
    buyerEmail: 'ben@mail.test',
    ...walls,
  })
  await addSale(shop.db, {
    itemId: 'gone',
    itemName: 'Owl',
    itemPriceCents: null,
    salePriceCents: 500,
    receiptTag: null,
    buyerId: 'g',
    buyerName: '',
    buyerEmail: '',
  })

  // A canceled sale, and the entry that cancels it.
  await addSale(shop.db, {
    id: 'mistake',
    receiptTag: 'MISTAKE1',
    salePriceCents: 900,
    itemPriceCents: 900,
  })
  await addSale(shop.db, {
    cancels: 'mistake',
    receiptTag: 'MISTAKE2',
    salePriceCents: -900,
    itemPriceCents: -900,
  })

  const html = await shop.html()
  const text = wordsOf(html)

  expect(text).toContain(
    'Revenue $75.00 3 pieces, without shipping Receipts 3 $25.00 on average Discounts given $5.00 1 piece',
  )
  expect(text).toContain('January 1 $40.00 February 0 $0.00 March 2 $35.00 April 0 $0.00')
  expect(text).toMatch(
    /Category Pieces Revenue Wall Hangings 2 \$70\.00 Without a category 1 \$5\.00 Total 3 \$75\.00/,
  )
  expect(text).toMatch(
    /Item Pieces Revenue Plant hanger, new name 2 \$70\.00 Owl 1 \$5\.00 Total 3 \$75\.00/,
  )
  expect(text).toMatch(
    /Buyer Pieces Revenue ben 1 \$40\.00 Ann Buyer 1 \$30\.00 Guest 1 \$5\.00 Total 3 \$75\.00/,
  )
  expect(text).toMatch(
    /Discounts given 1 piece for less than the original price, \$5\.00 altogether\./,
  )
  // This shop has no order requests, so their table and chart are missing.
  const page = pageOf(html)
  const tables = page.getAllByRole('table')
  expect(tables).toHaveLength(5)
  for (const table of tables) {
    const chart = table.closest('section')!.querySelector(':scope > div > svg')!
    expect(chart.getAttribute('aria-hidden')).toBe('true')
  }
  expect(page.getByText('Plant hanger, new name', { selector: 'svg bdi' })).toBeTruthy()
})

test('the reports and the CSV file of receipts count each piece of a line, also if the sale was canceled [S-199, S-201]', async () => {
  const { db, services, ann, owner, send, customerAct, sales } = await openShopWithOffers()
  await customerAct(
    'accept',
    await send({ name: ['Moon wall', ''], price: ['40', ''], quantity: ['6', ''], shipping: '0' }),
  )
  await completeSale(services, ann.id, { itemId: 'moon', price: '240' })
  const [sale] = await sales()
  const words = async () => wordsOf(await owner.page('/manage/reports/'))
  const pieces = async () =>
    (await (await owner.get('/manage/receipts.csv')).text())
      .split('\r\n')
      .flatMap((row) => /,(-?\d+),Moon wall × 6/.exec(row)?.[1] ?? [])

  expect(await words()).toMatch(
    /Revenue \$240\.00 6 pieces.* March 6 \$240\.00 .*Item Pieces Revenue Moon wall 6 \$240\.00 Total 6 \$240\.00/,
  )
  expect(await words()).toContain('6 pieces for less than the original price')
  expect(wordsOf(await owner.page('/manage/reports/sales/?year=2026&item=moon'))).toContain(
    'Moon wall in 2026 6 pieces, $240.00',
  )
  expect(await pieces()).toEqual(['6'])

  await issueDocuments(services, { receipt: sale!.receiptTag!, papers: ['Invoice'], shipping: 0 })
  await cancelSale(services, sale!.id)
  expect(await db.selectFrom('sales').select('quantity').execute()).toEqual([
    { quantity: 6 },
    { quantity: 6 },
  ])
  expect(await words()).toContain('Revenue $0.00 0 pieces')
  expect((await pieces()).toSorted()).toEqual(['-6', '6'])
})

test('the report of a year shows a deleted item, category or buyer under the name that it had in the last sale of that year [S-258]', async () => {
  const shop = await openReports()
  const sell = (createdAt: number, word: string) =>
    addSale(shop.db, {
      createdAt,
      itemId: 'gone-item',
      categoryId: 'gone-category',
      buyerId: 'gone-buyer',
      itemName: `${word} owl`,
      categoryTitle: `${word} birds`,
      buyerName: `${word} Ann`,
    })
  await sell(Date.UTC(2024, 8, 1), 'Second')
  await sell(Date.UTC(2024, 2, 1), 'First')
  await sell(Date.UTC(2025, 2, 1), 'Third')
  const names = async (year: number) =>
    Promise.all(
      KINDS.map(async (kind) => {
        const { total } = await reportsOf(shop, year)
        return (await rankSales(shop.db, kind, year, shop.timeZone, total)).rows.map(
          ({ name }) => name,
        )
      }),
    )
  expect((await names(2024)).flat().toSorted()).toEqual([
    'Second Ann',
    'Second birds',
    'Second owl',
  ])
  expect((await names(2025)).flat().toSorted()).toEqual(['Third Ann', 'Third birds', 'Third owl'])
  expect(await shop.words('?year=2024')).not.toContain('Third owl')
})

test('a number in a report links to the sales that it counts, and each sale links to its receipt and conversation [S-200]', async () => {
  const shop = await openReports()
  const ann = await shop.customer()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  await ann.act('/order-request', { itemId: 'moon', message: '' })
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '80' })
  await addSale(shop.db, { receiptTag: 'Tag & 2', itemName: 'Owl' })

  const report = pageOf(await shop.html())
  const hrefOf = (name: string) => report.getAllByRole('link', { name })[0]!.getAttribute('href')
  expect(hrefOf('March')).toBe('/manage/reports/sales/?year=2026&month=3')
  expect(hrefOf('ann')).toBe(`/manage/reports/sales/?year=2026&buyer=${ann.id}`)
  const readSales = (search: string) => shop.owner.page(`/manage/reports/sales/${search}`)
  const readWords = async (search: string) => wordsOf(await readSales(search))
  expect(await readWords('?year=2026&item=moon')).toMatch(
    /Moon wall in 2026 1 piece, \$80\.00 Moon wall ann, March 04, 2026 Original price: \$89\.00 Sold for: \$80\.00/,
  )
  expect(await readWords(`?year=2026&month=3&buyer=${ann.id}`)).toContain(
    'ann in March 2026 1 piece',
  )
  expect(await readWords('?year=2026&category=')).toMatch(
    /Without a category in 2026 1 piece, \$35\.00 Owl Ann Buyer/,
  )
  expect(await readWords('?year=2026&month=3')).toContain('Sales in March 2026 2 pieces, $115.00')
  expect(await readWords('?year=2026&month=4')).toContain(
    'Sales in April 2026 0 pieces, $0.00 No Sales Record',
  )
  for (const odd of [
    '?month=13&item=%00',
    '?year=x&month=0',
    '?page=-1&buyer=%F0%9F%A6%89',
    '?item=&item=moon',
    '?page=999999',
  ]) {
    expect(await readWords(odd)).toMatch(/in 2026 \d piece/)
  }

  const sales = pageOf(await readSales('?year=2026'))
  const conversation = sales.getByRole('link', { name: 'Conversation with ann' })
  expect(conversation.getAttribute('href')).toBe(`/manage/messages/${ann.id}`)
  const receipt = sales.getByRole('link', { name: /^Owl/ })
  expect(receipt.getAttribute('href')).toBe('/manage/sales/?receipt=Tag%20%26%202')
  await deleteConversation(shop.shop, ann.id)
  expect(await readSales('?year=2026')).not.toContain(`/manage/messages/${ann.id}`)
})

test('a report of a year needs the same number of database queries, however many items, categories and buyers the year has [S-199]', async () => {
  const seen: Recorded[] = []
  const shop = await openReports({ wrapDb: (db) => recordQueries(db, seen) })
  for (const [year, sales] of [
    [2024, 60],
    [2025, 120],
  ] as const) {
    for (let n = 0; n < sales; n++) {
      const ids = {
        itemId: `item-${n}`,
        categoryId: `category-${n}`,
        buyerId: `buyer-${n}`,
        receiptTag: `TAG-${year}-${n}`,
      }
      await addSale(shop.db, { ...ids, createdAt: Date.UTC(year, n % 12, 1) })
    }
  }
  const countQueries = async (page: string, year: number) => {
    clearCache(shop.shop.live)
    seen.length = 0
    await shop.html(`${page}?year=${year}`)
    return seen.length
  }
  await countQueries('', 2025)
  for (const page of ['', 'sales/']) {
    expect(await countQueries(page, 2025)).toBe(await countQueries(page, 2024))
  }
})

test('the name of an item, buyer or category cannot inject markup into a chart of the reports', async () => {
  const shop = await openReports()
  const name = '</text><script>alert(1)</script>" onload="x {a|b} ${c} {b}'
  await addSale(shop.db, { itemName: name, buyerName: name, categoryId: 'x', categoryTitle: name })
  const html = await shop.html()
  expect(html).not.toMatch(/<script>alert|" onload="x/)
  expect(html).toContain('&lt;/text&gt;&lt;script&gt;al')
})

test('the axis of a chart in the reports has two to six round numbers and reaches the highest bar [S-196]', () => {
  fc.assert(
    fc.property(fc.nat(), (highest) => {
      const ticks = ticksUpTo(highest)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
    }),
  )
  expect(ticksUpTo(0)).toEqual([0, 1])
  expect(ticksUpTo(7_450)).toEqual([0, 2_000, 4_000, 6_000, 8_000])
})

test('an opened report shows a new request and a new sale when the owner opens it again [S-196, S-199]', async () => {
  const shop = await openReports()
  const ann = await shop.customer()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  expect(await shop.words()).toContain('No Sales Record')
  await ann.act('/order-request', { itemId: 'moon', message: '' })
  expect(await shop.words()).toContain('1 request')
  expect(await shop.words()).not.toContain('Everything was sold at full price.')
  await completeSale(shop.shop, ann.id, { itemId: 'moon', price: '80' })
  expect(await shop.words()).toContain('Revenue $80.00 1 piece')
})
