import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { addCategory, addColor, addItem, addItems } from '#test/fixtures/catalog.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { listQuery, parseListView } from './item-list.ts'

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags', position: 1 })
  const owner = await shop.owner()
  const page = async (path: string) => pageOf(await owner.page(path))
  return { ...shop, owner, page }
}
type Page = ReturnType<typeof pageOf>
const linksOf = (page: Page) =>
  page.getAllByRole('link').filter((link) => link.closest('#item-list li'))
const idsOf = (page: Page) =>
  linksOf(page).map((link) => /^\/manage\/item\/([^?]+)/.exec(link.getAttribute('href')!)?.[1])
const categoryOf = (page: Page, title: string) =>
  page.getByText(title, { selector: 'summary' }).closest('details')!

/**
 * Adds items in pairs. The items of a pair have the same time of change, so only another column
 * decides their sequence.
 */
const addMany = (db: Db, count: number) =>
  addItems(db, count, 'walls', (index) => ({ createdAt: 10_000 - Math.floor(index / 2) }))

test('a closed category shows its number of items and a link to them [MERCH-01, MERCH-02, MERCH-03]', async () => {
  const { db, page } = await open()
  await addMany(db, 3)
  const closed = await page('/manage/item/')

  expect(categoryOf(closed, 'Walls').querySelector('summary')!.textContent).toBe('Walls3')
  expect(idsOf(closed)).toEqual([])
  const link = closed.getByRole('link', { name: 'Show 3 items' })
  expect(idsOf(await page(link.getAttribute('href')!))).toEqual(['i0', 'i1', 'i2'])
})

test('the list divides a category with many items into pages, and each item is on exactly one page [MERCH-03, MERCH-08]', async () => {
  const { db, page } = await open()
  await addMany(db, 120)
  let path: string | null = '/manage/item/?open=1~walls'
  const all: (string | undefined)[] = []
  for (const [index, length] of [50, 50, 20].entries()) {
    const part = await page(path!)
    expect(idsOf(part)).toHaveLength(length)
    const pages = within(part.getByRole('navigation', { name: 'Parts of Walls' }))
    expect(pages.getByText(`${index + 1} of 3`)).toBeTruthy()
    all.push(...idsOf(part))
    path = pages.queryByRole('link', { name: 'More' })?.getAttribute('href') ?? null
  }
  expect(path).toBeNull()
  expect(new Set(all).size).toBe(120)
})

test('the item list opens at the page of the edited item, unless the owner has closed the category of this item [MERCH-08]', async () => {
  const { db, page } = await open()
  await addMany(db, 120)
  const list = await page('/manage/item/i77')

  expect(list.getByText('2 of 3')).toBeTruthy()
  const current = linksOf(list).filter((link) => link.getAttribute('aria-current') === 'page')
  expect(current.map((link) => link.getAttribute('href'))).toEqual(['/manage/item/i77'])
  expect(idsOf(await page('/manage/item/i77?open=0~walls'))).toEqual([])
  const closed = await page('/manage/item/i77?open=0~walls&open=1~bags')
  expect(categoryOf(closed, 'Walls').hasAttribute('open')).toBe(false)
  expect(closed.getByRole('link', { name: 'Show 120 items' })).toBeTruthy()
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

test('the search in the item list finds items by name or color, and the link of a result keeps the open categories', async () => {
  const { db, page } = await open()
  await addColor(db, 'sea_green')
  await addItem(db, 'creme', 'walls', { name: 'Crème Brûlée' })
  await addItem(db, 'tote', 'bags', { name: 'Tote', images: [{ colors: ['sea_green'] }] })

  expect(idsOf(await page('/manage/item/?q=BRULEE%20creme'))).toEqual(['creme'])
  expect(idsOf(await page('/manage/item/?q=sea%20green'))).toEqual(['tote'])
  const result = await page('/manage/item/?q=tote&open=1~walls')
  expect(result.getByRole('heading', { name: '1 item found' })).toBeTruthy()
  const [link] = linksOf(result)
  expect(link!.getAttribute('href')).toBe('/manage/item/tote?q=tote&open=1%7Ewalls')
  expect(within(link!).getByText('Bags')).toBeTruthy()
  const form = result.getByRole('search', { name: 'Items' })
  expect(form.querySelector('[name="open"]')!.getAttribute('value')).toBe('1~walls')
  const empty = await page('/manage/item/?q=zebra')
  expect(empty.getByRole('heading', { name: 'Nothing found for “zebra”' })).toBeTruthy()
})

test('a row of the item list shows the price, the discount, and whether the item is sold out or low on stock', async () => {
  const { db, page } = await open()
  await addColor(db, 'ash', { isLowOnStock: true })
  await addItem(db, 'gone', 'walls', {
    images: [{ isAvailable: false }],
    priceCents: 4000,
    createdAt: 3,
  })
  await addItem(db, 'low', 'walls', { images: [{ colors: ['ash'] }], createdAt: 2 })
  await addItem(db, 'cheap', 'walls', {
    priceCents: 2000,
    discountType: 'percent',
    discountValue: 1500,
    createdAt: 1,
  })
  const list = await page('/manage/item/?open=1~walls')
  const row = (name: string) => list.getByText(name).closest('li')!.textContent

  expect(row('gone')).toMatch(/\$40\.00.*Not available/)
  expect(row('low')).toMatch(/\$25\.00.*Low on stock/)
  expect(row('cheap')).toMatch(/\$17\.00.*15% OFF/)
  expect(row('cheap')).not.toMatch(/Not available|Low on stock/)
})
