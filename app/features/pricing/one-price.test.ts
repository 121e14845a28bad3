// One item, one price: every page, every machine and every paper that shows or stores it is asked, and has to say the same.
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { listItemDocuments } from '#app/features/catalog/catalog-documents.server.ts'
import { findItem } from '#app/features/catalog/catalog.server.ts'
import { Invoice } from '#app/features/print-documents/papers.tsx'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { defaultSettings } from '#app/features/settings/settings.server.ts'
import { itemSubject } from '#app/features/seo/share-picture.server.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import type { Discount } from './money.ts'

type Priced = { price: number; discount: Discount | null }
const cents = fc.integer({ min: 1, max: 2_000_000 })
const discount: fc.Arbitrary<Discount | null> = fc.oneof(
  fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 12_000 }) }),
  fc.record({ type: fc.constant('amount' as const), value: cents }),
  fc.constant(null),
)
/** Where half a cent decides, where nothing is taken off in the end, and where nothing is left. */
const edges: Priced[] = [
  { price: 1, discount: { type: 'percent', value: 5_000 } },
  { price: 333, discount: { type: 'percent', value: 1_250 } },
  { price: 1, discount: { type: 'percent', value: 1 } },
  { price: 2_500, discount: { type: 'amount', value: 2_500 } },
  { price: 2_500, discount: { type: 'percent', value: 15_000 } },
  { price: 123_456, discount: null },
]
const drawn = (seed: number) => fc.sample(fc.record({ price: cents, discount }), { numRuns: 6, seed })

/** By exact fractions, not by the shop's own rule. */
function exactPrice({ price, discount: off }: Priced): number {
  if (!off) return price
  const tenThousandths = off.type === 'amount' ? BigInt(price - off.value) * 10_000n : BigInt(price) * (10_000n - BigInt(off.value))
  return tenThousandths <= 0n ? 0 : Number((tenThousandths + 5_000n) / 10_000n)
}
const dollars = (of: number) => `$${(of / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** What people read of a piece of HTML. */
const words = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
/** What stands around the name of one item in a list of them. */
const around = (html: string, name: string) =>
  words(
    html
      .slice(html.indexOf('<main'), html.indexOf('</main>'))
      .split(/(?=<article|<li)/)
      .find((part) => words(part).includes(name)) ?? '',
  )
const both = (was: number, now: number) => (was === now ? dollars(now) : `Original price: ${dollars(was)} Now: ${dollars(now)}`)

test.for([1, 2])(
  'S-063 S-064 S-065 S-068 S-087 page, cards, chat, machines, sale and paper say one price (items drawn with %d)',
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
    for (const { id, name, price, discount: off } of items)
      await addItem(db, id, 'bags', { name, priceCents: price, discountType: off?.type ?? null, discountValue: off?.value ?? null })
    const [owner, ann] = [await shop.owner(), await shop.customer()]
    for (const { id } of items) {
      await ann.act('/favourite', { itemId: id, wanted: 'yes' })
      await ann.act('/order-request', { itemId: id, message: `about ${id}` })
    }
    const lists = { gallery: await ann.page('/gallery/'), favourites: await ann.page('/gallery/?favorites') }
    const grid = await owner.page('/manage/discount/')
    const chat = await owner.page(`/manage/messages/${ann.id}?view=order`)
    const documents = new Map((await listItemDocuments(db)).map((document) => [document.id, document]))

    for (const { id, name, price, discount: off, now } of items) {
      const html = await ann.page(`/item/${id}`)
      const page = words(html.slice(html.indexOf('<main'), html.indexOf('</main>')))
      expect([id, page]).toEqual([id, expect.stringContaining(both(price, now))])
      // The summary of the request under it.
      expect(page.split(dollars(now)).length - 1).toBeGreaterThanOrEqual(2)
      for (const [list, text] of Object.entries({ ...lists, grid }))
        expect([list, around(text, name)]).toEqual([list, expect.stringContaining(both(price, now))])

      const forCrawlers = await shop.visitor().page(`/item/${id}`)
      const [product] = [...forCrawlers.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)]
        .map(([, json]) => JSON.parse(json!))
        .flatMap((data) => (Array.isArray(data['@graph']) ? data['@graph'] : [data]))
        .filter((data) => data['@type'] === 'Product')
      expect(product.offers.price).toBe((now / 100).toFixed(2))
      expect(product.offers.priceSpecification?.price).toBe(now < price ? (price / 100).toFixed(2) : undefined)
      expect(forCrawlers).toMatch(new RegExp(`property="product:price:amount" content="${(now / 100).toFixed(2)}"`))
      const shared = itemSubject((await findItem(db, id))!, 'Shop').words.price
      expect(shared).toEqual({ now: dollars(now), was: now < price ? dollars(price) : null })

      // S-068: the order keeps the original, and the owner sees today's price beside it.
      const line = around(chat, name)
      expect(line).toContain(`Original price ${dollars(price)}`)
      if (now === price) expect(line).not.toContain('now $')
      else expect(line).toContain(`now ${dollars(now)}`)
      // What leaves the shop holds the original and the discount, from which others compute the same.
      expect(documents.get(id)).toMatchObject({ price: price / 100, ...(off && { discount: { type: off.type, price: off.value / 100 } }) })
    }

    const sorted = await ann.page('/gallery/?sort=price-up')
    const order = [...new Set([...sorted.matchAll(/href="\/item\/(i\d+)\/?"/g)].map(([, id]) => id!))]
    const prices = order.map((id) => items.find((item) => item.id === id)!.now)
    expect(prices).toEqual(items.map(({ now }) => now).toSorted((one, other) => one - other))

    // The sale: blank is the original (S-087), the discounted price is what she types in; the paper says both.
    for (const [at, { id, now }] of items.entries())
      await owner.act(`/manage/messages/${ann.id}`, { intent: 'complete', itemId: id, price: at % 2 === 0 ? (now / 100).toFixed(2) : '' })
    const sales = await db.selectFrom('sales').select(['itemId', 'itemPriceCents', 'salePriceCents', 'receiptTag']).execute()
    expect(sales).toHaveLength(items.length)
    const receipt = (await findReceipt(db, sales[0]!.receiptTag!))!
    const paper = renderToStaticMarkup(
      createElement(Invoice, { receipt, number: 1, issued: null, today: '', shipping: 0, settings: defaultSettings }),
    )
    const list = await owner.page('/manage/sales/')
    for (const [at, { id, name, price, now }] of items.entries()) {
      const sold = at % 2 === 0 ? now : price
      expect(sales.find(({ itemId }) => itemId === id)).toMatchObject({ itemPriceCents: price, salePriceCents: sold })
      const line = around(list, name)
      expect(line).toContain(sold === price ? dollars(price) : `Original price: ${dollars(price)} Sold for: ${dollars(sold)}`)
      const row = paper
        .split('<tr')
        .map(words)
        .find((text) => text.includes(name))
      expect(row).toContain(dollars(price))
      expect(row).toContain(dollars(sold))
    }
  },
)

test('S-063 a discount of a color changes no price', async () => {
  const { db, visitor } = await openTestShop()
  await addCategory(db, 'bags')
  await addColor(db, 'ash', { discountType: 'percent', discountValue: 9000 })
  await addItem(db, 'moon', 'bags', { name: 'Moon', priceCents: 4000, pictures: [{ colors: ['ash'] }] })
  const html = await visitor().page('/item/moon')
  const main = words(html.slice(html.indexOf('<main'), html.indexOf('</main>')))
  expect(main).toContain('$40.00')
  expect(main).not.toContain('$4.00')
})
