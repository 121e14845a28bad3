import { expect, test } from 'vitest'
import { addColor } from '#test/fixtures/catalog.ts'
import { formOf } from '#test/fixtures/html.ts'
import { openShopWithDiscount } from '#test/fixtures/prepared-shops.ts'
import {
  listColorDocuments,
  listItemDocuments,
} from '#app/features/catalog/catalog-documents.server.ts'
import { US_DOLLAR } from '#app/lib/text/currency.ts'
import { shortDiscountText } from './discount.ts'
import { discountTexts } from './texts.ts'

const page = '/manage/discount/'

const clean = (html: string) =>
  html.replaceAll('<!-- -->', '').replaceAll('&gt;', '>').replaceAll('&lt;', '<')

const form = (fields: Record<string, string>, item: string[] = []) => formOf({ ...fields, item })

test('the owner sees the sections “Colors Discount” and “Items Discount” [NAV-11, ROLES-21]', async () => {
  const { owner } = await openShopWithDiscount()
  expect(await owner.page(page)).toMatch(/<h2[^>]*>Colors Discount<[\s\S]*<h2[^>]*>Items Discount</)
})

test.each([
  ['a color picker', 'DISC-02', /<option value="ash">Ash grey<\/option>/],
  [
    'both types, Percent first chosen',
    'DISC-03, DISC-04',
    /"amount">Amount<\/option><option value="percent" selected="">Percent</,
  ],
  ['a value field', 'DISC-05', /<label[^>]*>Value<\/label><input/],
  ['a Remove button', 'DISC-06', /<button[^>]*>Remove<\/button>/],
  ['a Go button', 'DISC-07', /<button[^>]*>Go<\/button>/],
  ['the word Empty while no color is on sale', 'DISC-09', />Empty<\/p>/],
])('the section Colors Discount has %s [DISC-01, %s]', async (_, __, markup) => {
  const { owner } = await openShopWithDiscount()
  const html = clean(await owner.page(page))
  expect(html.slice(html.indexOf('Colors Discount'), html.indexOf('Items Discount'))).toMatch(
    markup,
  )
})

test('the Discounts page lists the colors on sale, and its form shows the discount of the chosen color [DISC-08, DISC-10]', async () => {
  const { db, owner } = await openShopWithDiscount()
  await addColor(db, 'red', { discountType: 'amount', discountValue: 250 })

  const html = clean(await owner.page(`${page}?color=red`))

  expect(html).not.toContain('>Empty</p>')
  expect(html).toMatch(/href="[^"]*\?color=red"/)
  expect(html).toContain('<option value="red" selected="">red</option>')
  expect(html).toContain('<option value="amount" selected="">Amount</option>')
  expect(html).toMatch(/name="value"[^>]*value="2.5"|value="2.5"[^>]*name="value"/)
  expect(html).toContain('$2.50 OFF')
})

test('the form for color discounts first requires a color, and then a number above 0 [DISC-11, DISC-12, DISC-13, ERR-08]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const go = (color: string, value: string) =>
    owner.act(page, form({ intent: 'color-go', color, type: 'percent', value }))

  expect(await go('', '0')).toMatchObject({
    status: 422,
    text: expect.stringContaining('Please select a color to put on sale...'),
  })
  for (const value of ['0', '', '-1', '1e9', '0.001', 'NaN', 'ten'])
    expect(await go('ash', value)).toMatchObject({
      status: 422,
      text: expect.stringContaining('Please Enter a number above 0'),
    })
  expect((await owner.act(page, form({ intent: 'color-remove', color: '' }))).text).toContain(
    'Please select a color to remove',
  )
  expect((await listColorDocuments(db))[0]).not.toHaveProperty('discount')
})

test('the owner can put a color on sale and later remove the discount [DISC-14, DISC-15, DISC-16, DISC-17, DATA-064]', async () => {
  const { db, owner, clock, changedTopics } = await openShopWithDiscount()

  const put = await owner.act(
    page,
    form({ intent: 'color-go', color: 'ash', type: 'percent', value: '12,50' }),
  )
  expect(put).toMatchObject({
    status: 200,
    text: expect.stringContaining('Successfully put Color on Sale'),
  })
  expect(await listColorDocuments(db)).toMatchObject([
    { id: 'ash', discount: { type: 'percent', price: 12.5 }, createdAt: clock.now },
  ])
  const ended = await owner.act(page, form({ intent: 'color-remove', color: 'ash' }))
  expect(ended).toMatchObject({
    status: 200,
    text: expect.stringContaining('Successfully Removed Color Sale'),
  })
  expect((await listColorDocuments(db))[0]).not.toHaveProperty('discount')
  expect(changedTopics.filter((topic) => topic === 'catalog')).toHaveLength(2)
})

test.each([
  [
    'a checkbox for items on sale',
    'DISC-19',
    /<input type="checkbox" name="sale"\/>Select Items on Sale/,
  ],
  ['a name field', 'DISC-20', /<label for="search-name">Name<\/label><input/],
  [
    'the three comparisons, >= chosen',
    'DISC-21, DISC-22',
    /<option selected="">>=<\/option><option>==<\/option><option><=</,
  ],
  ['a price field', 'DISC-23', /<label for="search-price">Price<\/label><input/],
  ['all categories', 'DISC-24', /All Categories<\/option>/],
  [
    'each category',
    'DISC-25',
    /<option value="bags">Bags<\/option><option value="walls">Walls<\/option>/,
  ],
  ['a Reset button', 'DISC-26', /<button[^>]*form="reset-search"[^>]*>Reset<\/button>/],
  ['a Search button', 'DISC-27', /<button class="button">Search<\/button>/],
  [
    'a panel with Amount chosen',
    'DISC-44',
    /id="items-type"[^>]*><option value="amount" selected="">/,
  ],
])('the section Items Discount has %s [DISC-18, %s]', async (_, __, markup) => {
  const { owner } = await openShopWithDiscount()
  const html = clean(await owner.page(page))
  expect(html.slice(html.indexOf('Items Discount'))).toMatch(markup)
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
])(
  'the search %s finds the items "%s" [DISC-28, DISC-29, DISC-30, DISC-31]',
  async ([query, ids]) => {
    const { owner } = await openShopWithDiscount()
    expect(found(await owner.page(page + query))).toBe(ids)
  },
)

test('the Discounts page shows found items in a grid with 1 to 4 columns and a checkbox “Select All” [DISC-32, DISC-33, DISC-34, DISC-36]', async () => {
  const { owner } = await openShopWithDiscount()
  const html = await owner.page(page)

  expect(html).toContain('data-columns="2"')
  for (const columns of [1, 2, 3, 4])
    expect(await owner.page(`${page}?columns=${columns}`)).toContain(`data-columns="${columns}"`)
  expect(await owner.page(`${page}?columns=9`)).toContain('data-columns="2"')
  expect(html).toContain('Select All')
})

test('the card of a found item shows image, name, original price and reduced price [DISC-37, DISC-38, DISC-39, DISC-40, DISC-41]', async () => {
  const { owner } = await openShopWithDiscount()
  const html = clean(await owner.page(page))
  const card = html.slice(html.indexOf('Moon wall') - 900, html.indexOf('Moon wall') + 400)
  expect(card).toContain('/pictures/items/b-0.480.webp')
  expect(card).toMatch(/Moon wall.*<s[^>]*>.*\$40\.00<\/s>.*\$36\.00/)
})

test('the selected items go on sale only after the owner confirms the question with "Yes" [DISC-42, DISC-47, DISC-50, DISC-52, DISC-56, S-127]', async () => {
  const { db, owner, clock, changedTopics } = await openShopWithDiscount()
  const apply = { intent: 'items-apply', type: 'amount', value: '5' }

  const asked = await owner.act(page, form(apply, ['a', 'b']))
  expect(asked).toMatchObject({
    status: 409,
    text: expect.stringContaining('Put 2 item(s) on sale with $5 discount.'),
  })
  const put = await owner.act(page, form({ ...apply, confirm: 'Yes' }, ['a', 'b']))
  expect(put).toMatchObject({
    status: 200,
    text: expect.stringContaining('Successfully put Items on Sale'),
  })
  const documents = (await listItemDocuments(db)).toSorted((one, other) =>
    one.id.localeCompare(other.id),
  )
  expect(documents.map((item) => item.discount)).toEqual([
    { type: 'amount', price: 5 },
    { type: 'amount', price: 5 },
    undefined,
  ])
  expect(documents[0]!.createdAt).toBe(clock.now)
  expect(clean(await owner.page(page))).toMatch(/\$20\.00<\/s>.*\$15\.00/)
  expect(changedTopics).toContain('catalog')
})

test('the shop removes discounts of items only after the owner confirms the question with "Yes" [DISC-43, DISC-48, DISC-49, DISC-51, DISC-53]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const discountOf = async () =>
    (await listItemDocuments(db)).find((item) => item.id === 'b')?.discount

  expect((await owner.act(page, form({ intent: 'items-remove' }, ['b']))).status).toBe(409)
  expect(
    (
      await owner.act(
        page,
        form({ intent: 'items-apply', type: 'amount', value: '1', confirm: 'No' }, ['b']),
      )
    ).status,
  ).toBe(409)
  expect(await discountOf()).toEqual({ type: 'percent', price: 10 })
  const ended = await owner.act(page, form({ intent: 'items-remove', confirm: 'Yes' }, ['b']))
  expect(ended).toMatchObject({
    status: 200,
    text: expect.stringContaining('Successfully Removed Item Discount'),
  })
  expect(await discountOf()).toBeUndefined()
})

test('when a discount cannot be saved, the page shows an error and no item changes [DISC-54, S-125]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const failed = 'An error occured while updating the database'
  const before = await listItemDocuments(db)
  const apply = { intent: 'items-apply', type: 'amount', value: '5', confirm: 'Yes' }

  await db.schema.dropTable('audit').execute()
  for (const act of [
    form(apply, ['a', 'c']),
    form({ intent: 'items-remove', confirm: 'Yes' }, ['b']),
    form({ intent: 'color-go', color: 'ash', type: 'amount', value: '1' }),
    form({ intent: 'color-remove', color: 'ash' }),
  ])
    expect(await owner.act(page, act)).toMatchObject({
      status: 500,
      text: expect.stringContaining(failed),
    })
  expect(await listItemDocuments(db)).toEqual(before)
})

test('the question before a bulk discount names the number of items and the discount [DISC-47, S-124]', () => {
  expect(
    discountTexts.applyQuestion(3, shortDiscountText({ type: 'percent', value: 1000 }, US_DOLLAR)),
  ).toBe('Put 3 item(s) on sale with 10% discount.')
  expect(
    discountTexts.applyQuestion(3, shortDiscountText({ type: 'amount', value: 1000 }, US_DOLLAR)),
  ).toBe('Put 3 item(s) on sale with $10 discount.')
  expect(
    discountTexts.applyQuestion(1, shortDiscountText({ type: 'amount', value: 1050 }, US_DOLLAR)),
  ).toBe('Put 1 item(s) on sale with $10.50 discount.')
})
