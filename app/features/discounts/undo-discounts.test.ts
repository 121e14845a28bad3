import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'

const page = '/manage/discount/'

async function open() {
  const shop = await openTestShop()
  await addColor(shop.db, 'ash', { name: 'Ash_grey', discountType: 'amount', discountValue: 100 })
  await addCategory(shop.db, 'bags')
  await addItem(shop.db, 'a', 'bags', { name: 'Market bag', priceCents: 2000 })
  await addItem(shop.db, 'b', 'bags', { name: 'Moon wall', priceCents: 4000, discountType: 'percent', discountValue: 1000 })
  await addItem(shop.db, 'c', 'bags', { name: 'Sun wall', priceCents: 6000, discountType: 'amount', discountValue: 700 })
  return { ...shop, owner: await shop.owner() }
}

const form = (fields: Record<string, string>, items: string[] = []) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  for (const id of items) body.append('item', id)
  return body
}
const apply = (value: string, items: string[], type = 'amount') => form({ intent: 'items-apply', type, value, confirm: 'Yes' }, items)
const remove = (items: string[]) => form({ intent: 'items-remove', confirm: 'Yes' }, items)

/** "amount 700" by id; null where there is none. */
async function discounts(db: Db) {
  const rows = await db.selectFrom('items').select(['id', 'discountType', 'discountValue']).orderBy('id').execute()
  return Object.fromEntries(rows.map((row) => [row.id, row.discountType && `${row.discountType} ${row.discountValue}`]))
}
const FORMER = { a: null, b: 'percent 1000', c: 'amount 700' }

/** The number of the change that the page offers to undo. */
const offered = (html: string) => /name="seq"[^>]*value="(\d+)"|value="(\d+)"[^>]*name="seq"/.exec(html)?.slice(1).find(Boolean) ?? null
const clean = (html: string) => html.replaceAll('<!-- -->', '')

test('S-160 an undo puts back exactly the former discount of each item, once, and is itself recorded', async () => {
  const { db, owner, heard } = await open()
  expect(offered(await owner.page(page))).toBeNull()
  await owner.act(page, apply('5', ['a', 'b', 'c']))
  const html = clean(await owner.page(page))
  expect(html).toContain('3 items on sale with $5.')
  const seq = offered(html)!
  heard.length = 0

  const undone = await owner.act(page, form({ intent: 'undo', seq }))

  expect(undone).toMatchObject({ status: 200, text: expect.stringContaining('The former discounts are back.') })
  expect(await discounts(db)).toEqual(FORMER)
  expect(heard).toEqual(['catalogue'])
  expect(offered(await owner.page(page))).toBeNull()

  await owner.act(page, apply('9', ['a']))
  const again = await owner.act(page, form({ intent: 'undo', seq }))
  expect(again).toMatchObject({ status: 409, text: expect.stringContaining('This was undone already') })
  expect(await discounts(db)).toEqual({ ...FORMER, a: 'amount 900' })
  const acts = await db.selectFrom('audit').select(['act', 'actor']).orderBy('seq').execute()
  expect(acts.map(({ act }) => act)).toEqual(['discount-items', 'undo-discount', 'discount-items'])
  expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set(['owner']))
})

test('S-160 the same discount for other items, which have it already, is a change of its own: its undo leaves the first ones', async () => {
  const { db, owner } = await open()
  await owner.act(page, apply('7', ['a']))
  await owner.act(page, apply('7', ['c']))
  expect(clean(await owner.page(page))).toContain('Sun wall on sale with $7.')
  await owner.act(page, form({ intent: 'undo', seq: offered(await owner.page(page))! }))
  expect(await discounts(db)).toEqual({ ...FORMER, a: 'amount 700' })
})

test('S-160 an ended sale comes back by its undo', async () => {
  const { db, owner } = await open()
  await owner.act(page, remove(['a', 'b', 'c']))
  expect(await discounts(db)).toEqual({ a: null, b: null, c: null })
  const html = clean(await owner.page(page))
  expect(html).toContain('Sale of 3 items ended.')
  await owner.act(page, form({ intent: 'undo', seq: offered(html)! }))
  expect(await discounts(db)).toEqual(FORMER)
})

test('S-160 what was changed again is left and named, even when it was changed to the same; what is gone is skipped', async () => {
  const { db, owner } = await open()
  await addItem(db, 'd', 'bags', { name: 'Dream', priceCents: 900 })
  await owner.act(page, apply('5', ['a', 'b', 'c', 'd']))
  const seq = offered(await owner.page(page))!
  await owner.act(page, apply('8', ['b']))
  await owner.act(page, apply('5', ['c']))
  await db.deleteFrom('items').where('id', '=', 'd').execute()

  const { text } = await owner.act(page, form({ intent: 'undo', seq }))

  expect(await discounts(db)).toEqual({ a: null, b: 'amount 800', c: 'amount 500' })
  expect(text).toContain('The former discounts are back. Left as changed since then: Moon wall and Sun wall. No longer there: 1.')
})

test('S-160 what was changed otherwise than in this section, by a table for instance, is left as well', async () => {
  const { db, owner } = await open()
  await owner.act(page, apply('5', ['a', 'b']))
  const seq = offered(await owner.page(page))!
  await db.updateTable('items').set({ discountValue: 1 }).where('id', '=', 'a').execute()

  const { text } = await owner.act(page, form({ intent: 'undo', seq }))

  expect(await discounts(db)).toEqual({ ...FORMER, a: 'amount 1' })
  expect(text).toContain('Left as changed since then: Market bag.')
})

test('S-160 two changes are undone one after the other, the last first', async () => {
  const { db, owner } = await open()
  await owner.act(page, apply('5', ['a', 'b']))
  const first = offered(await owner.page(page))!
  await owner.act(page, apply('20', ['a', 'b'], 'percent'))
  const second = offered(await owner.page(page))!
  await owner.act(page, form({ intent: 'undo', seq: second }))
  expect(await discounts(db)).toMatchObject({ a: 'amount 500', b: 'amount 500' })
  await owner.act(page, form({ intent: 'undo', seq: first }))
  expect(await discounts(db)).toEqual(FORMER)
})

test('S-160 a form that is sent ten times at once is one change, whose undo brings back what was before', async () => {
  const { db, owner } = await open()
  const color = { intent: 'color-go', color: 'ash', type: 'percent', value: '30' }
  const forms = [() => apply('5', ['c', 'a', 'b']), () => remove(['a', 'b', 'c']), () => form(color)]
  for (const [at, body] of forms.entries()) {
    const sent = await Promise.all(Array.from({ length: 10 }, () => owner.act(page, body())))
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await db.selectFrom('audit').select('seq').where('act', '<>', 'undo-discount').execute()).toHaveLength(at + 1)
    expect((await owner.act(page, form({ intent: 'undo', seq: offered(await owner.page(page))! }))).status).toBe(200)
    expect(await discounts(db)).toEqual(FORMER)
  }
  expect(await db.selectFrom('colors').select(['discountType', 'discountValue']).execute()).toEqual([
    { discountType: 'amount', discountValue: 100 },
  ])
})

test('S-160 a colour has its former discount back, whether it was given one or lost it', async () => {
  const { db, owner } = await open()
  const ash = () => db.selectFrom('colors').select(['discountType', 'discountValue']).where('id', '=', 'ash').executeTakeFirst()
  for (const intent of ['color-go', 'color-remove']) {
    await owner.act(page, form({ intent, color: 'ash', type: 'percent', value: '20' }))
    const html = clean(await owner.page(page))
    expect(html).toMatch(/Ash grey on sale with 20%\.|Sale of Ash grey ended\./)
    await owner.act(page, form({ intent: 'undo', seq: offered(html)! }))
    expect(await ash()).toEqual({ discountType: 'amount', discountValue: 100 })
  }
})

test('S-160 COLOR-04 an undo of a colour says its name with spaces, one of an item to the letter', async () => {
  const { db, owner } = await open()
  await owner.act(page, form({ intent: 'color-go', color: 'ash', type: 'percent', value: '20' }))
  const seq = offered(await owner.page(page))!
  await owner.act(page, form({ intent: 'color-go', color: 'ash', type: 'percent', value: '30' }))
  expect((await owner.act(page, form({ intent: 'undo', seq }))).text).toContain('Left as changed since then: Ash grey.')
  await db.updateTable('items').set({ name: 'No_7 bag' }).where('id', '=', 'a').execute()
  await owner.act(page, apply('5', ['a']))
  await owner.act(page, form({ intent: 'undo', seq: offered(await owner.page(page))! }))
  const told = await db.selectFrom('audit').select(['name', 'detail']).where('act', '=', 'undo-discount').orderBy('seq').execute()
  expect(told.map(({ name, detail }) => [name, (JSON.parse(detail) as { what: string }).what])).toEqual([
    ['Ash grey', 'Ash grey on sale with 20%.'],
    ['No_7 bag', 'No_7 bag on sale with $5.'],
  ])
})

test('S-160 two undos at once put back once; a dismissed offer stays away from the page; a number that is none does nothing', async () => {
  const { db, owner } = await open()
  await owner.act(page, apply('5', ['a', 'b', 'c']))
  const seq = offered(await owner.page(page))!
  await owner.act(page, form({ intent: 'dismiss', seq }))
  expect(offered(await owner.page(page))).toBeNull()
  for (const wrong of ['', '-1', 'x', '999999999999999', '1e3', '99999999999999999999'])
    expect((await owner.act(page, form({ intent: 'undo', seq: wrong }))).status).toBe(409)

  const both = await Promise.all([1, 2].map(() => owner.act(page, form({ intent: 'undo', seq }))))

  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await discounts(db)).toEqual(FORMER)
})

test('S-160 an undo that fails changes nothing and can be tried again', async () => {
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

test('S-160 after thirty days a change can no longer be undone', async () => {
  const { db, owner, clock } = await open()
  await owner.act(page, apply('5', ['a', 'b']))
  const seq = offered(await owner.page(page))!
  clock.now += 31 * 24 * 3_600_000
  await owner.act(page, apply('1', ['c']))
  expect((await owner.act(page, form({ intent: 'undo', seq }))).status).toBe(409)
  expect(await db.selectFrom('formerDiscounts').select('id').execute()).toEqual([{ id: 'c' }])
})

test('S-160 without script "Undo" goes back to the page, which says what came of it', async () => {
  const { owner, db } = await open()
  await owner.act(page, apply('5', ['a', 'b', 'c']))
  const html = await owner.page(page)
  expect(html).toMatch(/value="undo"[^>]*>[\s\S]*?Undo<\/button>/)
  const answered = await owner.post(page, { intent: 'undo', seq: offered(html)!, back: page })
  expect(answered.status).toBe(303)
  expect(await owner.page(page)).toContain('The former discounts are back.')
  expect(await discounts(db)).toEqual(FORMER)
})
