import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { addCategory, addColor, addItem, addItems } from '#test/fixtures/catalog.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { listQuery, parseListView } from './item-list.ts'

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags', position: 1 })
  const owner = await shop.owner()
  const page = async (path: string) =>
    (await owner.page(path)).replaceAll('<!-- -->', '').replaceAll(/<script.*?<\/script>/gs, '')
  return { ...shop, owner, page }
}
const idsOf = (html: string) =>
  [...html.matchAll(/<li><a[^>]*href="\/manage\/item\/([^"?]+)/g)].map((match) => match[1])

/** Adds items in pairs. The items of a pair have the same time of change, so only another column decides their sequence. */
const addMany = (db: Db, count: number) =>
  addItems(db, count, 'walls', (at) => ({ createdAt: 10_000 - Math.floor(at / 2) }))

test('a closed category shows its number of items and a link to them [MERCH-01, MERCH-02, MERCH-03]', async () => {
  const { db, page } = await open()
  await addMany(db, 3)
  const html = await page('/manage/item/')

  expect(html).toMatch(/<summary>Walls<span[^>]*>3<\/span>/)
  expect(idsOf(html)).toEqual([])
  const link = /href="(\/manage\/item\/?\?open=[^"]+)"[^>]*>Show 3 items</.exec(html)![1]!
  expect(idsOf(await page(link))).toEqual(['i0', 'i1', 'i2'])
})

test('the list divides a category with many items into pages, and each item is on exactly one page [MERCH-03, MERCH-08]', async () => {
  const { db, page } = await open()
  await addMany(db, 120)
  let path = '/manage/item/?open=1~walls'
  const all: (string | undefined)[] = []
  for (const [part, length] of [50, 50, 20].entries()) {
    const html = await page(path)
    expect(idsOf(html)).toHaveLength(length)
    expect(html).toContain(`${part + 1} of 3`)
    all.push(...idsOf(html))
    path = (/href="([^"]+)"[^>]*>More</.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
  }
  expect(path).toBe('')
  expect(new Set(all).size).toBe(120)
})

test('the item list opens at the page of the edited item, unless the owner has closed the category of this item [MERCH-08]', async () => {
  const { db, page } = await open()
  await addMany(db, 120)
  const html = await page('/manage/item/i77')

  expect(html).toContain('2 of 3')
  expect(html).toMatch(
    /<a[^>]*aria-current="page"[^>]*href="\/manage\/item\/i77"|<a[^>]*href="\/manage\/item\/i77"[^>]*aria-current="page"/,
  )
  expect(idsOf(await page('/manage/item/i77?open=0~walls'))).toEqual([])
  const links = await page('/manage/item/i77?open=0~walls&open=1~bags')
  expect(links).toMatch(/<summary>Walls<span[^>]*>120<\/span><\/summary><a/)
})

test('the URL of the item list contains the search, the page and the open categories, but invalid values are ignored', () => {
  const view = {
    text: 'moon',
    page: 2,
    folds: new Map([
      ['walls', 3],
      ['bags', 0],
    ]),
  }
  expect(parseListView(new URLSearchParams(listQuery(view)))).toEqual(view)
  expect(parseListView(new URLSearchParams('page=x&open=x~walls&open=1&open=~bags'))).toEqual({
    text: '',
    page: 1,
    folds: new Map(),
  })
  expect(listQuery({ text: ' ', page: 1, folds: new Map() })).toBe('')
})

test('the search in the item list finds items by name or color, and a followed result leaves open categories open', async () => {
  const { db, page } = await open()
  await addColor(db, 'sea_green')
  await addItem(db, 'creme', 'walls', { name: 'Crème Brûlée' })
  await addItem(db, 'tote', 'bags', { name: 'Tote', pictures: [{ colors: ['sea_green'] }] })

  expect(idsOf(await page('/manage/item/?q=BRULEE%20creme'))).toEqual(['creme'])
  expect(idsOf(await page('/manage/item/?q=sea%20green'))).toEqual(['tote'])
  const html = await page('/manage/item/?q=tote&open=1~walls')
  expect(html).toContain('1 item found')
  expect(html).toMatch(
    /href="\/manage\/item\/tote\?q=tote&amp;open=1%7Ewalls".*?<span>Bags<\/span>/,
  )
  expect(html).toMatch(/<input[^>]*type="hidden"[^>]*name="open"[^>]*value="1~walls"/)
  expect(await page('/manage/item/?q=zebra')).toContain('Nothing found for “zebra”')
})

test('a row of the item list shows the price, the discount, and whether the item is sold out or low on stock', async () => {
  const { db, page } = await open()
  await addColor(db, 'ash', { isLowOnStock: 1 })
  await addItem(db, 'gone', 'walls', {
    pictures: [{ isAvailable: 0 }],
    priceCents: 4000,
    createdAt: 3,
  })
  await addItem(db, 'low', 'walls', { pictures: [{ colors: ['ash'] }], createdAt: 2 })
  await addItem(db, 'cheap', 'walls', {
    priceCents: 2000,
    discountType: 'percent',
    discountValue: 1500,
    createdAt: 1,
  })
  const rows = (await page('/manage/item/?open=1~walls')).split('<li>').slice(1)
  const row = (id: string) => rows.find((html) => html.includes(`/manage/item/${id}?`))!

  expect(row('gone')).toMatch(/\$40\.00.*Not available/)
  expect(row('low')).toMatch(/\$25\.00.*Low on stock/)
  expect(row('cheap')).toMatch(/\$17\.00.*15% OFF/)
  expect(row('cheap')).not.toMatch(/Not available|Low on stock/)
})
