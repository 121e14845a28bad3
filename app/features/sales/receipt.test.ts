import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { NOON, openTestShop } from '#test/fixtures/test-shop.ts'
import type { Range } from './period.ts'
import {
  type Receipt,
  type Sale,
  buyerDisplayName,
  groupReceipts,
  originalPrice,
  saleDocument,
  totalCents,
} from './receipt.ts'
import { listReceipts, RECEIPTS_PER_PAGE, sumSales, type ReceiptCursor } from './sales.server.ts'

const sale = (given: Partial<Sale>): Sale => ({
  id: 'sale-1',
  buyerId: 'ann-uid',
  buyerName: 'Ann Buyer',
  buyerEmail: 'ann@mail.test',
  buyerPhotoURL: '/pictures/ann.jpg',
  itemId: 'hanger',
  itemName: 'Plant hanger',
  itemPriceCents: 3500,
  salePriceCents: 3000,
  receiptTag: 'TAG00001',
  createdAt: 1000,
  cancels: null,
  ...given,
})

test('sales with the same receipt tag form one receipt [SALES-17, DATA-095, DATA-096, DATA-097, DATA-098, DATA-099]', () => {
  const coaster = {
    id: 'sale-2',
    itemId: 'coaster',
    itemName: 'Coaster',
    itemPriceCents: 800,
    salePriceCents: 800,
    createdAt: 3000,
  }
  const receipts = groupReceipts([
    sale({}),
    sale({ id: 'sale-3', receiptTag: 'TAG00002', createdAt: 2000 }),
    sale(coaster),
  ])

  expect(receipts.map((receipt) => receipt.receiptTag)).toEqual(['TAG00001', 'TAG00002'])
  expect(receipts[0]).toEqual({
    key: 'TAG00001',
    receiptTag: 'TAG00001',
    createdAt: 3000,
    buyerid: 'ann-uid',
    buyerName: 'Ann Buyer',
    buyerEmail: 'ann@mail.test',
    buyerPhotoURL: '/pictures/ann.jpg',
    items: [
      { id: 'coaster', name: 'Coaster', price: 800, salePrice: 800 },
      { id: 'hanger', name: 'Plant hanger', price: 3500, salePrice: 3000 },
    ],
  })
  expect(totalCents(receipts)).toBe(3000 + 800 + 3000)
})

test('a sale without a receipt tag has a receipt of its own [S-110]', () => {
  const receipts = groupReceipts([
    sale({ receiptTag: null }),
    sale({ id: 'sale-2', receiptTag: null }),
    sale({ id: 'sale-3', receiptTag: '' }),
  ])
  expect(receipts.map(({ key, receiptTag }) => `${key} ${receiptTag}`)).toEqual([
    'sale-1 null',
    'sale-2 null',
    'sale-3 null',
  ])
})

test('the original price is struck through only if the sale price is different [SALES-20, SALES-21]', () => {
  const item = { id: 'hanger', name: 'Plant hanger' }
  expect(
    [3000, 4000, 0, 3500].map((salePrice) => originalPrice({ ...item, price: 3500, salePrice })),
  ).toEqual([3500, 3500, 3500, null])
  expect(originalPrice({ ...item, price: null, salePrice: 3500 })).toBe(null)
})

test('a buyer is shown by name, by the part of the email address before "@", or as "Guest" [S-009, S-118, OWN-72]', () => {
  const named = (buyerName: string, buyerEmail: string) =>
    buyerDisplayName({ buyerName, buyerEmail })
  expect(named('Ann', 'a.b@mail.test')).toBe('Ann')
  expect(named(' ', 'a.b@mail.test')).toBe('a.b')
  expect(named('', '')).toBe('Guest')
  expect(named('  ', '')).toBe('Guest')
})

test.each([
  [
    'its buyer',
    'DATA-085, DATA-086, DATA-087, DATA-088',
    {
      buyerid: 'ann-uid',
      buyerName: 'Ann Buyer',
      buyerEmail: 'ann@mail.test',
      buyerPhotoURL: '/pictures/ann.jpg',
    },
  ],
  [
    'its item and prices',
    'DATA-090, DATA-091, DATA-093',
    { itemid: 'hanger', item: { name: 'Plant hanger', price: 35 }, salePrice: 30 },
  ],
  [
    'its id, time and receipt',
    'DATA-084, DATA-089, DATA-094',
    { id: 'sale-1', createdAt: 1000, receiptTag: 'TAG00001' },
  ],
])('the exported document of a sale contains %s [%s]', (_, __, fields) =>
  expect(saleDocument(sale({}))).toMatchObject(fields),
)

test('in the exported document of a sale without an original price, the field `item` is just the name of the item [DATA-092]', () => {
  expect(saleDocument(sale({ itemPriceCents: null, receiptTag: null }))).toMatchObject({
    item: 'Plant hanger',
  })
})

const march: Range = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 3, 1) - 1 }

const numbered = (number: number, given: Partial<Sale>) =>
  sale({
    id: `sale-${String(number).padStart(6, '0')}`,
    itemId: `item-${number}`,
    itemName: `Piece ${number}`,
    salePriceCents: 1000 + number,
    ...given,
  })

async function allPages(db: Db, range: Range): Promise<Receipt[][]> {
  const pages: Receipt[][] = []
  let before: ReceiptCursor | null = null
  do {
    const page: Awaited<ReturnType<typeof listReceipts>> = await listReceipts(db, range, before)
    pages.push(page.receipts)
    before = page.older
  } while (before)
  return pages
}

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

/**
 * The test below also runs with these sales, because their receipts need several pages. Random
 * sales may fit on one page.
 */
const manyReceipts = Array.from({ length: 260 }, (_, index) => ({
  createdAt: NOON + (index % 6),
  receiptTag: `TAG${String(index).padStart(5, '0')}`,
}))

test(
  'the list pages of a period contain each receipt once, newest first, and the total is the sum of all receipts [S-187, SALES-17, SALES-25, DATA-119]',
  { tags: ['random'] },
  async () => {
    const { db } = await openTestShop()
    let most = 0
    await fc.assert(
      fc.asyncProperty(someSales, async (given) => {
        await db.deleteFrom('sales').execute()
        const sales = given.map((values, index) => numbered(index, values))
        await db.insertInto('sales').values(sales.toReversed()).execute()
        const inMarch = sales.filter(
          ({ createdAt }) => createdAt >= march.from && createdAt <= march.to,
        )
        const wanted = groupReceipts(inMarch)

        const pages = await allPages(db, march)

        expect(pages.flat()).toEqual(wanted)
        expect(pages.slice(0, -1).every((page) => page.length === RECEIPTS_PER_PAGE)).toBe(true)
        expect(await sumSales(db, march)).toBe(totalCents(wanted))
        most = Math.max(most, pages.length)
      }),
      { numRuns: 12, examples: [[manyReceipts]] },
    )
    expect(most).toBeGreaterThan(1)
  },
)

test('the Sales screen links to pages with older receipts, and each page shows the total of the whole period [S-187, SALES-25]', async () => {
  const shop = await openTestShop()
  const many = Array.from({ length: RECEIPTS_PER_PAGE + 2 }, (_, index) =>
    numbered(index, { receiptTag: null, createdAt: NOON - index * 1000, salePriceCents: 100 }),
  )
  await shop.db.insertInto('sales').values(many).execute()
  const owner = await shop.owner()
  const readPage = async (path: string) => {
    const page = pageOf(await owner.page(path))
    const pages = within(page.getByRole('navigation', { name: 'Pages of receipts' }))
    return {
      page,
      pieces: page.getAllByText(/^Piece \d+$/).map(({ textContent }) => textContent),
      total: page.getByText('Total').parentElement!.textContent,
      newest: pages.queryByText('Newest')?.getAttribute('href'),
      older: pages.queryByText('Older')?.getAttribute('href'),
    }
  }
  const total = `Total $${RECEIPTS_PER_PAGE + 2}.00`

  const first = await readPage('/manage/sales/')
  expect(first.pieces).toHaveLength(RECEIPTS_PER_PAGE)
  expect(first.total).toBe(total)
  expect(first.newest).toBeUndefined()

  const second = await readPage(first.older!)
  expect(second.pieces).toEqual([`Piece ${RECEIPTS_PER_PAGE}`, `Piece ${RECEIPTS_PER_PAGE + 1}`])
  expect(second.total).toBe(total)
  expect(second.older).toBeUndefined()
  expect((await readPage(second.newest!)).pieces).toEqual(first.pieces)

  // If the owner opens a receipt on the second page of the list, the "Close" link of the receipt
  // leads back to the second page.
  const receipt = second.page.getByText(second.pieces[0]!).closest('a')!
  const { page, pieces } = await readPage(receipt.getAttribute('href')!)
  expect(pieces.slice(0, 2)).toEqual(second.pieces)
  const overlay = within(page.getByRole('dialog', { name: 'Print for Ann Buyer' }))
  const close = overlay.getByRole('link', { name: 'Close' })
  expect(close.getAttribute('href')).toBe(first.older)
})
