import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MAX_UPLOAD_BYTES } from '#services/image-paths.ts'
import { corners, cornersOf, hugePng, photo, storedPaths } from '#test/fixtures/images.ts'
import { formOf } from '#test/fixtures/html.ts'
import { openTestShop, ORIGIN, type TestShop } from '#test/fixtures/test-shop.ts'
import { addCategory } from '#test/fixtures/catalog.ts'
import { validateFile, type FileRefusal } from './image-upload.ts'
import { imageErrorTexts } from './owner-texts.ts'
import { itemFileErrorTexts, shortFileErrorTexts } from './texts.ts'
import { listOrphanedImages } from './edit-images.server.ts'
import { uploadImage } from './image-upload-queue.ts'
import { fitInto, typeOfResized } from './resize-worker.ts'

const heic = readFileSync(new URL('../../../test/fixtures/pictures/phone.heic', import.meta.url))
const jpeg = await corners().jpeg().toBuffer()

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  return Object.assign(shop, { ona: await shop.owner() })
}
type Open = Awaited<ReturnType<typeof open>>

const fileOf = (bytes: Uint8Array | string, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

/**
 * Lists the image pickers with the URL and fields of their forms, the folder of their files and
 * their error texts.
 */
const pickers: {
  folder: string
  texts: Record<FileRefusal, string>
  to: string
  form: Record<string, string>
}[] = [
  {
    folder: 'items/walls',
    texts: itemFileErrorTexts,
    to: '/manage/item-picture',
    form: { categoryId: 'walls' },
  },
  {
    folder: 'colors',
    texts: shortFileErrorTexts,
    to: '/manage/colors/',
    form: { intent: 'add', name: 'Ash' },
  },
  {
    folder: 'category',
    texts: shortFileErrorTexts,
    to: '/manage/category/',
    form: { intent: 'image', id: 'walls' },
  },
  {
    folder: 'scenes',
    texts: imageErrorTexts,
    to: '/manage/home/',
    form: { intent: 'image', scene: 'wallpaper-light' },
  },
  {
    folder: 'scenes',
    texts: imageErrorTexts,
    to: '/manage/about/',
    form: { intent: 'image', scene: 'slide-2' },
  },
]

async function send({ ona }: Open, { to, form }: (typeof pickers)[number], file: File | null) {
  const body = formOf({ ...form, file: file ?? [] })
  if (to === '/manage/item-picture') {
    const response = await ona.post(to, body)
    return { status: response.status, text: await response.text() }
  }
  return ona.act(to, body)
}

const stored = async (shop: TestShop) => ({
  files: await storedPaths(shop),
  rows: await shop.db.selectFrom('images').select('path').execute(),
})

test('each image picker stores images in its own folder, with new names and the extension of the image format [FILES-01, FILES-02, FILES-03, FILES-04, FILES-05, FILES-08]', async () => {
  for (const picker of pickers) {
    const shop = await open()
    const sent = [
      fileOf(jpeg),
      fileOf(jpeg),
      fileOf(await corners().png().toBuffer(), 'b.png', 'image/png'),
    ]
    const paths: string[] = []
    for (const file of sent) {
      expect((await send(shop, picker, file)).status, picker.folder).toBe(200)
      const { rows } = await stored(shop)
      paths.push(...rows.map(({ path }) => path).filter((path) => !paths.includes(path)))
    }
    expect(paths).toHaveLength(3)
    for (const [at, path] of paths.entries()) {
      expect(path).toMatch(
        new RegExp(`^${picker.folder}/[A-Za-z0-9]{16}\\.${at === 2 ? 'png' : 'jpg'}$`),
      )
    }
    expect((await shop.visitor().get(`/pictures/${paths[2]}`)).headers.get('content-type')).toBe(
      'image/png',
    )
    await shop.images.finish()
    expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
  }
})

test('each image picker accepts a file of the maximum size, and refuses a file that is one byte larger [FILES-11, FILES-12, CATEGORY-11, COLOR-17, MERCH-31]', async () => {
  const exact = new Uint8Array(MAX_UPLOAD_BYTES)
  exact.set(jpeg)
  const more = new Uint8Array(MAX_UPLOAD_BYTES + 1)
  more.set(jpeg)
  for (const picker of pickers) {
    const shop = await open()
    const refused = await send(shop, picker, fileOf(more))
    expect([refused.status, refused.text], picker.folder).toEqual([
      422,
      expect.stringContaining(picker.texts['too-big']),
    ])
    expect(await stored(shop)).toEqual({ files: [], rows: [] })
    expect((await send(shop, picker, fileOf(exact))).status, picker.folder).toBe(200)
  }
})

test('each image picker refuses unsuitable files with the error text of this picker, and stores nothing [CATEGORY-09, CATEGORY-10, COLOR-15, COLOR-16, MERCH-29, MERCH-30]', async () => {
  const cut = jpeg.subarray(0, jpeg.length / 2)
  const bad: [string, File | null, FileRefusal][] = [
    ['no file', null, 'no-file'],
    ['0 bytes', fileOf(''), 'not-an-image'],
    ['a file with the type of a text', fileOf('words', 'a.txt', 'text/plain'), 'not-an-image'],
    ['a renamed text', fileOf('<script>alert(1)</script>'), 'not-an-image'],
    [
      'SVG',
      fileOf(
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'a.svg',
        'image/svg+xml',
      ),
      'not-an-image',
    ],
    ['PDF renamed', fileOf('%PDF-1.7', 'a.png', 'image/png'), 'not-an-image'],
    ['a program named like a photo', fileOf('MZ\u0000', 'a.heic', ''), 'not-an-image'],
    ['cut off', fileOf(cut), 'damaged'],
    [
      'a decompression bomb',
      fileOf(hugePng(30_000, 30_000), 'a.png', 'image/png'),
      'too-many-pixels',
    ],
    ['a very wide picture', fileOf(hugePng(20_000, 10), 'a.png', 'image/png'), 'too-many-pixels'],
    ['half a HEIC', fileOf(heic.subarray(0, 900), 'a.heic', 'image/heic'), 'unread-heic'],
  ]
  const shop = await open()
  for (const picker of pickers) {
    for (const [what, file, refusal] of bad) {
      const refused = await send(shop, picker, file)
      expect([what, picker.folder, refused.status], what).toEqual([what, picker.folder, 422])
      expect(refused.text, `${what}, ${picker.folder}`).toContain(picker.texts[refusal])
    }
  }
  expect(await stored(shop)).toEqual({ files: [], rows: [] })
})

test('the shop detects the true type of an image, even if the browser sends a wrong name and type', async () => {
  const shop = await open()
  const wrongNames = [
    ['photo.jpg', 'image/jpeg'],
    ['IMG_1.HEIC', 'image/heic'],
    ['IMG_1.heif', 'image/heif'],
    ['IMG_1.HEIC', ''],
    ['IMG_1.heic', 'application/octet-stream'],
    ['DSC01.HIF', ''],
  ] as const
  // The decoder is slow, so only the first picker gets a file of each name.
  for (const [index, picker] of pickers.entries()) {
    const names = index === 0 ? wrongNames : [wrongNames[0], wrongNames[index]!]
    for (const [name, type] of names) {
      expect(
        (await send(shop, picker, fileOf(heic, name, type))).status,
        `${picker.folder} ${name} ${type}`,
      ).toBe(200)
    }
  }
  const { rows } = await stored(shop)
  for (const { path } of rows) {
    expect(path).toMatch(/\.jpg$/)
    expect(await cornersOf((await shop.storage.read(path))!)).toEqual([
      'blue',
      'red',
      'white',
      'lime',
    ])
  }
  expect(
    (
      await send(
        shop,
        pickers[1]!,
        fileOf(await corners().png().toBuffer(), 'photo.jpg', 'image/jpeg'),
      )
    ).status,
  ).toBe(200)
  expect((await stored(shop)).rows.filter(({ path }) => path.endsWith('.png'))).toHaveLength(1)
  expect(validateFile(fileOf('x', 'a.heic', ''))).toBe(null)
  expect(validateFile(fileOf('x', 'a.jpg', ''))).toBe('not-an-image')
  expect(validateFile(fileOf('x', 'heic', ''))).toBe('not-an-image')
})

test('if the database or the disk fails during an upload, the shop keeps neither the file nor the row [FILES-10]', async () => {
  for (const picker of pickers) {
    const shop = await open()
    const { put } = shop.storage
    shop.storage.put = () => Promise.reject(new Error('the disk is full'))
    expect((await send(shop, picker, fileOf(jpeg))).status, picker.folder).toBe(500)
    shop.storage.put = put
    const { keep } = shop.images
    shop.images.keep = () => Promise.reject(new Error('the database is gone'))
    expect((await send(shop, picker, fileOf(jpeg))).status, picker.folder).toBe(500)
    shop.images.keep = keep
    expect(await stored(shop), picker.folder).toEqual({ files: [], rows: [] })
    expect((await send(shop, picker, fileOf(jpeg))).status, picker.folder).toBe(200)
  }
})

test('the image pickers have the error texts that the specification requires [ERR-08]', () => {
  expect(itemFileErrorTexts).toMatchObject({
    'no-file': 'please select a file',
    'not-an-image': 'please select an image',
    'too-big': 'file size is too big',
    'unread-heic': 'This HEIC photo could not be read here. Please send it as JPEG.',
  })
  expect(shortFileErrorTexts).toMatchObject({
    'no-file': 'select file',
    'not-an-image': 'select image',
    'too-big': 'too big',
  })
})

test('the shop stores each of fifty simultaneous uploads exactly once', async () => {
  const shop = await open()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      send(shop, pickers[0]!, at % 10 === 9 ? fileOf('no picture') : fileOf(jpeg)),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(
    Array.from({ length: 50 }, (_, at) => (at % 10 === 9 ? 422 : 200)),
  )
  const urls = answers
    .filter(({ status }) => status === 200)
    .map(({ text }) => (JSON.parse(text) as { url: string }).url)
  expect(new Set(urls).size).toBe(45)
  await shop.images.finish()
  expect(
    (await shop.db.selectFrom('images').select('state').execute()).map(({ state }) => state),
  ).toEqual(Array(45).fill('finished'))
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
})

test('the shop stores no file and no row if an upload is interrupted', async () => {
  const shop = await open()
  const form = new FormData()
  form.set('categoryId', 'walls')
  form.set('file', fileOf(jpeg))
  const complete = new Request('http://shop.test/', { method: 'POST', body: form })
  const type = complete.headers.get('content-type')!
  const bytes = new Uint8Array(await complete.arrayBuffer())
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

const imageForm = (categoryId = 'walls') => formOf({ categoryId, file: photo() })

test('the shop refuses an upload for a category that does not exist [MERCH-24]', async () => {
  const { ona: owner, storage } = await open()
  const response = await owner.post('/manage/item-picture', imageForm('gone'))
  expect(await response.json()).toEqual({ state: 'error', text: 'Please Select a Category' })
  expect(await storage.list()).toEqual([])
})

test('the shop deletes the row and the file of an upload if the browser disconnects before the response [FILES-10]', async () => {
  const { ona: owner, shop, storage, db } = await open()
  const leaving = new AbortController()
  const { prepare } = shop.images
  let stored: unknown
  shop.images.prepare = (...given) => {
    leaving.abort()
    const preparing = prepare(...given)
    stored = preparing
    return preparing
  }
  const sent = {
    method: 'POST',
    body: imageForm(),
    headers: { origin: ORIGIN },
    signal: leaving.signal,
  }
  await owner.send('/manage/item-picture', sent).catch(() => {})
  expect(await stored).toMatchObject({ ok: true })
  await expect
    .poll(async () => [await storage.list(), await db.selectFrom('images').select('id').execute()])
    .toEqual([[], []])
})

test('the browser stops retrying an upload after 600 seconds [CONST-09]', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeout.mockRestore())
  const request = {
    address: '/manage/item-picture',
    fields: {},
    file: new Blob(['x']),
    name: 'x.jpg',
    onChange: () => {},
  }
  await expect(uploadImage({ ...request, signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  expect(timeout.mock.calls).toEqual([[600_000]])
})

test('when the browser resizes a picture, it keeps the proportions and never enlarges the picture', () => {
  expect(fitInto({ width: 4032, height: 3024 }, 2560)).toEqual({ width: 2560, height: 1920 })
  expect(fitInto({ width: 3000, height: 4000 }, 2560)).toEqual({ width: 1920, height: 2560 })
  expect(fitInto({ width: 800, height: 600 }, 2560)).toEqual({ width: 800, height: 600 })
  expect(fitInto({ width: 30_000, height: 1 }, 2560)).toEqual({ width: 2560, height: 1 })
})

test('the browser keeps the type of an image that it resizes, and uploads animations and unknown types unchanged [FILES-04]', () => {
  const still = new Uint8Array(100)
  const moving = (mark: string) =>
    new TextEncoder().encode(`RIFF....WEBPVP8X..........${mark}......`)
  for (const type of ['image/jpeg', 'image/png', 'image/webp']) {
    expect(typeOfResized(type, still)).toBe(type)
  }
  expect(typeOfResized('image/heic', still)).toBe('image/jpeg')
  for (const type of ['image/gif', 'image/avif', '']) expect(typeOfResized(type, still)).toBeNull()
  expect(typeOfResized('image/webp', moving('ANIM'))).toBeNull()
  expect(typeOfResized('image/png', moving('acTL'))).toBeNull()
})
