import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { listCategoryDocuments } from '#app/features/catalog/catalog-documents.server.ts'
import { LONGEST_TITLE, NO_COLOR, NO_TITLE, readThemeColor, TITLE_TOO_LONG } from './category.ts'
import { replacedText } from './edit-categories.server.ts'

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
  const acts = () => shop.db.selectFrom('audit').select(['act', 'actor', 'subject', 'detail']).orderBy('seq').execute()
  return { ...shop, acts, owner: await shop.owner() }
}

/** The entry of one category in the owner's list, up to the next one. */
const rowOf = (html: string, title: string) =>
  html
    .slice(html.indexOf(`<li class`, html.indexOf('<ol')))
    .split('<li ')
    .find((row) => row.includes(`aria-label="${title}"`))!

test('NAV-06 ROLES-17 CATEGORY-01 CATEGORY-02 CATEGORY-03 CATEGORY-04 each category is a row with its title, theme colour and image to edit', async () => {
  const { db, owner } = await open()
  await addCategory(db, 'bags', { title: 'Bags & more', color: '#112233', position: 1 })
  const html = await owner.page('/manage/category/')

  const rows = [rowOf(html, 'Walls'), rowOf(html, 'Bags &amp; more')]
  for (const [row, title, color] of [
    [rows[0]!, 'Walls', '#c98a5e'],
    [rows[1]!, 'Bags &amp; more', '#112233'],
  ] as const) {
    expect(row).toMatch(new RegExp(`<input[^>]*name="title"[^>]*value="${title}"`))
    expect(row).toMatch(new RegExp(`<input[^>]*name="color"[^>]*value="${color}"`))
    expect(row).toMatch(new RegExp(`<input[^>]*type="color"[^>]*value="${color}"`))
    expect(row).toMatch(/<input[^>]*type="file"/)
  }
  expect(html.indexOf(rows[0]!)).toBeLessThan(html.indexOf(rows[1]!))
})

test('CATEGORY-05 CATEGORY-06 the add-new row is disabled, says so, and adds nothing when it is sent all the same', async () => {
  const { db, owner } = await open()
  const row = rowOf(await owner.page('/manage/category/'), 'Add new category')

  expect(row).toMatch(/^[^<]*><fieldset[^>]*disabled=""/)
  expect(row.slice(row.indexOf('</fieldset>'))).not.toMatch(/<(input|button)/)
  expect(row).toContain('>Cannot add new Categories at the moment<')
  for (const intent of ['add', '', 'new'])
    expect((await owner.act('/manage/category/', { intent, title: 'New', color: '#000000' })).status).toBe(400)
  expect((await owner.act('/manage/category/', { intent: 'save', id: 'new', title: 'New', color: '#000000' })).status).toBe(404)
  expect(await db.selectFrom('categories').select('id').execute()).toEqual([{ id: 'walls' }])
})

test('CATEGORY-07 DATA-122 DATA-123 title and colour are saved, recorded, and told to whoever looks', async () => {
  const { db, owner, clock, heard, acts } = await open()
  const saved = await owner.act('/manage/category/', { intent: 'save', id: 'walls', title: ' Wall art ', color: 'AABBCC' })

  expect([saved.status, saved.text.includes('toasts')]).toEqual([200, false])
  expect(await listCategoryDocuments(db)).toEqual([{ id: 'walls', title: 'Wall art', color: '#aabbcc', url: '', createdAt: clock.now }])
  expect(heard).toContain('catalogue')
  expect((await acts()).map(({ detail, ...act }) => [act, JSON.parse(detail)])).toEqual([
    [
      { act: 'save-category', actor: 'owner', subject: 'walls' },
      { title: 'Wall art', color: '#aabbcc', before: { title: 'Walls', color: '#c98a5e' }, after: { title: 'Wall art', color: '#aabbcc' } },
    ],
  ])
})

test('CATEGORY-07 what is no title or no colour is refused beside its field, and nothing is written', async () => {
  const { db, owner, acts } = await open()
  for (const [wrong, text] of [
    [{ title: ' ', color: '#aabbcc' }, NO_TITLE],
    [{ title: 'x'.repeat(LONGEST_TITLE + 1), color: '#aabbcc' }, TITLE_TOO_LONG],
    [{ title: 'x', color: 'red' }, NO_COLOR],
    [{ title: 'x', color: '#aabbcc;background:url(x)' }, NO_COLOR],
    [{ title: '', color: '' }, NO_TITLE],
  ] as const) {
    const refused = await owner.act('/manage/category/', { intent: 'save', id: 'walls', ...wrong })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(text)])
  }
  expect((await owner.act('/manage/category/', { intent: 'save', id: 'gone', title: 'x', color: '#aabbcc' })).status).toBe(404)
  expect(await listCategoryDocuments(db)).toMatchObject([{ title: 'Walls', color: '#c98a5e' }])
  expect(await acts()).toEqual([])
  expect(
    (await owner.act('/manage/category/', { intent: 'save', id: 'walls', title: 'x'.repeat(LONGEST_TITLE), color: '#abc' })).status,
  ).toBe(200)
})

test('a theme colour may be typed with or without #, long or short', () => {
  expect(['#C98A5E', ' c98a5e ', '#abc', 'ABC'].map(readThemeColor)).toEqual(['#c98a5e', '#c98a5e', '#aabbcc', '#aabbcc'])
  expect(['', '#', 'abcd', '#12345g', 'rgb(1,2,3)', '##aabbcc', '#aabbcc00'].map(readThemeColor)).toEqual(Array(7).fill(null))
})

test('CATEGORY-07 decision 019: of two windows each writes only what was changed in it, and the later one is told what it wrote over', async () => {
  const { db, owner } = await open()
  const before = { intent: 'save', id: 'walls', wasTitle: 'Walls', wasColor: '#c98a5e' }
  await owner.act('/manage/category/', { ...before, title: 'Wall art', color: '#c98a5e' })

  const recolored = await owner.act('/manage/category/', { ...before, title: 'Walls', color: '#112233' })
  expect(recolored.text).not.toContain('toasts')
  expect(await listCategoryDocuments(db)).toMatchObject([{ title: 'Wall art', color: '#112233' }])

  const renamed = await owner.act('/manage/category/', { ...before, title: 'On the wall', color: '#112233' })
  expect([renamed.status, renamed.text]).toEqual([200, expect.stringContaining(replacedText('Wall art'))])
  expect(await listCategoryDocuments(db)).toMatchObject([{ title: 'On the wall', color: '#112233' }])
})

test('CATEGORY-03 without script the colour may be typed or picked: whichever was changed counts', async () => {
  const { db, owner } = await open()
  const form = { intent: 'save', id: 'walls', title: 'Walls', wasTitle: 'Walls', wasColor: '#c98a5e', back: '/manage/category/' }
  const color = async () => (await listCategoryDocuments(db))[0]!.color

  const answer = await owner.post('/manage/category/', { ...form, color: '#c98a5e', picked: '#010203' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/manage/category/'])
  expect(await color()).toBe('#010203')
  await owner.post('/manage/category/', { ...form, wasColor: '#010203', color: '#040506', picked: '#010203' })
  expect(await color()).toBe('#040506')
})

test('CATEGORY-08 FILES-03 FILES-04 a new picture replaces the old one and its file', async () => {
  const { db, files, owner, acts, heard } = await open()
  const urlOf = async () => (await listCategoryDocuments(db))[0]!.url

  await owner.act('/manage/category/', pictureForm('walls', image))
  const first = await urlOf()
  await owner.act('/manage/category/', pictureForm('walls', image))
  const second = await urlOf()

  expect(first).toMatch(/^\/pictures\/category\/[A-Za-z0-9]{8,}\.webp$/)
  expect(second).not.toBe(first)
  expect((await owner.get(first)).status).toBe(404)
  expect((await owner.get(second)).status).toBe(200)
  expect(heard).toContain('catalogue')
  expect((await acts()).map(({ act, subject }) => [act, subject])).toEqual(Array(2).fill(['change-category-picture', 'walls']))
  const kept = await files.list()
  expect((await owner.act('/manage/category/', pictureForm('gone', image))).status).toBe(404)
  expect(await files.list()).toEqual(kept)
})

test('CATEGORY-09 CATEGORY-10 CATEGORY-11 ERR-08 the picker says what is missing, each text alone, and the picture stays', async () => {
  const { db, files, owner } = await open()
  await owner.act('/manage/category/', pictureForm('walls', image))
  const [stored, kept] = [await listCategoryDocuments(db), await files.list()]
  for (const [form, text] of [
    [pictureForm('walls', null), 'select file'],
    [pictureForm('walls', image, 'text/plain'), 'select image'],
    [pictureForm('walls', new TextEncoder().encode('not a picture')), 'select image'],
    [pictureForm('walls', new Uint8Array(10_485_761)), 'too big'],
  ] as const) {
    const refused = await owner.act('/manage/category/', form)
    expect([refused.status, ['select file', 'select image', 'too big'].filter((one) => refused.text.includes(one))]).toEqual([422, [text]])
  }
  expect([await listCategoryDocuments(db), await files.list()]).toEqual([stored, kept])
})

test('CATEGORY-12 a failure is only logged, and what is stored stays', async () => {
  const { db, files, owner, logged, heard } = await open()
  await addCategory(db, 'bags', { position: 1 })
  await db.schema.dropTable('audit').execute()
  heard.length = 0
  const forms: (FormData | Record<string, string>)[] = [
    { intent: 'save', id: 'walls', title: 'x', color: '#aabbcc' },
    pictureForm('walls', image),
    { intent: 'move', id: 'walls', by: 'down' },
  ]
  for (const form of forms) {
    const failed = await owner.act('/manage/category/', form)
    expect(failed.status).toBe(500)
    expect(failed.text).not.toMatch(/toasts|error/i)
  }
  expect(await listCategoryDocuments(db)).toMatchObject([{ title: 'Walls', color: '#c98a5e', url: '' }, { id: 'bags' }])
  expect([await files.list(), heard]).toEqual([[], []])
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(3)
})
