import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { openShopWithPayments } from '#test/fixtures/payments.ts'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'
import { issueDocuments, readPrintData } from '#print-documents/print-documents.server.ts'
import { totalCents } from '#sales/receipt.ts'
import { ORIGIN } from '#test/fixtures/test-shop.ts'

const DAY = 86_400_000
type Row = Record<string, string>
const centsOf = (text = '') => Math.round(Number(text) * 100)
const sumOf = (rows: Row[], ...columns: string[]) =>
  columns
    .flatMap((column) => rows.map((row) => centsOf(row[column])))
    .reduce((sum, cents) => sum + cents, 0)

/** Opens a shop with a sold and paid offer, a sale at the market, and its cancellation. */
async function openShopWithMonth() {
  const shop = await openShopWithPayments()
  const { ann, owner, clock } = shop
  const number = (receipt: string, shipping = 0) =>
    issueDocuments(shop.services, { receipt, papers: ['Invoice'], shipping })
  const offerId = await shop.accepted()
  await shop.pay('pay-deposit', offerId)
  clock.now += DAY
  await shop.pay('pay-balance', offerId, { paidOn: '2026-03-05', method: 'cash' })
  for (const [itemId, price] of [
    ['moon', '80'],
    [`offer-${offerId}-2`, '11'],
  ] as const) {
    clock.now += 1000
    await owner.act(`/manage/messages/${ann.id}`, { intent: 'complete', itemId, price })
  }
  const agreed = (await shop.sales())[0]!.receiptTag!
  await number(agreed, 600)
  const stallSales = ['owlowlowlowl001', 'hathathathat001']
  for (const id of stallSales) {
    clock.now += 1000
    await owner.act('/manage/market/sales', {
      id,
      itemId: '',
      name: 'Keychain',
      cents: '1250',
      method: 'bank',
      age: '0',
    })
    await number(id)
  }
  clock.now += DAY
  await owner.act('/manage/sales/', {
    intent: 'cancel-sale',
    saleId: stallSales[0]!,
    confirm: 'Yes',
  })
  const cancellation = (await shop.sales()).find(({ cancels }) => cancels !== null)!.receiptTag!
  await number(cancellation)
  const keys = [agreed, ...stallSales, cancellation]
  const read = async (path: string): Promise<Row[]> =>
    parse(await (await owner.get(`/manage/${path}`)).text(), { columns: true, bom: true })
  return {
    ...shop,
    keys,
    sales: (search = '') => read(`sales.csv${search}`),
    receipts: (search = '') => read(`receipts.csv${search}`),
    invoicesCents: async () => {
      let sum = 0
      for (const key of keys) {
        const { receipt, invoice } = (await readPrintData(shop.services, key, ORIGIN))!
        sum += totalCents([receipt]) + invoice!.shippingCents
      }
      return sum
    },
  }
}

test('both CSV files of a month and the report add up to its invoices, with shipping and cancellations [AGREE-131]', async () => {
  const { owner, sales, receipts, invoicesCents } = await openShopWithMonth()
  const march = '?from=2026-03-01&to=2026-03-31'
  const sum = 9100 + 600 + 1250

  expect(await invoicesCents()).toBe(sum)
  expect(sumOf(await sales(march), 'sale price', 'shipping')).toBe(sum)
  expect(sumOf(await receipts(march), 'invoice total')).toBe(sum)
  expect((await sales()).map((row) => [row.item, row.pieces, row.shipping])).toEqual([
    ['Moon wall', '1', '6.00'],
    ['Engraved tag × 2', '2', ''],
    ['Keychain', '1', '0.00'],
    ['Keychain', '1', '0.00'],
    ['Keychain', '-1', '0.00'],
  ])
  const html = await owner.page('/manage/reports/')
  expect(wordsOf(html)).toContain('Revenue $103.50 4 pieces, plus $6.00 shipping')
  const table = pageOf(html).getByRole('table', { name: 'Revenue by month, 2026', hidden: true })
  expect(wordsOf(table.outerHTML)).toMatch(
    /Revenue \+ shipping .*March 4 \$103\.50 Shipping: \+ \$6\.00 .*Total 4 \$103\.50 Shipping: \+ \$6\.00/,
  )
})

test('a receipt that begins before a range of days and ends in it counts its shipping once [AGREE-131]', async () => {
  const { db, sales, receipts } = await openShopWithMonth()
  await db
    .updateTable('sales')
    .set({ createdAt: Date.UTC(2026, 3, 1) })
    .where('itemName', '=', 'Engraved tag × 2')
    .execute()
  for (const read of [sales, receipts]) {
    const march = await read('?from=2026-03-01&to=2026-03-31')
    const april = await read('?from=2026-04-01&to=2026-04-30')
    expect([sumOf(march, 'shipping'), sumOf(april, 'shipping')]).toEqual([600, 0])
  }
  expect((await receipts('?from=2026-04-01')).map((row) => row['invoice total'])).toEqual(['11.00'])
})

test('a row of a receipt says when and how it was paid, and names the recipient of its invoice [AGREE-132]', async () => {
  const { db, keys, receipts } = await openShopWithMonth()
  const named = { buyerName: 'Ann Knotwell', buyerEmail: 'ann@work.test' }
  await db.updateTable('invoices').set(named).where('receiptKey', '=', keys[0]!).execute()
  const paid = async () =>
    (await receipts()).map((row) => [
      row['deposit paid on'],
      row['deposit paid by'],
      row['balance paid on'],
      row['balance paid by'],
    ])
  const agreed = ['2026-03-04', 'PayPal', '2026-03-05', 'Cash']
  const stall = ['', '', '2026-03-05', 'Bank transfer']
  const expected = [agreed, stall, stall, ['', '', '2026-03-06', 'Bank transfer']]

  expect(await paid()).toEqual(expected)
  expect((await receipts())[0]).toMatchObject({ buyer: 'Ann Knotwell', email: 'ann@work.test' })

  const more = { position: 3, paidOn: '2026-03-06', method: 'other', cents: 1, createdAt: 0 }
  const [{ offerId }] = (await db.selectFrom('payments').select('offerId').execute()) as [
    { offerId: string },
  ]
  await db
    .insertInto('payments')
    .values({ ...more, offerId, kind: 'balance' })
    .execute()
  expect((await paid())[0]).toEqual([
    '2026-03-04',
    'PayPal',
    '2026-03-05; 2026-03-06',
    'Cash; Another way',
  ])

  // The lines of a deleted conversation are gone, so the invoice says how it was paid.
  await db.deleteFrom('orderItems').execute()
  expect(await paid()).toEqual(expected)
})

test('a receipt without a numbered invoice has neither shipping nor an invoice total [AGREE-131]', async () => {
  const { db, receipts, sales } = await openShopWithMonth()
  await db.deleteFrom('invoices').execute()
  for (const row of await receipts()) {
    expect([row.shipping, row['invoice total']]).toEqual(['', ''])
  }
  expect((await sales()).map((row) => row.shipping)).toEqual(['', '', '', '', ''])
})
