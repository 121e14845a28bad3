import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { formOf, pageOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const page = '/manage/discount/'

async function open() {
  const shop = await openTestShop()
  await addColor(shop.db, 'ash', { name: 'Ash_grey', discountType: 'amount', discountValue: 100 })
  await addCategory(shop.db, 'bags')
  await addItem(shop.db, 'a', 'bags', { name: 'Market bag', priceCents: 2000 })
  await addItem(shop.db, 'b', 'bags', {
    name: 'Moon wall',
    priceCents: 4000,
    discountType: 'percent',
    discountValue: 1000,
  })
  await addItem(shop.db, 'c', 'bags', {
    name: 'Sun wall',
    priceCents: 6000,
    discountType: 'amount',
    discountValue: 700,
  })
  return { ...shop, owner: await shop.owner() }
}

const form = (fields: Record<string, string>, item: string[] = []) => formOf({ ...fields, item })
const apply = (value: string, items: string[], type = 'amount') =>
  form({ intent: 'items-apply', type, value, confirm: 'Yes' }, items)
const remove = (items: string[]) => form({ intent: 'items-remove', confirm: 'Yes' }, items)

/**
 * Returns the discount of each item, for example "amount 700", or null for an item without a
 * discount.
 */
async function discounts(db: Db) {
  const rows = await db
    .selectFrom('items')
    .select(['id', 'discountType', 'discountValue'])
    .orderBy('id')
    .execute()
  return Object.fromEntries(
    rows.map((row) => [row.id, row.discountType && `${row.discountType} ${row.discountValue}`]),
  )
}
const FORMER = { a: null, b: 'percent 1000', c: 'amount 700' }

const offered = (html: string) =>
  /name="seq"[^>]*value="(\d+)"|value="(\d+)"[^>]*name="seq"/.exec(html)?.slice(1).find(Boolean) ??
  null
const clean = (html: string) => html.replaceAll('<!-- -->', '')

test('an undo restores the previous discount of each item, and cannot be repeated [S-160]', async () => {
  const { db, owner, changedTopics } = await open()
  expect(offered(await owner.page(page))).toBeNull()
  await owner.act(page, apply('5', ['a', 'b', 'c']))
  const html = clean(await owner.page(page))
  expect(html).toContain('3 items on sale with $5.')
  const seq = offered(html)!
  changedTopics.length = 0

  const undone = await owner.act(page, form({ intent: 'undo', seq }))

  expect(undone).toMatchObject({
    status: 200,
    text: expect.stringContaining('The previous discounts are restored.'),
  })
  expect(await discounts(db)).toEqual(FORMER)
  expect(changedTopics).toEqual(['catalog'])
  expect(offered(await owner.page(page))).toBeNull()

  await owner.act(page, apply('9', ['a']))
  const again = await owner.act(page, form({ intent: 'undo', seq }))
  expect(again).toMatchObject({
    status: 409,
    text: expect.stringContaining('This was undone already'),
  })
  expect(await discounts(db)).toEqual({ ...FORMER, a: 'amount 900' })
  const acts = await db.selectFrom('audit').select(['act', 'actor']).orderBy('seq').execute()
  expect(acts.map(({ act }) => act)).toEqual(['discount-items', 'undo-discount', 'discount-items'])
  expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set(['owner']))
})

test('an undo does not restore items whose discount has changed since, and names these items [S-160]', async () => {
  const { db, owner } = await open()
  await addItem(db, 'd', 'bags', { name: 'Dream', priceCents: 900 })
  await addItem(db, 'e', 'bags', { name: 'Ember', priceCents: 900 })
  await owner.act(page, apply('5', ['a', 'b', 'c', 'd', 'e']))
  const seq = offered(await owner.page(page))!
  await owner.act(page, apply('8', ['b']))
  // Item c gets the same discount a second time, and this counts as a later change. The next line
  // changes item e as a CSV import would.
  await owner.act(page, apply('5', ['c']))
  await db.updateTable('items').set({ discountValue: 1 }).where('id', '=', 'e').execute()
  await db.deleteFrom('items').where('id', '=', 'd').execute()

  const { text } = await owner.act(page, form({ intent: 'undo', seq }))

  expect(await discounts(db)).toEqual({ a: null, b: 'amount 800', c: 'amount 500', e: 'amount 1' })
  expect(text).toContain(
    'Not restored, because they were changed since then: Moon wall, Sun wall and Ember. Deleted since then: 1.',
  )
})

test('a discount form that is sent ten times concurrently counts as one change with one undo [S-160]', async () => {
  const { db, owner } = await open()
  const color = { intent: 'color-go', color: 'ash', type: 'percent', value: '30' }
  const ended = { intent: 'color-remove', color: 'ash' }
  const forms = [
    () => apply('5', ['c', 'a', 'b']),
    () => remove(['a', 'b', 'c']),
    () => form(color),
    () => form(ended),
  ]
  for (const [at, body] of forms.entries()) {
    const sent = await Promise.all(Array.from({ length: 10 }, () => owner.act(page, body())))
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(
      await db.selectFrom('audit').select('seq').where('act', '<>', 'undo-discount').execute(),
    ).toHaveLength(at + 1)
    expect(
      (await owner.act(page, form({ intent: 'undo', seq: offered(await owner.page(page))! })))
        .status,
    ).toBe(200)
    expect(await discounts(db)).toEqual(FORMER)
  }
  expect(await db.selectFrom('colors').select(['discountType', 'discountValue']).execute()).toEqual(
    [{ discountType: 'amount', discountValue: 100 }],
  )
})

test('after the owner dismisses the offer of an undo, the page does not offer this undo again [S-160]', async () => {
  const { owner } = await open()
  await owner.act(page, apply('5', ['a', 'b', 'c']))
  await owner.act(page, form({ intent: 'dismiss', seq: offered(await owner.page(page))! }))
  expect(offered(await owner.page(page))).toBeNull()
})

test('an undo that fails changes nothing and can be tried again [S-160]', async () => {
  const { db, owner, logged } = await open()
  await owner.act(page, apply('5', ['a', 'b', 'c']))
  const seq = offered(await owner.page(page))!
  await db.schema.alterTable('audit').renameTo('elsewhere').execute()
  expect(await owner.act(page, form({ intent: 'undo', seq }))).toMatchObject({
    status: 500,
    text: expect.stringContaining('An error occured while updating the database'),
  })
  expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1)
  expect(await discounts(db)).toMatchObject({ a: 'amount 500', b: 'amount 500', c: 'amount 500' })
  await db.schema.alterTable('elsewhere').renameTo('audit').execute()
  expect((await owner.act(page, form({ intent: 'undo', seq }))).status).toBe(200)
  expect(await discounts(db)).toEqual(FORMER)
})

test('a discount can no longer be undone after thirty days [S-160]', async () => {
  const { db, owner, clock } = await open()
  await owner.act(page, apply('5', ['a', 'b']))
  const seq = offered(await owner.page(page))!
  clock.now += 31 * 24 * 3_600_000
  await owner.act(page, apply('1', ['c']))
  expect((await owner.act(page, form({ intent: 'undo', seq }))).status).toBe(409)
  expect(await db.selectFrom('previousDiscounts').select('id').execute()).toEqual([{ id: 'c' }])
})

test('without JavaScript, the button "Undo" leads back to the Discounts page, which shows the result [S-160]', async () => {
  const { owner, db } = await open()
  await owner.act(page, apply('5', ['a', 'b', 'c']))
  const html = await owner.page(page)
  expect(pageOf(html).getByRole<HTMLButtonElement>('button', { name: 'Undo' }).value).toBe('undo')
  const answered = await owner.post(page, { intent: 'undo', seq: offered(html)!, back: page })
  expect(answered.status).toBe(303)
  expect(await owner.page(page)).toContain('The previous discounts are restored.')
  expect(await discounts(db)).toEqual(FORMER)
})
