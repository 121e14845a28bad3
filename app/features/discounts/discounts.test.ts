import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { listColorDocuments, listItemDocuments } from '#app/features/catalog/catalog-documents.server.ts'

const page = '/manage/discount/'

async function open() {
  const shop = await openTestShop()
  await addColor(shop.db, 'ash', { name: 'Ash_grey' })
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addItem(shop.db, 'a', 'bags', { name: 'Market bag', priceCents: 2000 })
  await addItem(shop.db, 'b', 'walls', { name: 'Moon wall', priceCents: 4000, discountType: 'percent', discountValue: 1000 })
  await addItem(shop.db, 'c', 'walls', { name: 'Sun wall', priceCents: 6000 })
  return { ...shop, owner: await shop.owner() }
}

/** The first text node of the page's answer, without what React puts between pieces. */
const clean = (html: string) => html.replaceAll('<!-- -->', '').replaceAll('&gt;', '>').replaceAll('&lt;', '<')

const form = (fields: Record<string, string>, items: string[] = []) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  for (const id of items) body.append('item', id)
  return body
}

test('NAV-11 ROLES-21 DISC-01 DISC-02 DISC-03 DISC-04 DISC-05 DISC-06 DISC-07 DISC-09 Colors Discount and its form', async () => {
  const { owner } = await open()
  const html = clean(await owner.page(page))
  const colors = html.slice(html.indexOf('Colors Discount'), html.indexOf('Items Discount'))

  expect(colors).toContain('<option value="ash">Ash grey</option>')
  expect(colors).toContain('<option value="amount">Amount</option><option value="percent" selected="">Percent</option>')
  expect(colors).toMatch(/<label[^>]*>Value<\/label><input/)
  expect(colors).toMatch(/<button[^>]*>Go<\/button>/)
  expect(colors).toMatch(/<button[^>]*>Remove<\/button>/)
  expect(colors).toContain('>Empty</p>')
})

test('DISC-08 DISC-10 the strip lists the colours on sale, and choosing one loads its values', async () => {
  const { db, owner } = await open()
  await addColor(db, 'red', { discountType: 'amount', discountValue: 250 })

  const html = clean(await owner.page(`${page}?color=red`))

  expect(html).not.toContain('>Empty</p>')
  expect(html).toMatch(/href="[^"]*\?color=red"/)
  expect(html).toContain('<option value="red" selected="">red</option>')
  expect(html).toContain('<option value="amount" selected="">Amount</option>')
  expect(html).toMatch(/name="value"[^>]*value="2.5"|value="2.5"[^>]*name="value"/)
  expect(html).toContain('$2.50 OFF')
})

test('DISC-11 DISC-12 DISC-13 ERR-08 a colour and a number above 0 are asked for, in this order', async () => {
  const { db, owner } = await open()
  const go = (color: string, value: string) => owner.act(page, form({ intent: 'color-go', color, type: 'percent', value }))

  expect(await go('', '0')).toMatchObject({ status: 422, text: expect.stringContaining('Please select a color to put on sale...') })
  for (const value of ['0', '', '-1', '1e9', '0.001', 'NaN', 'ten'])
    expect(await go('ash', value)).toMatchObject({ status: 422, text: expect.stringContaining('Please Enter a number above 0') })
  expect((await owner.act(page, form({ intent: 'color-remove', color: '' }))).text).toContain('Please select a color to remove')
  expect((await listColorDocuments(db))[0]).not.toHaveProperty('discount')
})

test('DISC-14 DISC-15 DISC-16 DISC-17 DATA-064 a colour is put on sale and its sale is ended', async () => {
  const { db, owner, clock, heard } = await open()

  const put = await owner.act(page, form({ intent: 'color-go', color: 'ash', type: 'percent', value: '12,50' }))
  expect(put).toMatchObject({ status: 200, text: expect.stringContaining('Successfully put Color on Sale') })
  expect(await listColorDocuments(db)).toMatchObject([{ id: 'ash', discount: { type: 'percent', price: 12.5 }, createdAt: clock.now }])
  const ended = await owner.act(page, form({ intent: 'color-remove', color: 'ash' }))
  expect(ended).toMatchObject({ status: 200, text: expect.stringContaining('Successfully Removed Color Sale') })
  expect((await listColorDocuments(db))[0]).not.toHaveProperty('discount')
  expect(heard.filter((topic) => topic === 'catalogue')).toHaveLength(2)
})

test('DISC-18 DISC-19 DISC-20 DISC-21 DISC-22 DISC-23 DISC-24 DISC-25 the search of Items Discount', async () => {
  const { owner } = await open()
  const html = clean(await owner.page(page))
  const search = html.slice(html.indexOf('Items Discount'))

  expect(search).toMatch(/<input type="checkbox" name="sale"\/>Select Items on Sale/)
  expect(search).toMatch(/<label for="search-name">Name<\/label><input/)
  expect(search).toContain('<option selected="">>=</option><option>==</option><option><=</option>')
  expect(search).toMatch(/<label for="search-price">Price<\/label><input/)
  expect(search).toContain('All Categories</option><option value="bags">Bags</option><option value="walls">Walls</option>')
  expect(search).toMatch(/<button class="button">Search<\/button>/)
  expect(search).toMatch(/<button[^>]*form="reset-search"[^>]*>Reset<\/button>/)
})

const found = (html: string) =>
  [...html.matchAll(/name="item"[^>]*value="(\w)"/g)]
    .map((match) => match[1])
    .sort()
    .join('')

test.for([
  ['', 'abc'],
  ['?sale=on', 'b'],
  ['?name=WALL', 'bc'],
  ['?name=moon&category=bags', ''],
  ['?compare=%3E%3D&price=40', 'bc'],
  ['?compare=%3D%3D&price=40.00', 'b'],
  ['?compare=%3C%3D&price=40', 'ab'],
  ['?compare=%3D%3D&price=0', 'abc'],
  ['?price=', 'abc'],
  ['?category=walls', 'bc'],
  ['?category=', 'abc'],
  ['?category=nothing', ''],
])('DISC-28 DISC-29 DISC-30 DISC-31 the search %s finds the items %s', async ([query, ids]) => {
  const { owner } = await open()
  expect(found(await owner.page(page + query))).toBe(ids)
})

test('DISC-32 DISC-33 DISC-34 DISC-36 DISC-37 DISC-38 DISC-39 DISC-40 DISC-41 cards in a grid of 1 to 4 columns, 2 at first', async () => {
  const { owner } = await open()
  const html = clean(await owner.page(page))

  expect(html).toContain('data-columns="2"')
  for (const columns of [1, 2, 3, 4]) expect(await owner.page(`${page}?columns=${columns}`)).toContain(`data-columns="${columns}"`)
  expect(await owner.page(`${page}?columns=9`)).toContain('data-columns="2"')
  expect(html).toContain('Select All')
  const card = html.slice(html.indexOf('Moon wall') - 900, html.indexOf('Moon wall') + 400)
  expect(card).toContain('/pictures/items/b-0.480.webp')
  expect(card).toMatch(/<s[^>]*>.*\$40\.00<\/s>.*\$36\.00/)
})

test('DISC-42 DISC-44 DISC-47 DISC-50 DISC-52 DISC-56 S-127 the selected items go on sale after a Yes', async () => {
  const { db, owner, clock, heard } = await open()
  expect(clean(await owner.page(page))).toMatch(/id="items-type"[^>]*><option value="amount" selected="">/)
  const apply = { intent: 'items-apply', type: 'amount', value: '5' }

  const asked = await owner.act(page, form(apply, ['a', 'b']))
  expect(asked).toMatchObject({ status: 409, text: expect.stringContaining('Put 2 item(s) on sale with $5 discount.') })
  const put = await owner.act(page, form({ ...apply, confirm: 'Yes' }, ['a', 'b']))
  expect(put).toMatchObject({ status: 200, text: expect.stringContaining('Successfully put Items on Sale') })
  const documents = (await listItemDocuments(db)).toSorted((one, other) => one.id.localeCompare(other.id))
  expect(documents.map((item) => item.discount)).toEqual([{ type: 'amount', price: 5 }, { type: 'amount', price: 5 }, undefined])
  expect(documents[0]!.createdAt).toBe(clock.now)
  expect(clean(await owner.page(page))).toMatch(/\$20\.00<\/s>.*\$15\.00/)
  expect(heard).toContain('catalogue')
})

test('DISC-43 DISC-48 DISC-49 DISC-51 DISC-53 a sale is ended after a Yes; without it nothing is written', async () => {
  const { db, owner } = await open()
  const discountOf = async () => (await listItemDocuments(db)).find((item) => item.id === 'b')?.discount

  expect((await owner.act(page, form({ intent: 'items-remove' }, ['b']))).status).toBe(409)
  expect((await owner.act(page, form({ intent: 'items-apply', type: 'amount', value: '1', confirm: 'No' }, ['b']))).status).toBe(409)
  expect(await discountOf()).toEqual({ type: 'percent', price: 10 })
  const ended = await owner.act(page, form({ intent: 'items-remove', confirm: 'Yes' }, ['b']))
  expect(ended).toMatchObject({ status: 200, text: expect.stringContaining('Successfully Removed Item Discount') })
  expect(await discountOf()).toBeUndefined()
})

test('DISC-45 DISC-46 a value above 0 and a selection are asked for', async () => {
  const { owner } = await open()
  const apply = async (type: string, value: string, ids: string[]) =>
    (await owner.act(page, form({ intent: 'items-apply', type, value, confirm: 'Yes' }, ids))).text

  expect(await apply('amount', '0', ['a'])).toContain('Cannot put item on sale with 0 amount')
  expect(await apply('percent', '-5', [])).toContain('Cannot put item on sale with -5 percent')
  expect(await apply('percent', '5', [])).toContain('Please select some items to put on sale')
  expect((await owner.act(page, form({ intent: 'items-remove', confirm: 'Yes' }))).text).toContain(
    'Please select some items to put on sale',
  )
})

test('DISC-54 S-125 a failed write says so and changes none of the items', async () => {
  const { db, owner } = await open()
  const failed = 'An error occured while updating the database'
  const before = await listItemDocuments(db)
  const apply = { intent: 'items-apply', type: 'amount', value: '5', confirm: 'Yes' }

  expect(await owner.act(page, form(apply, ['a', 'gone']))).toMatchObject({ status: 409, text: expect.stringContaining(failed) })
  await db.schema.dropTable('audit').execute()
  for (const act of [
    form(apply, ['a', 'c']),
    form({ intent: 'items-remove', confirm: 'Yes' }, ['b']),
    form({ intent: 'color-go', color: 'ash', type: 'amount', value: '1' }),
    form({ intent: 'color-remove', color: 'ash' }),
  ])
    expect(await owner.act(page, act)).toMatchObject({ status: 500, text: expect.stringContaining(failed) })
  expect(await listItemDocuments(db)).toEqual(before)
})
