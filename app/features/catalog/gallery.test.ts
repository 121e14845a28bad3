import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { favoriteTexts } from './texts.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags', { title: 'Market Bags', color: '#a08a5f' })
  await addCategory(shop.db, 'coasters', { title: 'Round Coasters', position: 1 })
  await addColor(shop.db, 'sage', { name: 'Sage_Green' })
  await addItem(shop.db, 'tote', 'bags', {
    name: 'Sunday Tote',
    priceCents: 4200,
    createdAt: 10,
    pictures: [{ colors: ['sage'] }, {}],
  })
  await addItem(shop.db, 'net', 'bags', {
    name: 'Net Bag',
    createdAt: 20,
    discountType: 'percent',
    discountValue: 1000,
  })
  await addItem(shop.db, 'round', 'coasters', {
    name: 'Tea Coaster',
    priceCents: 900,
    createdAt: 15,
  })
  return shop
}

/** Returns the text between the first `from` and the next `to`. */
const part = (html: string, from: string, to: string) => html.split(from)[1]?.split(to)[0] ?? ''
const names = (html: string) =>
  [...html.matchAll(/<h2[^>]*><a[^>]*>([^<]*)</g)].map((match) => match[1])
const title = (html: string) => /<h1[^>]*>([^<]*)</.exec(html)?.[1]

test('the gallery shows links to the categories, and all items with the newest first [NAV-17, ROLES-01, S-052, DATA-113, GALLERY-01]', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/')
  const list = part(html, '<nav aria-label="Categories"', '</nav>')

  expect(names(html)).toEqual(['Net Bag', 'Tea Coaster', 'Sunday Tote'])
  expect([...list.matchAll(/href="([^"]+)"/g)].map((match) => match[1])).toEqual([
    '/gallery/',
    '/gallery/bags',
    '/gallery/coasters',
  ])
  expect(list).toContain('Round Coasters')
})

test('the page of a category shows its banner, its title and only its items, with the newest first [NAV-18, GALLERY-02, GALLERY-06, GALLERY-07, DATA-112, DATA-113]', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/bags')

  expect(names(html)).toEqual(['Net Bag', 'Sunday Tote'])
  expect(title(html)).toBe('Market Bags')
  await addItem(shop.db, 'star', 'bags', { name: 'Star Bag', createdAt: 99 })
  expect(names(await shop.visitor().page('/gallery/bags'))[0]).toBe('Star Bag')
  expect(part(part(html, '<main', '</main>'), '<header', '</header>')).toContain('--tint:#a08a5f')
})

test('the card of an item shows its first picture, name, price and colors, and links to the item page [GALLERY-08, GALLERY-09, GALLERY-10, CONST-01, COLOR-04, S-054]', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/bags')
  const [net, tote] = html
    .split('<article')
    .slice(1)
    .map((card) => card.split('</article>')[0])

  expect(tote).toContain('/pictures/items/tote-0.480.webp')
  expect(tote).not.toContain('tote-1')
  expect(tote).toContain('Sunday Tote')
  expect(tote).toContain('$42.00')
  expect(tote).toContain('Sage Green')
  expect(tote).toContain('href="/item/tote"')
  expect(net).toMatch(/<s[ >].*\$25\.00.*<\/s>.*\$22\.50/)
  expect(net).toContain('10% OFF')
  expect(tote).not.toMatch(/<s[ >]/)
  expect(tote).not.toContain('OFF')
})

test('the panel “Categories” is initially open only if no category is chosen [GALLERY-03, GALLERY-04, GALLERY-05]', async () => {
  const shop = await openStockedShop()
  const panel = async (path: string) => /<details[^>]*>/.exec(await shop.visitor().page(path))?.[0]

  expect(await panel('/gallery/')).toContain('open')
  expect(await panel('/gallery/?q=tote')).toContain('open')
  expect(await panel('/gallery/bags')).not.toContain('open')
  expect(await panel('/gallery/bags?q=tote')).not.toContain('open')
  expect(
    /<details[^>]*>/.exec(await (await shop.guest()).page('/gallery/?favorites'))?.[0],
  ).toContain('open')
  expect(part(await shop.visitor().page('/gallery/bags'), '<summary', '</summary>')).toContain(
    'Categories',
  )
})

test('guests see heart buttons in the gallery and on item pages, but visitors see none [GALLERY-11, GALLERY-12, ITEM-25, ITEM-26]', async () => {
  const shop = await openStockedShop()
  const [visitor, guest] = [shop.visitor(), await shop.guest()]

  for (const path of ['/gallery/', '/item/tote']) {
    expect(await visitor.page(path)).not.toContain('aria-pressed')
    expect(await guest.page(path)).toContain('aria-label="Favorite: Sunday Tote"')
  }
})

test('the page of an unknown or empty category says that there are no items [S-053]', async () => {
  const shop = await openStockedShop()
  await addCategory(shop.db, 'empty', { title: 'Nothing Yet' })
  for (const path of ['/gallery/empty', '/gallery/who-knows', "/gallery/'%22;--"]) {
    const response = await shop.visitor().get(path)

    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).toContain('There are no items here yet.')
  }
})

test('the shop redirects an unknown path to the home page [NAV-19]', async () => {
  const shop = await openTestShop()
  for (const path of ['/nowhere', '/gallery/a/b', '/item/', '/item/a/b']) {
    const response = await shop.visitor().get(path)

    expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/'])
  }
})

const favorites = ({ db }: TestShop) =>
  db.selectFrom('favorites').select(['userId', 'itemId']).orderBy('itemId').execute()

test('visitors cannot save favorites, and customers cannot save unknown items as favorites [FAV-01, FAV-02, ROLES-12]', async () => {
  const shop = await openStockedShop()
  const answer = await shop.visitor().act('/favourite', { itemId: 'tote', wanted: 'yes' })
  expect(answer).toEqual({ status: 401, text: expect.stringContaining(favoriteTexts.signedOut) })

  const ann = await shop.customer()
  for (const itemId of ['gone', '', "'; drop table items; --"])
    expect(await ann.act('/favourite', { itemId, wanted: 'yes' })).toEqual({
      status: 404,
      text: expect.stringContaining(favoriteTexts.noItem),
    })
  expect(await favorites(shop)).toEqual([])
})

test('a customer can add an item to her favorites and later remove it [FAV-02, FAV-03, FAV-06, ROLES-12]', async () => {
  const shop = await openStockedShop()
  const [ann, guest] = [await shop.customer(), await shop.guest()]
  await ann.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  expect(await favorites(shop)).toEqual([{ userId: ann.id, itemId: 'tote' }])
  expect(shop.changedTopics).toContain(`user:${ann.id}`)
  expect(await ann.page('/item/tote')).toMatch(
    /aria-pressed="true"[^>]*aria-label="Favorite: Sunday Tote"/,
  )

  // Ann's other favorite and the guest's favorite stay when Ann removes the tote from her favorites.
  await guest.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  await ann.act('/favourite', { itemId: 'net', wanted: 'yes' })
  await ann.act('/favourite', { itemId: 'tote', wanted: 'no' })
  expect(await favorites(shop)).toEqual([
    { userId: ann.id, itemId: 'net' },
    { userId: guest.id, itemId: 'tote' },
  ])
  expect(await ann.page('/item/tote')).not.toContain('aria-pressed="true"')
})

test('concurrent clicks on heart buttons save each favorite exactly once [FAV-02, S-077]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const answers = await Promise.all(
    ['tote', 'tote', 'net', 'round'].map((itemId) =>
      ann.act('/favourite', { itemId, wanted: 'yes' }),
    ),
  )

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await favorites(shop)).map(({ itemId }) => itemId)).toEqual(['net', 'round', 'tote'])
})

test('only the customer sees her favorites, with the newest first and without deleted items [FAV-04, FAV-05, S-055, S-057]', async () => {
  const shop = await openStockedShop()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.guest()]
  await ann.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  shop.clock.now += 1000
  await ann.act('/favourite', { itemId: 'round', wanted: 'yes' })

  expect(names(await ann.page('/gallery/?favorites'))).toEqual(['Tea Coaster', 'Sunday Tote'])
  expect(await bea.page('/gallery/?favorites')).toContain('No favorites yet.')
  expect(await ann.page('/gallery/')).toContain('href="/gallery/?favorites"')
  expect(await shop.visitor().page('/gallery/')).not.toContain('favorites')
  expect((await shop.visitor().get('/gallery/?favorites')).headers.get('location')).toBe(
    '/gallery/',
  )
  await shop.db.deleteFrom('items').where('id', '=', 'tote').execute()
  expect(names(await ann.page('/gallery/?favorites'))).toEqual(['Tea Coaster'])
})

test('without JavaScript, a click on a heart button leads back to the page with this button [FAV-02]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const response = await ann.post('/favourite', {
    itemId: 'tote',
    wanted: 'yes',
    back: '/gallery/bags',
  })

  expect([response.status, response.headers.get('location')]).toEqual([303, '/gallery/bags'])
  expect((await favorites(shop)).length).toBe(1)
})
