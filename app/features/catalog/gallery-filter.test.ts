// Searching, filtering, sorting and paging the gallery, through the front door.
import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { discountedPrice, formatMoney } from '#app/features/pricing/money.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { recordQueries } from '#test/recorded-queries.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import type { Db } from '#db/schema.ts'
import { readGallery } from './gallery.server.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  const { db } = shop
  await addCategory(db, 'bags', { title: 'Market Bags' })
  await addCategory(db, 'walls', { title: 'Wall Hangings', position: 1 })
  await addColor(db, 'sage', { name: 'Sage_Green' })
  await addColor(db, 'rust', { name: 'Rust', isAvailable: 0 })
  await addItem(db, 'tote', 'bags', { name: 'Sunday Tote', priceCents: 4000, createdAt: 10, pictures: [{ colors: ['sage'] }] })
  await addItem(db, 'creme', 'bags', {
    name: 'Crème Pouch 50%',
    priceCents: 5000,
    discountType: 'percent',
    discountValue: 5000,
    createdAt: 20,
    pictures: [{ colors: ['rust'] }],
  })
  await addItem(db, 'dawn', 'walls', {
    name: 'Dawn',
    description: 'A quiet piece for a pouch of light',
    priceCents: 9000,
    createdAt: 30,
    pictures: [{ isAvailable: 0, colors: ['sage'] }],
  })
  await addItem(db, 'dusk', 'walls', { name: 'Dusk_Two', priceCents: 2500, createdAt: 40 })
  return shop
}
const names = (html: string) => [...html.matchAll(/<h2[^>]*><a[^>]*>([^<]*)</g)].map((match) => match[1])
const unescaped = (html: string) =>
  html.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
const typedSearch = (html: string) => unescaped(/name="q"[^>]*? value="([^"]*)"/.exec(html)?.[1] ?? '')
const chips = (html: string) =>
  [...html.matchAll(/aria-label="Remove ([^"]*)" href="([^"]*)"|href="([^"]*)"[^>]*aria-label="Remove ([^"]*)"/g)].map((match) => [
    unescaped(match[1] ?? match[4] ?? ''),
    unescaped(match[2] ?? match[3] ?? ''),
  ])

test.for([
  ['q=tote', ['Sunday Tote'], 'in the name'],
  ['q=TOTE+sunday', ['Sunday Tote'], 'every word, in any order, in any letters'],
  ['q=quiet', ['Dawn'], 'in the description'],
  ['q=sage+green', ['Dawn', 'Sunday Tote'], 'in a colour, by the name that is shown'],
  ['q=sage+tote', ['Sunday Tote'], 'a word in the colour and one in the name'],
  ['q=wall', ['Dusk_Two', 'Dawn'], 'in the category'],
  ['q=creme', ['Crème Pouch 50%'], 'without the accent'],
  ['q=CR%C3%88ME', ['Crème Pouch 50%'], 'with another accent in capitals'],
  ['q=pouch', ['Crème Pouch 50%', 'Dawn'], 'by name before all others, though older'],
  ['q=tote+dusk', [], 'all words must be found'],
  ['q=dawna', [], 'no word reaches from the name into the description'],
  ['q=rustsage', [], 'nor from colour to colour'],
  ['q=%25', ['Crème Pouch 50%'], 'a percent sign is itself'],
  ['q=_', ['Dusk_Two'], 'an underscore is itself'],
  ['q=%5C', [], 'a backslash is itself'],
  ['q=%27+or+1%3D1+--', [], 'a quote is itself'],
  ['q=%EF%BC%85', ['Crème Pouch 50%'], 'a wide percent sign is a percent sign, no wildcard'],
  ['q=%00tote', ['Sunday Tote'], 'a zero byte is left out'],
  ['q=+++', ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'], 'spaces are no search'],
] as const)('search %s finds %s: %s', async ([query, expected]) => {
  const shop = await openStockedShop()
  expect(names(await shop.visitor().page(`/gallery/?${query}`))).toEqual(expected)
})

test.for([
  ['from=25&to=40', ['Dusk_Two', 'Crème Pouch 50%', 'Sunday Tote'], 'the price that is shown decides, both ends included'],
  ['from=25.01&to=40', ['Sunday Tote'], 'to the cent'],
  ['from=40&to=25', ['Dusk_Two', 'Crème Pouch 50%', 'Sunday Tote'], 'exchanged prices mean the same'],
  ['from=-5&to=abc', ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'], 'what is no price is no limit'],
  ['from=$90,00', ['Dawn'], 'as people type'],
  ['color=sage', ['Dawn', 'Sunday Tote'], 'a colour'],
  ['color=sage&color=rust', ['Dawn', 'Crème Pouch 50%', 'Sunday Tote'], 'either of two colours'],
  ['color=nonsense', ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'], 'an unknown colour is not looked for'],
  ['sale=on', ['Crème Pouch 50%'], 'on sale'],
  ['available=on', ['Dusk_Two', 'Sunday Tote'], 'neither the picture nor all its colours are marked'],
  ['available=on&color=sage&q=tote&to=40', ['Sunday Tote'], 'all of it together'],
  ['sort=price-up', ['Dusk_Two', 'Crème Pouch 50%', 'Sunday Tote', 'Dawn'], 'the cheapest first, by the price that is shown'],
  ['sort=price-down', ['Dawn', 'Sunday Tote', 'Dusk_Two', 'Crème Pouch 50%'], 'the dearest first'],
  ['sort=name', ['Crème Pouch 50%', 'Dawn', 'Dusk_Two', 'Sunday Tote'], 'by name'],
  ['q=pouch&sort=newest', ['Dawn', 'Crème Pouch 50%'], 'a chosen order counts more than the best match'],
  ['sort=nonsense', ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'], 'an unknown order is none'],
] as const)('filter %s leaves %s: %s', async ([query, expected]) => {
  const shop = await openStockedShop()
  expect(names(await shop.visitor().page(`/gallery/?${query}`))).toEqual(expected)
})

test('a sale that takes nothing off is none', async () => {
  const shop = await openStockedShop()
  await addItem(shop.db, 'bead', 'bags', { priceCents: 1, discountType: 'percent', discountValue: 100 })
  expect(names(await shop.visitor().page('/gallery/?sale=on'))).toEqual(['Crème Pouch 50%'])
})

test('GALLERY-02 FAV-04 filters hold within a category and within the favourites, and go along to other views', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  for (const itemId of ['tote', 'dawn']) await ann.act('/favourite', { itemId, wanted: 'yes' })

  expect(names(await ann.page('/gallery/bags?color=sage'))).toEqual(['Sunday Tote'])
  const html = unescaped(await ann.page('/gallery/?favorites&q=dawn&sort=name'))
  expect(names(html)).toEqual(['Dawn'])
  expect(html).toContain('href="/gallery/bags?q=dawn&sort=name"')
  expect(html).toContain('type="hidden" name="favorites"')
  expect(names(await ann.page('/gallery/?favorites=&q=&from=&to=&color=sage&sort='))).toHaveLength(2)
  expect(html).not.toContain('Rust')
})

test('each active filter can be taken away by itself, or all at once', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/bags?q=%22tote%22&from=50&to=12%2C5&color=sage&sale=on&available=on&color=gone')

  expect(chips(html)).toEqual([
    ['“"tote"”', '/gallery/bags?from=50&to=12%2C5&color=sage&sale=on&available=on'],
    ['$12.50 – $50.00', '/gallery/bags?q=%22tote%22&color=sage&sale=on&available=on'],
    ['Sage Green', '/gallery/bags?q=%22tote%22&from=50&to=12%2C5&sale=on&available=on'],
    ['On sale', '/gallery/bags?q=%22tote%22&from=50&to=12%2C5&color=sage&available=on'],
    ['Available', '/gallery/bags?q=%22tote%22&from=50&to=12%2C5&color=sage&sale=on'],
  ])
  expect(html).toMatch(/href="\/gallery\/bags"[^>]*>Clear all</)
  expect(html).toContain('Nothing here matches.')
  expect(chips(await shop.visitor().page('/gallery/?from=5'))).toEqual([['From $5.00', '/gallery/']])
  expect(chips(await shop.visitor().page('/gallery/?to=5&sort=name'))).toEqual([['Up to $5.00', '/gallery/?sort=name']])
})

test('what was typed stays, also what cannot be read', async () => {
  const shop = await openStockedShop()
  for (const typed of ['"tote"', "O'Neill", '100%', 'a_b\\c', '🧶', '<b>', 'x'.repeat(200)]) {
    const html = await shop.visitor().page(`/gallery/?q=${encodeURIComponent(typed)}`)
    expect(typedSearch(html)).toBe(typed)
  }
  const html = await shop.visitor().page('/gallery/?from=abc&to=-3')
  const field = (name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0]
  for (const [name, typed] of [
    ['from', 'abc'],
    ['to', '-3'],
  ] as const) {
    expect(field(name)).toContain(`value="${typed}"`)
    expect(field(name)).toContain('aria-invalid="true"')
  }
  expect(html).toContain('A price looks like 25 or 12.50')
})

test('no search is an error, whatever it holds', async () => {
  const shop = await openStockedShop()
  const visitor = shop.visitor()
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('%', '_', '\\', '\\%', "'", '"', ';--', '\0', '🧶', '\ud800', 'x'.repeat(10_000), 'NaN', '-1', '0', '99999', '1e400'),
  )
  const names_ = fc.constantFrom('q', 'from', 'to', 'color', 'sale', 'available', 'sort', 'page')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names_, odd), { maxLength: 6 }), async (pairs) => {
      const response = await visitor.get(`/gallery/?${new URLSearchParams(pairs)}`)
      expect(response.status).toBe(200)
    }),
    { numRuns: 60 },
  )
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('what somebody looks for is no page for search engines, the pages of a list are', async () => {
  const shop = await openStockedShop()
  const robots = async (path: string) => /name="robots" content="([^"]*)"/.exec(await shop.visitor().page(path))?.[1]
  expect(await robots('/gallery/?q=tote')).toContain('noindex')
  expect(await robots('/gallery/bags?sort=name')).toContain('noindex')
  expect(await robots('/gallery/bags')).toBe(undefined)
  expect(await robots('/gallery/?page=2')).toBe(undefined)
})

/** A shop of `count` items in many prices, colours and sales, made at once. */
async function fillShop(db: Db, count: number) {
  await addCategory(db, 'bags')
  for (const id of ['sage', 'rust', 'plum']) await addColor(db, id)
  const at = (length: number) => Array.from({ length }, (_, n) => n)
  const texts = { description: 'made by hand', width: '', soleType: '', size: '', categoryId: 'bags', firstCreatedAt: 1 }
  const items = at(count).map((n) => ({
    ...texts,
    id: `item-${n}`,
    name: `Piece ${n}`,
    priceCents: 100 + ((n * 7919) % 5000),
    discountType: n % 3 === 0 ? ('percent' as const) : null,
    discountValue: n % 3 === 0 ? 1000 + (n % 50) * 100 : null,
    createdAt: n,
  }))
  const picture = { width: 1, height: 1, widths: '[240]', placeholder: 'data:,', createdAt: 1 }
  const ids = at(count).flatMap((n) => [`${n}-0`, `${n}-1`])
  await db.insertInto('items').values(items).execute()
  await db
    .insertInto('pictures')
    .values(ids.map((id) => ({ ...picture, id, path: id })))
    .execute()
  const hung = ids.map((id) => ({
    id,
    pictureId: id,
    itemId: `item-${id.split('-')[0]}`,
    position: Number(id.split('-')[1]),
    isAvailable: 1 as const,
  }))
  await db.insertInto('itemPictures').values(hung).execute()
  const worn = ids.map((id, n) => ({ itemPictureId: id, colorId: ['sage', 'rust', 'plum'][n % 3] ?? 'sage' }))
  await db.insertInto('itemPictureColors').values(worn).execute()
  return items
}

test('S-056 a page of three hundred items costs as many queries as one of thirty, and reads the cards of one page only', async () => {
  const read = async (count: number) => {
    const { db, shop } = await openTestShop()
    await fillShop(db, count)
    const counted = { queries: 0, rows: 0 }
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => (counted.queries++, (counted.rows += result.rows.length), result),
    }
    const params = new URLSearchParams('q=piece&from=1&color=sage&available=on&page=1')
    const gallery = await readGallery({ db: db.withPlugin(counter), live: shop.live }, { view: 'everything', params, userId: 'ann' })
    return { ...counted, cards: gallery.items.length, count: gallery.count }
  }
  const [few, many] = [await read(60), await read(300)]
  expect(many.count).toBeGreaterThan(4 * few.count)
  expect(many.queries).toBe(few.queries)
  expect(many.queries).toBe(10)
  expect([few.cards, many.cards]).toEqual([24, 24])
  // categories, colours, the count; 24 ids and cards, their first pictures and the colours of at most two pictures each
  expect(many.rows).toBe(few.rows)
  expect(many.rows).toBeLessThanOrEqual(2 * (1 + 3) + 1 + 24 * 5)
})

test('a search folds no text of an item, however many words are typed', async () => {
  const shop = await openTestShop()
  const { db, take } = recordQueries(shop.db)
  const looked = async (words: string) => {
    await readGallery({ db, live: shop.shop.live }, { view: 'everything', params: new URLSearchParams({ q: words }), userId: null })
    return take().filter(({ sql }) => sql.includes('fold(')).length
  }
  expect(await looked('a')).toBe(0)
  expect(await looked('a b c d e f g h i j k l')).toBe(0)
})

test('page after page shows every item once, in the order of the prices that the cards show', async () => {
  const shop = await openTestShop()
  const items = await fillShop(shop.db, 100)
  const visitor = shop.visitor()
  const shown: string[] = []
  const prices: number[] = []
  for (let path: string | undefined = '/gallery/?sort=price-up'; path;) {
    const html = await visitor.page(path)
    const cards = html.split('<article').slice(1)
    expect(cards.length).toBeLessThanOrEqual(24)
    shown.push(...names(html).map(String))
    prices.push(...cards.map((card) => Number([...card.split('</article')[0]!.matchAll(/\$(\d+\.\d\d)/g)].at(-1)![1])))
    path = unescaped(/rel="next" href="([^"]+)"/.exec(html)?.[1] ?? '') || undefined
  }
  expect(shown.toSorted()).toEqual(items.map(({ name }) => name).toSorted())
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  const price = (item: (typeof items)[number]) =>
    discountedPrice(item.priceCents, item.discountType && { type: item.discountType, value: item.discountValue ?? 0 })
  expect(formatMoney(Math.min(...items.map(price)))).toBe(`$${prices[0]!.toFixed(2)}`)
})

test('a page that is none is the nearest one: before the first the first, beyond the last the last', async () => {
  const shop = await openTestShop()
  await fillShop(shop.db, 50)
  const current = async (page: string) =>
    /aria-current="page"[^>]*>(\d+)</.exec(
      (await shop.visitor().page(`/gallery/?page=${page}`)).split('<nav aria-label="Pages"')[1] ?? '',
    )?.[1]
  expect(await Promise.all(['1', '0', '-1', 'abc', '2', '3', '99999'].map(current))).toEqual(['1', '1', '1', '1', '2', '3', '3'])
  const html = await shop.visitor().page('/gallery/?page=2&q=piece')
  expect(unescaped(html)).toMatch(/rel="prev" href="\/gallery\/\?q=piece#pieces"/)
  expect(unescaped(html)).toMatch(/rel="next" href="\/gallery\/\?q=piece&page=3#pieces"/)
  expect(html).toContain('<title>Everything Handmade, page 2')
})
