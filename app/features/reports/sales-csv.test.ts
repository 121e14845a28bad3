import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { addSale } from '#test/fixtures/orders.ts'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { NOON, type ShopOptions, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { addCategory } from '#test/fixtures/catalog.ts'
import { listReceipts, sumSales } from '#sales/sales.server.ts'
import { parseDays } from './sales-csv.server.ts'

const DAY = 86_400_000
type Row = Record<string, string>
const rowsOf = (text: string, delimiter = ','): Row[] =>
  parse(text, { columns: true, bom: true, delimiter })
const centsOf = (text: string | undefined) =>
  Math.round(Number((text ?? '').replace(',', '.')) * 100)

async function openTables(options: ShopOptions = {}) {
  const { shop, owner } = await openShopWithOwner(options)
  return {
    ...shop,
    owner,
    read: async (path: string) => (await owner.get(`/manage/${path}`)).text(),
  }
}

test('the CSV file of sales begins with the oldest sale, and has dates and times in the shop’s time zone [S-201]', async () => {
  const shop = await openTables({ timeZone: 'America/New_York' })
  await addCategory(shop.db, 'walls', { title: 'Wall Hangings' })
  await addSale(shop.db, {
    id: 'sale-b',
    createdAt: NOON,
    salePriceCents: 3000,
    categoryId: 'walls',
    categoryTitle: 'Walls of old',
  })
  await addSale(shop.db, {
    id: 'sale-a',
    createdAt: Date.UTC(2026, 0, 1, 4, 59),
    receiptTag: null,
    itemName: 'Owl; "grey", big\nand soft',
    itemPriceCents: null,
    salePriceCents: 5,
    buyerName: '',
    buyerEmail: '',
  })

  const answer = await shop.owner.get('/manage/sales.csv?from=2025-12-31&to=2026-03-04')
  const bytes = Buffer.from(await answer.arrayBuffer())
  const text = bytes.toString()

  expect(answer.headers.get('content-type')).toContain('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="sales-from-2025-12-31-to-2026-03-04.csv"',
  )
  expect(text.slice(0, 200)).toContain(
    '\uFEFFdate,time,receipt,item,category,original price,sale price,discount,buyer,email,sale id,item id,buyer id,cancels sale id,payment method,pieces,shipping\r\n2025-12-31,23:59,sale-a,',
  )
  expect(rowsOf(text)).toEqual([
    {
      date: '2025-12-31',
      time: '23:59',
      receipt: 'sale-a',
      item: 'Owl; "grey", big\nand soft',
      category: '',
      'original price': '',
      'sale price': '0.05',
      discount: '',
      buyer: 'Guest',
      email: '',
      'sale id': 'sale-a',
      'item id': 'hanger',
      'buyer id': 'ann-uid',
      'cancels sale id': '',
      'payment method': '',
      pieces: '1',
      shipping: '',
    },
    {
      date: '2026-03-04',
      time: '07:00',
      receipt: 'TAG00001',
      item: 'Plant hanger',
      category: 'Wall Hangings',
      'original price': '35.00',
      'sale price': '30.00',
      discount: '5.00',
      buyer: 'Ann Buyer',
      email: 'ann@mail.test',
      'sale id': 'sale-b',
      'item id': 'hanger',
      'buyer id': 'ann-uid',
      'cancels sale id': '',
      'payment method': '',
      pieces: '1',
      shipping: '',
    },
  ])
})

test('the CSV file of receipts has one row with totals for each receipt, optionally with decimal commas [S-201]', async () => {
  const shop = await openTables()
  await addSale(shop.db, { salePriceCents: 3000, createdAt: NOON - DAY })
  await addSale(shop.db, { salePriceCents: 4000, itemName: 'Owl', createdAt: NOON })
  await addSale(shop.db, {
    id: 'alone',
    receiptTag: '',
    itemPriceCents: null,
    salePriceCents: 120_000_000,
    createdAt: NOON - 2 * DAY,
  })

  await issueDocuments(shop.shop, { receipt: 'TAG00001', papers: ['Invoice'], shipping: 0 })

  const text = await shop.read('receipts.csv?style=semicolon')
  expect(text.slice(0, text.indexOf('\r'))).toBe(
    'date;time;receipt;invoice;buyer;email;pieces;items;original price;discount;total;buyer id;cancels invoice;shipping;invoice total;deposit paid on;deposit paid by;balance paid on;balance paid by',
  )
  // The receipt TAG00001 has an invoice number. The shop sold the owl above its price, and this
  // does not reduce the discount of the other piece (S-199).
  const rows = rowsOf(text, ';')
  expect(
    rows.map(({ date, time, receipt, invoice, pieces, items }) => [
      date,
      time,
      receipt,
      invoice,
      pieces,
      items,
    ]),
  ).toEqual([
    ['2026-03-02', '12:00', 'alone', '', '1', 'Plant hanger'],
    ['2026-03-04', '12:00', 'TAG00001', '0001', '2', 'Plant hanger; Owl'],
  ])
  expect(rows.map((row) => [row['original price'], row.discount, row.total])).toEqual([
    ['', '', '1200000,00'],
    ['70,00', '5,00', '70,00'],
  ])
  const sales = rowsOf(await shop.read('sales.csv'))
  expect(sales.reduce((sum, row) => sum + centsOf(row.discount), 0)).toBe(500)
})

test('no cell of the CSV files starts with a character that makes a spreadsheet run a formula [S-201]', async () => {
  const shop = await openTables()
  const bad = ['=1+1', '+cmd', '-2', '@x', '\t=1', ' =HYPERLINK("x")', '＝1']
  for (const text of bad) {
    await addSale(shop.db, {
      itemName: text,
      buyerName: text,
      buyerEmail: text,
      receiptTag: text,
      categoryTitle: text,
      categoryId: 'c',
    })
  }
  for (const table of ['sales.csv', 'receipts.csv']) {
    const cells = rowsOf(await shop.read(table)).flatMap((row) => Object.values(row))
    expect(cells.filter((cell) => bad.some((text) => cell.includes(text.trim())))).not.toEqual([])
    expect(cells.filter((cell) => /^\s*[=+\-@＝]/.test(cell))).toEqual([])
  }
})

test('for every range of days, both CSV files have the same totals as the Sales screen [S-199, S-201]', async () => {
  const shop = await openTables({ timeZone: 'America/New_York' })
  const start = Date.UTC(2024, 11, 30)
  const sales = Array.from({ length: 1203 }, (_, index) => ({
    id: `s${index}`,
    buyerId: 'b',
    buyerName: 'B',
    buyerEmail: '',
    buyerPhotoURL: '',
    itemId: 'i',
    itemName: 'I',
    itemPriceCents: 5000,
    // Hundreds of sales have the same time. So the export must also start a new batch between two
    // sales of the same time.
    salePriceCents: index,
    receiptTag: index % 3 === 0 ? null : `t${index % 200}`,
    createdAt: start + Math.floor(index / 400) * DAY,
  }))
  await shop.db.insertInto('sales').values(sales).execute()
  for (const [from, to, count] of [
    ['2024-12-30', '2024-12-30', 400],
    ['2024-12-31', '2025-01-02', 403],
    ['2025-01-02', '2024-12-31', 403],
    ['', '', 1203],
    ['2024-02-30', 'x', 1203],
  ] as const) {
    const search = `?from=${from}&to=${to}`
    const { range } = parseDays(new URLSearchParams(search), 'America/New_York')
    const onScreen: string[] = []
    for (
      let page = await listReceipts(shop.db, range);
      ;
      page = await listReceipts(shop.db, range, page.older)
    ) {
      onScreen.push(...page.receipts.map((receipt) => receipt.key))
      if (!page.older) break
    }
    const total = await sumSales(shop.db, range)
    const rows = rowsOf(await shop.read(`sales.csv${search}`))
    const receipts = rowsOf(await shop.read(`receipts.csv${search}`))
    expect(rows).toHaveLength(count)
    expect(new Set(rows.map((row) => row['sale id'])).size).toBe(count)
    expect(rows.reduce((sum, row) => sum + centsOf(row['sale price']), 0)).toBe(total)
    expect(receipts.map((row) => row.receipt).toSorted()).toEqual(onScreen.toSorted())
    expect(receipts.reduce((sum, row) => sum + centsOf(row.total), 0)).toBe(total)
  }
})

test('the days of a CSV file begin and end at midnight in the shop’s time zone, even if the clocks change on that day [S-108, S-186, S-201]', () => {
  const days = (from: string, to: string, zone: string) => {
    const { range } = parseDays(new URLSearchParams({ from, to }), zone)
    return [new Date(range.from).toISOString(), new Date(range.to).toISOString()]
  }
  expect(days('2026-03-08', '2026-03-08', 'America/New_York')).toEqual([
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T03:59:59.999Z',
  ])
  expect(days('2026-09-06', '2026-09-06', 'America/Santiago')).toEqual([
    '2026-09-06T04:00:00.000Z',
    '2026-09-07T02:59:59.999Z',
  ])
  // In Amman, the clocks went back to midnight on this day. The day begins at the first of the two
  // midnights (S-186).
  expect(days('2021-10-29', '2021-10-29', 'Asia/Amman')).toEqual([
    '2021-10-28T21:00:00.000Z',
    '2021-10-29T21:59:59.999Z',
  ])
  expect(days('2021-10-28', '2021-10-28', 'Asia/Amman')[1]).toBe('2021-10-28T20:59:59.999Z')
  expect(days('2026-11-01', '2026-11-01', 'America/Havana')).toEqual([
    '2026-11-01T04:00:00.000Z',
    '2026-11-02T04:59:59.999Z',
  ])
  for (const odd of ['2026-02-29', '0026-01-01', '2026-1-1', '+2026-01-01', '2026-13-01']) {
    expect(parseDays(new URLSearchParams({ from: odd }), 'UTC').first, odd).toBe(null)
  }
})
