import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addCategory(shop.db, 'walls', { title: 'Walls', position: 1 })
  await addColor(shop.db, 'natural', { name: 'Natural_Cream' })
  await addColor(shop.db, 'mustard', { name: 'Mustard', isLowOnStock: 1, discountType: 'percent', discountValue: 500 })
  await addColor(shop.db, 'plum', { name: 'Plum', isAvailable: 0, discountType: 'amount', discountValue: 250 })
  await addItem(shop.db, 'tote', 'bags', {
    name: 'Sunday Tote',
    priceCents: 4200,
    description: 'Carries what a Sunday needs.',
    width: '30 cm',
    size: '30 x 40 cm',
    pictures: [{ colors: ['natural', 'mustard'] }, { colors: ['plum'], isAvailable: 0 }],
  })
  await addItem(shop.db, 'plain', 'walls', { name: 'Plain Wall', discountType: 'amount', discountValue: 500 })
  return shop
}
const strip = (html: string, title: string) => html.split(`>${title}</h2>`)[1]?.split('</section>')[0] ?? ''
const links = (html: string) => [...html.matchAll(/href="(\/item\/[^"]+)"/g)].map((match) => match[1])

test('NAV-16 ITEM-03 ITEM-04 ITEM-07 ITEM-08 CONST-01 DATA-114 the page shows name, price and description', async () => {
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
})

test('DATA-114 a changed item shows its new texts at the next look', async () => {
  const shop = await openStockedShop()
  const visitor = shop.visitor()
  await visitor.page('/item/tote')
  await shop.db.updateTable('items').set({ name: 'Monday Tote' }).where('id', '=', 'tote').execute()

  expect(await visitor.page('/item/tote')).toMatch(/<h1[^>]*>Monday Tote<\/h1>/)
})

test('ITEM-05 ITEM-06 with a discount the original is struck and the reduced price stands beside it', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/item/plain')

  expect(html).toMatch(/<s[ >][^$]*\$25\.00<\/s>[^$]*\$20\.00/)
})

/** The pictures of the strip, each as [address of its image, what stands in the way of seeing it first]. */
const slides = (html: string) =>
  [
    ...html
      .split('<figure')[1]!
      .split('</ul>')[0]!
      .matchAll(/<li[^>]*?(order:-1)?"?><a href="([^"]*)".*?<\/li>/gs),
  ].map(([slide, first, large]) => ({
    large,
    image: /src="([^"]*)"/.exec(slide)![1],
    isFirst: first !== undefined,
    isMarked: slide.includes('Not available'),
  }))
const current = (html: string, of: string) =>
  [...html.matchAll(/<a[^>]*aria-current="true"[^>]*href="([^"]*)"/g)].map((match) => match[1]).filter((to) => to!.includes(of))

test('ITEM-01 ITEM-02 S-061 all pictures stand in the strip, thumbnails choose, one that is not available is marked in both', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/item/tote')

  expect(slides(html)).toEqual([
    { large: '/pictures/items/tote-0.webp', image: '/pictures/items/tote-0.480.webp', isFirst: false, isMarked: false },
    { large: '/pictures/items/tote-1.webp', image: '/pictures/items/tote-1.480.webp', isFirst: false, isMarked: true },
  ])
  const thumbs = [
    ...html
      .split('aria-label="Pictures"')[1]!
      .split('</ul>')[0]!
      .matchAll(/aria-label="([^"]*)"[^>]*href="([^"]*)"/g),
  ]
  expect(thumbs.map(([, label, to]) => [label, to])).toEqual([
    ['Picture 1 of 2', '/item/tote?picture=1'],
    ['Picture 2 of 2, not available', '/item/tote?picture=2'],
  ])
})

test('ITEM-01 the address chooses the picture without script, by number or by colour; nonsense shows the first', async () => {
  const shop = await openStockedShop()
  const visitor = shop.visitor()
  const first = async (query: string) => {
    const response = await visitor.get(`/item/tote${query}`)
    const html = await response.text()
    return [
      response.status,
      Math.max(
        0,
        slides(html).findIndex((slide) => slide.isFirst),
      ),
      current(html, 'picture='),
    ]
  }

  expect(await first('?picture=2')).toEqual([200, 1, ['/item/tote?picture=2']])
  expect(await first('?color=plum')).toEqual([200, 1, ['/item/tote?picture=2']])
  for (const query of ['?picture=99', '?picture=-1', '?picture=1.5', '?picture=length', '?picture', '?color=gone', '?color=%FF', '?color='])
    expect([query, ...(await first(query))]).toEqual([query, 200, 0, ['/item/tote?picture=1']])
})

test('ITEM-09 a colour leads to the first picture that wears it, and the chosen one is marked', async () => {
  const shop = await openStockedShop()
  const visitor = shop.visitor()
  const [plain, chosen] = [await visitor.page('/item/tote'), await visitor.page('/item/tote?color=mustard')]

  expect([...plain.matchAll(/href="(\/item\/tote\?color=[^"]*)"/g)].map((match) => match[1])).toEqual(
    ['mustard', 'natural', 'plum'].map((id) => `/item/tote?color=${id}`),
  )
  // The first picture wears two colours: none of them was chosen.
  expect(current(plain, 'color=')).toEqual([])
  expect(current(chosen, 'color=')).toEqual(['/item/tote?color=mustard'])
  expect(current(await visitor.page('/item/tote?picture=2'), 'color=')).toEqual(['/item/tote?color=plum'])
})

test('ITEM-01 an item without pictures says so', async () => {
  const shop = await openStockedShop()
  await addItem(shop.db, 'bare', 'bags', { pictures: [] })
  const html = await shop.visitor().page('/item/bare')

  expect(html).toContain('No picture yet')
  expect(html).not.toContain('<figure')
})

test('ITEM-08 S-133 a long description is whole, its end behind "Read more"; markup in it is text', async () => {
  const shop = await openStockedShop()
  const description = `${'A <b>knot</b> & another. '.repeat(200)}The end.`
  await shop.db.updateTable('items').set({ description }).where('id', '=', 'tote').execute()
  const html = await shop.visitor().page('/item/tote')
  const [start, rest] = [
    ...html
      .split('Colors Used')[1]!
      .split('Order Request')[0]!
      .matchAll(/<p[^>]*>([^<]*)<\/p>/g),
  ].map((match) => match[1])

  expect(html).toContain('Read more')
  expect(`${start} ${rest}`).toBe(description.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  expect(await shop.visitor().page('/item/plain')).not.toContain('Read more')
})

test('ITEM-18 ITEM-19 ITEM-20 S-072 each viewer finds the box in the state that is theirs', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const box = async (viewer: { page: (path: string) => Promise<string> }) => {
    const html = (await viewer.page('/item/tote')).split('id="order-request"')[1]!.split('</section>')[0]!
    expect(html).toContain('Please include where you want to be contacted back (eg. phone, email, or in app)')
    return [
      '<textarea',
      'Submit',
      'Please Login to Order',
      'This is your own shop',
      'This piece is in your order',
      'Your last order is closed',
    ].filter((text) => html.includes(text))
  }

  expect(await box(shop.visitor())).toEqual(['Please Login to Order'])
  expect(await box(await shop.owner())).toEqual(['This is your own shop'])
  expect(await box(await shop.guest())).toEqual(['<textarea', 'Submit'])
  expect(await box(ann)).toEqual(['<textarea', 'Submit'])
  await ann.act('/order-request', { itemId: 'plain', message: '' })
  expect(await box(ann)).toEqual(['<textarea', 'Submit'])
  await ann.act('/order-request', { itemId: 'tote', message: '' })
  expect(await box(ann)).toEqual(['<textarea', 'Submit', 'This piece is in your order'])
  await shop.db.updateTable('orders').set({ isClosed: 1 }).execute()
  expect(await box(ann)).toEqual(['<textarea', 'Submit', 'Your last order is closed'])
})

test('ITEM-09 ITEM-10 ITEM-11 ITEM-12 COLOR-04 ROLES-02 the colours show their names and hint at the stock', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/item/tote')
  const tips = [...html.replaceAll('<!-- -->', '').matchAll(/role="tooltip"[^>]*>([^<]*)</g)].map((match) => match[1])

  expect(html).toContain('Colors Used')
  const chips = [...html.matchAll(/<a[^>]*href="\/item\/tote\?color=(\w+)".*?<\/a>/gs)]
  expect(chips.map(([chip, id]) => [id, /<span>([^<]*)</.exec(chip)?.[1]])).toEqual([
    ['mustard', 'Mustard'],
    ['natural', 'Natural Cream'],
    ['plum', 'Plum'],
  ])
  expect(tips.toSorted()).toEqual(['Mustard: Low on stock', 'Plum: Not available'])
})

test('ITEM-13 ITEM-14 a discounted colour carries its tag, an amount in dollars and a share in percent; others carry none', async () => {
  const shop = await openStockedShop()
  const html = (await shop.visitor().page('/item/tote')).replaceAll('<!-- -->', '')
  const chips = [...html.matchAll(/<a[^>]*href="\/item\/tote\?color=(\w+)".*?<\/a>/gs)]
  const tags = chips.map(([chip, id]) => [id, /[^>]* OFF/.exec(chip)?.[0]])

  expect(tags).toEqual([
    ['mustard', '5% OFF'],
    ['natural', undefined],
    ['plum', '$2.50 OFF'],
  ])
})

test('ITEM-25 ITEM-26 the heart beside the name is for those who are signed in, guests among them, and shows what is kept', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const heart = async (viewer: { page: (path: string) => Promise<string> }) =>
    /<button[^>]*aria-pressed="(\w+)" aria-label="Favorite: Sunday Tote"/.exec(await viewer.page('/item/tote'))?.[1]

  expect([await heart(shop.visitor()), await heart(await shop.guest()), await heart(ann)]).toEqual([undefined, 'false', 'false'])
  await ann.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  expect([await heart(ann), await heart(await shop.guest())]).toEqual(['true', 'false'])
})

test('ITEM-15 ITEM-16 ITEM-17 width, soletype and size are shown only when they hold something', async () => {
  const shop = await openStockedShop()
  const terms = async (id: string) =>
    [...(await shop.visitor().page(`/item/${id}`)).matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, term, value]) => [term, value])

  expect(await terms('tote')).toEqual([
    ['Width', '30 cm'],
    ['Size', '30 x 40 cm'],
  ])
  expect(await terms('plain')).toEqual([])
  await shop.db.updateTable('items').set({ soleType: 'Cork', width: '' }).where('id', '=', 'tote').execute()
  expect(await terms('tote')).toEqual([
    ['Soletype', 'Cork'],
    ['Size', '30 x 40 cm'],
  ])
})

test('ITEM-21 ITEM-22 S-059 the strip of her favourites leads to them; visitors have none', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  expect(strip(await ann.page('/item/tote'), 'Your Favorite Items')).toContain('No favorites yet.')
  await ann.act('/favourite', { itemId: 'plain', wanted: 'yes' })

  expect(links(strip(await ann.page('/item/tote'), 'Your Favorite Items'))).toEqual(['/item/plain'])
  expect(await shop.visitor().page('/item/tote')).not.toContain('Your Favorite Items')
})

test('ITEM-21 the strip of many favourites holds some of them, and a way to all', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  for (let number = 0; number < 25; number++) await addItem(shop.db, `knot${number}`, 'bags', { pictures: [] })
  const rows = [...Array(25).keys()].map((number) => ({ userId: ann.id, itemId: `knot${number}`, createdAt: number }))
  await shop.db.insertInto('favourites').values(rows).execute()
  const html = strip(await ann.page('/item/knot0'), 'Your Favorite Items')

  expect([links(html).length, links(html)[0]]).toEqual([24, '/item/knot24'])
  // The one that has no place in the strip is a favourite all the same.
  expect(await ann.page('/item/knot0')).toContain('aria-pressed="true" aria-label="Favorite: knot0"')
  expect(await ann.page('/item/knot0')).toMatch(/href="\/gallery\/\?favorites"[^>]*>See all 25</)
})

test('ITEM-23 ITEM-24 S-060 samples stand in Customers Most Ordered until something was ordered', async () => {
  const shop = await openStockedShop()
  const sample = strip(await shop.visitor().page('/item/tote'), 'Customers Most Ordered')
  expect(sample).toContain('A few samples')
  expect(links(sample)).toEqual(['/item/plain', '/item/tote'])

  const ann = await shop.customer()
  await ann.act('/order-request', { itemId: 'plain', message: 'Please', messageId: 'abcdefghijklmno' })
  const ordered = strip(await shop.visitor().page('/item/tote'), 'Customers Most Ordered')
  expect(ordered).not.toContain('A few samples')
  expect(links(ordered)).toEqual(['/item/plain'])
})

test('S-058 an unknown item is told, with a way to the gallery', async () => {
  const shop = await openStockedShop()
  for (const id of ['nothing', "'%3B--"]) {
    const response = await shop.visitor().get(`/item/${id}`)
    const html = await response.text()

    expect([id, response.status]).toEqual([id, 404])
    expect(html).toContain('This item was not found')
    expect(html).toContain('href="/gallery/"')
  }
})
