// A moved shop may show one stored picture in several places (022): it goes with the last of them.
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { onSqlite } from '#test/test-database.ts'
import { sweepPictures, isUnused } from './edit-pictures.server.ts'

const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
  .jpeg()
  .toBuffer()

/** One stored picture, with its file, that a category, the showcase, a colour and two images of an item show. */
async function open() {
  const shop = await openTestShop()
  const { db, pictures } = shop
  await addCategory(db, 'walls', { title: 'Walls' })
  await addColor(db, 'teal')
  await addItem(db, 'moon', 'walls', { description: 'Round.', pictures: [] })
  const made = await pictures.prepare('items/walls', new Uint8Array(image))
  if (!made.ok) throw new Error('no picture')
  const { id, path } = made.picture
  await pictures.keep(db, made.picture)
  await db.updateTable('categories').set({ pictureId: id }).execute()
  await db.updateTable('colors').set({ pictureId: id }).execute()
  await db.insertInto('showcase').values({ id: 's', title: 'Walls', pictureId: id, categoryId: 'walls', deg: 0, position: 0 }).execute()
  for (const position of [0, 1])
    await db
      .insertInto('itemPictures')
      .values({ id: `m${position}`, itemId: 'moon', pictureId: id, position, isAvailable: 1 })
      .execute()
  const owner = await shop.owner()
  const shown = async () => (await shop.visitor().get(`/pictures/${path}`)).status
  const save = (keys: string[], name = 'Moon') => {
    const form = new FormData()
    for (const [field, value] of Object.entries({ intent: 'save', name, categoryId: 'walls', price: '45', description: 'Round.' }))
      form.set(field, value)
    for (const key of keys) form.append('picture', key)
    return owner.act('/manage/item/moon', form)
  }
  const send = (to: string, fields: Record<string, string>) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set('file', new File([new Uint8Array(image)], 'new.jpg', { type: 'image/jpeg' }))
    return owner.act(to, form)
  }
  return { ...shop, id, owner, shown, save, send }
}

test('FILES-06 S-095 a picture that is shown in several places goes with the last of them, never before', async () => {
  const { db, id, clock, shop, owner, shown, save, send } = await open()
  const uses = async () => ({
    category: (await db.selectFrom('categories').select('pictureId').executeTakeFirst())?.pictureId === id,
    color: (await db.selectFrom('colors').select('pictureId').executeTakeFirst())?.pictureId === id,
    showcase: (await db.selectFrom('showcase').select('pictureId').executeTakeFirst())?.pictureId === id,
    images: (await db.selectFrom('itemPictures').select('id').orderBy('id').execute()).map((row) => row.id),
  })
  expect((await save(['m1'])).status).toBe(200)
  expect(await uses()).toEqual({ category: true, color: true, showcase: true, images: ['m1'] })

  expect((await owner.act('/manage/item/moon', { intent: 'delete', confirm: 'Yes' })).status).toBe(200)
  expect((await send('/manage/category/', { intent: 'picture', id: 'walls' })).status).toBe(200)
  expect(await uses()).toEqual({ category: false, color: true, showcase: true, images: [] })

  await db.updateTable('showcase').set({ pictureId: null }).execute()
  clock.now += 3 * 86_400_000
  await sweepPictures(shop)
  expect(await uses()).toMatchObject({ color: true })
  expect(await shown()).toBe(200)

  expect((await owner.act('/manage/colors/', { intent: 'delete', id: 'teal', confirm: 'Yes' })).status).toBe(200)
  expect(await shown()).toBe(404)
  expect(await db.selectFrom('pictures').select('id').where('id', '=', id).execute()).toEqual([])
})

onSqlite(
  'what is shown nowhere is found by lists that are read once, or by an index: with ten thousand pieces a look for each picture took half a minute',
  async () => {
    const { db } = await openTestShop()
    const { sql: text } = db.selectFrom('pictures').select('id').where(isUnused).compile()
    const { rows } = await sql<{ detail: string }>`${sql.raw(`explain query plan ${text}`)}`.execute(db)
    // Only what an index answers may be asked for each picture.
    const perPicture = rows.flatMap(({ detail }, at) => (detail.startsWith('CORRELATED') ? (rows[at + 1]?.detail ?? '') : []))
    expect(perPicture.map((step) => step.split(' ').slice(0, 2).join(' '))).toEqual([
      'SEARCH itemPictures',
      'SEARCH messagePictures',
      'SEARCH chatUploads',
    ])
  },
)
