import sharp from 'sharp'
import { expect, test } from 'vitest'
import { upload } from '#test/fixtures/chat.ts'
import { corners, cornersOf, storedPaths } from '#test/fixtures/images.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { resizeRetryDelaysMs, type ImageFolder } from './image-store.server.ts'

async function keepOne(shop: TestShop, bytes: Uint8Array, folder: ImageFolder = 'colors') {
  const prepared = await shop.images.prepare(folder, bytes)
  if (!prepared.ok) throw new Error(prepared.refusal)
  await shop.images.keep(shop.db, prepared.image)
  return prepared.image
}
const rows = (shop: TestShop) =>
  shop.db
    .selectFrom('images')
    .select(['id', 'widths', 'state', 'attempts', 'nextAttemptAt'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

test('stores the original immediately, and creates its smaller AVIF and WebP variants in the background', async () => {
  const shop = await openTestShop()
  const { path } = await keepOne(shop, await corners(2000, 1000).jpeg().toBuffer())
  expect(await storedPaths(shop)).toEqual([path])
  expect(await rows(shop)).toMatchObject([{ widths: '[]', state: 'waiting', attempts: 0 }])

  await shop.images.finish()

  expect(await rows(shop)).toMatchObject([
    { widths: '[240,360,480,750,960,1440]', state: 'finished', attempts: 1 },
  ])
  const stem = path.replace('.jpg', '')
  const made = [240, 360, 480, 750, 960, 1440].flatMap((width) => [
    `${stem}.${width}.avif`,
    `${stem}.${width}.webp`,
  ])
  expect((await storedPaths(shop)).sort()).toEqual([path, ...made].sort())
  for (const file of made) {
    const bytes = (await shop.storage.read(file))!
    const { width, height, format, compression } = await sharp(bytes).metadata()
    const wanted = Number(/\.(\d+)\./.exec(file)![1])
    expect(width, file).toEqual(wanted)
    expect(height, file).toEqual(wanted / 2)
    expect([format, compression]).toEqual(
      file.endsWith('avif') ? ['heif', 'av1'] : ['webp', undefined],
    )
    expect(await cornersOf(bytes)).toEqual(['red', 'lime', 'blue', 'white'])
  }
  expect(shop.changedTopics).toEqual(['catalog'])
  expect((await shop.visitor().get(`/pictures/${made[0]}`)).headers.get('content-type')).toBe(
    'image/avif',
  )
})

test('never creates an image variant that is wider than the original, and preserves transparency', async () => {
  const shop = await openTestShop()
  const background = { r: 255, g: 0, b: 0, alpha: 0.5 }
  const glass = sharp({ create: { width: 300, height: 9, channels: 4, background } })
  const { path } = await keepOne(shop, await glass.png().toBuffer())
  shop.clock.now += 1
  await keepOne(shop, await corners(1, 1).gif().toBuffer())
  await shop.images.finish()
  expect((await rows(shop)).map((row) => row.widths)).toEqual(['[240,300]', '[1]'])
  for (const format of ['avif', 'webp']) {
    expect(
      (await sharp((await shop.storage.read(path.replace('png', `240.${format}`)))!).metadata())
        .hasAlpha,
      format,
    ).toBe(true)
  }
})

test('deletes the new image variants after a failed attempt, and retries after increasing pauses', async () => {
  const shop = await openTestShop()
  const { path } = await keepOne(shop, await corners().png().toBuffer())
  const { put } = shop.storage
  // The disk has space for the first image file, but not for the second image file.
  let room = 1
  shop.storage.put = async (name, bytes) =>
    room-- > 0 ? put(name, bytes) : Promise.reject(new Error('the disk is full'))
  for (const [tried, pause] of resizeRetryDelaysMs.entries()) {
    room = 1
    await shop.images.finish()
    expect(await storedPaths(shop)).toEqual([path])
    expect(await rows(shop)).toMatchObject([
      { state: 'waiting', attempts: tried + 1, nextAttemptAt: shop.clock.now + pause },
    ])
    shop.clock.now += pause - 1
    await shop.images.finish()
    expect(await rows(shop)).toMatchObject([{ attempts: tried + 1 }])
    shop.clock.now += 1
  }
  await shop.images.finish()
  expect(await rows(shop)).toMatchObject([
    { state: 'failed', widths: '[]', attempts: resizeRetryDelaysMs.length + 1 },
  ])
  expect(shop.logged.at(-1)?.message).toBe('an image keeps only its original size')
  shop.storage.put = put
  shop.clock.now += 365 * 86_400_000
  await shop.images.finish()
  expect(await storedPaths(shop)).toEqual([path])
  expect(shop.changedTopics).toEqual([])
})

test('resizes an image again after a pause if the process was killed while resizing it', async () => {
  const shop = await openTestShop()
  const { path } = await keepOne(shop, await corners().png().toBuffer())
  // This is the state after a process was killed: the attempt is counted, and the file of an image
  // variant is incomplete.
  await shop.db
    .updateTable('images')
    .set({ attempts: 1, nextAttemptAt: shop.clock.now + resizeRetryDelaysMs[0]! })
    .execute()
  await shop.storage.put(path.replace('.png', '.96.avif'), Buffer.from('half'))
  await shop.images.finish()
  expect(await rows(shop)).toMatchObject([{ state: 'waiting' }])
  shop.clock.now += resizeRetryDelaysMs[0]!
  await shop.images.finish()
  expect(await rows(shop)).toMatchObject([{ state: 'finished', widths: '[96]' }])
  expect(await cornersOf((await shop.storage.read(path.replace('.png', '.96.avif')))!)).toEqual([
    'red',
    'lime',
    'blue',
    'white',
  ])
})

test('deletes all files of a picture that is deleted while it is being resized', async () => {
  const shop = await openTestShop()
  const image = await keepOne(shop, await corners().png().toBuffer())
  const { put } = shop.storage
  shop.storage.put = async (path, bytes) => {
    await put(path, bytes)
    if (!path.endsWith('.webp')) return
    await shop.db.deleteFrom('images').execute()
    await shop.images.discard(image)
  }
  await shop.images.finish()
  expect(await storedPaths(shop)).toEqual([])
  expect(shop.changedTopics).toEqual([])
  expect(shop.logged).toEqual([])
})

test('an upload of the owner, also in a conversation, overtakes waiting pictures of other people [S-353]', async () => {
  const shop = await openTestShop()
  const { prepare, completeSoon } = shop.images
  const ownerFlags: unknown[] = []
  shop.images.prepare = (folder, file, options) => (
    ownerFlags.push(options?.isOwner),
    prepare(folder, file, options)
  )
  shop.images.completeSoon = (image, widths, isOwner) => (
    ownerFlags.push(isOwner),
    completeSoon(image, widths, isOwner)
  )
  for (const who of [await shop.guest(), await shop.owner()]) await upload(who)
  expect(ownerFlags).toEqual([false, false, true, true])

  const bytes = await corners().jpeg().toBuffer()
  const order: string[] = []
  shop.storage.put = async (path) => void order.push(path)
  const uploads = [
    ['chat'],
    ['chat'],
    ['people'],
    ['items/walls'],
    ['chat', { name: 'hers', isOwner: true }],
  ] as const
  await Promise.all(
    uploads.map(([folder, options = { name: 'one' }]) => prepare(folder, bytes, options)),
  )
  expect(order).toEqual([
    'chat/one.jpg',
    'items/walls/one.jpg',
    'chat/hers.jpg',
    'chat/one.jpg',
    'people/one.jpg',
  ])
})
