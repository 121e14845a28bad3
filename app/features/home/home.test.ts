import { expect, test } from 'vitest'
import { saveSettingGroup } from '#app/features/settings/settings.server.ts'
import { addCategory, addColor, addItem, addPicture } from '#test/fixtures/catalog.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { mixCategories, spreadOnRing, turnTo } from './showcase.ts'
import { defaultHomeTexts } from './owner-texts.ts'
import { listPromoPictures } from './showcase.server.ts'

async function openStockedShop() {
  const shop = await openTestShop()
  for (const [position, id] of ['bags', 'walls'].entries()) {
    await addCategory(shop.db, id, { title: `The ${id}`, position })
    await addItem(shop.db, `${id}-item`, id)
    const pictureId = await addPicture(shop.db, `show-${id}`)
    const row = {
      id: `s-${id}`,
      title: `For ${id}`,
      pictureId,
      categoryId: id,
      deg: position * 90,
      position,
    }
    await shop.db.insertInto('showcase').values(row).execute()
  }
  return shop
}
const colorNames = (html: string) =>
  [
    ...(/<section id="colors".*?<\/section>/s.exec(html)?.[0] ?? '').matchAll(
      /<\/span>([^<]+)(?:<span|<\/a>)/g,
    ),
  ].map((match) => match[1])

test('the ring on the home page has a circle for each category, and its center links to the gallery of the selected category [HOME-01, HOME-02, HOME-03, HOME-04, NAV-01, DATA-104]', async () => {
  const shop = await openStockedShop()
  await shop.db
    .insertInto('pictures')
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
  const html = await shop.visitor().page('/')
  expect(html).toContain('/pictures/scenes/wallpaper-dark.960.webp')
  expect([...html.matchAll(/--deg:(\d+)deg/g)].map((match) => match[1])).toEqual(['0', '90'])
  const circles = [...html.matchAll(/<a[^>]*href="([^"]*)"[^>]*>/g)].filter(([circle]) =>
    circle.includes('title="The '),
  )
  expect(circles.map((match) => match[1])).toEqual(['/?category=bags', '/?category=walls'])
  expect(html).toMatch(/aria-current="true" aria-label="The bags"/)
  expect(html).toMatch(/href="\/gallery\/bags"/)

  const other = await shop.visitor().page('/?category=walls')
  expect(other).toMatch(/aria-current="true" aria-label="The walls"/)
  expect(other).toMatch(/href="\/gallery\/walls"/)
  expect(other).toContain('--turn:-90deg')
})

test('until the owner changes the ring on Home, the ring consists of the categories that have a picture [OWN-07]', async () => {
  const shop = await openTestShop()
  for (const [position, id] of ['bags', 'plain', 'walls', 'keys'].entries()) {
    await addCategory(shop.db, id, { title: `The ${id}`, position })
    await addItem(shop.db, `piece-${id}`, id)
    if (id !== 'plain')
      await shop.db
        .updateTable('categories')
        .set({ pictureId: await addPicture(shop.db, id) })
        .where('id', '=', id)
        .execute()
  }
  const html = await shop.visitor().page('/')
  expect([...html.matchAll(/--deg:(\d+)deg/g)].map((match) => match[1])).toEqual([
    '0',
    '120',
    '240',
  ])
  expect([...html.matchAll(/href="\/\?category=(\w+)"/g)].map((match) => match[1])).toEqual([
    'bags',
    'walls',
    'keys',
  ])
})

test('the ring turns in the shorter direction, and circles that would overlap are spread evenly [S-020]', () => {
  expect(turnTo(315, 0)).toBe(360)
  expect(turnTo(0, 315)).toBe(-45)
  expect(spreadOnRing([{ deg: 0 }, { deg: 90 }])).toEqual([0, 90])
  expect(spreadOnRing([{ deg: 5 }, { deg: 5 }, { deg: 359 }])).toEqual([0, 120, 240])
})

test('the headline of the home page ends with one of sixteen words [HOME-05, HOME-07]', async () => {
  const shop = await openTestShop()

  const { homeHeadline, homeWords } = defaultHomeTexts
  expect([homeWords.length, new Set(homeWords).size]).toEqual([16, 16])
  expect(await shop.visitor().page('/')).toMatch(
    new RegExp(
      `<h1[^>]*>${homeHeadline}(<!-- -->)? (<!-- -->)?<span[^>]*>${homeWords[0]}</span></h1>`,
    ),
  )
})

test('the home page has two promotional sections, each with a picture and a link to the gallery [HOME-08]', async () => {
  const shop = await openStockedShop()
  const html = await shop.visitor().page('/')
  const sections = [
    ...html.matchAll(/<section[^>]*aria-label="(?:Every knot|Every order)[^"]*".*?<\/section>/gs),
  ].map((match) => match[0])

  expect(sections).toHaveLength(2)
  for (const section of sections) {
    expect(section).toContain('/pictures/items/')
    expect(section).toContain('href="/gallery/"')
  }
})

test('the banner announces 50% off while stocks last after the owner has switched the banner on [HOME-09, HOME-10, S-142, OWN-04]', async () => {
  const shop = await openTestShop()
  const text = async () => (await shop.visitor().page('/')).replaceAll(/<[^>]+>/g, '')
  expect(await text()).not.toContain('while stocks last')

  await saveSettingGroup(shop.db, { isPromoShown: true }, shop.now())
  expect(await text()).toContain('50% off everything, while stocks last')
})

async function openColorfulShop() {
  const shop = await openTestShop()
  await addColor(shop.db, 'gone', { name: 'Gone_Grey', isAvailable: 0, firstCreatedAt: 0 })
  for (let n = 10; n < 22; n++)
    await addColor(shop.db, `c${n}`, { name: `Tone_${n}`, firstCreatedAt: n })
  return shop
}

test('the home page shows twelve colors, available colors first, with a title and "View All" [HOME-11, HOME-12, HOME-13, HOME-14, ROLES-02, DATA-106]', async () => {
  const html = await (await openColorfulShop()).visitor().page('/')
  expect(html).toContain('Look through our Available Colors')
  expect(html).toContain('View All')
  expect(colorNames(html)).toEqual(Array.from({ length: 12 }, (_, n) => `Tone ${n + 10}`))
})

test('"View All" shows every color, survives a reload, and becomes "Show fewer" [HOME-14, COLOR-04, DATA-105, OWN-100, OWN-131]', async () => {
  const all = await (await openColorfulShop()).visitor().page('/?colors=all')
  expect(colorNames(all)).toHaveLength(13)
  expect(colorNames(all).at(-1)).toBe('Gone Grey')
  expect(all).toContain('Not available')
  expect(all).toContain('Show fewer')
  expect(all).not.toContain('View All')

  const few = await openTestShop()
  await addColor(few.db, 'only', { name: 'Only_Teal' })
  expect(await few.visitor().page('/')).toMatch(/Only Teal(?!.*View All)/s)
})

test('each color on the home page links to the pieces in this color [OWN-99]', async () => {
  const html = await (await openColorfulShop()).visitor().page('/')
  expect(html).toMatch(/href="\/gallery\/\?color=c10"[^>]*>(<[^>]+>)*<\/span>Tone 10</)
})

test('the footer contains the terms and conditions, the year 2023 and a link back to the top [HOME-15, HOME-16, HOME-17]', async () => {
  const shop = await openTestShop()
  const footer = /<footer.*<\/footer>/s.exec(await shop.visitor().page('/'))?.[0]

  expect(footer).toContain('Terms and Conditions')
  expect(footer).toContain('2023')
  expect(footer).toMatch(/href="#top"[^>]*>.*Back to Top/s)
})

test('the home page shows the newest items of different categories, and each item links to its page', async () => {
  const shop = await openStockedShop()
  const row = async () =>
    /<section aria-labelledby="newest".*?<\/section>/s.exec(await shop.visitor().page('/'))?.[0] ??
    ''
  expect(
    [...(await row()).matchAll(/href="\/item\/([^"/]+)/g)].map((match) => match[1]).toSorted(),
  ).toEqual(['bags-item', 'walls-item'])

  const pieces = ['a', 'a', 'b', 'a', 'c', 'b'].map((categoryId, at) => ({ at, categoryId }))
  expect(mixCategories(pieces, 4).map(({ at }) => at)).toEqual([0, 1, 2, 4])
  expect(mixCategories(pieces, 2).map(({ at }) => at)).toEqual([0, 2])
  expect(mixCategories([], 4)).toEqual([])

  const empty = await openTestShop()
  expect(await empty.visitor().page('/')).not.toContain('Fresh from the workshop')
})

test('the home page chooses the two promotional images from the hundred most recently changed items [S-022, S-259]', async () => {
  const { db } = await openTestShop()
  for (const id of ['walls', 'bags', 'keys']) await addCategory(db, id)
  // "old" is the 101st newest item, so the home page must ignore "old" although its category has no other item.
  await addItem(db, 'old', 'keys', { createdAt: 1000, pictures: [{}, {}, {}] })
  await addItem(db, 'bag', 'bags', { createdAt: 2000, pictures: [{}, {}] })
  for (let at = 0; at < 99; at++) await addItem(db, `wall${at}`, 'walls', { createdAt: 3000 + at })
  const paths = async () => (await listPromoPictures(db)).map(({ url }) => url)
  expect((await paths()).toSorted()).toEqual([
    expect.stringContaining('bag-1'),
    expect.stringContaining('wall98-0'),
  ])
  await db.deleteFrom('items').where('id', '=', 'wall0').execute()
  expect(await paths()).toContainEqual(expect.stringContaining('old-2'))
})
