import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '#test/fixtures/storage.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { fileOf, jpeg } from '#test/fixtures/chat.ts'
import { addCategory } from '#test/fixtures/catalog.ts'
import { withMemoryCache } from './cached-storage.server.ts'
import { createS3Storage, type StorageTimeouts } from './s3-storage.server.ts'

const twice = (silence: number): StorageTimeouts => ({
  operation: 60_000,
  upload: 60_000,
  reading: { attempts: 2, silence },
  writing: { attempts: 2, silence },
})
const bytes = (text: string) => new TextEncoder().encode(text)

test('throws instead of reporting a file as missing when the storage fails, does not respond or disconnects', async () => {
  const storage = await openStorage()
  const files = createS3Storage(storage.address, twice(60_000))
  const hasty = createS3Storage(storage.address, twice(100))
  await files.put('items/wall/a.jpg', bytes('whole'))

  for (const [mood, asked] of [
    ['unwell', files],
    ['hanging', hasty],
    ['breaking off', files],
  ] as const) {
    storage.state.mood = mood
    await expect(asked.read('items/wall/a.jpg'), mood).rejects.toThrow()
    if (mood === 'breaking off') continue
    await expect(asked.put('items/wall/b.jpg', bytes('other')), mood).rejects.toThrow()
    await expect(asked.delete('items/wall/a.jpg'), mood).rejects.toThrow()
    await expect(asked.list(), mood).rejects.toThrow()
  }
  storage.state.mood = 'well'
  expect((await files.list()).map(({ path }) => path)).toEqual(['items/wall/a.jpg'])
  expect(await files.read('items/wall/a.jpg')).toEqual(bytes('whole'))

  await storage.stop()
  await expect(files.read('items/wall/a.jpg')).rejects.toThrow()
})

test('retries a read for at most 120 seconds, and an upload for at most 600 seconds [CONST-08] [CONST-09] [S-140]', async () => {
  const storage = await openStorage()
  const files = createS3Storage(storage.address)
  const limit = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => limit.mockRestore())
  storage.state.unwellFor = 2
  await files.put('items/wall/a.jpg', bytes('whole'))
  expect(limit.mock.calls).toEqual([[600_000]])
  storage.state.unwellFor = 2
  expect(await files.read('items/wall/a.jpg')).toEqual(bytes('whole'))
  expect(limit.mock.calls.slice(1)).toEqual([[120_000]])
  expect(storage.state.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(3)
})

test('stops retrying when the time limit of an operation or an upload is over [S-140]', async () => {
  const storage = await openStorage()
  const limited = {
    reading: { attempts: 50, silence: 60_000 },
    writing: { attempts: 50, silence: 60_000 },
  }
  storage.state.mood = 'hanging'
  const quick = createS3Storage(storage.address, { ...limited, operation: 50, upload: 3_600_000 })
  await expect(quick.read('items/wall/a.jpg')).rejects.toThrow(/abort|time/i)
  await expect(quick.delete('items/wall/a.jpg')).rejects.toThrow(/abort|time/i)
  await expect(quick.list()).rejects.toThrow(/abort|time/i)
  await expect(
    createS3Storage(storage.address, { ...limited, operation: 3_600_000, upload: 50 }).put(
      'a',
      bytes('x'),
    ),
  ).rejects.toThrow(/abort|time/i)
})

test('two shops with folders in the same bucket never read, list or delete each other’s files', async () => {
  const storage = await openStorage()
  const [one, other] = ['one/', 'one/other/', ''].map((folder) =>
    createS3Storage({ ...storage.address, folder }),
  )
  await one!.put('colors/a.jpg', bytes('one'))
  await other!.put('colors/a.jpg', bytes('other'))
  expect(await one!.read('colors/a.jpg')).toEqual(bytes('one'))
  expect((await other!.list()).map(({ path }) => path)).toEqual(['colors/a.jpg'])
})

test('stores, serves and deletes the picture of an item on S3 storage [FILES-01] [FILES-05] [FILES-06]', async () => {
  const storage = await openStorage()
  const files = withMemoryCache(createS3Storage(storage.address), () => 0)
  const shop = await openTestShop({ files })
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  const owner = await shop.owner()
  const form = new FormData()
  const texts = { description: 'Round.', width: '', soleType: '', size: '' }
  const typed = { intent: 'save', name: 'Moon wall', categoryId: 'walls', price: '45.50', ...texts }
  for (const [name, value] of Object.entries(typed)) form.set(name, value)
  form.append('files', fileOf())

  expect((await owner.act('/manage/item/', form)).status).toBe(200)
  const { id } = await shop.db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  await shop.images.finish()
  const html = await shop.visitor().page(`/item/${id}`)
  const address = /\/pictures\/items\/walls\/\w+\.480\.webp/.exec(html)![0]
  const image = await shop.visitor().get(address)
  expect(image.status).toBe(200)
  expect(image.headers.get('content-type')).toBe('image/webp')
  expect((await sharp(Buffer.from(await image.arrayBuffer())).metadata()).width).toBe(480)
  expect((await files.list()).length).toBeGreaterThan(2)

  expect((await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })).status).toBe(
    200,
  )
  expect(await files.list('items/')).toEqual([])
  expect((await shop.visitor().get(address)).status).toBe(404)
})

test('while the storage is down, pages still load, and an HTTP request for an uncached picture gets the status 503', async () => {
  const storage = await openStorage()
  const files = withMemoryCache(createS3Storage(storage.address, twice(60_000)), () => 0)
  const shop = await openTestShop({ files })
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  for (const path of ['colors/seen.jpg', 'colors/new.jpg']) await files.put(path, jpeg)
  expect((await shop.visitor().get('/pictures/colors/seen.jpg')).status).toBe(200)
  const owner = await shop.owner()
  storage.state.mood = 'unwell'

  expect((await shop.visitor().get('/gallery/')).status).toBe(200)
  expect((await shop.visitor().get('/pictures/colors/seen.jpg')).status).toBe(200)
  for (const address of ['/pictures/colors/new.jpg', '/share/shop.jpg']) {
    const away = await shop.visitor().get(address)
    expect(away.status).toBe(503)
    expect(away.headers.get('cache-control')).toBe('no-store')
    expect(away.headers.get('retry-after')).toBe('5')
    expect(await away.text()).not.toMatch(/Error|S3|127\.0\.0\.1/)
  }
  const form = new FormData()
  form.set('categoryId', 'walls')
  form.set('file', fileOf())
  const failed = await owner.post('/manage/item-picture', form)
  expect(failed.status).toBe(503)
  expect(failed.headers.get('retry-after')).toBe('10')
  expect(await failed.json()).toMatchObject({ state: 'error' })
  expect(shop.logged.some(({ message }) => message === 'an image could not be read')).toBe(true)

  storage.state.mood = 'well'
  expect(await shop.db.selectFrom('images').select('path').execute()).toEqual([])
  expect((await files.list()).map(({ path }) => path).toSorted()).toEqual([
    'colors/new.jpg',
    'colors/seen.jpg',
  ])
})
