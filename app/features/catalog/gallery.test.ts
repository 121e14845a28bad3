import { describe, expect, test } from 'vitest'
import { addCategory, addColor, addItem, itemNames } from '#test/fixtures/catalog.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import {
  openTestShop,
  type Person,
  type ShopOptions,
  type TestShop,
} from '#test/fixtures/test-shop.ts'
import { favoriteTexts } from './texts.ts'

async function openStockedShop(options: ShopOptions = {}) {
  const shop = await openTestShop(options)
  await addCategory(shop.db, 'bags', { title: 'Market Bags', color: '#a08a5f' })
  await addCategory(shop.db, 'coasters', { title: 'Round Coasters', position: 1 })
  await addColor(shop.db, 'sage', { name: 'Sage_Green' })
  await addItem(shop.db, 'tote', 'bags', {
    name: 'Sunday Tote',
    priceCents: 4200,
    createdAt: 10,
    images: [{ colors: ['sage'] }, {}],
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

const readMain = async (person: Person, path: string) =>
  within(pageOf(await person.page(path)).getByRole('main'))
const categoriesIn = (main: ReturnType<typeof pageOf>) =>
  within(main.getByRole('navigation', { name: 'Categories' }))

describe('the gallery', () => {
  const shop = shared((onCleanup) => openStockedShop({ onCleanup }))
  const findCard = async (name: string) => {
    const main = await readMain(shop().visitor(), '/gallery/bags')
    return main.getByRole('link', { name }).closest('article')!
  }

  test('the gallery shows all items with the newest first [NAV-17, ROLES-01, S-052, DATA-113]', async () => {
    const names = itemNames(await shop().visitor().page('/gallery/'))
    expect(names).toEqual(['Net Bag', 'Tea Coaster', 'Sunday Tote'])
  })

  test('the gallery shows links to the categories [NAV-17, ROLES-01, GALLERY-01]', async () => {
    const categories = categoriesIn(await readMain(shop().visitor(), '/gallery/'))
    const links = categories.getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/gallery/',
      '/gallery/bags',
      '/gallery/coasters',
    ])
    expect(categories.getByText('Round Coasters').closest('a')).toBe(links[2])
  })

  test('the card of an item shows its first picture, name, price and colors, and links to the item page [GALLERY-08, GALLERY-09, CONST-01, COLOR-04, S-054]', async () => {
    const card = await findCard('Sunday Tote')
    const images = within(card).getAllByAltText('')
    expect(images.map((image) => image.getAttribute('src'))).toEqual([
      '/pictures/items/tote-0.480.webp',
    ])
    expect(within(card).getByText('$42.00').closest('s')).toBeNull()
    expect(within(card).getByText('Colors: Sage Green')).toBeTruthy()
    expect(within(card).getByRole('link').getAttribute('href')).toBe('/item/tote')
    expect(card.textContent).not.toContain('OFF')
  })

  test('the gallery strikes the original price of a discounted item through [GALLERY-10]', async () => {
    const card = await findCard('Net Bag')
    expect(card.textContent).toMatch(/10% OFF.*\$25\.00.*\$22\.50/)
    expect(card.querySelector('s')!.textContent).toContain('$25.00')
  })

  test.each([
    { path: '/gallery/', isOpen: true },
    { path: '/gallery/?q=tote', isOpen: true },
    { path: '/gallery/?favorites', isOpen: true },
    { path: '/gallery/bags', isOpen: false },
    { path: '/gallery/bags?q=tote', isOpen: false },
  ])(
    'the gallery opens the panel “Categories” initially only if no category is chosen: $path [GALLERY-03, GALLERY-04, GALLERY-05]',
    async ({ path, isOpen }) => {
      const main = await readMain(await shop().guest(), path)
      const panel = main.getByText('Categories', { selector: 'summary' }).closest('details')!
      expect(panel.hasAttribute('open')).toBe(isOpen)
    },
  )

  test.each(['/gallery/', '/item/tote'])(
    'guests and customers see heart buttons, but visitors do not, at %s [GALLERY-11, GALLERY-12, ITEM-25, ITEM-26]',
    async (path) => {
      const heart = { name: 'Favorite: Sunday Tote' }
      const ofVisitor = await readMain(shop().visitor(), path)
      expect(ofVisitor.queryByRole('button', { name: /^Favorite/ })).toBeNull()
      const signedIn = [
        await shop().guest(),
        await shop().customer(`${path.replaceAll('/', '')}@mail.test`),
      ]
      for (const person of signedIn) {
        const page = await readMain(person, path)
        expect(page.getByRole('button', heart).getAttribute('aria-pressed')).toBe('false')
      }
    },
  )
})

test('the page of a category shows its banner, its title and only its items, with the newest first [NAV-18, GALLERY-02, GALLERY-06, GALLERY-07, DATA-112, DATA-113]', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/gallery/bags')

  expect(itemNames(html)).toEqual(['Net Bag', 'Sunday Tote'])
  const title = pageOf(html).getByRole('heading', { level: 1, name: 'Market Bags' })
  expect(title.closest('header')!.style.getPropertyValue('--tint')).toBe('#a08a5f')
  await addItem(shop.db, 'star', 'bags', { name: 'Star Bag', createdAt: 99 })
  expect(itemNames(await shop.visitor().page('/gallery/bags'))[0]).toBe('Star Bag')
})

test('the page of an unknown or empty category says that there are no items [S-053]', async () => {
  const shop = await openStockedShop()
  await addCategory(shop.db, 'empty', { title: 'Nothing Yet' })
  for (const path of ['/gallery/empty', '/gallery/who-knows', "/gallery/'%22;--"]) {
    const response = await shop.visitor().get(path)

    expect(response.status, path).toBe(200)
    expect(await response.text()).toContain('There are no items here yet.')
  }
})

test('the shop redirects an unknown path to the home page [NAV-19]', async () => {
  const shop = await openTestShop()
  for (const path of ['/nowhere', '/gallery/a/b', '/item/', '/item/a/b']) {
    const response = await shop.visitor().get(path)

    expect(response.status, path).toBe(302)
    expect(response.headers.get('location'), path).toBe('/')
  }
})

const favorites = ({ db }: TestShop) =>
  db.selectFrom('favorites').select(['userId', 'itemId']).orderBy('itemId').execute()

test('visitors cannot save favorites, and customers cannot save unknown items as favorites [FAV-01, FAV-02, ROLES-12]', async () => {
  const shop = await openStockedShop()
  const answer = await shop.visitor().act('/favourite', { itemId: 'tote', wanted: 'yes' })
  expect(answer).toEqual({ status: 401, text: expect.stringContaining(favoriteTexts.signedOut) })

  const ann = await shop.customer()
  for (const itemId of ['gone', '', "'; drop table items; --"]) {
    expect(await ann.act('/favourite', { itemId, wanted: 'yes' })).toEqual({
      status: 404,
      text: expect.stringContaining(favoriteTexts.noItem),
    })
  }
  expect(await favorites(shop)).toEqual([])
})

test('a customer can add an item to her favorites and later remove it [FAV-02, FAV-03, FAV-06, ROLES-12]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const guest = await shop.guest()
  await ann.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  expect(await favorites(shop)).toEqual([{ userId: ann.id, itemId: 'tote' }])
  expect(shop.changedTopics).toContain(`user:${ann.id}`)
  const findPressed = async () =>
    (await readMain(ann, '/item/tote')).queryByRole('button', { pressed: true })
  expect((await findPressed())!.getAttribute('aria-label')).toBe('Favorite: Sunday Tote')

  // Ann's other favorite and the guest's favorite stay when Ann removes the tote from her
  // favorites.
  await guest.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  await ann.act('/favourite', { itemId: 'net', wanted: 'yes' })
  await ann.act('/favourite', { itemId: 'tote', wanted: 'no' })
  expect(await favorites(shop)).toEqual([
    { userId: ann.id, itemId: 'net' },
    { userId: guest.id, itemId: 'tote' },
  ])
  expect(await findPressed()).toBeNull()
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
  const ann = await shop.customer('ann@mail.test')
  const bea = await shop.guest()
  await ann.act('/favourite', { itemId: 'tote', wanted: 'yes' })
  shop.clock.now += 1000
  await ann.act('/favourite', { itemId: 'round', wanted: 'yes' })

  expect(itemNames(await ann.page('/gallery/?favorites'))).toEqual(['Tea Coaster', 'Sunday Tote'])
  expect(await bea.page('/gallery/?favorites')).toContain('No favorites yet.')
  const categories = categoriesIn(await readMain(ann, '/gallery/'))
  const link = categories.getByRole('link', { name: 'Favorites' })
  expect(link.getAttribute('href')).toBe('/gallery/?favorites')
  expect(await shop.visitor().page('/gallery/')).not.toContain('favorites')
  expect((await shop.visitor().get('/gallery/?favorites')).headers.get('location')).toBe(
    '/gallery/',
  )
  await shop.db.deleteFrom('items').where('id', '=', 'tote').execute()
  expect(itemNames(await ann.page('/gallery/?favorites'))).toEqual(['Tea Coaster'])
})

test('without JavaScript, a click on a heart button leads back to the page with this button [FAV-02]', async () => {
  const shop = await openStockedShop()
  const ann = await shop.customer()
  const response = await ann.post('/favourite', {
    itemId: 'tote',
    wanted: 'yes',
    back: '/gallery/bags',
  })

  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/gallery/bags')
  expect(await favorites(shop)).toHaveLength(1)
})
