import { describe, expect, test } from 'vitest'
import { addColor } from '#test/fixtures/catalog.ts'
import { formOf, messagesOf, optionsOf, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithDiscount } from '#test/fixtures/prepared-shops.ts'
import { shared } from '#test/fixtures/shared.ts'
import { listColorDocuments, listItemDocuments } from '#catalog/catalog-documents.server.ts'
import { US_DOLLAR } from '#lib/text/currency.ts'
import { shortDiscountText } from './discount.ts'
import { discountTexts } from './texts.ts'

const page = '/manage/discount/'

const form = (fields: Record<string, string>, item: string[] = []) => formOf({ ...fields, item })

describe('the Discounts page', () => {
  const shop = shared((onCleanup) => openShopWithDiscount({ onCleanup }))
  const readSection = async (name: string) =>
    within(pageOf(await shop().owner.page(page)).getByRole('region', { name }))

  test('the Discounts page has the sections “Colors Discount” and “Items Discount” [NAV-11, ROLES-21]', async () => {
    const headings = pageOf(await shop().owner.page(page)).getAllByRole('heading', { level: 2 })
    expect(headings.map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Colors Discount', 'Items Discount']),
    )
  })

  test('the Discounts page lets the owner choose a color [DISC-01, DISC-02]', async () => {
    const section = await readSection('Colors Discount')
    expect(optionsOf(section, 'Color').all).toContain('Ash grey')
  })

  test('the Discounts page offers both types of a color discount, and Percent is chosen first [DISC-01, DISC-03, DISC-04]', async () => {
    const section = await readSection('Colors Discount')
    expect(optionsOf(section, 'Discount type')).toEqual({
      all: ['Amount', 'Percent'],
      selected: 'Percent',
    })
  })

  test.each([
    { name: 'Value', role: 'textbox', id: 'DISC-05' },
    { name: 'Remove', role: 'button', id: 'DISC-06' },
    { name: 'Go', role: 'button', id: 'DISC-07' },
  ])('the Discounts page has a $role “$name” for colors [DISC-01, $id]', async ({ role, name }) => {
    const section = await readSection('Colors Discount')
    expect(section.getByRole(role, { name })).toBeTruthy()
  })

  test('the Discounts page says “Empty” while no color is on sale [DISC-01, DISC-09]', async () => {
    const section = await readSection('Colors Discount')
    expect(section.getByText('Empty')).toBeTruthy()
  })

  test.each([
    { name: 'Select Items on Sale', role: 'checkbox', id: 'DISC-19' },
    { name: 'Name', role: 'searchbox', id: 'DISC-20' },
    { name: 'Price', role: 'textbox', id: 'DISC-23' },
    { name: 'Reset', role: 'button', id: 'DISC-26' },
    { name: 'Search', role: 'button', id: 'DISC-27' },
  ])('the Discounts page has a $role “$name” for items [DISC-18, $id]', async ({ role, name }) => {
    const section = await readSection('Items Discount')
    expect(section.getByRole(role, { name })).toBeTruthy()
  })

  test('the Discounts page offers three price comparisons, and >= is chosen first [DISC-18, DISC-21, DISC-22]', async () => {
    const section = await readSection('Items Discount')
    expect(optionsOf(section, 'Comparison')).toEqual({ all: ['>=', '==', '<='], selected: '>=' })
  })

  test('the Discounts page can search all categories or one category [DISC-18, DISC-24, DISC-25]', async () => {
    const section = await readSection('Items Discount')
    expect(optionsOf(section, 'Category').all).toEqual(['All Categories', 'Bags', 'Walls'])
  })

  test('the Discounts page has a panel for item discounts, in which Amount is chosen first [DISC-18, DISC-44]', async () => {
    const section = await readSection('Items Discount')
    expect(optionsOf(section, 'Discount type')).toEqual({
      all: ['Amount', 'Percent'],
      selected: 'Amount',
    })
  })
})

test('the Discounts page lists the colors on sale, and its form shows the discount of the chosen color [DISC-08, DISC-10]', async () => {
  const { db, owner } = await openShopWithDiscount()
  await addColor(db, 'red', { discountType: 'amount', discountValue: 250 })

  const html = pageOf(await owner.page(`${page}?color=red`))
  const section = within(html.getByRole('region', { name: 'Colors Discount' }))
  expect(section.queryByText('Empty')).toBeNull()
  const link = section.getByRole('link', { name: /\$2\.50 OFF/ })
  expect(link.getAttribute('href')).toContain('?color=red')
  expect(optionsOf(section, 'Color').selected).toBe('red')
  expect(optionsOf(section, 'Discount type').selected).toBe('Amount')
  expect(section.getByRole('textbox', { name: 'Value' }).getAttribute('value')).toBe('2.5')
})

test('the form for color discounts first requires a color, and then a number above 0 [DISC-11, DISC-12, DISC-13, ERR-08]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const go = (color: string, value: string) =>
    owner.act(page, form({ intent: 'color-go', color, type: 'percent', value }))

  expect(await go('', '0')).toMatchObject({
    status: 422,
    text: expect.stringContaining('Please select a color to put on sale...'),
  })
  for (const value of ['0', '', '-1', '1e9', '0.001', 'NaN', 'ten']) {
    expect(await go('ash', value)).toMatchObject({
      status: 422,
      text: expect.stringContaining('Please Enter a number above 0'),
    })
  }
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

const forms: { section: string; fields: Record<string, string>; item: string[] }[] = [
  { section: 'Colors Discount', fields: { intent: 'color-go', color: 'ash' }, item: [] },
  {
    section: 'Items Discount',
    fields: { intent: 'items-apply', confirm: 'Yes' },
    item: ['a'],
  },
]

test.each(forms)(
  'in $section, a discount in percent is a number with or without “%”, and a currency sign is refused with an example [OWN-129]',
  async ({ section, fields, item }) => {
    const { db, owner } = await openShopWithDiscount()
    const put = (type: string, value: string) =>
      owner.post(page, form({ ...fields, type, value, back: page }, item))
    const discount = async () => {
      const document = (await listColorDocuments(db))[0]!
      return section === 'Colors Discount'
        ? document.discount
        : (await listItemDocuments(db)).find(({ id }) => id === 'a')!.discount
    }
    for (const [type, typed] of [
      ['percent', '$12'],
      ['percent', '12 €'],
      ['percent', '12 USD'],
      ['amount', '12%'],
    ] as const) {
      expect((await put(type, typed)).status, typed).toBe(303)
      expect(messagesOf(await owner.page(page)).join()).toContain('Enter a number such as 12.50')
      expect(await discount()).toBeUndefined()
    }
    for (const [typed, price] of [
      ['12.5', 12.5],
      ['11%', 11],
      ['10,5 %', 10.5],
    ] as const) {
      await put('percent', typed)
      expect(messagesOf(await owner.page(page)).join()).not.toContain(
        'Enter a number such as 12.50',
      )
      expect(await discount()).toEqual({ type: 'percent', price })
    }
  },
)

test('an item can be on sale with a percentage or an amount, and with no other type of discount [DATA-048]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const typeAfter = async (type: string) => {
    await owner.act(page, form({ intent: 'items-apply', type, value: '5', confirm: 'Yes' }, ['a']))
    return (await listItemDocuments(db)).find(({ id }) => id === 'a')!.discount?.type
  }
  expect(await typeAfter('percent')).toBe('percent')
  expect(await typeAfter('amount')).toBe('amount')
  expect(['percent', 'amount']).toContain(await typeAfter('half'))
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
  ['?compare=&price=40', 'abc'],
  ['?price=40', 'abc'],
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
  for (const columns of [1, 2, 3, 4]) {
    expect(await owner.page(`${page}?columns=${columns}`)).toContain(`data-columns="${columns}"`)
  }
  expect(await owner.page(`${page}?columns=9`)).toContain('data-columns="2"')
  expect(html).toContain('Select All')
})

test('an item in the search results shows image, name, original price and reduced price [DISC-37, DISC-38, DISC-39, DISC-40, DISC-41]', async () => {
  const { owner } = await openShopWithDiscount()
  const name = 'Moon wall Original price: $40.00 Now: $36.00'
  const card = pageOf(await owner.page(page))
    .getByRole('checkbox', { name })
    .closest('li')!
  expect(card.querySelector('img')!.getAttribute('src')).toBe('/pictures/items/b-0.480.webp')
  expect(card.querySelector('s')!.textContent).toContain('$40.00')
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
  expect(wordsOf(await owner.page(page))).toContain('Original price: $20.00 Now: $15.00')
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
  ]) {
    expect(await owner.act(page, act)).toMatchObject({
      status: 500,
      text: expect.stringContaining(failed),
    })
  }
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
