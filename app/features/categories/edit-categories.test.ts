import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { listCategoryDocuments } from '#app/features/catalog/catalog-documents.server.ts'

const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
  .webp()
  .toBuffer()

function pictureForm(id: string, bytes: Uint8Array | null, type = 'image/webp') {
  const form = new FormData()
  form.set('intent', 'picture')
  form.set('id', id)
  if (bytes) form.set('file', new File([new Uint8Array(bytes)], 'a.webp', { type }))
  return form
}

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls', color: '#c98a5e' })
  return { ...shop, owner: await shop.owner() }
}

test('NAV-06 ROLES-17 CATEGORY-01 CATEGORY-02 CATEGORY-03 CATEGORY-04 CATEGORY-05 CATEGORY-06 rows to edit, and one that adds nothing', async () => {
  const { db, owner } = await open()
  const html = await owner.page('/manage/category/')

  expect(html).toMatch(/<input[^>]*name="title"[^>]*value="Walls"/)
  expect(html).toMatch(/<input[^>]*type="color"[^>]*value="#c98a5e"/)
  expect(html).toMatch(/<input[^>]*type="file"/)
  expect(html).toMatch(/<fieldset[^>]*disabled=""/)
  expect(html).toContain('Cannot add new Categories at the moment')
  expect((await owner.act('/manage/category/', { intent: 'add', title: 'New', color: '#000000' })).status).toBe(400)
  expect(await db.selectFrom('categories').select('id').execute()).toHaveLength(1)
})

test('CATEGORY-07 DATA-122 DATA-123 title and colour are saved', async () => {
  const { db, owner, clock, heard } = await open()
  const saved = await owner.act('/manage/category/', { intent: 'save', id: 'walls', title: ' Wall art ', color: '#AABBCC' })

  expect(saved.status).toBe(200)
  expect(await listCategoryDocuments(db)).toEqual([{ id: 'walls', title: 'Wall art', color: '#aabbcc', url: '', createdAt: clock.now }])
  expect(heard).toContain('catalogue')
  for (const wrong of [
    { title: ' ', color: '#aabbcc' },
    { title: 'x', color: 'red' },
  ])
    expect((await owner.act('/manage/category/', { intent: 'save', id: 'walls', ...wrong })).status).toBe(422)
  expect((await owner.act('/manage/category/', { intent: 'save', id: 'gone', title: 'x', color: '#aabbcc' })).status).toBe(404)
})

test('CATEGORY-08 FILES-03 FILES-04 a new picture replaces the old one and its file', async () => {
  const { db, files, owner } = await open()
  const urlOf = async () => (await listCategoryDocuments(db))[0]!.url

  await owner.act('/manage/category/', pictureForm('walls', image))
  const first = await urlOf()
  await owner.act('/manage/category/', pictureForm('walls', image))
  const second = await urlOf()

  expect(first).toMatch(/^\/pictures\/category\/[A-Za-z0-9]{8,}\.webp$/)
  expect(second).not.toBe(first)
  expect((await owner.get(first)).status).toBe(404)
  expect((await owner.get(second)).status).toBe(200)
  const kept = await files.list()
  expect((await owner.act('/manage/category/', pictureForm('gone', image))).status).toBe(404)
  expect(await files.list()).toEqual(kept)
})

test('CATEGORY-09 CATEGORY-10 CATEGORY-11 ERR-08 the picker says what is missing', async () => {
  const { owner } = await open()
  expect((await owner.act('/manage/category/', pictureForm('walls', null))).text).toContain('select file')
  expect((await owner.act('/manage/category/', pictureForm('walls', image, 'text/plain'))).text).toContain('select image')
  expect((await owner.act('/manage/category/', pictureForm('walls', new Uint8Array(10_485_761)))).text).toContain('too big')
})

test('CATEGORY-12 a failure is only logged', async () => {
  const { db, files, owner, logged } = await open()
  await db.schema.dropTable('audit').execute()
  for (const form of [{ intent: 'save', id: 'walls', title: 'x', color: '#aabbcc' }, pictureForm('walls', image)]) {
    const failed = await owner.act('/manage/category/', form)
    expect(failed.status).toBe(500)
    expect(failed.text).not.toMatch(/toasts|error/i)
  }
  expect((await listCategoryDocuments(db))[0]).toMatchObject({ title: 'walls'.replace('w', 'W'), url: '' })
  expect(await files.list()).toEqual([])
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(2)
})
