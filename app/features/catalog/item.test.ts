import { describe, expect, test } from 'vitest'
import { addCategory, addColor, addItem, addItems } from '#test/fixtures/catalog.ts'
import { hrefsIn, pageOf, readHead, within, wordsOf } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, type Person, type ShopOptions } from '#test/fixtures/test-shop.ts'
import { descriptionCutoff } from './item-page.tsx'
import { frameRatio } from './selected-image.ts'

async function openStockedShop(options: ShopOptions = {}) {
  const shop = await openTestShop(options)
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addCategory(shop.db, 'walls', { title: 'Walls', position: 1 })
  await addColor(shop.db, 'natural', { name: 'Natural_Cream' })
  await addColor(shop.db, 'mustard', {
    name: 'Mustard',
    isLowOnStock: true,
    discountType: 'percent',
    discountValue: 500,
  })
  await addColor(shop.db, 'plum', {
    name: 'Plum',
    isAvailable: false,
    discountType: 'amount',
    discountValue: 250,
  })
  await addItem(shop.db, 'tote', 'bags', {
    name: 'Sunday Tote',
    priceCents: 4200,
    description: 'Carries what a Sunday needs.',
    width: '30 cm',
    size: '30 x 40 cm',
    images: [{ colors: ['natural', 'mustard'] }, { colors: ['plum'], isAvailable: false }],
  })
  await addItem(shop.db, 'plain', 'walls', {
    name: 'Plain Wall',
    discountType: 'amount',
    discountValue: 500,
  })
  return shop
}
const readPage = async (person: Person, path: string) => pageOf(await person.page(path))
type Page = ReturnType<typeof pageOf>
const sectionOf = (page: Page, name: string) => within(page.getByRole('region', { name }))

describe('an item page', () => {
  const shop = shared((onCleanup) => openStockedShop({ onCleanup }))
  const read = (path: string) => readPage(shop().visitor(), path)

  test('an item page shows name, description and price [NAV-16, ITEM-03, ITEM-04, ITEM-05, ITEM-06]', async () => {
    const html = await shop().visitor().page('/item/tote')
    const page = pageOf(html)
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Sunday Tote')
    expect(readHead(html).title).toBe('Sunday Tote — Knots & Love')
    expect(wordsOf(html)).toContain('Sunday Tote $42.00 Colors Used')
    expect(page.getByText('Carries what a Sunday needs.')).toBeTruthy()
  })

  test('an item page shows the struck-through original price only of a discounted item [ITEM-06, ITEM-07]', async () => {
    const discounted = (await read('/item/plain')).getByText('Original price:').closest('p')!
    expect(discounted.textContent).toMatch(/\$25\.00[^$]*\$20\.00/)
    expect(discounted.querySelector('s')!.textContent).toContain('$25.00')
    const price = (await read('/item/tote')).getAllByText('$42.00')[0]!
    expect(price.closest('s')).toBeNull()
  })

  const slidesOf = (page: Page) =>
    within(page.getByRole('figure'))
      .getAllByRole('listitem')
      .map((slide) => ({
        large: within(slide).getByRole('link').getAttribute('href'),
        image: within(slide).getByRole('img').getAttribute('src'),
        isFirst: slide.style.order === '-1',
        isMarked: within(slide).queryByText('Not available') !== null,
      }))

  test('an item page shows all images, their thumbnails, and the label “Not available” on an unavailable image [ITEM-01, ITEM-02, S-061]', async () => {
    const page = await read('/item/tote')
    expect(slidesOf(page)).toEqual([
      {
        large: '/pictures/items/tote-0.webp',
        image: '/pictures/items/tote-0.480.webp',
        isFirst: false,
        isMarked: false,
      },
      {
        large: '/pictures/items/tote-1.webp',
        image: '/pictures/items/tote-1.480.webp',
        isFirst: false,
        isMarked: true,
      },
    ])
    const thumbnails = within(page.getByRole('list', { name: 'Pictures' }))
    const hrefOf = (name: string) => thumbnails.getByRole('link', { name }).getAttribute('href')
    expect(hrefOf('Picture 1 of 2')).toBe('/item/tote?picture=1')
    expect(hrefOf('Picture 2 of 2, not available')).toBe('/item/tote?picture=2')
  })

  test.each([
    { query: '?picture=2', first: 1, thumbnail: 2 },
    { query: '?color=plum', first: 1, thumbnail: 2 },
    ...[
      '?picture=99',
      '?picture=-1',
      '?picture=1.5',
      '?picture=length',
      '?picture',
      '?color=gone',
      '?color=%FF',
      '?color=',
    ].map((query) => ({ query, first: -1, thumbnail: 1 })),
  ])(
    'an item page selects the image that a number or a color in the URL names, and otherwise the first image: $query [ITEM-01]',
    async ({ query, first, thumbnail }) => {
      const response = await shop().visitor().get(`/item/tote${query}`)
      expect(response.status).toBe(200)
      const page = pageOf(await response.text())
      expect(slidesOf(page).findIndex(({ isFirst }) => isFirst)).toBe(first)
      const thumbnails = within(page.getByRole('list', { name: 'Pictures' }))
      const selected = thumbnails.getByRole('link', { current: true })
      expect(selected.getAttribute('href')).toBe(`/item/tote?picture=${thumbnail}`)
    },
  )

  test('an item page links each color to the first image in that color [ITEM-09]', async () => {
    const colors = sectionOf(await read('/item/tote'), 'Colors Used')
    expect(hrefsIn(colors)).toEqual(
      ['mustard', 'natural', 'plum'].map((id) => `/item/tote?color=${id}`),
    )
  })

  test.each([
    { query: '?color=mustard', selected: '/item/tote?color=mustard' },
    { query: '?picture=2', selected: '/item/tote?color=plum' },
    // The first image has two colors.
    { query: '', selected: undefined },
  ])('an item page marks the selected color: “$query” [ITEM-09]', async ({ query, selected }) => {
    const colors = sectionOf(await read(`/item/tote${query}`), 'Colors Used')
    const link = colors.queryByRole('link', { current: true })
    expect(link?.getAttribute('href')).toBe(selected)
  })

  test('an item page shows a visitor the name, stock note and discount of each color [ITEM-10, ITEM-11, ITEM-12, ITEM-13, ITEM-14, ROLES-02]', async () => {
    const links = sectionOf(await read('/item/tote'), 'Colors Used').getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Mustard5% OFFLow on stock',
      'Natural Cream',
      'Plum$2.50 OFFNot available',
    ])
    const tips = (await read('/item/tote')).getAllByRole('tooltip')
    expect(tips.map(({ textContent }) => textContent)).toEqual([
      'Mustard: Low on stock',
      'Plum: Not available',
    ])
  })
})

test('the page of an item without pictures shows “No picture yet” [ITEM-01]', async () => {
  const shop = await openStockedShop()
  await addItem(shop.db, 'bare', 'bags', { images: [] })
  const page = await readPage(shop.visitor(), '/item/bare')

  expect(page.getByText('No picture yet')).toBeTruthy()
  expect(page.queryByRole('figure')).toBeNull()
})

test('an item page shortens a long description with “Read more”, and shows HTML in a description as text [ITEM-08, S-133]', async () => {
  const shop = await openStockedShop()
  const description = `${'A <b>knot</b> & another. '.repeat(200)}The end.`
  await shop.db.updateTable('items').set({ description }).where('id', '=', 'tote').execute()
  const page = await readPage(shop.visitor(), '/item/tote')

  const more = page.getByText('Read more').closest('details')!
  const start = more.previousElementSibling!.textContent
  const rest = more.querySelector('p')!.textContent
  expect(`${start} ${rest}`).toBe(description)
  expect(await shop.visitor().page('/item/plain')).not.toContain('Read more')
})

test('an item page shows width, sole type and size only if the owner has filled them in [ITEM-15, ITEM-16, ITEM-17, DATA-114]', async () => {
  const shop = await openStockedShop()
  const terms = async (id: string) =>
    (await readPage(shop.visitor(), `/item/${id}`))
      .queryAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling!.textContent])

  expect(await terms('tote')).toEqual([
    ['Width', '30 cm'],
    ['Size', '30 x 40 cm'],
  ])
  expect(await terms('plain')).toEqual([])
  await shop.db
    .updateTable('items')
    .set({ soleType: 'Cork', width: '' })
    .where('id', '=', 'tote')
    .execute()
  expect(await terms('tote')).toEqual([
    ['Soletype', 'Cork'],
    ['Size', '30 x 40 cm'],
  ])
})

test('a customer sees a row of her favorites on an item page, but a visitor does not [ITEM-21, ITEM-22, S-059]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const favorites = async () => sectionOf(await readPage(ann, '/item/tote'), 'Your Favorite Items')
  expect((await favorites()).getByText(/^No favorites yet\./)).toBeTruthy()
  await ann.act('/favourite', { itemId: 'plain', wanted: 'yes' })

  expect(hrefsIn(await favorites())).toEqual(['/item/plain'])
  expect(await shop.visitor().page('/item/tote')).not.toContain('Your Favorite Items')
})

test('an item page shows at most 24 of a customer’s favorites, and a link to all her favorites [ITEM-21]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  await addItems(shop.db, 25, 'bags', (index) => ({ id: `knot${index}`, name: `knot${index}` }))
  const rows = [...Array(25).keys()].map((number) => ({
    userId: ann.id,
    itemId: `knot${number}`,
    createdAt: number,
  }))
  await shop.db.insertInto('favorites').values(rows).execute()
  const page = await readPage(ann, '/item/knot0')
  const favorites = sectionOf(page, 'Your Favorite Items')

  expect(favorites.getAllByRole('article')).toHaveLength(24)
  expect(hrefsIn(favorites).slice(0, 2)).toEqual(['/gallery/?favorites', '/item/knot24'])
  expect(favorites.getByRole('link', { name: 'See all 25' })).toBeTruthy()
  // The heart button of the item page is pressed, although the row with 24 of the 25 favorites does
  // not contain this item.
  expect(page.getByRole('button', { name: 'Favorite: knot0', pressed: true })).toBeTruthy()
})

test('the row "Customers Most Ordered" shows sample items until a customer orders an item [ITEM-23, ITEM-24, S-060]', async () => {
  const shop = await openStockedShop()
  const row = async () =>
    sectionOf(await readPage(shop.visitor(), '/item/tote'), 'Customers Most Ordered')
  expect((await row()).getByText(/^A few samples/)).toBeTruthy()
  expect(hrefsIn(await row())).toEqual(['/item/plain'])

  const ann = await shop.customer()
  await ann.act('/order-request', {
    itemId: 'plain',
    message: 'Please',
    messageId: 'abcdefghijklmno',
  })
  expect((await row()).queryByText(/^A few samples/)).toBeNull()
  expect(hrefsIn(await row())).toEqual(['/item/plain'])
})

test('the page of an unknown item says that the item was not found, and links to the gallery [S-058]', async () => {
  const shop = await openStockedShop()
  for (const id of ['nothing', "'%3B--"]) {
    const response = await shop.visitor().get(`/item/${id}`)
    const page = pageOf(await response.text())

    expect(response.status, id).toBe(404)
    expect(page.getByRole('heading', { name: 'This item was not found' })).toBeTruthy()
    const link = page.getByRole('link', { name: 'Browse the gallery' })
    expect(link.getAttribute('href')).toBe('/gallery/')
  }
})

const splitDescription = (text: string) =>
  [text.slice(0, descriptionCutoff(text)), text.slice(descriptionCutoff(text))] as const

test('the item page splits a long description after a paragraph, a sentence or a word without losing text [ITEM-08]', () => {
  for (const text of ['', 'Knotted by hand.', 'x'.repeat(580)]) {
    expect(splitDescription(text)).toEqual([text, ''])
  }
  const sentence = 'Knotted by hand, over two quiet evenings. '
  const cases: [string, RegExp][] = [
    [`${sentence.repeat(6)}\n${sentence.repeat(20)}`, /evenings\. \n$/],
    [sentence.repeat(40), /evenings\. $/],
    ['cord '.repeat(300), /cord $/],
    ['🪢'.repeat(2500), /^🪢+$/u],
    [`${'x'.repeat(5000)}`, /^x+$/],
  ]
  for (const [text, end] of cases) {
    const [start, rest] = splitDescription(text)
    expect(start).toMatch(end)
    expect(start.length).toBeGreaterThan(140)
    expect(start.length).toBeLessThanOrEqual(420)
    expect(start + rest).toBe(text)
    expect(rest.isWellFormed()).toBe(true)
  }
})

test('the frame around an item’s images has the proportions of the first image, within fixed limits [ITEM-01]', () => {
  const item = (width: number, height: number) => ({
    images: [
      {
        id: 'a',
        isAvailable: true,
        colorIds: [],
        image: { url: '', widths: [], placeholder: '', width, height },
      },
    ],
  })
  expect(
    [item(900, 1000), item(1000, 1000), item(100, 1000), item(2000, 1000), { images: [] }].map(
      frameRatio,
    ),
  ).toEqual([0.9, 1, 0.8, 1.25, 1])
})
