import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { openStorage } from '#test/fixtures/storage.ts'
import { createDiskStorage, deletePartialUploads, type FileStorage } from './storage.server.ts'
import { withMemoryCache } from './cached-storage.server.ts'
import { createS3Storage } from './s3-storage.server.ts'

const places: Record<string, () => Promise<FileStorage>> = {
  disk: async () => createDiskStorage(await newFolder()),
  s3: async () => createS3Storage((await openStorage()).address),
  's3, remembered': async () =>
    withMemoryCache(createS3Storage((await openStorage()).address), () => 0),
}
const each = test.for(Object.keys(places).map((name) => [name, places[name]!] as const))

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = async (files: FileStorage, path: string) => {
  const found = await files.read(path)
  return found && new TextDecoder().decode(found)
}
const pathsOf = async (files: FileStorage, begin?: string) =>
  (await files.list(begin)).map(({ path }) => path).toSorted()

each('reads the same bytes that were stored, and replaces a stored file (%s)', async ([, open]) => {
  const files = await open()
  const every = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256)

  await files.put('items/wall/abc.webp', every)
  expect(Buffer.compare((await files.read('items/wall/abc.webp'))!, every)).toBe(0)
  await files.put('items/wall/abc.webp', bytes('another'))
  expect(await textOf(files, 'items/wall/abc.webp')).toBe('another')
  await files.put('colors/empty.png', new Uint8Array())
  expect(await files.read('colors/empty.png')).toHaveLength(0)
})

each('returns null for a missing file and for a folder (%s)', async ([, open]) => {
  const files = await open()
  expect(await files.read('items/wall/abc.webp')).toBe(null)
  await files.put('items/wall/abc.webp', bytes('here'))
  expect(await textOf(files, 'items/wall/abc.webp')).toBe('here')
  expect(await files.read('items/wall')).toBe(null)
  expect(await files.read('items/wall/abc.webp/more.webp')).toBe(null)
  await files.delete('items/wall/abc.webp')
  expect(await files.read('items/wall/abc.webp')).toBe(null)
})

each('deletes a file from %s, and ignores a missing file [FILES-06]', async ([, open]) => {
  const files = await open()
  for (const path of ['people/a.jpg', 'people/ab.jpg', 'people/a.240.webp']) {
    await files.put(path, bytes(path))
  }
  await files.delete('people/a.jpg')
  await files.delete('people/a.jpg')
  await files.delete('people/never.jpg')
  expect(await pathsOf(files)).toEqual(['people/a.240.webp', 'people/ab.jpg'])
})

each(
  'lists all files or those with a prefix, with the time of their last change (%s)',
  async ([, open]) => {
    const files = await open()
    expect(await files.list()).toEqual([])
    const begun = Date.now()
    for (const path of [
      'items/wall/a.jpg',
      'items/wall/b.jpg',
      'items/wallet/c.jpg',
      'share/0f.jpg',
    ]) {
      await files.put(path, bytes(path))
    }

    expect(await pathsOf(files)).toEqual([
      'items/wall/a.jpg',
      'items/wall/b.jpg',
      'items/wallet/c.jpg',
      'share/0f.jpg',
    ])
    expect(await pathsOf(files, 'items/wall/')).toEqual(['items/wall/a.jpg', 'items/wall/b.jpg'])
    expect(await pathsOf(files, 'items/wall')).toEqual([
      'items/wall/a.jpg',
      'items/wall/b.jpg',
      'items/wallet/c.jpg',
    ])
    expect(await pathsOf(files, 'items/wall/b')).toEqual(['items/wall/b.jpg'])
    expect(await pathsOf(files, 'nothing/')).toEqual([])
    // The storage may round times to whole seconds.
    for (const { changedAt } of await files.list()) {
      expect(changedAt).toBeGreaterThanOrEqual(begun - 1000)
      expect(changedAt).toBeLessThanOrEqual(Date.now() + 1000)
      expect(Number.isInteger(changedAt)).toBe(true)
    }
  },
)

each('lists more than a thousand files completely (%s)', async ([, open]) => {
  const files = await open()
  const paths = Array.from({ length: 1003 }, (_, index) => `items/many/${index}.webp`)
  for (let from = 0; from < paths.length; from += 40) {
    await Promise.all(paths.slice(from, from + 40).map((path) => files.put(path, bytes('x'))))
  }
  expect(await pathsOf(files)).toEqual(paths.toSorted())
})

each('refuses paths that leave the folder, are hidden or empty (%s)', async ([, open]) => {
  const files = await open()
  for (const path of [
    '../secrets/session',
    '/etc/passwd',
    'items//a.jpg',
    'items/.a.jpg',
    'a\\b',
    'é.jpg',
    '',
  ]) {
    expect(await files.read(path), path).toBe(null)
    await expect(files.put(path, bytes('x')), path).rejects.toThrow('not a path')
    await expect(files.delete(path), path).rejects.toThrow('not a path')
  }
  expect(await files.list()).toEqual([])
})

// This test uses only the disk, because a real S3 storage guarantees complete files, and the tests'
// fake S3 server does not.
test('when several writers write to the same path at the same time, the result is the complete file of one writer', async () => {
  const files = createDiskStorage(await newFolder())
  const texts = Array.from({ length: 12 }, (_, index) => String(index).repeat(5000))
  await Promise.all(texts.map((text) => files.put('items/wall/one.jpg', bytes(text))))
  expect(texts).toContain(await textOf(files, 'items/wall/one.jpg'))
  expect(await pathsOf(files)).toEqual(['items/wall/one.jpg'])
})

test.skipIf(process.platform === 'win32')(
  'only the user of the process can read a stored file and its new folder, even in a folder that everybody can read',
  async () => {
    const folder = await newFolder()
    await chmod(folder, 0o755)
    await createDiskStorage(folder).put('orders/ann/photo.png', Buffer.from('an image'))
    const modeOf = async (path: string) => (await stat(join(folder, path))).mode & 0o777
    expect(await modeOf('orders/ann/photo.png')).toBe(0o600)
    expect(await modeOf('orders/ann')).toBe(0o700)
    expect(await modeOf('orders')).toBe(0o700)
  },
)

test('lists the partial files of a killed upload, and deletes them at the next start', async () => {
  const folder = await newFolder()
  const files = createDiskStorage(folder)
  await files.put('items/wall/a.jpg', bytes('whole'))
  await writeFile(join(folder, '.ab12CD34.part'), 'half')
  await writeFile(join(folder, '.zz12CD34.part'), 'half')
  expect(await pathsOf(files)).toEqual(['.ab12CD34.part', '.zz12CD34.part', 'items/wall/a.jpg'])
  expect(await files.read('.ab12CD34.part')).toBe(null)
  await files.delete('.zz12CD34.part')
  expect(await pathsOf(files)).toEqual(['.ab12CD34.part', 'items/wall/a.jpg'])
  await deletePartialUploads(folder)
  await expect(readFile(join(folder, '.ab12CD34.part'))).rejects.toThrow('ENOENT')
  expect(await textOf(files, 'items/wall/a.jpg')).toBe('whole')
  await deletePartialUploads(join(folder, 'nowhere'))
})
