import { expect, test } from 'vitest'
import { addCategory, addColor, addItem, addItems } from '#test/fixtures/catalog.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { descriptionCutoff } from './item-page.tsx'
import { frameRatio } from './selected-image.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addCategory(shop.db, 'walls', { title: 'Walls', position: 1 })
  await addColor(shop.db, 'natural', { name: 'Natural_Cream' })
  await addColor(shop.db, 'mustard', {
    name: 'Mustard',
    isLowOnStock: 1,
    discountType: 'percent',
    discountValue: 500,
  })
  await addColor(shop.db, 'plum', {
    name: 'Plum',
    isAvailable: 0,
    discountType: 'amount',
    discountValue: 250,
  })
  await addItem(shop.db, 'tote', 'bags', {
    name: 'Sunday Tote',
    priceCents: 4200,
    description: 'Carries what a Sunday needs.',
    width: '30 cm',
    size: '30 x 40 cm',
    pictures: [{ colors: ['natural', 'mustard'] }, { colors: ['plum'], isAvailable: 0 }],
  })
  await addItem(shop.db, 'plain', 'walls', {
    name: 'Plain Wall',
    discountType: 'amount',
    discountValue: 500,
  })
  return shop
}
const strip = (html: string, title: string) =>
  html.split(`>${title}</h2>`)[1]?.split('</section>')[0] ?? ''
const links = (html: string) =>
  [...html.matchAll(/href="(\/item\/[^"]+)"/g)].map((match) => match[1])

test('an item page shows name, description and price, and the struck-through original price of a discounted item [NAV-16, ITEM-03, ITEM-04, ITEM-05, ITEM-06, ITEM-07]', async () => {
  const shop = await openStockedShop()
  const response = await shop.visitor().get('/item/tote')
  const html = await response.text()
  const main = html.split('Customers Most Ordered')[0]!

  expect(response.status).toBe(200)
  expect(main).toMatch(/<h1[^>]*>Sunday Tote<\/h1>/)
  const price = main.split('</h1>')[1]!.split('Colors Used')[0]!
  expect(price.match(/\$[\d.]+/g)).toEqual(['$42.00'])
  expect(main).not.toMatch(/<s[ >]/)
  expect(main).toMatch(/<p[^>]*>Carries what a Sunday needs\.</)
  expect(html).toMatch(/<title>Sunday Tote — Knots &amp; Love<\/title>/)
  expect(await shop.visitor().page('/item/plain')).toMatch(/<s[ >][^$]*\$25\.00<\/s>[^$]*\$20\.00/)
})

function slides(html: string) {
  const list = html.split('<figure')[1]!.split('</ul>')[0]!
  return [...list.matchAll(/<li[^>]*?(order:-1)?"?><a href="([^"]*)".*?<\/li>/gs)].map(
    ([slide, first, large]) => ({
      large,
      image: /src="([^"]*)"/.exec(slide)![1],
      isFirst: first !== undefined,
      isMarked: slide.includes('Not available'),
    }),
  )
}
const current = (html: string, of: string) =>
  [...html.matchAll(/<a[^>]*aria-current="true"[^>]*href="([^"]*)"/g)]
    .map((match) => match[1])
    .filter((to) => to!.includes(of))

test('an item page shows all images, their thumbnails, and the label “Not available” on an unavailable image [ITEM-01, ITEM-02, S-061]', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/item/tote')

  expect(slides(html)).toEqual([
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
  const list = html.split('aria-label="Pictures"')[1]!.split('</ul>')[0]!
  const thumbnails = [...list.matchAll(/aria-label="([^"]*)"[^>]*href="([^"]*)"/g)]
  expect(thumbnails.map(([, label, to]) => [label, to])).toEqual([
    ['Picture 1 of 2', '/item/tote?picture=1'],
    ['Picture 2 of 2, not available', '/item/tote?picture=2'],
  ])
})

test('a number or a color in the URL of an item page selects an image, and an invalid value selects the first image [ITEM-01]', async () => {
  const shop = await openStockedShop()
  const visitor = shop.visitor()
  const first = async (query: string) => {
    const response = await visitor.get(`/item/tote${query}`)
    const html = await response.text()
    return [
      response.status,
      slides(html).findIndex((slide) => slide.isFirst),
      current(html, 'picture='),
    ]
  }

  expect(await first('?picture=2')).toEqual([200, 1, ['/item/tote?picture=2']])
  expect(await first('?color=plum')).toEqual([200, 1, ['/item/tote?picture=2']])
  for (const query of [
    '?picture=99',
    '?picture=-1',
    '?picture=1.5',
    '?picture=length',
    '?picture',
    '?color=gone',
    '?color=%FF',
    '?color=',
  ])
    expect([query, ...(await first(query))]).toEqual([query, 200, -1, ['/item/tote?picture=1']])
})

test('each color on an item page links to the first image in that color, and the selected color is marked [ITEM-09]', async () => {
  const shop = await openStockedShop()
  const visitor = shop.visitor()
  const [plain, chosen] = [
    await visitor.page('/item/tote'),
    await visitor.page('/item/tote?color=mustard'),
  ]

  expect(
    [...plain.matchAll(/href="(\/item\/tote\?color=[^"]*)"/g)].map((match) => match[1]),
  ).toEqual(['mustard', 'natural', 'plum'].map((id) => `/item/tote?color=${id}`))
  // Without a color in the URL, the page shows the first image. This image has two colors, so the page marks no color as selected.
  expect(current(plain, 'color=')).toEqual([])
  expect(current(chosen, 'color=')).toEqual(['/item/tote?color=mustard'])
  expect(current(await visitor.page('/item/tote?picture=2'), 'color=')).toEqual([
    '/item/tote?color=plum',
  ])
})

test('the page of an item without pictures shows “No picture yet” [ITEM-01]', async () => {
  const shop = await openStockedShop()
  await addItem(shop.db, 'bare', 'bags', { pictures: [] })
  const html = await shop.visitor().page('/item/bare')

  expect(html).toContain('No picture yet')
  expect(html).not.toContain('<figure')
})

test('an item page shortens a long description with “Read more”, and shows HTML in a description as text [ITEM-08, S-133]', async () => {
  const shop = await openStockedShop()
  const description = `${'A <b>knot</b> & another. '.repeat(200)}The end.`
  await shop.db.updateTable('items').set({ description }).where('id', '=', 'tote').execute()
  const html = await shop.visitor().page('/item/tote')
  const texts = html.split('Colors Used')[1]!.split('Order Request')[0]!
  const [start, rest] = [...texts.matchAll(/<p[^>]*>([^<]*)<\/p>/g)].map((match) => match[1])

  expect(html).toContain('Read more')
  expect(`${start} ${rest}`).toBe(
    description.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
  expect(await shop.visitor().page('/item/plain')).not.toContain('Read more')
})

test('a visitor sees the name, stock note and discount of each color of an item [ITEM-10, ITEM-11, ITEM-12, ITEM-13, ITEM-14, ROLES-02]', async () => {
  const shop = await openStockedShop()
  const html = (await shop.visitor().page('/item/tote')).replaceAll('<!-- -->', '')
  const tips = [...html.matchAll(/role="tooltip"[^>]*>([^<]*)</g)].map((match) => match[1])

  expect(html).toContain('Colors Used')
  const chips = [...html.matchAll(/<a[^>]*href="\/item\/tote\?color=(\w+)".*?<\/a>/gs)]
  expect(
    chips.map(([chip, id]) => [id, /<span>([^<]*)</.exec(chip)?.[1], /[^>]* OFF/.exec(chip)?.[0]]),
  ).toEqual([
    ['mustard', 'Mustard', '5% OFF'],
    ['natural', 'Natural Cream', undefined],
    ['plum', 'Plum', '$2.50 OFF'],
  ])
  expect(tips.toSorted()).toEqual(['Mustard: Low on stock', 'Plum: Not available'])
})

test('an item page shows width, sole type and size only if the owner has filled them in [ITEM-15, ITEM-16, ITEM-17, DATA-114]', async () => {
  const shop = await openStockedShop()
  const terms = async (id: string) =>
    [
      ...(await shop.visitor().page(`/item/${id}`)).matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g),
    ].map(([, term, value]) => [term, value])

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
  expect(strip(await ann.page('/item/tote'), 'Your Favorite Items')).toContain('No favorites yet.')
  await ann.act('/favourite', { itemId: 'plain', wanted: 'yes' })

  expect(links(strip(await ann.page('/item/tote'), 'Your Favorite Items'))).toEqual(['/item/plain'])
  expect(await shop.visitor().page('/item/tote')).not.toContain('Your Favorite Items')
})

test('an item page shows at most 24 of a customer’s favorites, and a link to all her favorites [ITEM-21]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  await addItems(shop.db, 25, 'bags', (at) => ({ id: `knot${at}`, name: `knot${at}` }))
  const rows = [...Array(25).keys()].map((number) => ({
    userId: ann.id,
    itemId: `knot${number}`,
    createdAt: number,
  }))
  await shop.db.insertInto('favorites').values(rows).execute()
  const html = strip(await ann.page('/item/knot0'), 'Your Favorite Items')

  expect([links(html).length, links(html)[0]]).toEqual([24, '/item/knot24'])
  // The heart button of the item page is pressed, although the row with 24 of the 25 favorites does not contain this item.
  expect(await ann.page('/item/knot0')).toContain(
    'aria-pressed="true" aria-label="Favorite: knot0"',
  )
  expect(await ann.page('/item/knot0')).toMatch(/href="\/gallery\/\?favorites"[^>]*>See all 25</)
})

test('the row "Customers Most Ordered" shows sample items until a customer orders an item [ITEM-23, ITEM-24, S-060]', async () => {
  const shop = await openStockedShop()
  const sample = strip(await shop.visitor().page('/item/tote'), 'Customers Most Ordered')
  expect(sample).toContain('A few samples')
  expect(links(sample)).toEqual(['/item/plain'])

  const ann = await shop.customer()
  await ann.act('/order-request', {
    itemId: 'plain',
    message: 'Please',
    messageId: 'abcdefghijklmno',
  })
  const ordered = strip(await shop.visitor().page('/item/tote'), 'Customers Most Ordered')
  expect(ordered).not.toContain('A few samples')
  expect(links(ordered)).toEqual(['/item/plain'])
})

test('the page of an unknown item says that the item was not found, and links to the gallery [S-058]', async () => {
  const shop = await openStockedShop()
  for (const id of ['nothing', "'%3B--"]) {
    const response = await shop.visitor().get(`/item/${id}`)
    const html = await response.text()

    expect([id, response.status]).toEqual([id, 404])
    expect(html).toContain('This item was not found')
    expect(html).toContain('href="/gallery/"')
  }
})

const splitDescription = (text: string) =>
  [text.slice(0, descriptionCutoff(text)), text.slice(descriptionCutoff(text))] as const

test('the item page splits a long description after a paragraph, a sentence or a word without losing text [ITEM-08]', () => {
  for (const text of ['', 'Knotted by hand.', 'x'.repeat(580)])
    expect(splitDescription(text)).toEqual([text, ''])
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
    pictures: [
      {
        id: 'a',
        isAvailable: true,
        colorIds: [],
        picture: { url: '', widths: [], placeholder: '', width, height },
      },
    ],
  })
  expect(
    [item(900, 1000), item(1000, 1000), item(100, 1000), item(2000, 1000), { pictures: [] }].map(
      frameRatio,
    ),
  ).toEqual([0.9, 1, 0.8, 1.25, 1])
})
