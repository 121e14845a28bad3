/**
 * Several tabs of the owner change items at the same time. The result must be the same as if the
 * changes had been made one after another.
 *
 * @module-tag random
 */
import { optionalItemTexts } from '#catalog/item-fields.ts'
import { recordOf } from '#lib/record-of.ts'
import { expect, test } from 'vitest'
import { deleteColor } from '#colors/edit-colors.server.ts'
import { listOrphanedImages, deleteAbandonedUploads } from '#images/edit-images.server.ts'
import { saveItem } from '#item-editor/edit-items.server.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { applyTable, uploadTable } from '#test/fixtures/csv.ts'
import { addUpload, errorsOf, png } from '#test/fixtures/fuzz.ts'
import { formOf } from '#test/fixtures/html.ts'
import { openTestShop, type Person, type TestShop } from '#test/fixtures/test-shop.ts'

const DAY = 86_400_000

async function open() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'bags', 'keys'].entries()) {
    await addCategory(shop.db, id, { position })
  }
  return { shop, owner: await shop.owner() }
}

const typed = {
  name: 'Moon',
  categoryId: 'walls',
  price: '25',
  description: 'Round.',
  ...recordOf(optionalItemTexts, () => ''),
  kind: '',
}
type Fields = { image: string[]; [name: string]: string | string[] }
const itemForm = (fields: Fields) => formOf({ intent: 'save', ...typed, ...fields })
const deleteItem = (owner: Person, id: string) =>
  owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })
const itemIds = async ({ db }: TestShop) =>
  (await db.selectFrom('items').select('id').execute()).map(({ id }) => id)
const hang = ({ db }: TestShop, itemId: string, id: string, imageId: string, position = 0) =>
  db.insertInto('itemImages').values({ id, itemId, imageId, position, isAvailable: true }).execute()
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

type Made = { id: string; keys: string[] }
async function makeItem(shop: TestShop, owner: Person, images = 2): Promise<Made> {
  const uploads = await Promise.all(times(images, () => addUpload(shop)))
  const before = await itemIds(shop)
  expect(
    (await owner.act('/manage/item', itemForm({ image: uploads.map(({ id }) => `upload-${id}`) })))
      .status,
  ).toBe(200)
  const id = (await itemIds(shop)).find((one) => !before.includes(one))!
  const rows = await shop.db
    .selectFrom('itemImages')
    .select('id')
    .where('itemId', '=', id)
    .orderBy('position')
    .execute()
  return { id, keys: rows.map((row) => row.id) }
}
async function makeItems(count: number, shop: TestShop, owner: Person, images?: number) {
  const items: Made[] = []
  for (let at = 0; at < count; at++) items.push(await makeItem(shop, owner, images))
  return items
}

/**
 * Expects that every item is complete, that every image has a file and a row, and that the log
 * contains no error.
 */
async function expectConsistent(shop: TestShop) {
  expect(errorsOf(shop)).toEqual([])
  await shop.images.finish()
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
  const images = await shop.db
    .selectFrom('itemImages')
    .select(['itemId', 'imageId', 'position'])
    .execute()
  for (const id of await itemIds(shop)) {
    const positions = images.filter(({ itemId }) => itemId === id).map(({ position }) => position)
    expect(positions.length > 0, id).toBe(true)
    expect(new Set(positions).size, id).toEqual(positions.length)
  }
  expect(new Set(images.map(({ imageId }) => imageId)).size).toBe(images.length)
}

function statusesOf(answers: { status: number }[]): number[] {
  const statuses = [...new Set(answers.map(({ status }) => status))].sort()
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  return statuses
}
const shuffled = <T>(list: T[]): T[] =>
  list
    .map((one, at) => [(at * 7919) % list.length, one] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, one]) => one)

test('an upload that expires or is deleted while its item is saved is either kept with the item or removed', async () => {
  const { shop, owner } = await open()
  for (let round = 0; round < 6; round++) {
    const uploads = await Promise.all(times(8, () => addUpload(shop)))
    shop.clock.now += round % 2 === 0 ? 0 : DAY + 1
    const answers = await Promise.all(
      uploads.flatMap(({ id, path }, at) => [
        owner.act(
          '/manage/item',
          itemForm({ name: `New ${round}-${at}`, image: [`upload-${id}`] }),
        ),
        round % 2 === 0
          ? owner.post('/manage/item-picture', { intent: 'delete', url: `/pictures/${path}` })
          : deleteAbandonedUploads(shop.shop).then(() => ({ status: 200 })),
      ]),
    )
    statusesOf(answers)
  }
  await expectConsistent(shop)
})

test('if several simultaneous forms add an item with the same upload, only one item is stored', async () => {
  const { shop, owner } = await open()
  for (let round = 0; round < 5; round++) {
    const image = [`upload-${(await addUpload(shop)).id}`]
    const answers = await Promise.all(
      times(8, (at) => owner.act('/manage/item', itemForm({ name: `New ${round}-${at}`, image }))),
    )
    statusesOf(answers)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }
  expect(await itemIds(shop)).toHaveLength(5)
  await expectConsistent(shop)
})

test('the catalog is consistent after fifty concurrent saves, deletions, imports, discounts and moves', async () => {
  const { shop, owner } = await open()
  const colorIds = ['ash', 'sand', 'rust']
  for (const id of colorIds) await addColor(shop.db, id, { imageId: null })
  await shop.db.deleteFrom('images').execute()
  const items = await makeItems(5, shop, owner)
  const { check } = await uploadTable(
    owner,
    `id,name,price\n${items.map(({ id }) => `${id},From the table,31.00`).join('\n')}`,
  )
  const ids = items.map(({ id }) => id)
  const save = ({ id, keys }: Made, n: number) => {
    const colors = Object.fromEntries(
      keys.map((key) => [`color:${key}`, n % 2 === 0 ? colorIds : ['rust', 'ash']]),
    )
    const image = n % 2 === 0 ? keys : keys.toReversed()
    return owner.act(
      `/manage/item/${id}`,
      itemForm({ name: `Save ${n}`, revision: '1', image, ...colors }),
    )
  }
  const discount = (n: number) => {
    const item = n % 2 === 0 ? ids : ids.toReversed()
    return owner.act(
      '/manage/discount',
      formOf({ intent: 'items-apply', type: 'percent', value: String(n), confirm: 'Yes', item }),
    )
  }
  const undo = async () => {
    const rows = await shop.db.selectFrom('discountChanges').select('seq').execute()
    return Promise.all(
      rows.map(({ seq }) => owner.act('/manage/discount', { intent: 'undo', seq: String(seq) })),
    )
  }
  const orders = [
    ['bags', 'walls', 'keys'],
    ['keys', 'bags', 'walls'],
  ]
  const acts: (() => Promise<{ status: number } | { status: number }[]>)[] = [
    ...items.flatMap((item) => [1, 2, 3].map((n) => () => save(item, n))),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => () => discount(n)),
    ...times(4, () => undo),
    ...times(4, () => () => applyTable(owner, check)),
    ...colorIds.map(
      (id) => () => owner.act('/manage/colors', { intent: 'delete', id, confirm: 'Yes' }),
    ),
    ...colorIds.map(
      (id) => () =>
        owner.act('/manage/colors', { intent: 'mark', id, mark: 'isLowOnStock', on: 'on' }),
    ),
    ...orders.map(
      (order) => () => owner.act('/manage/category', formOf({ intent: 'order', order })),
    ),
    ...['up', 'down'].map(
      (by) => () => owner.act('/manage/category', { intent: 'move', id: 'bags', by }),
    ),
    ...ids.slice(0, 2).map((id) => () => deleteItem(owner, id)),
  ]
  statusesOf((await Promise.all(shuffled(acts).map((act) => act()))).flat())
  await expectConsistent(shop)
  expect(await shop.db.selectFrom('itemImageColors').selectAll().execute()).toEqual([])
  const offered = await shop.db
    .selectFrom('discountChanges')
    .select('seq')
    .where('isOffered', '=', true)
    .execute()
  expect(offered.length).toBeLessThanOrEqual(1)
  const categories = await shop.db
    .selectFrom('categories')
    .select('position')
    .orderBy('position')
    .execute()
  expect(categories.map(({ position }) => position)).toEqual([0, 1, 2])
})

test('when one tab deletes a color while other tabs save items with this color, no item has the color afterwards', async () => {
  const { shop, owner } = await open()
  const items = await makeItems(4, shop, owner, 1)
  for (let round = 1; round <= 5; round++) {
    const colors = times(10, (n) => `c${round}-${n}`)
    for (const id of colors) await addColor(shop.db, id, { imageId: null })
    await shop.db.deleteFrom('images').where('path', 'like', 'items/color-%').execute()
    const answers = await Promise.all(
      colors.flatMap((id, n) => {
        const { id: itemId, keys } = items[n % items.length]!
        const chosen = n % 2 === 0 ? colors : colors.toReversed()
        const images = keys.map((key) => ({ key, colors: chosen, isAvailable: true }))
        return [
          saveItem(shop.shop, 'owner', { id: itemId, typed, images, files: [], revision: null }),
          deleteColor(shop.shop, 'owner', id),
        ]
      }),
    )
    expect(answers.filter((answer) => !answer.ok && answer.refusal === 'failed')).toEqual([])
  }
  expect(await shop.db.selectFrom('itemImageColors').selectAll().execute()).toEqual([])
  await expectConsistent(shop)
})

test('when one tab adds an image to an item while another tab deletes the item, no row or file of the image remains', async () => {
  const { shop, owner } = await open()
  for (let round = 0; round < 8; round++) {
    const { id, keys } = await makeItem(shop, owner)
    const added = await addUpload(shop)
    const form = itemForm({ name: 'More', image: [...keys, `upload-${added.id}`] })
    const [saved, deleted] = await Promise.all([
      owner.act(`/manage/item/${id}`, form),
      deleteItem(owner, id),
    ])
    statusesOf([saved, deleted])
    if (saved.status === 200) {
      expect(
        await shop.db.selectFrom('images').select('id').where('id', '=', added.id).execute(),
      ).toEqual([])
    }
  }
  expect(await itemIds(shop)).toEqual([])
  await expectConsistent(shop)
})

test('an image that items and a category share after an import is deleted only when no record uses it', async () => {
  const { shop, owner } = await open()
  const [shared, own] = [await addUpload(shop), await addUpload(shop)]
  for (const id of ['one', 'two', 'three']) {
    await addItem(shop.db, id, 'walls', { images: [], description: 'x' })
    await hang(shop, id, `${id}-p`, shared.id)
  }
  await hang(shop, 'two', 'two-q', own.id, 1)
  await shop.db
    .updateTable('categories')
    .set({ imageId: shared.id })
    .where('id', '=', 'walls')
    .execute()
  const uses = shop.db
    .selectFrom('itemImages')
    .select('id')
    .where('imageId', '=', shared.id)
    .orderBy('id')
  const state = async () => [
    (await shop.storage.read(shared.path)) !== null,
    (await uses.execute()).map(({ id }) => id),
  ]

  await deleteItem(owner, 'one')
  expect(await state()).toEqual([true, ['three-p', 'two-p']])
  expect((await owner.act('/manage/item/two', itemForm({ image: ['two-q'] }))).status).toBe(200)
  expect(await state()).toEqual([true, ['three-p']])
  await deleteItem(owner, 'three')
  expect(await state()).toEqual([true, []])
  const file = new File([png], 'a.png', { type: 'image/png' })
  expect(
    (await owner.act('/manage/category', formOf({ intent: 'image', id: 'walls', file }))).status,
  ).toBe(200)
  expect(await state()).toEqual([false, []])
  await expectConsistent(shop)
})

test('items that share all their pictures can be deleted at the same time', async () => {
  const { shop, owner } = await open()
  const images = [await addUpload(shop), await addUpload(shop), await addUpload(shop)]
  for (let n = 0; n < 10; n++) {
    await addItem(shop.db, `i${n}`, 'walls', { images: [] })
    for (const [position, { id }] of (n % 2 ? images : images.toReversed()).entries()) {
      await hang(shop, `i${n}`, `i${n}-${position}`, id, position)
    }
  }
  expect(statusesOf(await Promise.all(times(10, (n) => deleteItem(owner, `i${n}`))))).toEqual([200])
  expect(await shop.db.selectFrom('images').select('id').execute()).toEqual([])
  await expectConsistent(shop)
})

test('simultaneous imports and discounts of eight hundred items are applied one after the other', async () => {
  const { shop, owner } = await open()
  const ids = times(800, (n) => `i${(n * 7919) % 800}`)
  const texts = {
    categoryId: 'walls',
    description: 'x',
    width: '',
    soleType: '',
    size: '',
    discountType: null,
    discountValue: null,
  }
  const image = {
    width: 9,
    height: 9,
    widths: '[]',
    placeholder: '',
    createdAt: 1,
    state: 'finished' as const,
  }
  for (let start = 0; start < ids.length; start += 100) {
    const part = ids.slice(start, start + 100)
    const items = part.map((id) => ({
      id,
      name: id,
      priceCents: 2500,
      ...texts,
      createdAt: 1,
      firstCreatedAt: 1,
    }))
    const itemImages = part.map((id) => ({
      id,
      itemId: id,
      imageId: id,
      position: 0,
      isAvailable: true,
    }))
    await shop.db.insertInto('items').values(items).execute()
    const images = part.map((id) => ({ id, path: `items/${id}.png`, ...image }))
    await shop.db.insertInto('images').values(images).execute()
    await shop.db.insertInto('itemImages').values(itemImages).execute()
  }
  const tableOf = (list: string[], n: number) =>
    `id,name,price\n${list.map((id) => `${id},Table ${n},3${n}`).join('\n')}`
  const first = await uploadTable(owner, tableOf(ids, 0))
  const second = await uploadTable(owner, tableOf(ids.toReversed(), 1))
  const form = {
    intent: 'items-apply',
    type: 'percent',
    confirm: 'Yes',
    all: 'on',
    count: '800',
    free: '0',
  }
  const discount = (n: number) => owner.act('/manage/discount', { ...form, value: String(n) })
  const apply = ({ check }: { check: string }) => applyTable(owner, check)
  statusesOf(
    await Promise.all([
      discount(1),
      apply(first),
      discount(2),
      apply(second),
      discount(3),
      apply(first),
    ]),
  )
  expect(errorsOf(shop)).toEqual([])
  const found = await shop.db
    .selectFrom('items')
    .select(['name', 'priceCents', 'discountValue'])
    .distinct()
    .execute()
  expect(new Set(found.map(({ discountValue }) => discountValue)).size).toBe(1)
  // The name and the price of an item must come from the same import.
  for (const { name, priceCents } of found) {
    expect(`${name} ${priceCents}`).toMatch(/^(Table 0 3000|Table 1 3100|i\d+ 2500)$/)
  }
})
