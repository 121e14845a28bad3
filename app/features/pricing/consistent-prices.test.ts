import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listItemDocuments } from '#catalog/catalog-documents.server.ts'
import { findItem } from '#catalog/catalog.server.ts'
import { itemSubject } from '#seo/og-image.server.ts'
import { addCategory, addColor, addItem, addItems } from '#test/fixtures/catalog.ts'
import { pageOf, within, wordsOf as words } from '#test/fixtures/html.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { discountedPrice, type Discount } from './money.ts'
import { discountedPriceSql } from './price-sql.server.ts'

type Priced = { price: number; discount: Discount | null }
const MOST = 999_999_999
const cents = fc.oneof(
  fc.integer({ min: 1, max: 20_000 }),
  fc.integer({ min: 1, max: MOST }),
  fc.constantFrom(1, 2, 3, MOST),
)
const percent = fc.oneof(
  fc.integer({ min: 1, max: 12_000 }),
  fc.constantFrom(9_999, 10_000, 10_001),
)
const discount: fc.Arbitrary<Discount | null> = fc.oneof(
  fc.record({ type: fc.constant('percent' as const), value: percent }),
  fc.record({ type: fc.constant('amount' as const), value: cents }),
  fc.constant(null),
)
/**
 * In these edge cases, the exact reduced price ends in half a cent, the discount is rounded to 0,
 * or the reduced price is 0.
 */
const edges: Priced[] = [
  { price: 1, discount: { type: 'percent', value: 5_000 } },
  { price: 333, discount: { type: 'percent', value: 1_250 } },
  { price: 1, discount: { type: 'percent', value: 1 } },
  { price: MOST, discount: { type: 'percent', value: 1 } },
  { price: 1, discount: { type: 'percent', value: 10_001 } },
  { price: 500, discount: { type: 'amount', value: 500 } },
  { price: 500, discount: { type: 'amount', value: MOST } },
  { price: 123_456, discount: null },
]
const drawn = (seed: number) =>
  fc.sample(fc.record({ price: cents, discount }), { numRuns: 6, seed })

/** Computes the reduced price with exact fractions, independently of the shop's own function. */
function exactPrice({ price, discount: off }: Priced): number {
  if (!off) return price
  const tenThousandths =
    off.type === 'amount'
      ? BigInt(price - off.value) * 10_000n
      : BigInt(price) * (10_000n - BigInt(off.value))
  return tenThousandths <= 0n ? 0 : Number((tenThousandths + 5_000n) / 10_000n)
}
const dollars = (of: number) =>
  `$${(of / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const mainOf = (html: string) => pageOf(html).getByRole('main').outerHTML
/** The words of each card and row of a page. */
const partsOf = (html: string) => {
  const main = within(pageOf(html).getByRole('main'))
  const parts = ['article', 'listitem'].flatMap((role) => main.queryAllByRole(role))
  return parts.map(({ outerHTML }) => words(outerHTML))
}
const around = (parts: string[], name: string) =>
  parts.findLast((part) => part.includes(name)) ?? ''
const both = (was: number, now: number) =>
  was === now ? dollars(now) : `Original price: ${dollars(was)} Now: ${dollars(now)}`

test.for([1, 2])(
  'all pages, exported documents and sales agree on the price of an item (seed %d) [S-063, S-064, S-065, S-068, S-087]',
  async (seed) => {
    const shop = await openTestShop()
    const { db } = shop
    await addCategory(db, 'bags')
    const items = [...edges, ...drawn(seed)].map((item, at) => ({
      ...item,
      id: `i${at}`,
      name: `Piece no ${at} of all`,
      now: exactPrice(item),
    }))
    for (const { id, name, price, discount: off } of items) {
      await addItem(db, id, 'bags', {
        name,
        priceCents: price,
        discountType: off?.type ?? null,
        discountValue: off?.value ?? null,
      })
    }
    const owner = await shop.owner()
    const ann = await shop.customer()
    for (const { id } of items) {
      await ann.act('/favourite', { itemId: id, wanted: 'yes' })
      await ann.act('/order-request', { itemId: id, message: `about ${id}` })
    }
    const lists = {
      gallery: partsOf(await ann.page('/gallery/')),
      favorites: partsOf(await ann.page('/gallery/?favorites')),
    }
    const grid = partsOf(await owner.page('/manage/discount/'))
    const chat = partsOf(await owner.page(`/manage/messages/${ann.id}?view=order`))
    const documents = new Map(
      (await listItemDocuments(db)).map((document) => [document.id, document]),
    )

    for (const { id, name, price, discount: off, now } of items) {
      const html = await ann.page(`/item/${id}`)
      const page = words(mainOf(html))
      expect(page, id).toEqual(expect.stringContaining(both(price, now)))
      expect(page.split(dollars(now)).length - 1).toBeGreaterThanOrEqual(2)
      for (const [list, text] of Object.entries({ ...lists, grid })) {
        expect(around(text, name), list).toEqual(expect.stringContaining(both(price, now)))
      }

      const shared = itemSubject((await findItem(db, id))!, defaultSettings, false).words.price
      expect(shared).toEqual({ now: dollars(now), was: now < price ? dollars(price) : null })

      // The order shows the owner the original price, and the current price if it differs (S-068).
      const line = around(chat, name)
      expect(line).toContain(`Original price ${dollars(price)}`)
      if (now === price) expect(line).not.toContain('now $')
      else expect(line).toContain(`now ${dollars(now)}`)
      // The exported document contains the original price and the discount, so that other programs
      // can compute the reduced price.
      expect(documents.get(id)).toMatchObject({
        price: price / 100,
        ...(off && { discount: { type: off.type, price: off.value / 100 } }),
      })
    }

    // The owner types the reduced price for every second sale. For the other sales, she leaves the
    // field blank, and the shop uses the original price (S-087).
    for (const [at, { id, now }] of items.entries()) {
      await owner.act(`/manage/messages/${ann.id}`, {
        intent: 'complete',
        itemId: id,
        price: at % 2 === 0 ? (now / 100).toFixed(2) : '',
      })
    }
    const sales = await db
      .selectFrom('sales')
      .select(['itemId', 'itemPriceCents', 'salePriceCents'])
      .execute()
    expect(sales).toHaveLength(items.length)
    const list = partsOf(await owner.page('/manage/sales/'))
    for (const [at, { id, name, price, now }] of items.entries()) {
      const sold = at % 2 === 0 ? now : price
      expect(sales.find(({ itemId }) => itemId === id)).toMatchObject({
        itemPriceCents: price,
        salePriceCents: sold,
      })
      const line = around(list, name)
      expect(line).toContain(
        sold === price
          ? dollars(price)
          : `Original price: ${dollars(price)} Sold for: ${dollars(sold)}`,
      )
    }
  },
)

test('a discount of a color does not change the price of an item [S-063]', async () => {
  const { db, visitor } = await openTestShop()
  await addCategory(db, 'bags')
  await addColor(db, 'ash', { discountType: 'percent', discountValue: 9000 })
  await addItem(db, 'moon', 'bags', {
    name: 'Moon',
    priceCents: 4000,
    images: [{ colors: ['ash'] }],
  })
  const html = await visitor().page('/item/moon')
  const main = words(mainOf(html))
  expect(main).toContain('$40.00')
  expect(main).not.toContain('$4.00')
})

test('the SQL expression and the function for reduced prices have the same results [DISC-55, DISC-56, S-064, S-065]', async () => {
  const { db } = await openTestShop()
  await addCategory(db, 'bags')
  const all = fc.array(fc.record({ price: cents, discount }), { minLength: 50, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(all, async (some) => {
      const items = [...edges, ...some]
      await db.deleteFrom('items').execute()
      await addItems(db, items.length, 'bags', (at) => {
        const { price, discount: off } = items[at]!
        return {
          priceCents: price,
          discountType: off?.type ?? null,
          discountValue: off?.value ?? null,
        }
      })
      const rows = await db
        .selectFrom('items')
        .select(['id', discountedPriceSql.as('shown')])
        .execute()
      const shown = new Map(rows.map((row) => [row.id, row.shown]))
      for (const [at, { price, discount: off }] of items.entries()) {
        expect(shown.get(`i${at}`), `${price} ${JSON.stringify(off)}`).toBe(
          discountedPrice(price, off),
        )
      }
    }),
    { numRuns: 20 },
  )
})
