import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { listQuery, readListView, withFold } from './item-list.ts'

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags', position: 1 })
  const owner = await shop.owner()
  const page = async (path: string) => (await owner.page(path)).replaceAll('<!-- -->', '').replaceAll(/<script.*?<\/script>/gs, '')
  return { ...shop, owner, page }
}
const idsOf = (html: string) => [...html.matchAll(/<li><a[^>]*href="\/manage\/item\/([^"?]+)/g)].map((match) => match[1])

async function addMany(db: Parameters<typeof addItem>[0], count: number) {
  const texts = { description: '', width: '', soleType: '', size: '', discountType: null, discountValue: null }
  const items = Array.from({ length: count }, (_, at) => ({
    id: `i${at}`,
    name: `Item ${at}`,
    categoryId: 'walls',
    priceCents: 100,
    ...texts,
    // Two of each share their time: the order must be the same on every page all the same.
    createdAt: 10_000 - Math.floor(at / 2),
    firstCreatedAt: 1,
  }))
  await db.insertInto('items').values(items).execute()
}

test('MERCH-01 MERCH-02 MERCH-03 a folded category brings its number only, and a link to its items for those without script', async () => {
  const { db, page } = await open()
  await addMany(db, 3)
  const html = await page('/manage/item/')

  expect(html).toMatch(/<summary>Walls<span[^>]*>3<\/span>/)
  expect(idsOf(html)).toEqual([])
  const link = /href="(\/manage\/item\/?\?open=[^"]+)"[^>]*>Show 3 items</.exec(html)![1]!
  expect(idsOf(await page(link))).toEqual(['i0', 'i1', 'i2'])
})

test('MERCH-03 MERCH-08 018 a long category comes in parts, each of which has an address, and every item is on exactly one', async () => {
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

test('MERCH-08 018 the part with the item in the form is open and marks it, unless she folded it', async () => {
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

test('018 the search folds like the shop, finds by name, category and color, says where, and keeps what is open', async () => {
  const { db, page } = await open()
  await addColor(db, 'sea_green')
  await addItem(db, 'creme', 'walls', { name: 'Crème Brûlée' })
  await addItem(db, 'tote', 'bags', { name: 'Tote', pictures: [{ colors: ['sea_green'] }] })

  expect(idsOf(await page('/manage/item/?q=BRULEE%20creme'))).toEqual(['creme'])
  expect(idsOf(await page('/manage/item/?q=sea%20green'))).toEqual(['tote'])
  const html = await page('/manage/item/?q=tote&open=1~walls')
  expect(html).toContain('1 item found')
  expect(html).toMatch(/href="\/manage\/item\/tote\?q=tote&amp;open=1%7Ewalls".*?<span>Bags<\/span>/)
  expect(html).toMatch(/<input[^>]*type="hidden"[^>]*name="open"[^>]*value="1~walls"/)
  expect(await page('/manage/item/?q=zebra')).toContain('Nothing found for “zebra”')
})

test('018 a row tells price, discount, and what is sold out or low', async () => {
  const { db, page } = await open()
  await addColor(db, 'ash', { isLowOnStock: 1 })
  await addItem(db, 'gone', 'walls', { pictures: [{ isAvailable: 0 }], priceCents: 4000, createdAt: 3 })
  await addItem(db, 'low', 'walls', { pictures: [{ colors: ['ash'] }], createdAt: 2 })
  await addItem(db, 'cheap', 'walls', { priceCents: 2000, discountType: 'percent', discountValue: 1500, createdAt: 1 })
  const rows = (await page('/manage/item/?open=1~walls')).split('<li>').slice(1)
  const row = (id: string) => rows.find((html) => html.includes(`/manage/item/${id}?`))!

  expect(row('gone')).toMatch(/\$40\.00.*Not available/)
  expect(row('low')).toMatch(/\$25\.00.*Low on stock/)
  expect(row('cheap')).toMatch(/\$17\.00.*15% OFF/)
  expect(row('cheap')).not.toMatch(/Not available|Low on stock/)
})

test('018 as many queries for thousands of items as for a few', async () => {
  const { db, shop, owner } = await open()
  const queries = async () => {
    let count = 0
    const own = shop.db
    shop.db = own.withPlugin({ transformQuery: ({ node }) => (count++, node), transformResult: async ({ result }) => result })
    await owner.page('/manage/item/i1?open=1~bags')
    shop.db = own
    return count
  }
  await addMany(db, 3)
  await addItem(db, 'tote', 'bags')
  // What is kept for every look is read at the first one.
  await queries()
  const few = await queries()
  await db.deleteFrom('items').where('categoryId', '=', 'walls').execute()
  await addMany(db, 2000)
  await queries()
  expect(await queries()).toBe(few)
})

test('whatever an address holds is read', async () => {
  const { owner } = await open()
  for (const query of [
    'open=x',
    'open=1~',
    'open=99999999~walls',
    'open=3~nothing',
    'open=900~walls',
    'q=%00',
    'page=-1',
    'q=a&page=99999',
    'open=1~%00',
  ])
    expect((await owner.get(`/manage/item/?${query}`)).status).toBe(200)
  const view = readListView(new URLSearchParams('q=moon+wall&page=2&open=1~a&open=2~a&open=0~b&open=x'))
  expect(view).toEqual({
    text: 'moon wall',
    page: 2,
    folds: new Map([
      ['a', 2],
      ['b', 0],
    ]),
  })
  expect(readListView(new URLSearchParams(listQuery(withFold(view, 'b', 3))))).toEqual(withFold(view, 'b', 3))
})
