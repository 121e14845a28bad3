import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { pageOf, readHead, within } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, type ShopOptions } from '#test/fixtures/test-shop.ts'
import { addCategory, addColor, addItem, addItems, itemNames } from '#test/fixtures/catalog.ts'
import type { Db } from '#db/schema.ts'
import { isItemAvailable } from './catalog.ts'
import { findItem } from './catalog.server.ts'
import {
  galleryUrl,
  pageNumbers,
  parseGallerySearch,
  searchWords,
  type GallerySearch,
} from './gallery-search.ts'
import { findItems, readGallery } from './gallery.server.ts'
import { getVocabularyCached } from './search-terms.server.ts'

async function openStockedShop(options: ShopOptions = {}) {
  const shop = await openTestShop(options)
  const { db } = shop
  await addCategory(db, 'bags', { title: 'Market Bags' })
  await addCategory(db, 'walls', { title: 'Wall Hangings', position: 1 })
  await addColor(db, 'sage', { name: 'Sage_Green' })
  await addColor(db, 'rust', { name: 'Rust', isAvailable: false })
  await addItem(db, 'tote', 'bags', {
    name: 'Sunday Tote',
    priceCents: 4000,
    createdAt: 10,
    images: [{ colors: ['sage'] }],
  })
  await addItem(db, 'creme', 'bags', {
    name: 'Crème Pouch 50%',
    priceCents: 5000,
    discountType: 'percent',
    discountValue: 5000,
    createdAt: 20,
    images: [{ colors: ['rust'] }],
  })
  await addItem(db, 'dawn', 'walls', {
    name: 'Dawn',
    description: 'A quiet piece for a pouch of light',
    priceCents: 9000,
    createdAt: 30,
    images: [{ isAvailable: false, colors: ['sage'] }],
  })
  await addItem(db, 'dusk', 'walls', { name: 'Dusk_Two', priceCents: 2500, createdAt: 40 })
  return shop
}
const chips = (html: string) =>
  pageOf(html)
    .getAllByRole('link', { name: /^Remove / })
    .map((link) => [link.textContent, link.getAttribute('href')])
const searchForm = (html: string) => within(pageOf(html).getByRole('search'))

describe('the gallery search', () => {
  const shop = shared((onCleanup) => openStockedShop({ onCleanup }))

  test.for([
    ['q=tote', ['Sunday Tote'], 'a word in the name'],
    ['q=TOTE+sunday', ['Sunday Tote'], 'every word, in any order and case'],
    ['q=quiet', ['Dawn'], 'a word in the description'],
    ['q=sage+green', ['Dawn', 'Sunday Tote'], 'words in the displayed name of a color'],
    ['q=sage+tote', ['Sunday Tote'], 'a word in the color and one in the name'],
    ['q=wall', ['Dusk_Two', 'Dawn'], 'a word in the title of the category'],
    ['q=creme', ['Crème Pouch 50%'], 'a word without its accent'],
    ['q=CR%C3%88ME', ['Crème Pouch 50%'], 'a word with another accent in capitals'],
    ['q=pouch', ['Crème Pouch 50%', 'Dawn'], 'matches in the name, which come first'],
    ['q=tote+dusk', [], 'a word that does not match'],
    ['q=dawnaquiet', [], 'a word across name and description'],
    ['q=rustsage', [], 'a word across two colors'],
    ['q=%25', ['Crème Pouch 50%'], 'a percent sign, which is no wildcard'],
    ['q=_', ['Dusk_Two'], 'an underscore, which is no wildcard'],
    ['q=%5C', [], 'a backslash, which is no escape'],
    ['q=%27+or+1%3D1+--', [], 'a quote, which is no SQL'],
    ['q=%EF%BC%85', ['Crème Pouch 50%'], 'a wide percent sign, which is no wildcard'],
    ['q=%00tote', ['Sunday Tote'], 'a zero byte, which is ignored'],
    [
      'q=+++',
      ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'],
      'spaces, which are no search',
    ],
    [
      'from=25&to=40',
      ['Dusk_Two', 'Crème Pouch 50%', 'Sunday Tote'],
      'the displayed prices, limits included',
    ],
    ['from=25.01&to=40', ['Sunday Tote'], 'a price with cents'],
    ['from=40&to=25', ['Dusk_Two', 'Crème Pouch 50%', 'Sunday Tote'], 'exchanged prices'],
    [
      'from=-5&to=abc',
      ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'],
      'invalid prices, which are ignored',
    ],
    ['from=$90,00', ['Dawn'], 'a price as people type it'],
    ['color=sage', ['Dawn', 'Sunday Tote'], 'a color'],
    ['color=sage&color=rust', ['Dawn', 'Crème Pouch 50%', 'Sunday Tote'], 'one of two colors'],
    [
      'color=nonsense',
      ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'],
      'an unknown color, ignored',
    ],
    ['sale=on', ['Crème Pouch 50%'], 'on sale'],
    ['available=on', ['Dusk_Two', 'Sunday Tote'], 'an available image and color'],
    ['available=on&color=sage&q=tote&to=40', ['Sunday Tote'], 'all filters together'],
    [
      'sort=price-up',
      ['Dusk_Two', 'Crème Pouch 50%', 'Sunday Tote', 'Dawn'],
      'the lowest displayed price first',
    ],
    [
      'sort=price-down',
      ['Dawn', 'Sunday Tote', 'Dusk_Two', 'Crème Pouch 50%'],
      'the highest price first',
    ],
    ['sort=name', ['Crème Pouch 50%', 'Dawn', 'Dusk_Two', 'Sunday Tote'], 'the order by name'],
    ['q=pouch&sort=newest', ['Dawn', 'Crème Pouch 50%'], 'the chosen order before matches'],
    [
      'sort=nonsense',
      ['Dusk_Two', 'Dawn', 'Crème Pouch 50%', 'Sunday Tote'],
      'an unknown order, ignored',
    ],
  ] as const)('the search %s shows the items %s (%s)', async ([query, expected]) => {
    expect(itemNames(await shop().visitor().page(`/gallery/?${query}`))).toEqual(expected)
  })
})

test('filters apply in a category and in the favorites, and stay active when the visitor opens another category [GALLERY-02, FAV-04]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  for (const itemId of ['tote', 'dawn']) await ann.act('/favourite', { itemId, wanted: 'yes' })

  expect(itemNames(await ann.page('/gallery/bags?color=sage'))).toEqual(['Sunday Tote'])
  const html = await ann.page('/gallery/?favorites&q=dawn&sort=name')
  expect(itemNames(html)).toEqual(['Dawn'])
  const category = pageOf(html).getByRole('link', { name: 'Market Bags' })
  expect(category.getAttribute('href')).toBe('/gallery/bags?q=dawn&sort=name')
  expect(pageOf(html).getByRole('search').querySelector('[name="favorites"]')).toBeTruthy()
  const unfilled = '/gallery/?favorites=&q=&from=&to=&color=sage&sort='
  expect(itemNames(await ann.page(unfilled))).toHaveLength(2)
  expect(html).not.toContain('Rust')
})

test('a visitor can remove active filters one by one, or all together with “Clear all”', async () => {
  const shop = await openStockedShop()
  const html = await shop
    .visitor()
    .page('/gallery/bags?q=%22tote%22&from=50&to=12%2C5&color=sage&sale=on&available=on&color=gone')

  expect(chips(html)).toEqual([
    ['“"tote"”', '/gallery/bags?from=50&to=12%2C5&color=sage&sale=on&available=on'],
    ['$12.50 – $50.00', '/gallery/bags?q=%22tote%22&color=sage&sale=on&available=on'],
    ['Sage Green', '/gallery/bags?q=%22tote%22&from=50&to=12%2C5&sale=on&available=on'],
    ['On sale', '/gallery/bags?q=%22tote%22&from=50&to=12%2C5&color=sage&available=on'],
    ['Available', '/gallery/bags?q=%22tote%22&from=50&to=12%2C5&color=sage&sale=on'],
  ])
  const clearAll = pageOf(html).getByRole('link', { name: 'Clear all' })
  expect(clearAll.getAttribute('href')).toBe('/gallery/bags')
  expect(pageOf(html).getByText(/^No items match\./)).toBeTruthy()
  expect(chips(await shop.visitor().page('/gallery/?from=5'))).toEqual([
    ['From $5.00', '/gallery/'],
  ])
  expect(chips(await shop.visitor().page('/gallery/?to=5&sort=name'))).toEqual([
    ['Up to $5.00', '/gallery/?sort=name'],
  ])
})

test('the search form shows the typed words and the typed prices, even if a price is invalid', async () => {
  const shop = await openStockedShop()
  for (const typed of ['"tote"', "O'Neill", '100%', 'a_b\\c', '🧶', '<b>', 'x'.repeat(200)]) {
    const html = await shop.visitor().page(`/gallery/?q=${encodeURIComponent(typed)}`)
    expect(searchForm(html).getByRole('searchbox').getAttribute('value')).toBe(typed)
  }
  const form = searchForm(await shop.visitor().page('/gallery/?from=abc&to=-3'))
  for (const [name, typed] of [
    ['From', 'abc'],
    ['To', '-3'],
  ] as const) {
    const field = form.getByRole('textbox', { name, description: /^Enter a price such as 12.50/ })
    expect(field.getAttribute('value')).toBe(typed)
    expect(field.getAttribute('aria-invalid')).toBe('true')
  }
})

/** Adds items with two images and different prices. Every third item is on sale. */
async function fillShop(db: Db, count: number) {
  await addCategory(db, 'bags')
  for (const id of ['sage', 'rust']) await addColor(db, id)
  for (let n = 0; n < count; n++) {
    const sale =
      n % 3 === 0 ? ({ discountType: 'percent', discountValue: 1000 + n * 50 } as const) : {}
    const images = [{ colors: ['sage'] }, { colors: ['rust'] }]
    await addItem(db, `item-${n}`, 'bags', {
      ...sale,
      name: `Piece ${n}`,
      priceCents: 100 + ((n * 7919) % 5000),
      images,
    })
  }
}

test('a gallery page needs the same number of database queries for 100 items as for 30 items [S-056]', async () => {
  const read = async (count: number) => {
    const { db, shop } = await openTestShop()
    await fillShop(db, count)
    // Fills the caches of the search vocabulary, the settings and the holds, because only the
    // queries of the page itself are counted.
    await getVocabularyCached(shop)
    await readGallery(shop, { view: 'everything', params: new URLSearchParams(), userId: null })
    const counted = { queries: 0, rows: 0 }
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        counted.queries++
        counted.rows += result.rows.length
        return result
      },
    }
    const params = new URLSearchParams('q=piece&from=0&color=sage&available=on')
    const gallery = await readGallery(
      { ...shop, db: db.withPlugin(counter) },
      { view: 'everything', params, userId: 'ann' },
    )
    return { ...counted, cards: gallery.items.length, count: gallery.count }
  }
  const few = await read(30)
  const many = await read(100)
  expect(few).toMatchObject({ count: 30, queries: 9, cards: 24 })
  expect(many).toEqual({ ...few, count: 100 })
})

test('the pages of a gallery that is sorted by price contain each item exactly once', async () => {
  const shop = await openTestShop()
  await fillShop(shop.db, 60)
  const visitor = shop.visitor()
  const shown: unknown[] = []
  const prices: number[] = []
  for (let path: string | null = '/gallery/?sort=price-up'; path;) {
    const html = await visitor.page(path)
    const cards = pageOf(html).getAllByRole('article')
    expect(cards.length).toBeLessThanOrEqual(24)
    shown.push(...itemNames(html))
    for (const { textContent } of cards) {
      prices.push(
        Number(
          textContent
            .match(/\$\d+\.\d\d/g)!
            .at(-1)!
            .slice(1),
        ),
      )
    }
    path = pageOf(html).queryByRole('link', { name: 'Next' })?.getAttribute('href') ?? null
  }
  const names = Array.from({ length: 60 }, (_, index) => `Piece ${index}`)
  expect(shown.toSorted()).toEqual(names.toSorted())
  expect(prices).toEqual(prices.toSorted((left, right) => left - right))
})

test('a gallery URL with a page number that does not exist shows the nearest existing page', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags')
  await addItems(shop.db, 50, 'bags')
  const pagesOf = (html: string) => within(pageOf(html).getByRole('navigation', { name: 'Pages' }))
  const current = async (page: string) =>
    pagesOf(await shop.visitor().page(`/gallery/?page=${page}`)).getByRole('link', {
      current: 'page',
    }).textContent
  expect(await Promise.all(['1', '0', '-1', 'abc', '2', '3', '99999'].map(current))).toEqual([
    '1',
    '1',
    '1',
    '1',
    '2',
    '3',
    '3',
  ])
  const html = await shop.visitor().page('/gallery/?page=2&q=item')
  const previous = pagesOf(html).getByRole('link', { name: 'Previous' })
  expect(previous.getAttribute('href')).toBe('/gallery/?q=item#pieces')
  expect(previous.getAttribute('rel')).toBe('prev')
  const next = pagesOf(html).getByRole('link', { name: 'Next' })
  expect(next.getAttribute('href')).toBe('/gallery/?q=item&page=3#pieces')
  expect(next.getAttribute('rel')).toBe('next')
  expect(readHead(html).title).toMatch(/^Everything Handmade, page 2/)
})

test('the gallery and the item pages agree on which items are available [S-061]', async () => {
  const shop = await openTestShop()
  const { db } = shop
  await addCategory(db, 'bags')
  await addColor(db, 'there')
  await addColor(db, 'gone', { isAvailable: false })
  const colorSets = [[], ['there'], ['gone'], ['gone', 'there']]
  const imageKinds = colorSets.flatMap((colors) => [{ colors }, { colors, isAvailable: false }])
  const sets = [
    [],
    ...imageKinds.map((image) => [image]),
    ...imageKinds.map((image, index) => [image, imageKinds[(index * 3 + 2) % imageKinds.length]!]),
  ]
  for (const [index, images] of sets.entries()) {
    await addItem(db, `item-${index}`, 'bags', { images })
  }

  const find = (query: string) =>
    findItems(shop.shop, {
      view: 'everything',
      search: parseGallerySearch(new URLSearchParams(query)),
      userId: null,
    })
  const all = (await find('')).items
  const available: string[] = []
  for (const { id } of all) if (isItemAvailable((await findItem(db, id))!)) available.push(id)

  expect(all).toHaveLength(sets.length)
  expect(all.filter(({ isAvailable }) => isAvailable).map(({ id }) => id)).toEqual(available)
  expect((await find('available=on')).items.map(({ id }) => id)).toEqual(available)
  expect(available).not.toContain('item-0')
  expect(available).toContain('item-1')
  expect(available).not.toContain('item-5')
})

const read = (query: string) => parseGallerySearch(new URLSearchParams(query))

test('when the gallery writes a search into a URL and reads the URL back, the search is unchanged', () => {
  expect(galleryUrl({ categoryId: 'a b' }, null)).toBe('/gallery/a%20b')
  expect(galleryUrl('favorites', null)).toBe('/gallery/?favorites')
  expect(galleryUrl('favorites', read('sort=x&page=0&q=%00'))).toBe('/gallery/?favorites')
  const search: fc.Arbitrary<GallerySearch> = fc.record({
    text: fc
      .string({ unit: 'binary', maxLength: 40 })
      .map((text) => text.replaceAll('\0', '').trim()),
    from: fc.constantFrom('', '12', '12,50', 'abc', '-1'),
    to: fc.constantFrom('', '3', '$40'),
    colorIds: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 5 }),
    isOnSale: fc.boolean(),
    isAvailable: fc.boolean(),
    sort: fc.constantFrom(null, 'newest', 'price-up', 'price-down', 'name'),
    page: fc.constant(1),
  })
  fc.assert(
    fc.property(search, fc.integer({ min: 1, max: 999 }), (wanted, page) => {
      const { searchParams } = new URL(
        galleryUrl('favorites', wanted, { page }),
        'http://shop.test',
      )
      expect(searchParams.has('favorites')).toBe(true)
      expect(parseGallerySearch(searchParams)).toEqual({ ...wanted, page })
    }),
  )
})

test('a very long search is cut after 200 characters, and only its first 12 words are used', () => {
  expect(read(`q=${'🧶'.repeat(5000)}`).text).toBe('🧶'.repeat(200))
  const text = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ')
  expect(searchWords({ text })).toHaveLength(12)
})

test('a gallery page has links to the first, the last and the neighboring pages', () => {
  expect(pageNumbers(1, 2)).toEqual([1, 2])
  expect(pageNumbers(1, 9)).toEqual([1, 2, null, 9])
  expect(pageNumbers(5, 9)).toEqual([1, null, 4, 5, 6, null, 9])
  expect(pageNumbers(3, 5)).toEqual([1, 2, 3, 4, 5])
})
