import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'

const image = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
    .png()
    .toBuffer()
const file = (bytes: Uint8Array<ArrayBuffer>, name = 'swatch.png', type = 'image/png') => new File([bytes], name, { type })

async function addForm(name: string, picture: File | null) {
  const form = new FormData()
  form.set('intent', 'add')
  form.set('name', name)
  if (picture) form.set('file', picture)
  return form
}

const open = async () => {
  const shop = await openTestShop()
  return { ...shop, owner: await shop.owner() }
}

test('NAV-07 ROLES-19 COLOR-01 COLOR-02 COLOR-03 COLOR-05 COLOR-06 COLOR-09 COLOR-10 the grid has delete, name and two boxes, the form name and image', async () => {
  const { db, owner } = await open()
  await addColor(db, 'ash', { name: 'Ash_grey' })

  const html = await owner.page('/manage/colors/')

  expect(html).toContain('Ash grey')
  expect(html).toContain('aria-label="Delete Ash grey"')
  expect(html).toContain('aria-label="available (Ash grey)"')
  expect(html).toContain('aria-label="low stock (Ash grey)"')
  expect(html).toMatch(/name="name"[^>]*>/)
  expect(html).toMatch(/type="file"[^>]*name="file"/)
})

test('COLOR-11 COLOR-13 COLOR-14 FILES-02 FILES-04 FILES-05 DATA-120 a new colour is available, not low, and its image stands under colors/', async () => {
  const { db, owner, clock, heard } = await open()

  const added = await owner.act('/manage/colors/', await addForm(' Dusty  rose ', file(new Uint8Array(await image()))))

  expect(added.status).toBe(200)
  const colors = await db
    .selectFrom('colors')
    .innerJoin('pictures', 'pictures.id', 'colors.pictureId')
    .selectAll('colors')
    .select('path')
    .execute()
  expect(colors).toMatchObject([{ name: 'Dusty_rose', isAvailable: 1, isLowOnStock: 0, createdAt: clock.now }])
  expect(colors[0]!.path).toMatch(/^colors\/[A-Za-z0-9]{8,}\.png$/)
  expect((await owner.get(`/pictures/${colors[0]!.path}`)).status).toBe(200)
  expect(heard).toContain('catalogue')
  expect(await db.selectFrom('audit').select(['act', 'actor']).execute()).toEqual([{ act: 'add-color', actor: 'owner' }])
})

test('COLOR-07 COLOR-08 DATA-123 the boxes write at once, each its own mark', async () => {
  const { db, owner, clock } = await open()
  await addColor(db, 'ash')
  const stored = () => db.selectFrom('colors').select(['isAvailable', 'isLowOnStock', 'createdAt']).execute()

  await owner.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isAvailable' })
  expect(await stored()).toEqual([{ isAvailable: 0, isLowOnStock: 0, createdAt: clock.now }])
  clock.now += 5
  await owner.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isLowOnStock', on: 'on' })
  expect(await stored()).toEqual([{ isAvailable: 0, isLowOnStock: 1, createdAt: clock.now }])
})

test('COLOR-12 DATA-121 FILES-06 FILES-09 deleting asks, says where it is used, and takes the file along', async () => {
  const { db, files, owner, clock } = await open()
  await owner.act('/manage/colors/', await addForm('Ash', file(new Uint8Array(await image()))))
  const { id } = await db.selectFrom('colors').select('id').executeTakeFirstOrThrow()
  await addItem(db, 'Fern hanger', await addCategory(db, 'hangers'), { pictures: [{ colors: [id] }] })

  expect(await owner.page('/manage/colors/')).toContain('It is used in 1 item: Fern hanger')
  expect((await owner.act('/manage/colors/', { intent: 'delete', id })).status).toBe(400)
  expect(await db.selectFrom('colors').select('id').execute()).toHaveLength(1)
  await owner.act('/manage/colors/', { intent: 'delete', id, confirm: 'Yes' })

  expect(await db.selectFrom('colors').select('id').execute()).toEqual([])
  expect(await files.list()).toEqual([])
  const acts = await db.selectFrom('audit').select(['act', 'at']).orderBy('seq').execute()
  expect(acts.at(-1)).toEqual({ act: 'delete-color', at: clock.now })
})

test('COLOR-15 COLOR-16 COLOR-17 ERR-08 the picker says what is missing, and nothing is written', async () => {
  const { db, owner } = await open()
  const tooBig = file(new Uint8Array(10_485_761))
  for (const [picked, text] of [
    [null, 'select file'],
    [file(new Uint8Array([1]), 'a.txt', 'text/plain'), 'select image'],
    [file(new Uint8Array([1, 2, 3])), 'select image'],
    [tooBig, 'too big'],
  ] as const) {
    const refused = await owner.act('/manage/colors/', await addForm('Ash', picked))
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(text)])
  }
  const nameless = await owner.act('/manage/colors/', await addForm('  ', file(new Uint8Array(await image()))))
  expect(nameless.status).toBe(422)
  expect(await db.selectFrom('colors').select('id').execute()).toEqual([])
})

test('COLOR-18 a failure is only logged, and leaves no file', async () => {
  const { db, files, owner, logged } = await open()
  await addColor(db, 'ash')
  await db.schema.dropTable('audit').execute()

  const marked = await owner.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isAvailable' })
  const added = await owner.act('/manage/colors/', await addForm('Rose', file(new Uint8Array(await image()))))

  for (const { status, text } of [marked, added]) {
    expect(status).toBe(500)
    expect(text).not.toMatch(/toasts|error/i)
  }
  expect(await db.selectFrom('colors').select(['id', 'isAvailable']).execute()).toEqual([{ id: 'ash', isAvailable: 1 }])
  expect(await files.list()).toEqual([])
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(2)
})

test('unknown colours and unreadable forms give no 500', async () => {
  const { owner } = await open()

  expect((await owner.act('/manage/colors/', { intent: 'mark', id: 'gone', mark: 'isAvailable' })).status).toBe(404)
  expect((await owner.act('/manage/colors/', { intent: 'delete', id: 'gone', confirm: 'Yes' })).status).toBe(404)
  expect((await owner.act('/manage/colors/', { intent: 'mark', id: 'x', mark: 'name' })).status).toBe(400)
})
