// What only a storage beyond the network does: it is away, hangs, refuses, breaks off; and the whole shop on one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '#test/open-storage.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { addCategory } from '#test/sample-catalogue.ts'
import { diskFiles } from './files.server.ts'
import { copyFiles } from './files.server.ts'
import { rememberedFiles } from './remembered-files.server.ts'
import { s3Files, type StoragePatience } from './s3-files.server.ts'

const twice = (silence: number): StoragePatience => ({
  operation: 60_000,
  upload: 60_000,
  reading: { attempts: 2, silence },
  writing: { attempts: 2, silence },
})
const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (found: Uint8Array | null) => found && new TextDecoder().decode(found)
const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#a86' } })
  .jpeg()
  .toBuffer()

test('a storage that is away, unwell, silent or breaks off is a failure, never a missing file; afterwards all is as before', async () => {
  const storage = await openStorage()
  const files = s3Files(storage.address, twice(60_000))
  const hasty = s3Files(storage.address, twice(100))
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

test('CONST-08 CONST-09 S-140 what fails for a moment is tried again by itself, an operation for 120 seconds, an upload for 600', async () => {
  const storage = await openStorage()
  const files = s3Files(storage.address)
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

test('S-140 all tries of an operation together end at its limit, and those of an upload at theirs', async () => {
  const storage = await openStorage()
  const limited = { reading: { attempts: 50, silence: 60_000 }, writing: { attempts: 50, silence: 60_000 } }
  storage.state.mood = 'hanging'
  const quick = s3Files(storage.address, { ...limited, operation: 50, upload: 3_600_000 })
  await expect(quick.read('items/wall/a.jpg')).rejects.toThrow(/abort|time/i)
  await expect(quick.delete('items/wall/a.jpg')).rejects.toThrow(/abort|time/i)
  await expect(quick.list()).rejects.toThrow(/abort|time/i)
  await expect(s3Files(storage.address, { ...limited, operation: 3_600_000, upload: 50 }).put('a', bytes('x'))).rejects.toThrow(
    /abort|time/i,
  )
})

test('the files of two shops lie in one bucket without meeting', async () => {
  const storage = await openStorage()
  const [one, other] = ['one/', 'one/other/', ''].map((folder) => s3Files({ ...storage.address, folder }))
  await one!.put('colors/a.jpg', bytes('one'))
  await other!.put('colors/a.jpg', bytes('other'))
  expect(await one!.read('colors/a.jpg')).toEqual(bytes('one'))
  expect((await other!.list()).map(({ path }) => path)).toEqual(['colors/a.jpg'])
})

test('pictures move from the data folder into the storage and back under the same paths, a second time only what is new', async () => {
  const storage = await openStorage()
  const folder = await mkdtemp(join(tmpdir(), 'files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [disk, stored, again] = [diskFiles(join(folder, 'one')), s3Files(storage.address), diskFiles(join(folder, 'two'))]
  const paths = ['items/wall/a.jpg', 'items/wall/a.240.webp', 'colors/b.png', 'share/00ff.12ab.jpg']
  for (const path of paths) await disk.put(path, bytes(`this is ${path}`))

  expect(await copyFiles(disk, stored)).toEqual({ copied: 4, there: 0 })
  expect(storage.state.requests).toContain('PUT /pictures/shop/items/wall/a.240.webp')
  for (const path of paths) expect(await stored.read(path)).toEqual(bytes(`this is ${path}`))
  await disk.put('colors/c.png', bytes('new'))
  expect(await copyFiles(disk, stored)).toEqual({ copied: 1, there: 4 })
  expect(await copyFiles(stored, again)).toEqual({ copied: 5, there: 0 })
  expect(textOf(await again.read('colors/c.png'))).toBe('new')
})

test('FILES-01 FILES-05 FILES-06 the whole shop on a storage: an item with a picture comes, is seen, and goes without a trace', async () => {
  const storage = await openStorage()
  const files = rememberedFiles(s3Files(storage.address), () => 0)
  const shop = await openTestShop({ files })
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  const owner = await shop.owner()
  const form = new FormData()
  const typed = {
    intent: 'save',
    name: 'Moon wall',
    categoryId: 'walls',
    price: '45.50',
    description: 'Round.',
    width: '',
    soleType: '',
    size: '',
  }
  for (const [name, value] of Object.entries(typed)) form.set(name, value)
  form.append('files', new File([new Uint8Array(photo)], 'moon.jpg', { type: 'image/jpeg' }))

  expect((await owner.act('/manage/item/', form)).status).toBe(200)
  const { id } = await shop.db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  await shop.pictures.finish()
  const html = await shop.visitor().page(`/item/${id}`)
  const address = /\/pictures\/items\/walls\/\w+\.480\.webp/.exec(html)![0]
  const picture = await shop.visitor().get(address)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).width).toBe(480)
  expect((await files.list()).length).toBeGreaterThan(2)

  expect((await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })).status).toBe(200)
  expect(await files.list('items/')).toEqual([])
  expect((await shop.visitor().get(address)).status).toBe(404)
})

test('while the storage is away pages go on, what was seen is still shown, other pictures say 503, and an upload leaves nothing', async () => {
  const storage = await openStorage()
  const files = rememberedFiles(s3Files(storage.address, twice(60_000)), () => 0)
  const shop = await openTestShop({ files })
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  for (const path of ['colors/seen.jpg', 'colors/new.jpg']) await files.put(path, photo)
  expect((await shop.visitor().get('/pictures/colors/seen.jpg')).status).toBe(200)
  const owner = await shop.owner()
  storage.state.mood = 'unwell'

  expect((await shop.visitor().get('/gallery/')).status).toBe(200)
  expect((await shop.visitor().get('/pictures/colors/seen.jpg')).status).toBe(200)
  for (const address of ['/pictures/colors/new.jpg', '/share/shop.jpg']) {
    const away = await shop.visitor().get(address)
    expect([away.status, away.headers.get('cache-control'), away.headers.get('retry-after')]).toEqual([503, 'no-store', '5'])
    expect(await away.text()).not.toMatch(/Error|S3|127\.0\.0\.1/)
  }
  const form = new FormData()
  form.set('categoryId', 'walls')
  form.set('file', new File([new Uint8Array(photo)], 'moon.jpg', { type: 'image/jpeg' }))
  const failed = await owner.post('/manage/item-picture', form)
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await failed.json()).toMatchObject({ state: 'error' })
  expect(shop.logged.some(({ message }) => message === 'a picture could not be read')).toBe(true)

  storage.state.mood = 'well'
  expect(await shop.db.selectFrom('pictures').select('path').execute()).toEqual([])
  expect((await files.list()).map(({ path }) => path).toSorted()).toEqual(['colors/new.jpg', 'colors/seen.jpg'])
})

test('a bucket that is gone is a failure, not a shop without pictures', async () => {
  const storage = await openStorage()
  const files = s3Files({ ...storage.address, bucket: 'another' }, twice(60_000))
  await expect(files.read('items/wall/a.jpg')).rejects.toThrow()
  await expect(files.list()).rejects.toThrow()
})
