import { expect, test } from 'vitest'
import { addCategory } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import { listShowcase } from '#app/features/home/showcase.server.ts'
import { orderAfter, orderAfterStep } from './category.ts'
import { orderCategories } from './edit-categories.server.ts'

async function open() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'bags', 'rings'].entries()) await addCategory(shop.db, id, { position })
  const orderOf = async () => (await listCategories(shop.db)).map(({ id }) => id)
  return { ...shop, orderOf, owner: await shop.owner() }
}

function orderForm(order: string[]) {
  const form = new FormData()
  form.set('intent', 'order')
  for (const id of order) form.append('order', id)
  return form
}

test('decision 019: a new order is what gallery and owner see, recorded, and told to whoever looks', async () => {
  const { owner, orderOf, visitor, heard, db } = await open()
  heard.length = 0
  expect((await owner.act('/manage/category/', orderForm(['rings', 'walls', 'bags']))).status).toBe(200)

  expect(await orderOf()).toEqual(['rings', 'walls', 'bags'])
  const gallery = await visitor().page('/gallery/')
  const places = ['rings', 'walls', 'bags'].map((id) => gallery.indexOf(`title="${id}"`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(heard).toEqual(['catalogue'])
  const [act] = await db.selectFrom('audit').select(['act', 'actor', 'detail']).execute()
  expect([act!.act, act!.actor, JSON.parse(act!.detail)]).toEqual(['order-categories', 'owner', { order: ['rings', 'walls', 'bags'] }])

  await owner.act('/manage/category/', orderForm(['rings', 'walls', 'bags']))
  expect(await db.selectFrom('audit').select('act').execute()).toHaveLength(1)
})

test('decision 019: steps by buttons work without script, and stop at the ends', async () => {
  const { owner, orderOf } = await open()
  const move = async (id: string, by: string) =>
    (await owner.post('/manage/category/', { intent: 'move', id, by, back: '/manage/category/' })).headers.get('location')

  expect(await move('bags', 'up')).toBe('/manage/category/')
  expect(await orderOf()).toEqual(['bags', 'walls', 'rings'])
  await move('bags', 'up')
  await move('rings', 'down')
  expect(await orderOf()).toEqual(['bags', 'walls', 'rings'])
  await move('bags', 'down')
  expect(await orderOf()).toEqual(['walls', 'bags', 'rings'])
})

test('decision 019: an order that is not up to date leaves nothing out, and nonsense changes nothing', async () => {
  const { owner, orderOf, db } = await open()
  expect((await owner.act('/manage/category/', orderForm(['rings', 'gone', 'rings', 'walls']))).status).toBe(200)
  expect(await orderOf()).toEqual(['rings', 'walls', 'bags'])

  expect((await owner.act('/manage/category/', { intent: 'move', id: 'gone', by: 'up' })).status).toBe(404)
  expect((await owner.act('/manage/category/', { intent: 'move', id: 'walls', by: 'sideways' })).status).toBe(400)
  expect((await owner.act('/manage/category/', orderForm([]))).status).toBe(200)
  expect(await orderOf()).toEqual(['rings', 'walls', 'bags'])
  const positions = await db.selectFrom('categories').select('position').orderBy('position').execute()
  expect(positions.map(({ position }) => position)).toEqual([0, 1, 2])
  expect(orderAfter(['a', 'b', 'c'], ['c'])).toEqual(['c', 'a', 'b'])
  expect(orderAfterStep(['a', 'b'], 'x', 1)).toEqual(['a', 'b'])
})

test('decision 019: of several orders at once one is what stays, not a mixture', async () => {
  const { shop, orderOf } = await open()
  for (let at = 0; at < 24; at++) await addCategory(shop.db, `more-${at}`, { position: 3 })
  const present = await orderOf()
  const turned = (by: number) => [...present.slice(by), ...present.slice(0, by)]
  const wishes = [present.toReversed(), turned(5), turned(11).toReversed(), turned(19)]

  for (let round = 0; round < 4; round++) {
    await Promise.all(wishes.map((wanted) => orderCategories(shop, 'owner', { wanted })))
    expect(wishes).toContainEqual(await orderOf())
  }
})

test("S-020 decision 019: Home's ring follows: its places stay, and its records take them in the order of their categories", async () => {
  const { db, shop } = await open()
  for (const [position, categoryId] of ['walls', 'bags', 'rings'].entries())
    await db
      .insertInto('showcase')
      .values({ id: `show-${categoryId}`, title: categoryId, pictureId: null, categoryId, deg: position * 120, position })
      .execute()

  await orderCategories(shop, 'owner', { wanted: ['rings', 'walls', 'bags'] })
  expect((await listShowcase(db)).map(({ id, deg }) => [id, deg])).toEqual([
    ['show-rings', 0],
    ['show-walls', 120],
    ['show-bags', 240],
  ])
})
