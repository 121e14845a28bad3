import { expect, test } from 'vitest'
import { addCategory, addItem, itemIds } from '#test/fixtures/catalog.ts'
import { formOf, optionsOf, pageOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const path = '/manage/arrange/'

/** Opens a shop with four listed items and a draft. The item `d` is the newest listed item. */
async function open() {
  const shop = await openTestShop()
  for (const id of ['walls', 'bags']) await addCategory(shop.db, id)
  for (const [index, [id, categoryId]] of Object.entries({
    a: 'walls',
    b: 'bags',
    c: 'walls',
    d: 'bags',
  }).entries()) {
    await addItem(shop.db, id, categoryId, {
      createdAt: 1000 + index,
      name: `Piece ${id}`,
      priceCents: 1000 + index,
    })
  }
  await addItem(shop.db, 'draft', 'walls', { state: 'draft' })
  const visitor = shop.visitor()
  const gallery = async (url = '/gallery/') => itemIds(await visitor.page(url)).join('')
  const owner = await shop.owner()
  const move = async (id: string, to: string, category = '') =>
    (await owner.act(path, { intent: 'move', id, to, category })).status
  return { ...shop, visitor, gallery, owner, move }
}

test('the sequence in which the owner arranges the items is the default sequence of the gallery and of each category [OWN-54, OWN-55]', async () => {
  const { owner, visitor, gallery, changedTopics, db } = await open()
  expect(await gallery()).toBe('dcba')
  expect(await visitor.page('/gallery/')).not.toContain('Featured')
  changedTopics.length = 0

  const order = formOf({ intent: 'order', order: ['b', 'gone', 'a', 'd', 'c', 'draft'] })
  expect((await owner.act(path, order)).status).toBe(200)
  expect(await gallery()).toBe('badc')
  expect(await gallery('/gallery/walls')).toBe('ac')
  expect(await gallery('/gallery/bags')).toBe('bd')
  const sorts = optionsOf(pageOf(await visitor.page('/gallery/')), 'Sort by')
  expect(sorts.selected).toBe('Featured')
  expect(sorts.all.slice(0, 2)).toEqual(['Featured', 'Newest first'])
  expect(changedTopics).toEqual(['catalog'])
  expect(await db.selectFrom('audit').select('act').execute()).toEqual([{ act: 'order-items' }])
})

test('a new item comes first in the sort order “Newest first” and in the sequence that the owner has arranged [OWN-55]', async () => {
  const { db, owner, gallery } = await open()
  await owner.act(path, formOf({ intent: 'order', order: ['b', 'a', 'd', 'c'] }))
  expect(await gallery('/gallery/?sort=newest')).toBe('dcba')
  await addItem(db, 'e', 'bags', { createdAt: 2000 })
  expect(await gallery('/gallery/?sort=newest&q=')).toBe('edcba')
  expect(await gallery('/gallery/?from=0')).toBe('ebadc')
  await owner.act(path, { intent: 'newest-first' })
  expect(await gallery()).toBe('edcba')
})

test('the owner can type the place of an item among all items or in its category instead of dragging the item; the field accepts only whole numbers from 1 [OWN-54, S-432]', async () => {
  const { owner, gallery, move } = await open()
  const page = pageOf(await owner.page(path))
  const field = page.getByRole<HTMLInputElement>('textbox', { name: 'Place of Piece d' })
  expect(field.value).toBe('1')
  expect(field.required).toBe(true)
  expect(field.pattern).toBe('0*[1-9][0-9]{0,8}')
  expect(await move('d', '3')).toBe(200)
  expect(await gallery()).toBe('cbda')
  expect(await move('c', '99')).toBe(200)
  expect(await gallery()).toBe('bdac')
  expect(await move('c', '1', 'walls')).toBe(200)
  expect(await gallery()).toBe('bdca')
  expect(await gallery('/gallery/walls')).toBe('ca')
  for (const id of ['deleted', 'draft']) expect(await move(id, '1')).toBe(404)
  for (const place of ['0', 'first']) expect(await move('c', place)).toBe(400)
  expect((await owner.act(path, { intent: 'shuffle' })).status).toBe(400)
  expect(await gallery()).toBe('bdca')
})

test('moving an item changes only the places between its old and its new place, even after an item with the same place was offered again [OWN-54, OWN-55]', async () => {
  const { owner, gallery, move, db } = await open()
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
  expect(await move('gone', '1')).toBe(404)
  expect(await move('a', '0')).toBe(400)
  expect(await positions()).toEqual([0, 0, 0, 0])
  await owner.act(path, formOf({ intent: 'order', order: ['a', 'b', 'c', 'd'] }))
  await setState('b', 'retired')
  expect(await move('d', '2')).toBe(200)
  expect(await positions()).toEqual([1, 3, 4])
  expect(await gallery()).toBe('adc')
  await addItem(db, 'e', 'bags', { createdAt: 2000 })
  expect(await move('c', '3', 'walls')).toBe(200)
  expect(await positions()).toEqual([1, 2, 3, 4])
  expect(await gallery()).toBe('eadc')
  await setState('b', 'listed')
  expect(await gallery('/gallery/?from=0')).toBe('ebadc')
  expect(await move('c', '3')).toBe(200)
  expect(await gallery()).toBe('ebcad')
  expect(await move('e', '3', 'bags')).toBe(200)
  expect(await gallery()).toBe('bdcae')
  expect(await positions()).toEqual([1, 2, 3, 4, 5])
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

test('when the owner arranges only some of the items, all other items keep their places [OWN-54]', async () => {
  const { owner, gallery } = await open()
  expect(await gallery()).toBe('dcba')
  await owner.act(path, formOf({ intent: 'order', order: ['a', 'deleted', 'd', 'a'] }))
  expect(await gallery()).toBe('acbd')
})

test('in a shop without items, the page for arranging items links to the form for a new item [OWN-54]', async () => {
  const owner = await (await openTestShop()).owner()
  const page = pageOf(await owner.page(path))
  expect(page.getByText('There are no pieces in the shop yet.')).toBeTruthy()
  const link = page.getByRole('link', { name: 'Add a piece' })
  expect(link.getAttribute('href')).toBe('/manage/item/')
})
