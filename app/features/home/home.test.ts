import { describe, expect, test } from 'vitest'
import { saveSettingGroup, saveSettings } from '#settings/settings.server.ts'
import { addCategory, addColor, addItem, addImage } from '#test/fixtures/catalog.ts'
import { hrefsIn, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { addTestimonyTicket } from '#test/fixtures/orders.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, type ShopOptions, type TestShop } from '#test/fixtures/test-shop.ts'
import { mixCategories, spreadOnRing, turnTo } from './showcase.ts'
import { homePageTexts } from './home-declarations.server.ts'
import { listPromoImages } from './showcase.server.ts'

async function openStockedShop(options: ShopOptions = {}) {
  const shop = await openTestShop(options)
  for (const [position, id] of ['bags', 'walls'].entries()) {
    await addCategory(shop.db, id, { title: `The ${id}`, position })
    await addItem(shop.db, `${id}-item`, id)
    const imageId = await addImage(shop.db, `show-${id}`)
    const row = {
      id: `s-${id}`,
      title: `For ${id}`,
      imageId,
      categoryId: id,
      deg: position * 90,
      position,
    }
    await shop.db.insertInto('showcase').values(row).execute()
  }
  return shop
}
const readHome = async (shop: TestShop, search = '') =>
  pageOf(await shop.visitor().page(`/${search}`))
const ringOf = (page: ReturnType<typeof pageOf>) => {
  const ring = within(page.getByRole('region', { name: 'Categories' }))
  const places = ring.getAllByRole('listitem')
  return {
    turn: ring.getByRole('list').parentElement!.style.getPropertyValue('--turn'),
    degs: places.map((place) => place.style.getPropertyValue('--deg')),
    hrefs: places.flatMap((place) => hrefsIn(within(place))),
    chosen: ring.getByRole('link', { current: true }).getAttribute('aria-label'),
    center: ring.getByRole('link', { name: /^See / }).getAttribute('href'),
  }
}

test('the ring on the home page has a circle for each category, and its center links to the gallery of the selected category [HOME-01, HOME-02, HOME-03, HOME-04, NAV-01, DATA-104]', async () => {
  const shop = await openStockedShop()
  await shop.db
    .insertInto('images')
    .values({
      id: 'wall',
      path: 'scenes/wallpaper-dark.avif',
      width: 2000,
      height: 1100,
      widths: '[960]',
      placeholder: 'data:,',
      createdAt: 1,
    })
    .execute()
  const page = await readHome(shop)
  const wallpaper = within(page.getByRole('region', { name: 'Welcome' })).getAllByAltText('')[0]!
  expect(wallpaper.getAttribute('src')).toBe('/pictures/scenes/wallpaper-dark.960.webp')
  expect(ringOf(page)).toMatchObject({
    degs: ['0deg', '90deg'],
    hrefs: ['/?category=bags', '/?category=walls'],
    chosen: 'The bags',
    center: '/gallery/bags',
  })
  expect(ringOf(await readHome(shop, '?category=walls'))).toMatchObject({
    turn: '-90deg',
    chosen: 'The walls',
    center: '/gallery/walls',
  })
})

test('until the owner changes the ring on Home, the ring consists of the categories that have a picture [OWN-07]', async () => {
  const shop = await openTestShop()
  for (const [position, id] of ['bags', 'plain', 'walls', 'keys'].entries()) {
    await addCategory(shop.db, id, { title: `The ${id}`, position })
    await addItem(shop.db, `piece-${id}`, id)
    if (id !== 'plain') {
      await shop.db
        .updateTable('categories')
        .set({ imageId: await addImage(shop.db, id) })
        .where('id', '=', id)
        .execute()
    }
  }
  expect(ringOf(await readHome(shop))).toMatchObject({
    degs: ['0deg', '120deg', '240deg'],
    hrefs: ['/?category=bags', '/?category=walls', '/?category=keys'],
  })
})

test('the ring turns in the shorter direction, and circles that would overlap are spread evenly [S-020]', () => {
  expect(turnTo(315, 0)).toBe(360)
  expect(turnTo(0, 315)).toBe(-45)
  expect(spreadOnRing([{ deg: 0 }, { deg: 90 }])).toEqual([0, 90])
  expect(spreadOnRing([{ deg: 5 }, { deg: 5 }, { deg: 359 }])).toEqual([0, 120, 240])
})

test('the headline of the home page ends with one of sixteen words [HOME-05, HOME-07]', async () => {
  const shop = await openTestShop()

  const { homeHeadline, homeWords } = homePageTexts.defaults
  expect(homeWords).toHaveLength(16)
  expect(new Set(homeWords).size).toBe(16)
  const headline = (await readHome(shop)).getByRole('heading', { level: 1 })
  expect(headline.textContent).toBe(`${homeHeadline} ${homeWords[0]}`)
})

test('the home page has two promotional sections, each with a picture and a link to the gallery [HOME-08]', async () => {
  const shop = await openStockedShop()
  const sections = (await readHome(shop)).getAllByRole('region', { name: /^Every (knot|order)/ })
  expect(sections).toHaveLength(2)
  for (const section of sections.map((section) => within(section))) {
    expect(section.getByAltText('').getAttribute('src')).toContain('/pictures/items/')
    expect(section.getByRole('link').getAttribute('href')).toBe('/gallery/')
  }
})

test('the banner announces 50% off while stocks last after the owner has switched the banner on [HOME-09, HOME-10, S-142, OWN-04]', async () => {
  const shop = await openTestShop()
  expect(wordsOf(await shop.visitor().page('/'))).not.toContain('while stocks last')

  await saveSettingGroup(shop.db, { isPromoShown: true }, shop.now())
  const banner = (await readHome(shop)).getByRole('complementary', { name: 'Clearance' })
  expect(banner.textContent).toBe('50% off everything, while stocks last')
})

describe('the home page', () => {
  const shop = shared(async (onCleanup) => {
    const shop = await openTestShop({ onCleanup })
    await addColor(shop.db, 'gone', { name: 'Gone_Grey', isAvailable: false, firstCreatedAt: 0 })
    for (let n = 10; n < 22; n++) {
      await addColor(shop.db, `c${n}`, { name: `Tone_${n}`, firstCreatedAt: n })
    }
    return shop
  })
  const readColors = async (shop: TestShop, search = '') => {
    const name = 'Look through our Available Colors'
    return within((await readHome(shop, search)).getByRole('region', { name }))
  }
  const namesIn = (section: ReturnType<typeof pageOf>) =>
    section.getAllByRole('link').map(({ textContent }) => textContent)

  test('the home page shows twelve colors, available colors first, with a title and "View All" [HOME-11, HOME-12, HOME-13, HOME-14, ROLES-02, DATA-106]', async () => {
    const section = await readColors(shop())
    expect(section.getByRole('button', { name: 'View All' })).toBeTruthy()
    expect(namesIn(section)).toEqual(Array.from({ length: 12 }, (_, n) => `Tone ${n + 10}`))
  })

  test('the home page shows every color and "Show fewer" after "View All", also after a reload [HOME-14, COLOR-04, DATA-105, OWN-100, OWN-131]', async () => {
    const section = await readColors(shop(), '?colors=all')
    expect(namesIn(section)).toHaveLength(13)
    expect(namesIn(section).at(-1)).toBe('Gone GreyNot available')
    expect(section.getByRole('button', { name: 'Show fewer' })).toBeTruthy()
    expect(section.queryByRole('button', { name: 'View All' })).toBeNull()
  })

  test('the home page has no "View All" while it shows all colors [HOME-14]', async () => {
    const shop = await openTestShop()
    await addColor(shop.db, 'only', { name: 'Only_Teal' })
    const section = await readColors(shop)
    expect(namesIn(section)).toEqual(['Only Teal'])
    expect(section.queryByRole('button')).toBeNull()
  })

  test('the home page links each color to the pieces in this color [OWN-99]', async () => {
    const link = (await readColors(shop())).getByRole('link', { name: 'Tone 10' })
    expect(link.getAttribute('href')).toBe('/gallery/?color=c10')
  })

  test('the home page ends with a footer that contains the terms and conditions, the year 2023 and a link back to the top [HOME-15, HOME-16, HOME-17]', async () => {
    const footer = within((await readHome(shop())).getByRole('contentinfo'))
    expect(footer.getByRole('heading', { name: 'Terms and Conditions' })).toBeTruthy()
    expect(footer.getByText(/2023/)).toBeTruthy()
    const link = footer.getByRole('link', { name: 'Back to Top' })
    expect(link.getAttribute('href')).toBe('#top')
  })
})

test('the home page shows the newest items of different categories, and each item links to its page', async () => {
  const shop = await openStockedShop()
  const section = { name: 'Fresh from the workshop' }
  const hrefs = hrefsIn(within((await readHome(shop)).getByRole('region', section)))
  expect(hrefs.toSorted()).toEqual(['/item/bags-item', '/item/walls-item'])

  const emptyShop = await openTestShop()
  expect((await readHome(emptyShop)).queryByRole('region', section)).toBeNull()
})

test('the newest items are of as many different categories as possible', () => {
  const pieces = ['a', 'a', 'b', 'a', 'c', 'b'].map((categoryId, id) => ({ id, categoryId }))
  expect(mixCategories(pieces, 4).map(({ id }) => id)).toEqual([0, 1, 2, 4])
  expect(mixCategories(pieces, 2).map(({ id }) => id)).toEqual([0, 2])
  expect(mixCategories([], 4)).toEqual([])
})

test('the home page chooses the two promotional images from the hundred most recently changed items [S-022, S-259]', async () => {
  const { db } = await openTestShop()
  for (const id of ['walls', 'bags', 'keys']) await addCategory(db, id)
  // "old" is the 101st newest item, so the home page must ignore "old" although its category has no
  // other item.
  await addItem(db, 'old', 'keys', { createdAt: 1000, images: [{}, {}, {}] })
  await addItem(db, 'bag', 'bags', { createdAt: 2000, images: [{}, {}] })
  for (let n = 0; n < 99; n++) await addItem(db, `wall${n}`, 'walls', { createdAt: 3000 + n })
  const paths = async () => (await listPromoImages(db)).map(({ url }) => url)
  expect((await paths()).toSorted()).toEqual([
    expect.stringContaining('bag-1'),
    expect.stringContaining('wall98-0'),
  ])
  await db.deleteFrom('items').where('id', '=', 'wall0').execute()
  expect(await paths()).toContainEqual(expect.stringContaining('old-2'))
})

test('the home page shows the newest testimony and the maker, and neither in an empty shop [OWN-135]', async () => {
  const shop = await openTestShop()
  const empty = await readHome(shop)
  expect(empty.queryByRole('region', { name: 'What a customer says' })).toBeNull()
  expect(empty.queryByRole('heading', { name: /^Made by/ })).toBeNull()

  await saveSettings(shop.db, { ownerName: 'Marisol', city: 'Asheville' }, 1)
  for (const [id, testimony, createdAt] of [
    ['old', 'So soft', 1],
    ['new', 'Never falls down', 2],
  ] as const) {
    const row = { testimony, createdAt, writerName: 'Wanda', isAvailable: false, showOnPage: true }
    await addTestimonyTicket(shop.db, id, row)
  }
  shop.live.changed('settings', 'testimonials')
  const page = await readHome(shop)
  const quote = within(page.getByRole('region', { name: 'What a customer says' }))
  expect(quote.getByText('Never falls down')).toBeTruthy()
  expect(quote.getByText('Wanda')).toBeTruthy()
  expect(quote.queryByText('So soft')).toBeNull()
  expect(hrefsIn(quote)).toEqual(['/testimonials/'])
  expect(page.getByRole('heading', { name: 'Made by Marisol in Asheville' })).toBeTruthy()
  const maker = within(page.getByRole('region', { name: 'Made by Marisol in Asheville' }))
  expect(hrefsIn(maker)).toEqual(['/about/'])
})
