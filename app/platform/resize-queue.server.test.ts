import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { corners, cornersOf, storedPaths } from '#test/drawn-pictures.ts'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { pauses } from './pictures.server.ts'
import type { PictureFolder } from './pictures.server.ts'

async function keepOne(shop: TestShop, bytes: Uint8Array, folder: PictureFolder = 'colors') {
  const prepared = await shop.pictures.prepare(folder, bytes)
  if (!prepared.ok) throw new Error(prepared.refusal)
  await shop.pictures.keep(shop.db, prepared.picture)
  return prepared.picture
}
const rows = (shop: TestShop) =>
  shop.db.selectFrom('pictures').select(['id', 'widths', 'state', 'attempts', 'nextAttemptAt']).orderBy('createdAt').orderBy('id').execute()

test('an upload writes the clean original alone; its widths follow in AVIF and WebP, and pages are told', async () => {
  const shop = await openTestShop()
  const { path } = await keepOne(shop, await corners(2000, 1000).jpeg().toBuffer())
  expect(await storedPaths(shop)).toEqual([path])
  expect(await rows(shop)).toMatchObject([{ widths: '[]', state: 'waiting', attempts: 0 }])

  await shop.pictures.finish()

  expect(await rows(shop)).toMatchObject([{ widths: '[240,360,480,750,960,1440]', state: 'finished', attempts: 1 }])
  const stem = path.replace('.jpg', '')
  const made = [240, 360, 480, 750, 960, 1440].flatMap((width) => [`${stem}.${width}.avif`, `${stem}.${width}.webp`])
  expect((await storedPaths(shop)).sort()).toEqual([path, ...made].sort())
  for (const file of made) {
    const bytes = (await shop.files.read(file))!
    const { width, height, format, compression } = await sharp(bytes).metadata()
    expect([file, width, height]).toEqual([file, Number(/\.(\d+)\./.exec(file)![1]), Number(/\.(\d+)\./.exec(file)![1]) / 2])
    expect([format, compression]).toEqual(file.endsWith('avif') ? ['heif', 'av1'] : ['webp', undefined])
    expect(await cornersOf(bytes)).toEqual(['red', 'lime', 'blue', 'white'])
  }
  expect(shop.heard).toEqual(['catalogue'])
  expect((await shop.visitor().get(`/pictures/${made[0]}`)).headers.get('content-type')).toBe('image/avif')
})

test('none is wider than the original, and see-through stays see-through', async () => {
  const shop = await openTestShop()
  const glass = await sharp({ create: { width: 300, height: 9, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })
    .png()
    .toBuffer()
  const { path } = await keepOne(shop, glass)
  const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    .gif()
    .toBuffer()
  shop.clock.now += 1
  await keepOne(shop, dot)
  await shop.pictures.finish()
  expect((await rows(shop)).map((row) => row.widths)).toEqual(['[240,300]', '[1]'])
  for (const format of ['avif', 'webp'])
    expect((await sharp((await shop.files.read(path.replace('png', `240.${format}`)))!).metadata()).hasAlpha, format).toBe(true)
})

test('a failed try leaves no file, is tried again after growing pauses, and is given up aloud', async () => {
  const shop = await openTestShop()
  const { path } = await keepOne(shop, await corners().png().toBuffer())
  const { put } = shop.files
  // The first file finds room, the second does not.
  let room = 1
  shop.files.put = async (name, bytes) => (room-- > 0 ? put(name, bytes) : Promise.reject(new Error('the disk is full')))
  for (const [tried, pause] of pauses.entries()) {
    room = 1
    await shop.pictures.finish()
    expect(await storedPaths(shop)).toEqual([path])
    expect(await rows(shop)).toMatchObject([{ state: 'waiting', attempts: tried + 1, nextAttemptAt: shop.clock.now + pause }])
    shop.clock.now += pause - 1
    await shop.pictures.finish()
    expect(await rows(shop)).toMatchObject([{ attempts: tried + 1 }])
    shop.clock.now += 1
  }
  expect([...pauses].sort((a, b) => a - b)).toEqual(pauses)
  await shop.pictures.finish()
  expect(await rows(shop)).toMatchObject([{ state: 'failed', widths: '[]', attempts: pauses.length + 1 }])
  expect(shop.logged.map((line) => line.message)).toEqual([
    ...pauses.map(() => 'the widths of a picture could not be made'),
    'a picture stays as it was sent',
  ])
  shop.files.put = put
  shop.clock.now += 365 * 86_400_000
  await shop.pictures.finish()
  expect(await storedPaths(shop)).toEqual([path])
  expect(shop.heard).toEqual([])
})

test('one picture that cannot be made holds up no other', async () => {
  const shop = await openTestShop()
  const lost = await keepOne(shop, await corners().png().toBuffer())
  await keepOne(shop, await corners().png().toBuffer())
  await shop.files.delete(lost.path)
  await shop.pictures.finish()
  expect((await rows(shop)).map((row) => row.state).sort()).toEqual(['finished', 'waiting'])
})

test('a try that a kill cut off is taken up by the next process, once its pause is over', async () => {
  const shop = await openTestShop()
  const { path } = await keepOne(shop, await corners().png().toBuffer())
  // What the killed process left: the try is counted, half of the files are there.
  await shop.db
    .updateTable('pictures')
    .set({ attempts: 1, nextAttemptAt: shop.clock.now + pauses[0]! })
    .execute()
  await shop.files.put(path.replace('.png', '.96.avif'), Buffer.from('half'))
  await shop.pictures.finish()
  expect(await rows(shop)).toMatchObject([{ state: 'waiting' }])
  shop.clock.now += pauses[0]!
  await shop.pictures.finish()
  expect(await rows(shop)).toMatchObject([{ state: 'finished', widths: '[96]' }])
  expect(await cornersOf((await shop.files.read(path.replace('.png', '.96.avif')))!)).toEqual(['red', 'lime', 'blue', 'white'])
})

test('a picture that is deleted while its widths are made leaves no file', async () => {
  const shop = await openTestShop()
  const picture = await keepOne(shop, await corners().png().toBuffer())
  const { put } = shop.files
  shop.files.put = async (path, bytes) => {
    await put(path, bytes)
    if (!path.endsWith('.webp')) return
    await shop.db.deleteFrom('pictures').execute()
    await shop.pictures.discard(picture)
  }
  await shop.pictures.finish()
  expect(await storedPaths(shop)).toEqual([])
  expect(shop.heard).toEqual([])
  expect(shop.logged).toEqual([])
})

test('two processes on one database make each picture once', async () => {
  const shop = await openTestShop()
  for (let number = 0; number < 4; number++) await keepOne(shop, await corners().png().toBuffer())
  const put = vi.spyOn(shop.files, 'put')
  const { openPictures } = await import('./pictures.server.ts')
  const other = openPictures({ ...shop.shop, now: shop.now })
  await Promise.all([shop.pictures.finish(), other.finish()])
  expect(put).toHaveBeenCalledTimes(8)
  expect((await rows(shop)).map((row) => [row.state, row.attempts])).toEqual(Array.from({ length: 4 }, () => ['finished', 1]))
})

test('once started, the work begins by itself when the catalogue changes, and a stop waits for what is under way', async () => {
  const shop = await openTestShop()
  await keepOne(shop, await corners().png().toBuffer())
  const stop = shop.pictures.start()
  await vi.waitFor(async () => expect(await rows(shop)).toMatchObject([{ state: 'finished' }]))
  shop.clock.now += 1
  await keepOne(shop, await corners(1500, 1000).jpeg().toBuffer())
  shop.live.changed('catalogue')
  await stop()
  const [, second] = await rows(shop)
  expect([second!.state, second!.attempts]).toEqual(second!.attempts === 0 ? ['waiting', 0] : ['finished', 1])
  shop.live.changed('catalogue')
  shop.pictures.wake()
  expect(await rows(shop)).toMatchObject([{}, { state: second!.state }])
})
