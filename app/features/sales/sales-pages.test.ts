import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Db, SaleTable } from '#db/schema.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { groupReceipts, totalOf, type Receipt } from './receipt.ts'
import type { Range } from './period.ts'
import { listReceipts, RECEIPTS_PER_PAGE, sumSales, type Place } from './sales.server.ts'

const DAY = 86_400_000
const march: Range = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 3, 1) - 1 }

const sale = (at: number, given: Partial<SaleTable>): SaleTable => ({
  id: `sale-${String(at).padStart(6, '0')}`,
  buyerId: 'ann-uid',
  buyerName: 'Ann Buyer',
  buyerEmail: 'ann@mail.test',
  buyerPhotoURL: '',
  itemId: `item-${at}`,
  itemName: `Piece ${at}`,
  itemPriceCents: 3500,
  salePriceCents: 1000 + at,
  receiptTag: null,
  createdAt: NOON,
  ...given,
})

async function put(db: Db, sales: SaleTable[]): Promise<void> {
  for (let at = 0; at < sales.length; at += 500)
    await db
      .insertInto('sales')
      .values(sales.slice(at, at + 500))
      .execute()
}

/** Page after page, as the owner goes through them. */
async function allPages(db: Db, range: Range): Promise<Receipt[][]> {
  const pages: Receipt[][] = []
  let before: Place | null = null
  do {
    const page: Awaited<ReturnType<typeof listReceipts>> = await listReceipts(db, range, before)
    pages.push(page.receipts)
    before = page.older
  } while (before)
  return pages
}

/** How many, and in which order of instants, tags and ids; few of each, so that they meet. */
const someSales = fc.array(
  fc.record({
    createdAt: fc.oneof(
      fc.constantFrom(march.from - 1, march.from, march.to, march.to + 1),
      fc.nat(5).map((day) => NOON + day),
    ),
    receiptTag: fc.oneof(
      fc.constantFrom(null, ''),
      fc.nat(90).map((tag) => `TAG${String(tag).padStart(5, '0')}`),
    ),
  }),
  { minLength: 40, maxLength: 260 },
)

/** More receipts than a page has, whatever chance gives besides. */
const manyReceipts = Array.from({ length: 260 }, (_, at) => ({
  createdAt: NOON + (at % 6),
  receiptTag: `TAG${String(at).padStart(5, '0')}`,
}))

test('S-187 SALES-17 SALES-25 DATA-119 the pages hold every receipt of the period once, whole, newest first, and the total is that of all', async () => {
  const { db } = await openTestShop()
  let most = 0
  await fc.assert(
    fc.asyncProperty(someSales, async (given) => {
      await db.deleteFrom('sales').execute()
      const sales = given.map((one, at) => sale(at, one))
      await put(db, sales.toReversed())
      const within = sales.filter(({ createdAt }) => createdAt >= march.from && createdAt <= march.to)
      const wanted = groupReceipts(within)

      const pages = await allPages(db, march)

      expect(pages.flat()).toEqual(wanted)
      expect(pages.slice(0, -1).every((page) => page.length === RECEIPTS_PER_PAGE)).toBe(true)
      expect(await sumSales(db, march)).toBe(totalOf(wanted))
      most = Math.max(most, pages.length)
    }),
    { numRuns: 12, examples: [[manyReceipts]] },
  )
  expect(most).toBeGreaterThan(1)
})

test('S-187 a receipt completed while somebody turns the pages is on the first one; nothing older is left out or comes twice', async () => {
  const { db } = await openTestShop()
  await put(
    db,
    Array.from({ length: RECEIPTS_PER_PAGE * 2 }, (_, at) => sale(at, { createdAt: NOON - at })),
  )
  const first = await listReceipts(db, march)
  await put(db, [sale(9000, { createdAt: NOON + 1 })])

  const second = await listReceipts(db, march, first.older)

  expect([...first.receipts, ...second.receipts].map(({ key }) => key)).toEqual(
    Array.from({ length: RECEIPTS_PER_PAGE * 2 }, (_, at) => sale(at, {}).id),
  )
  expect(second.older).toBe(null)
})

test('S-187 SALES-24 SALES-25 a long month comes in pages by plain links, each with the total of the whole period', async () => {
  const shop = await openTestShop()
  const many = Array.from({ length: RECEIPTS_PER_PAGE + 2 }, (_, at) => sale(at, { createdAt: NOON - at * 1000, salePriceCents: 100 }))
  await put(shop.db, many)
  const owner = await shop.owner()
  const link = (html: string, name: string) =>
    new RegExp(`<a[^>]*href="([^"]*)"[^>]*>${name}</a>`).exec(html)?.[1]?.replaceAll('&amp;', '&')
  const pieces = (html: string) => html.match(/Piece \d+(?=<)/g) ?? []
  const total = `$${RECEIPTS_PER_PAGE + 2}.00</strong>`

  const first = await owner.page('/manage/sales/')
  const second = await owner.page(link(first, 'Older')!)

  expect([pieces(first).length, link(first, 'Newest')]).toEqual([RECEIPTS_PER_PAGE, undefined])
  expect([pieces(second), link(second, 'Older')]).toEqual([[`Piece ${RECEIPTS_PER_PAGE}`, `Piece ${RECEIPTS_PER_PAGE + 1}`], undefined])
  for (const page of [first, second]) expect(page).toContain(total)
  expect(pieces(await owner.page(link(second, 'Newest')!))).toEqual(pieces(first))
  // A receipt opened there closes to the same page.
  const opened = /href="([^"]*receipt=[^"]*)"/.exec(second)![1]!.replaceAll('&amp;', '&')
  const overlay = await owner.page(opened)
  expect([/Print for (<!-- -->)?Ann Buyer/.test(overlay), pieces(overlay).slice(0, 2)]).toEqual([true, pieces(second)])
  expect(overlay).toMatch(/<a[^>]*href="[^"]*before=[^"]*"[^>]*aria-label="Close"|aria-label="Close"[^>]*href="[^"]*before=[^"]*"/)
})

test('S-187 an address that no page has written shows the newest', async () => {
  const shop = await openTestShop()
  await put(shop.db, [sale(1, { createdAt: NOON - DAY })])
  const owner = await shop.owner()
  for (const before of ['', 'x', '1', '1.', '.x', '9999999999999999.x', '5.%00', '5.%ED%A0%80']) {
    const response = await owner.get(`/manage/sales/?month=3&before=${before}`)
    expect([response.status, (await response.text()).includes('Piece 1')]).toEqual([200, true])
  }
})
