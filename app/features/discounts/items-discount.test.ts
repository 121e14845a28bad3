import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { addItem, addItems } from '#test/fixtures/catalog.ts'
import { formOf, hrefOf, pageOf, within } from '#test/fixtures/html.ts'
import { openShopWithDiscount } from '#test/fixtures/prepared-shops.ts'
import { PART_SIZE } from './discount.ts'

const page = '/manage/discount/'
const FAILED = 'An error occured while updating the database'

const addMany = (db: Db, count: number) =>
  addItems(db, count, 'bags', (at) => ({ name: `Many ${at}` }))

const form = (fields: Record<string, string>, lists: Record<string, string[]> = {}) =>
  formOf({ ...fields, ...lists })
async function onSale(db: Db) {
  const rows = await db
    .selectFrom('items')
    .select('id')
    .where('discountValue', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
const itemCount = (html: string) =>
  pageOf(html)
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter(({ name }) => name === 'item').length

test('the Discounts page shows the number of found items, and loads a thousand items in several steps [DISC-32, S-161]', async () => {
  const { db, owner } = await openShopWithDiscount()
  await addMany(db, 1000)

  const first = await owner.page(page)
  expect(itemCount(first)).toBe(PART_SIZE)
  pageOf(first).getByText('0 of 1003 selected')
  expect(hrefOf(pageOf(first), 'Show 60 more')).toMatch(/^\/manage\/discount\/?\?parts=2$/)
  const last = await owner.page(`${page}?parts=17&columns=3`)
  expect(itemCount(last)).toBe(1003)
  expect(pageOf(last).queryByRole('link', { name: /Show \d+ more/ })).toBe(null)
  for (const wrong of ['0', '-1', 'x', '1e9', '']) {
    expect(itemCount(await owner.page(`${page}?parts=${wrong}`))).toBe(PART_SIZE)
  }
})

test('after "Select All", the discount applies to all items that the search finds, except unticked items [DISC-36, S-123, S-161]', async () => {
  const { db, owner } = await openShopWithDiscount()
  await addMany(db, 70)
  const all = { intent: 'items-apply', type: 'percent', value: '10', all: 'on' }
  const search = `${page}?name=many`

  const asked = await owner.act(search, form(all, { except: ['i3', 'i4'], item: ['a'] }))
  expect(asked).toMatchObject({
    status: 409,
    text: expect.stringContaining('Put 68 item(s) on sale with 10% discount.'),
  })
  expect(await onSale(db)).toEqual(['b'])
  const yes = { ...all, confirm: 'Yes', count: '68', free: '0' }
  expect((await owner.act(search, form(yes, { except: ['i3', 'i4'] }))).status).toBe(200)
  const now = await onSale(db)
  expect(now).toHaveLength(69)
  expect(now).not.toContain('a')
  expect(now).not.toContain('i3')
  expect(await onSale(db)).toContain('i69')
})

test('the shop asks the owner again if the search for a bulk discount finds more items than she has confirmed [DISC-49, S-161]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const yes = {
    intent: 'items-apply',
    type: 'amount',
    value: '1',
    all: 'on',
    confirm: 'Yes',
    count: '3',
    free: '0',
  }
  await addItem(db, 'new', 'bags', { name: 'New', priceCents: 500 })

  const asked = await owner.act(page, form(yes))

  expect(asked).toMatchObject({
    status: 409,
    text: expect.stringContaining('Put 4 item(s) on sale with $1 discount.'),
  })
  const { count: _, free: __, ...plain } = yes
  expect((await owner.act(page, form(plain))).status).toBe(409)
  expect((await owner.act(page, form({ ...yes, intent: 'items-remove' }))).text).toContain(
    'Remove the discount of 4 item(s)?',
  )
  expect(await onSale(db)).toEqual(['b'])
  expect((await owner.act(page, form({ ...yes, count: '4' }))).status).toBe(200)
  expect(await onSale(db)).toEqual(['a', 'b', 'c', 'new'])
})

test.for([
  [`${page}?name=zebra`, { intent: 'items-apply', type: 'amount', value: '1', all: 'on' }],
  [page, { intent: 'items-apply', type: 'percent', value: '5', confirm: 'Yes' }],
  [page, { intent: 'items-remove', confirm: 'Yes' }],
] as const)(
  'the shop asks for a selection if no item is selected: %s with %o [DISC-46, S-126]',
  async ([search, fields]) => {
    const { owner } = await openShopWithDiscount()
    const asked = await owner.act(search, form(fields))
    expect(asked).toMatchObject({
      status: 422,
      text: expect.stringContaining('Please select some items to put on sale'),
    })
  },
)

test.each([
  { intent: 'items-apply', field: 'item', id: 'a' },
  { intent: 'color-go', field: 'color', id: 'ash' },
])(
  'a discount of more than 100 percent is refused next to its field: $intent [S-064]',
  async ({ intent, field, id }) => {
    const { db, owner } = await openShopWithDiscount()
    const apply = (value: string) =>
      owner.act(page, form({ intent, [field]: id, type: 'percent', value }))
    const answer = await apply('100.01')
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('A discount is at most 100 percent')
    expect(await onSale(db)).toEqual(['b'])
    expect((await apply('100')).status).not.toBe(422)
  },
)

test('the question before a bulk discount names items that would become free, and appears again if their number changes [S-064, S-160]', async () => {
  const { db, owner } = await openShopWithDiscount()
  await addItem(db, 'd', 'bags', { name: 'Dream', priceCents: 2000 })
  await addItem(db, 'e', 'bags', { name: 'Ember', priceCents: 1999 })
  const apply = (value: string, type = 'amount', more = {}) =>
    owner.act(page, form({ intent: 'items-apply', type, value, all: 'on', ...more }))

  expect((await apply('19.98')).text).not.toContain('$0.00')
  expect((await apply('19.99')).text).toContain('1 of them would cost $0.00: Ember.')
  expect((await apply('20')).text).toContain(
    '3 of them would cost $0.00: Dream, Ember and Market bag.',
  )
  expect((await apply('99.9', 'percent')).text).not.toContain('$0.00')
  const every = await apply('100', 'percent')
  expect(every.text).toContain('Put 5 item(s) on sale with 100% discount.')
  expect(every.text).toContain('5 of them would cost $0.00: Dream, Ember, Market bag and 2 more.')

  expect((await apply('20', 'amount', { confirm: 'Yes', count: '5', free: '0' })).status).toBe(409)
  const ticked = form(
    { intent: 'items-apply', type: 'amount', value: '20', confirm: 'Yes' },
    { item: ['d'] },
  )
  expect(await owner.act(page, ticked)).toMatchObject({
    status: 409,
    text: expect.stringContaining('1 of them would cost $0.00: Dream.'),
  })
  expect(await onSale(db)).toEqual(['b'])
  expect((await apply('20', 'amount', { confirm: 'Yes', count: '5', free: '3' })).status).toBe(200)
  expect(await owner.page('/item/d')).toContain('$0.00')
})

test('without JavaScript, a page asks the owner to confirm the discount and shows the submitted values [DISC-47, DISC-49, S-160]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const asked = await owner.post(
    `${page}?columns=3`,
    form(
      { intent: 'items-apply', type: 'amount', value: '20', back: `${page}?columns=3` },
      { item: ['a', 'c'] },
    ),
  )
  expect(asked.status).toBe(409)
  const dialog = pageOf(await asked.text()).getByRole<HTMLDialogElement>('dialog')
  expect(dialog.open).toBe(true)
  within(dialog).getByText('Put 2 item(s) on sale with $20 discount.')
  within(dialog).getByText('1 of them would cost $0.00: Market bag.')
  const yes = new FormData()
  for (const field of dialog.querySelectorAll<HTMLInputElement>('input[type=hidden]')) {
    yes.append(field.name, field.value)
  }
  yes.set('confirm', 'Yes')
  expect(yes.get('back')).toBe(`${page}?columns=3`)

  expect((await owner.post(`${page}?columns=3`, yes)).headers.get('location')).toBe(
    `${page}?columns=3`,
  )
  expect(await onSale(db)).toEqual(['a', 'b', 'c'])
  expect(await owner.page(page)).toContain('Successfully put Items on Sale')
})

test('when a selected item was deleted in another tab, no discount changes, and the page shows the stored data [S-125]', async () => {
  const { db, owner, logged } = await openShopWithDiscount()
  await db.deleteFrom('items').where('id', '=', 'c').execute()
  for (const intent of ['items-apply', 'items-remove']) {
    const answer = await owner.act(
      page,
      form({ intent, type: 'amount', value: '5', confirm: 'Yes' }, { item: ['a', 'b', 'c'] }),
    )
    expect(answer).toMatchObject({ status: 409, text: expect.stringContaining(FAILED) })
  }
  expect(await onSale(db)).toEqual(['b'])
  expect(await db.selectFrom('audit').select('act').execute()).toEqual([])
  expect(itemCount(await owner.page(page))).toBe(2)
  expect(logged).toEqual([])
})

const wrongAmounts = [
  '0',
  '',
  ' ',
  '-1',
  '1e9',
  '0.001',
  'NaN',
  'Infinity',
  'ten',
  '12,50,1',
  '99999999',
  '1,000',
  '٣',
]
test.for(wrongAmounts)(
  'the value "%s" is refused as an amount and as a percentage of a discount [DISC-45]',
  async (value) => {
    const { db, owner } = await openShopWithDiscount()
    for (const type of ['amount', 'percent']) {
      const refused = await owner.act(
        page,
        form({ intent: 'items-apply', type, value, confirm: 'Yes' }, { item: ['a'] }),
      )
      expect(refused.status).toBe(422)
      expect(refused.text).toContain(`Cannot put item on sale with ${value.trim() || 0} ${type}`)
    }
    expect(await onSale(db)).toEqual(['b'])
  },
)

test('when two discounts are applied to the same items at the same time, all items get the same discount [S-125]', async () => {
  const { db, owner } = await openShopWithDiscount()
  const apply = (value: string) =>
    owner.act(
      page,
      form(
        { intent: 'items-apply', type: 'amount', value, confirm: 'Yes' },
        { item: ['c', 'a', 'b'] },
      ),
    )
  const both = await Promise.all([apply('1'), apply('2')])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const rows = await db.selectFrom('items').select('discountValue').distinct().execute()
  expect(rows).toHaveLength(1)
})

test.for(['%25', '_', '%5C', "'"])(
  'the Discounts page searches for the character %s literally [DISC-29]',
  async (name) => {
    const { owner } = await openShopWithDiscount()
    expect(await owner.page(`${page}?name=${name}`)).toContain('No items found.')
  },
)
