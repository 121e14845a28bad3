import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { formOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { orderAfterMove, withOrderOf } from './arrange-items.ts'

const path = '/manage/arrange/'

/** Opens a shop with four listed items and a draft. The item `d` is the newest listed item. */
async function open() {
  const shop = await openTestShop()
  for (const id of ['walls', 'bags']) await addCategory(shop.db, id)
  for (const [at, [id, categoryId]] of Object.entries({
    a: 'walls',
    b: 'bags',
    c: 'walls',
    d: 'bags',
  }).entries())
    await addItem(shop.db, id, categoryId, {
      createdAt: 1000 + at,
      name: `Piece ${id}`,
      priceCents: 1000 + at,
    })
  await addItem(shop.db, 'draft', 'walls', { state: 'draft' })
  const visitor = shop.visitor()
  const gallery = async (url = '/gallery/') =>
    [...(await visitor.page(url)).matchAll(/<h2[^>]*><a[^>]*href="\/item\/(\w+)"/g)]
      .map((match) => match[1])
      .join('')
  return { ...shop, visitor, gallery, owner: await shop.owner() }
}

test('the sequence in which the owner arranges the items is the default sequence of the gallery and of each category [OWN-54, OWN-55]', async () => {
  const { owner, visitor, gallery, changedTopics, db } = await open()
  expect(await gallery()).toBe('dcba')
  expect(await visitor.page('/gallery/')).not.toContain('Featured')
  changedTopics.length = 0

  expect(
    (
      await owner.act(
        path,
        formOf({ intent: 'order', order: ['b', 'gone', 'a', 'd', 'c', 'draft'] }),
      )
    ).status,
  ).toBe(200)
  expect(await gallery()).toBe('badc')
  expect([await gallery('/gallery/walls'), await gallery('/gallery/bags')]).toEqual(['ac', 'bd'])
  expect(await visitor.page('/gallery/')).toMatch(
    /<option value="" selected="">Featured<\/option><option value="newest">Newest first/,
  )
  expect(changedTopics).toEqual(['catalog'])
  expect(await db.selectFrom('audit').select('act').execute()).toEqual([{ act: 'order-items' }])
})

test('a new item comes first in the sort order “Newest first” and in the sequence that the owner has arranged [OWN-55]', async () => {
  const { db, owner, gallery } = await open()
  await owner.act(path, formOf({ intent: 'order', order: ['b', 'a', 'd', 'c'] }))
  expect(await gallery('/gallery/?sort=newest')).toBe('dcba')
  await addItem(db, 'e', 'bags', { createdAt: 2000 })
  expect([await gallery('/gallery/?sort=newest&q='), await gallery('/gallery/?from=0')]).toEqual([
    'edcba',
    'ebadc',
  ])
  await owner.act(path, { intent: 'newest-first' })
  expect(await gallery()).toBe('edcba')
})

test('the owner can type the place of an item among all items or in its category instead of dragging the item; the field accepts only whole numbers from 1 [OWN-54, S-432]', async () => {
  const { owner, gallery } = await open()
  expect(await owner.page(path)).toMatch(
    /required="" pattern="0\*\[1-9\]\[0-9\]\{0,8\}"[^>]*aria-label="Place of Piece d"[^>]*value="1"/,
  )
  const move = async (id: string, to: string, category = '') =>
    (await owner.act(path, { intent: 'move', id, to, category })).status
  expect([await move('d', '3'), await gallery()]).toEqual([200, 'cbda'])
  expect([await move('c', '99'), await gallery()]).toEqual([200, 'bdac'])
  expect([await move('c', '1', 'walls'), await gallery(), await gallery('/gallery/walls')]).toEqual(
    [200, 'bdca', 'ca'],
  )
  for (const [id, to] of [
    ['gone', '1'],
    ['draft', '1'],
    ['c', '0'],
    ['c', 'first'],
  ] as const)
    expect(await move(id, to)).toBe(404)
  expect((await owner.act(path, { intent: 'shuffle' })).status).toBe(400)
  expect(await gallery()).toBe('bdca')
})

test('a move changes only the places between the old and the new one, also after an item with the same place has returned to the shop [OWN-54, OWN-55]', async () => {
  const { owner, gallery, db } = await open()
  const move = async (id: string, to: string, category = '') =>
    (await owner.act(path, { intent: 'move', id, to, category })).status
  const setState = (id: string, state: 'listed' | 'retired') =>
    db.updateTable('items').set({ state }).where('id', '=', id).execute()
  const positions = async () =>
    (
      await db
        .selectFrom('items')
        .select('position')
        .where('state', '=', 'listed')
        .orderBy('position')
        .execute()
    ).map((row) => row.position)
  expect([await move('gone', '1'), await move('a', '0'), await positions()]).toEqual([
    404,
    404,
    [0, 0, 0, 0],
  ])
  await owner.act(path, formOf({ intent: 'order', order: ['a', 'b', 'c', 'd'] }))
  await setState('b', 'retired')
  expect([await move('d', '2'), await positions(), await gallery()]).toEqual([
    200,
    [1, 3, 4],
    'adc',
  ])
  await addItem(db, 'e', 'bags', { createdAt: 2000 })
  expect([await move('c', '3', 'walls'), await positions(), await gallery()]).toEqual([
    200,
    [1, 2, 3, 4],
    'eadc',
  ])
  await setState('b', 'listed')
  expect([await gallery('/gallery/?from=0'), await move('c', '3'), await gallery()]).toEqual([
    'ebadc',
    200,
    'ebcad',
  ])
  expect([await move('e', '3', 'bags'), await gallery(), await positions()]).toEqual([
    200,
    'bdcae',
    [1, 2, 3, 4, 5],
  ])
})

test('when several sort orders of the items are saved concurrently, the shop stores exactly one of these sort orders [OWN-54]', async () => {
  const { owner, gallery, db } = await open()
  const orders = ['abcd', 'dcba', 'bdac', 'cadb']
  await Promise.all(
    orders.map((order) => owner.act(path, formOf({ intent: 'order', order: [...order] }))),
  )
  expect(orders).toContain(await gallery())
  const rows = await db
    .selectFrom('items')
    .select('position')
    .where('state', '=', 'listed')
    .orderBy('position')
    .execute()
  expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4])
})

test('when the owner arranges only some of the items, all other items keep their places [OWN-54]', () => {
  expect(withOrderOf(['a', 'b', 'c', 'd'], ['d', 'b'])).toEqual(['a', 'd', 'c', 'b'])
  expect(withOrderOf(['a', 'b'], ['x', 'b', 'b', 'a'])).toEqual(['b', 'a'])
  expect(orderAfterMove(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'a', 'c'])
  expect([orderAfterMove(['a'], 'x', 1), orderAfterMove(['a'], 'a', 1.5)]).toEqual([null, null])
})

test('a shop without items leads the owner from the page for arranging to the form of a new item [OWN-54]', async () => {
  const owner = await (await openTestShop()).owner()
  expect(await owner.page(path)).toMatch(
    /There are no pieces in the shop yet\.<\/p><a[^>]*href="\/manage\/item\/"[^>]*>Add a piece</,
  )
})
