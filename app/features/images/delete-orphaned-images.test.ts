import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formOf } from '#test/fixtures/html.ts'
import { corners, photo, storedPaths } from '#test/fixtures/images.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { addCategory, addColor, addItem, insert } from '#test/fixtures/catalog.ts'
import { listOrphanedImages, deleteOrphanedImages } from './edit-images.server.ts'

const DAY = 86_400_000

/** Stores a file that was last changed `age` milliseconds before the shop's current time. */
async function leave(shop: TestShop, path: string, age: number) {
  if (path.endsWith('.part')) await writeFile(join(shop.folder, 'files', path), 'half')
  else await shop.storage.put(path, Buffer.from('some bytes'))
  const at = (shop.clock.now - age) / 1000
  await utimes(join(shop.folder, 'files', path), at, at)
}

async function keepOne(shop: TestShop, folder: 'category' | 'colors' | 'items/walls') {
  const prepared = await shop.images.prepare(folder, await corners().png().toBuffer())
  if (!prepared.ok) throw new Error(prepared.refusal)
  await shop.images.keep(shop.db, prepared.image)
  return prepared.image
}

test('the shop deletes an image file only if it is older than a day and no database row contains its path [S-095]', async () => {
  const shop = await openTestShop()
  const waiting = await keepOne(shop, 'colors')
  const stays = [
    'share/abc.def.jpg',
    'people/someone.jpg',
    'scenes/slide.webp',
    'notes.txt',
    'colors/young.jpg',
    waiting.path.replace('.png', '.96.webp'),
  ]
  for (const path of stays) {
    await leave(shop, path, path === 'colors/young.jpg' ? DAY - 1000 : 40 * DAY)
  }
  await leave(shop, '.youngyou.part', DAY - 1000)
  for (const path of [
    'colors/old.jpg',
    'colors/old.240.avif',
    'category/old.gif',
    'items/gone/old.webp',
    '.abcdefgh.part',
  ]) {
    await leave(shop, path, DAY + 1000)
  }
  await deleteOrphanedImages(shop)
  expect((await storedPaths(shop)).sort()).toEqual(
    [...stays, waiting.path, '.youngyou.part'].sort(),
  )
  expect(shop.logged).toEqual([{ level: 'info', message: 'orphaned image files were deleted' }])
})

test('the shop deletes an uploaded image after a day if no saved item uses the image', async () => {
  const shop = await openTestShop()
  const used = await keepOne(shop, 'items/walls')
  const forgotten = await keepOne(shop, 'items/walls')
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'), { images: [] })
  const row = {
    id: 'hung',
    itemId: 'moon',
    imageId: used.id,
    position: 0,
    isAvailable: true,
  }
  await shop.db.insertInto('itemImages').values(row).execute()
  await shop.images.finish()
  shop.clock.now += DAY
  await deleteOrphanedImages(shop)
  expect(await shop.db.selectFrom('images').select('id').execute()).toHaveLength(2)
  shop.clock.now += 1
  await deleteOrphanedImages(shop)
  expect(await shop.db.selectFrom('images').select('id').execute()).toEqual([{ id: used.id }])
  expect(
    (await storedPaths(shop)).filter((path) => path.includes(forgotten.path.replace('.png', ''))),
  ).toEqual([])
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
})

test('the shop deletes no orphaned image files if they belong to more than 40 images, or if the database contains no images', async () => {
  const shop = await openTestShop()
  await leave(shop, 'colors/a.jpg', 2 * DAY)
  await deleteOrphanedImages(shop)
  expect(await storedPaths(shop)).toEqual(['colors/a.jpg'])
  await keepOne(shop, 'colors')
  for (let number = 0; number < 40; number++) {
    await leave(shop, `items/walls/${number}.jpg`, 2 * DAY)
  }
  await deleteOrphanedImages(shop)
  await leave(shop, 'items/walls/0.480.webp', 2 * DAY)
  expect(await storedPaths(shop)).toHaveLength(43)
  expect(shop.logged.map(({ message }) => message)).toEqual(
    Array(2).fill('orphaned image files were not deleted: there are too many'),
  )
  await shop.storage.delete('items/walls/1.jpg')
  await deleteOrphanedImages(shop)
  expect(await storedPaths(shop)).toHaveLength(1)
})

/**
 * Opens a shop in which a category, the showcase, a color and two images of an item use the same
 * image.
 */
async function openSharedImage() {
  const shop = await openTestShop()
  const { db, images } = shop
  await addCategory(db, 'walls', { title: 'Walls' })
  await addColor(db, 'teal')
  await addItem(db, 'moon', 'walls', { description: 'Round.', images: [] })
  const made = await images.prepare('items/walls', await corners().jpeg().toBuffer())
  if (!made.ok) throw new Error('no picture')
  const { id, path } = made.image
  await images.keep(db, made.image)
  await db.updateTable('categories').set({ imageId: id }).execute()
  await db.updateTable('colors').set({ imageId: id }).execute()
  await db
    .insertInto('showcase')
    .values({ id: 's', title: 'Walls', imageId: id, categoryId: 'walls', deg: 0, position: 0 })
    .execute()
  for (const position of [0, 1]) {
    await insert(db, 'itemImages', {
      id: `m${position}`,
      itemId: 'moon',
      imageId: id,
      position,
      isAvailable: true,
    })
  }
  const owner = await shop.owner()
  const shown = async () => (await shop.visitor().get(`/pictures/${path}`)).status
  return { ...shop, id, owner, shown }
}

test('the shop deletes a shared image only when the last record stops using the image [FILES-06, S-095]', async () => {
  const { db, id, clock, shop, owner, shown } = await openSharedImage()
  const uses = async () => ({
    category:
      (await db.selectFrom('categories').select('imageId').executeTakeFirst())?.imageId === id,
    color: (await db.selectFrom('colors').select('imageId').executeTakeFirst())?.imageId === id,
    showcase:
      (await db.selectFrom('showcase').select('imageId').executeTakeFirst())?.imageId === id,
    images: (await db.selectFrom('itemImages').select('id').orderBy('id').execute()).map(
      (row) => row.id,
    ),
  })
  const item = {
    intent: 'save',
    name: 'Moon',
    categoryId: 'walls',
    price: '45',
    description: 'Round.',
    image: 'm1',
  }
  expect((await owner.act('/manage/item/moon', formOf(item))).status).toBe(200)
  expect(await uses()).toEqual({ category: true, color: true, showcase: true, images: ['m1'] })

  expect((await owner.act('/manage/item/moon', { intent: 'delete', confirm: 'Yes' })).status).toBe(
    200,
  )
  const secondUpload = formOf({ intent: 'image', id: 'walls', file: photo() })
  expect((await owner.act('/manage/category/', secondUpload)).status).toBe(200)
  expect(await uses()).toEqual({ category: false, color: true, showcase: true, images: [] })

  await db.updateTable('showcase').set({ imageId: null }).execute()
  clock.now += 3 * DAY
  await deleteOrphanedImages(shop)
  expect(await uses()).toMatchObject({ color: true })
  expect(await shown()).toBe(200)

  expect(
    (await owner.act('/manage/colors/', { intent: 'delete', id: 'teal', confirm: 'Yes' })).status,
  ).toBe(200)
  expect(await shown()).toBe(404)
  expect(await db.selectFrom('images').select('id').where('id', '=', id).execute()).toEqual([])
})
