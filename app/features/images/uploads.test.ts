/** Files chosen for the catalogue, through the front door: what each picker takes, refuses and leaves behind. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '#app/platform/picture-types.ts'
import { corners, cornersOf, hugePng, storedPaths } from '#test/drawn-pictures.ts'
import { openTestShop, ORIGIN, type TestShop } from '#test/open-test-shop.ts'
import { addCategory } from '#test/sample-catalogue.ts'
import { itemPickTexts, refusePicked, shortPickTexts, type PickRefusal } from './picture-upload.ts'
import { listOrphans } from './edit-pictures.server.ts'

const heic = readFileSync(new URL('../../../test/pictures/phone.heic', import.meta.url))
const jpeg = await corners().jpeg().toBuffer()

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  return Object.assign(shop, { ona: await shop.owner() })
}
type Open = Awaited<ReturnType<typeof open>>

const fileOf = (bytes: Uint8Array | string, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

/** The three pickers: which form they send, where the file goes, which texts they speak. */
const pickers = [
  { folder: 'items/walls', texts: itemPickTexts, to: '/manage/item-picture', form: { categoryId: 'walls' } },
  { folder: 'colors', texts: shortPickTexts, to: '/manage/colors/', form: { intent: 'add', name: 'Ash' } },
  { folder: 'category', texts: shortPickTexts, to: '/manage/category/', form: { intent: 'picture', id: 'walls' } },
]

async function send({ ona }: Open, { to, form }: (typeof pickers)[number], file: File | null) {
  const body = new FormData()
  for (const [name, value] of Object.entries(form)) if (value !== undefined) body.set(name, value)
  if (file) body.set('file', file)
  if (to === '/manage/item-picture') {
    const response = await ona.post(to, body)
    return { status: response.status, text: await response.text() }
  }
  return ona.act(to, body)
}

const stored = async (shop: TestShop) => ({
  files: await storedPaths(shop),
  rows: await shop.db.selectFrom('pictures').select('path').execute(),
})

test('FILES-01 FILES-02 FILES-03 FILES-04 FILES-05 FILES-08 each picker stores under its folder, with a fresh name and the extension of what was chosen', async () => {
  for (const picker of pickers) {
    const shop = await open()
    const sent = [fileOf(jpeg), fileOf(jpeg), fileOf(await corners().png().toBuffer(), 'b.png', 'image/png')]
    const paths: string[] = []
    for (const file of sent) {
      expect((await send(shop, picker, file)).status, picker.folder).toBe(200)
      // A category has one picture: the one before it goes.
      const { rows } = await stored(shop)
      paths.push(...rows.map(({ path }) => path).filter((path) => !paths.includes(path)))
    }
    expect(paths).toHaveLength(3)
    for (const [at, path] of paths.entries())
      expect(path).toMatch(new RegExp(`^${picker.folder}/[A-Za-z0-9]{16}\\.${at === 2 ? 'png' : 'jpg'}$`))
    expect((await shop.visitor().get(`/pictures/${paths[2]}`)).headers.get('content-type')).toBe('image/png')
    await shop.pictures.finish()
    expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
  }
})

test('FILES-11 FILES-12 CATEGORY-11 COLOR-17 MERCH-31 exactly the largest size passes every picker, one byte more passes none', async () => {
  const exact = new Uint8Array(MAX_PICTURE_BYTES)
  exact.set(jpeg)
  const more = new Uint8Array(MAX_PICTURE_BYTES + 1)
  more.set(jpeg)
  for (const picker of pickers) {
    const shop = await open()
    const refused = await send(shop, picker, fileOf(more))
    expect([refused.status, refused.text], picker.folder).toEqual([422, expect.stringContaining(picker.texts['too-big'])])
    expect(await stored(shop)).toEqual({ files: [], rows: [] })
    expect((await send(shop, picker, fileOf(exact))).status, picker.folder).toBe(200)
  }
})

test('CATEGORY-09 CATEGORY-10 COLOR-15 COLOR-16 MERCH-29 MERCH-30 bad files: each has its text in every picker and leaves nothing behind', async () => {
  const cut = jpeg.subarray(0, jpeg.length / 2)
  const bad: [string, File | null, PickRefusal][] = [
    ['no file', null, 'no-file'],
    ['0 bytes', fileOf(''), 'not-an-image'],
    ['a text by its type', fileOf('words', 'a.txt', 'text/plain'), 'not-an-image'],
    ['a text renamed', fileOf('<script>alert(1)</script>'), 'not-an-image'],
    ['SVG', fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml'), 'not-an-image'],
    ['PDF renamed', fileOf('%PDF-1.7', 'a.png', 'image/png'), 'not-an-image'],
    ['a program named like a photo', fileOf('MZ\u0000', 'a.heic', ''), 'not-an-image'],
    ['cut off', fileOf(cut), 'damaged'],
    ['a bomb', fileOf(hugePng(30_000, 30_000), 'a.png', 'image/png'), 'too-many-pixels'],
    ['half a HEIC', fileOf(heic.subarray(0, 900), 'a.heic', 'image/heic'), 'unread-heic'],
  ]
  const shop = await open()
  for (const picker of pickers)
    for (const [what, file, refusal] of bad) {
      const refused = await send(shop, picker, file)
      expect([what, picker.folder, refused.status], what).toEqual([what, picker.folder, 422])
      expect(refused.text, `${what}, ${picker.folder}`).toContain(picker.texts[refusal])
    }
  expect(await stored(shop)).toEqual({ files: [], rows: [] })
  expect(itemPickTexts['unread-heic']).toBe('This HEIC photo could not be read here. Please send it as JPEG.')
})

test('a HEIC photo passes with whatever type the browser gave it, and a renamed picture counts for what it is', async () => {
  const shop = await open()
  for (const picker of pickers)
    for (const [name, type] of [
      ['IMG_1.HEIC', 'image/heic'],
      ['IMG_1.heif', 'image/heif'],
      ['IMG_1.HEIC', ''],
      ['IMG_1.heic', 'application/octet-stream'],
      ['photo.jpg', 'image/jpeg'],
    ] as const)
      expect((await send(shop, picker, fileOf(heic, name, type))).status, `${picker.folder} ${name} ${type}`).toBe(200)
  const { rows } = await stored(shop)
  for (const { path } of rows) {
    expect(path).toMatch(/\.jpg$/)
    expect(await cornersOf((await shop.files.read(path))!)).toEqual(['blue', 'red', 'white', 'lime'])
  }
  expect((await send(shop, pickers[1]!, fileOf(await corners().png().toBuffer(), 'photo.jpg', 'image/jpeg'))).status).toBe(200)
  expect((await stored(shop)).rows.filter(({ path }) => path.endsWith('.png'))).toHaveLength(1)
  expect([refusePicked(fileOf('x', 'a.heic', '')), refusePicked(fileOf('x', 'a.jpg', '')), refusePicked(fileOf('x', 'heic', ''))]).toEqual([
    null,
    'not-an-image',
    'not-an-image',
  ])
})

test('fifty uploads at once: each is stored once, none is lost, nothing is left over', async () => {
  const shop = await open()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => send(shop, pickers[0]!, at % 10 === 9 ? fileOf('no picture') : fileOf(jpeg))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, (_, at) => (at % 10 === 9 ? 422 : 200)))
  const urls = answers.filter(({ status }) => status === 200).map(({ text }) => (JSON.parse(text) as { url: string }).url)
  expect(new Set(urls).size).toBe(45)
  await shop.pictures.finish()
  expect((await shop.db.selectFrom('pictures').select('state').execute()).map(({ state }) => state)).toEqual(Array(45).fill('finished'))
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
})

test('FILES-10 a database that fails after the file was written, and a disk that fails before, leave neither file nor row', async () => {
  for (const picker of pickers) {
    const shop = await open()
    const { put } = shop.files
    shop.files.put = () => Promise.reject(new Error('the disk is full'))
    expect((await send(shop, picker, fileOf(jpeg))).status, picker.folder).toBe(500)
    shop.files.put = put
    const { keep } = shop.pictures
    shop.pictures.keep = () => Promise.reject(new Error('the database is gone'))
    expect((await send(shop, picker, fileOf(jpeg))).status, picker.folder).toBe(500)
    shop.pictures.keep = keep
    expect(await stored(shop), picker.folder).toEqual({ files: [], rows: [] })
    expect((await send(shop, picker, fileOf(jpeg))).status, picker.folder).toBe(200)
  }
})

test('an upload that breaks off halfway is no upload', async () => {
  const shop = await open()
  const form = new FormData()
  form.set('categoryId', 'walls')
  form.set('file', fileOf(jpeg))
  const whole = new Request('http://shop.test/', { method: 'POST', body: form })
  const [type, bytes] = [whole.headers.get('content-type')!, new Uint8Array(await whole.arrayBuffer())]
  for (const share of [0.2, 0.6, 0.98]) {
    const response = await shop.ona.send('/manage/item-picture', {
      method: 'POST',
      headers: { 'content-type': type, origin: ORIGIN },
      body: bytes.slice(0, bytes.length * share),
    })
    expect([400, 422, 500], `${share}`).toContain(response.status)
  }
  expect(await stored(shop)).toEqual({ files: [], rows: [] })
})
