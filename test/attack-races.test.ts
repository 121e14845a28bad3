/** Two owners' tabs at once: whatever comes first, one order of events is what stays, and nothing half of it. */
import { expect, test } from 'vitest'
import { deleteColor } from '#app/features/colors/edit-colors.server.ts'
import { saveItem } from '#app/features/item-editor/edit-items.server.ts'
import { sweepUploads, listOrphans } from '#app/features/images/edit-pictures.server.ts'
import { corners } from './drawn-pictures.ts'
import { openTestShop, type TestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'
import { addCategory, addColor, addItem } from './sample-catalogue.ts'
import { applyTable, uploadTable } from './upload-table.ts'

const photo = new Uint8Array(await corners(32, 32).png().toBuffer())
const DAY = 86_400_000

async function open() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'bags', 'keys'].entries()) await addCategory(shop.db, id, { position })
  return { shop, owner: await shop.owner() }
}

async function upload(shop: TestShop): Promise<{ id: string; path: string }> {
  const prepared = await shop.pictures.prepare('items/walls', photo)
  if (!prepared.ok) throw new Error(prepared.refusal)
  await shop.pictures.keep(shop.db, prepared.picture)
  return prepared.picture
}

const typed = { name: 'Moon', categoryId: 'walls', price: '25', description: 'Round.', width: '', soleType: '', size: '' }
type Fields = { picture: string[]; [name: string]: string | string[] }
function itemForm({ picture, ...fields }: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ intent: 'save', ...typed, ...fields }))
    for (const one of [value].flat()) form.append(name, one)
  for (const key of picture) form.append('picture', key)
  return form
}

type Made = { id: string; keys: string[] }
/** A new item with pictures that are really there. */
async function makeItem(shop: TestShop, owner: Person, pictures = 2): Promise<Made> {
  const uploads = await Promise.all(Array.from({ length: pictures }, () => upload(shop)))
  const before = new Set((await shop.db.selectFrom('items').select('id').execute()).map(({ id }) => id))
  const { status } = await owner.act('/manage/item', itemForm({ picture: uploads.map(({ id }) => `upload-${id}`) }))
  expect(status).toBe(200)
  const { id } = (await shop.db.selectFrom('items').select('id').execute()).find((row) => !before.has(row.id))!
  const rows = await shop.db.selectFrom('itemPictures').select('id').where('itemId', '=', id).orderBy('position').execute()
  return { id, keys: rows.map((row) => row.id) }
}

/** Nothing half-written, no file without a row, no row without its file, no error told or logged. */
async function expectWhole(shop: TestShop) {
  expect(shop.logged.filter(({ level }) => level === 'error').map(({ error, message }) => [message, String(error)])).toEqual([])
  await shop.pictures.finish()
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
  const items = await shop.db.selectFrom('items').select('id').execute()
  const hung = await shop.db.selectFrom('itemPictures').select(['itemId', 'pictureId', 'position']).execute()
  for (const { id } of items) {
    const positions = hung.filter((row) => row.itemId === id).map(({ position }) => position)
    expect([id, positions.length > 0, new Set(positions).size]).toEqual([id, true, positions.length])
  }
  expect(new Set(hung.map(({ pictureId }) => pictureId)).size).toBe(hung.length)
}
const statusesOf = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort()
const shuffled = <T>(list: T[]): T[] =>
  list
    .map((one, at) => [(at * 7919) % list.length, one] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, one]) => one)

test('an upload that is deleted, swept and saved at the same moment is an image of the item, or is gone', async () => {
  const { shop, owner } = await open()
  for (let round = 0; round < 6; round++) {
    const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(shop)))
    shop.clock.now += round % 2 === 0 ? 0 : DAY + 1
    const answers = await Promise.all(
      uploads.flatMap(({ id, path }, at) => [
        owner.act('/manage/item', itemForm({ name: `New ${round}-${at}`, picture: [`upload-${id}`] })),
        round % 2 === 0
          ? owner.post('/manage/item-picture', { intent: 'delete', url: `/pictures/${path}` })
          : sweepUploads(shop.shop).then(() => ({ status: 200 })),
      ]),
    )
    expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([])
  }
  await expectWhole(shop)
})

test('an upload that two forms hang at the same moment becomes the image of one item', async () => {
  const { shop, owner } = await open()
  for (let round = 0; round < 5; round++) {
    const { id } = await upload(shop)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => owner.act('/manage/item', itemForm({ name: `New ${round}-${at}`, picture: [`upload-${id}`] }))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  }
  expect(await shop.db.selectFrom('items').select('id').execute()).toHaveLength(5)
  // The very same form twice is one wish.
  const { id } = await upload(shop)
  const again = await Promise.all(Array.from({ length: 8 }, () => owner.act('/manage/item', itemForm({ picture: [`upload-${id}`] }))))
  expect(statusesOf(again)).toEqual([200])
  expect(await shop.db.selectFrom('items').select('id').execute()).toHaveLength(6)
  await expectWhole(shop)
})

test('fifty saves, deletions, tables and discounts of the same pieces at the same moment', async () => {
  const { shop, owner } = await open()
  for (const id of ['ash', 'sand', 'rust']) await addColor(shop.db, id, { pictureId: null })
  await shop.db.deleteFrom('pictures').execute()
  const items: Made[] = []
  for (let at = 0; at < 5; at++) items.push(await makeItem(shop, owner))
  const csv = `id,name,price\n${items.map(({ id }) => `${id},From the table,31.00`).join('\n')}`
  const { check } = await uploadTable(owner, csv)
  const ids = items.map(({ id }) => id)
  const save = ({ id, keys }: Made, n: number) => {
    const picture = n % 2 === 0 ? keys : [...keys].reverse()
    const colors = Object.fromEntries(keys.map((key) => [`color:${key}`, n % 2 === 0 ? ['ash', 'sand', 'rust'] : ['rust', 'ash']]))
    return owner.act(`/manage/item/${id}`, itemForm({ name: `Save ${n}`, revision: '1', picture, ...colors }))
  }
  const discount = (n: number) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ intent: 'items-apply', type: 'percent', value: String(n), confirm: 'Yes' }))
      form.set(name, value)
    for (const id of n % 2 === 0 ? ids : [...ids].reverse()) form.append('item', id)
    return owner.act('/manage/discount', form)
  }
  const undo = async () => {
    const rows = await shop.db.selectFrom('discountChanges').select('seq').execute()
    return Promise.all(rows.map(({ seq }) => owner.act('/manage/discount', { intent: 'undo', seq: String(seq) })))
  }
  const wishes: (() => Promise<{ status: number } | { status: number }[]>)[] = [
    ...items.flatMap((item) => [1, 2, 3].map((n) => () => save(item, n))),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => () => discount(n)),
    ...[1, 2, 3, 4].map(() => undo),
    ...[1, 2, 3, 4].map(() => () => applyTable(owner, check)),
    ...['ash', 'sand', 'rust'].map((id) => () => owner.act('/manage/colors', { intent: 'delete', id, confirm: 'Yes' })),
    ...['ash', 'sand', 'rust'].map((id) => () => owner.act('/manage/colors', { intent: 'mark', id, mark: 'isLowOnStock', on: 'on' })),
    ...[
      ['bags', 'walls', 'keys'],
      ['keys', 'bags', 'walls'],
    ].map((order) => () => {
      const form = new FormData()
      form.set('intent', 'order')
      for (const id of order) form.append('order', id)
      return owner.act('/manage/category', form)
    }),
    ...['up', 'down'].map((by) => () => owner.act('/manage/category', { intent: 'move', id: 'bags', by })),
    ...items.slice(0, 2).map(
      ({ id }) =>
        () =>
          owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' }),
    ),
  ]
  const answers = (await Promise.all(shuffled(wishes).map((wish) => wish()))).flat()
  expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([])
  await expectWhole(shop)
  expect(await shop.db.selectFrom('itemPictureColors').selectAll().execute()).toEqual([])
  const offered = await shop.db.selectFrom('discountChanges').select('seq').where('isOffered', '=', 1).execute()
  expect(offered.length).toBeLessThanOrEqual(1)
  expect((await shop.db.selectFrom('categories').select('position').orderBy('position').execute()).map(({ position }) => position)).toEqual(
    [0, 1, 2],
  )
})

test('a colour that is deleted while pieces are saved with it is on none of them afterwards', async () => {
  const { shop, owner } = await open()
  const items: Made[] = []
  for (let at = 0; at < 4; at++) items.push(await makeItem(shop, owner, 1))
  for (let round = 1; round <= 5; round++) {
    const colors = Array.from({ length: 10 }, (_, n) => `c${round}-${n}`)
    for (const id of colors) await addColor(shop.db, id, { pictureId: null })
    await shop.db.deleteFrom('pictures').where('path', 'like', 'items/color-%').execute()
    const answers = await Promise.all(
      colors.flatMap((id, n) => {
        const { id: itemId, keys } = items[n % items.length]!
        const chosen = n % 2 === 0 ? colors : [...colors].reverse()
        const asked = {
          id: itemId,
          typed,
          images: keys.map((key) => ({ key, colors: chosen, isAvailable: true })),
          files: [],
          revision: null,
        }
        return [saveItem(shop.shop, 'owner', asked), deleteColor(shop.shop, 'owner', id)]
      }),
    )
    expect(answers.filter((answer) => typeof answer === 'object' && !answer.ok && answer.status >= 500)).toEqual([])
  }
  expect(await shop.db.selectFrom('itemPictureColors').selectAll().execute()).toEqual([])
  await expectWhole(shop)
})

test('an image that one tab adds while another deletes the piece leaves nothing behind', async () => {
  const { shop, owner } = await open()
  for (let round = 0; round < 8; round++) {
    const { id, keys } = await makeItem(shop, owner, 2)
    const added = await upload(shop)
    const answers = await Promise.all([
      owner.act(`/manage/item/${id}`, itemForm({ name: 'More', picture: [...keys, `upload-${added.id}`] })),
      owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' }),
    ])
    expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([])
    if (answers[0]!.status === 200)
      expect(await shop.db.selectFrom('pictures').select('id').where('id', '=', added.id).execute()).toEqual([])
  }
  expect(await shop.db.selectFrom('items').select('id').execute()).toEqual([])
  await expectWhole(shop)
})

test('pieces that share a picture after an import: who is deleted, changed or saved last takes it along, and not before', async () => {
  const { shop, owner } = await open()
  const shared = await upload(shop)
  const own = await upload(shop)
  for (const id of ['one', 'two', 'three']) {
    await addItem(shop.db, id, 'walls', { pictures: [], description: 'x' })
    await shop.db
      .insertInto('itemPictures')
      .values({ id: `${id}-p`, itemId: id, pictureId: shared.id, position: 0, isAvailable: 1 })
      .execute()
  }
  await shop.db.insertInto('itemPictures').values({ id: 'two-q', itemId: 'two', pictureId: own.id, position: 1, isAvailable: 1 }).execute()
  await shop.db.updateTable('categories').set({ pictureId: shared.id }).where('id', '=', 'walls').execute()
  const isThere = async () => (await shop.files.read(shared.path)) !== null
  const uses = async () =>
    (await shop.db.selectFrom('itemPictures').select('id').where('pictureId', '=', shared.id).execute()).map(({ id }) => id)

  await owner.act('/manage/item/one', { intent: 'delete', confirm: 'Yes' })
  expect([await isThere(), (await uses()).sort()]).toEqual([true, ['three-p', 'two-p']])
  const { status } = await owner.act('/manage/item/two', itemForm({ picture: ['two-q'] }))
  expect([status, await isThere(), await uses()]).toEqual([200, true, ['three-p']])
  await owner.act('/manage/item/three', { intent: 'delete', confirm: 'Yes' })
  expect([await isThere(), await uses()]).toEqual([true, []])

  const form = new FormData()
  for (const [name, value] of Object.entries({ intent: 'picture', id: 'walls' })) form.set(name, value)
  form.set('file', new File([photo], 'a.png', { type: 'image/png' }))
  expect((await owner.act('/manage/category', form)).status).toBe(200)
  expect(await isThere()).toBe(false)
  await expectWhole(shop)
})

test('pieces that share all their pictures, deleted at the same moment', async () => {
  const { shop, owner } = await open()
  const pictures = [await upload(shop), await upload(shop), await upload(shop)]
  for (let n = 0; n < 10; n++) {
    await addItem(shop.db, `i${n}`, 'walls', { pictures: [] })
    for (const [position, { id }] of (n % 2 ? pictures : [...pictures].reverse()).entries())
      await shop.db
        .insertInto('itemPictures')
        .values({ id: `i${n}-${position}`, itemId: `i${n}`, pictureId: id, position, isAvailable: 1 })
        .execute()
  }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => owner.act(`/manage/item/i${n}`, { intent: 'delete', confirm: 'Yes' })),
  )
  expect(statusesOf(answers)).toEqual([200])
  expect(await shop.db.selectFrom('pictures').select('id').execute()).toEqual([])
  await expectWhole(shop)
})
