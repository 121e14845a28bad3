// One contract, two places: the disk of the machine, and a server that speaks S3.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '#test/open-storage.ts'
import { diskFiles, removeUnfinished, type Files } from './files.server.ts'
import { rememberedFiles } from './remembered-files.server.ts'
import { s3Files } from './s3-files.server.ts'

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const places: Record<string, () => Promise<Files>> = {
  disk: async () => diskFiles(await openFolder()),
  s3: async () => s3Files((await openStorage()).address),
  's3, remembered': async () => rememberedFiles(s3Files((await openStorage()).address), () => 0),
}
const each = test.for(Object.keys(places).map((name) => [name, places[name]!] as const))

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = async (files: Files, path: string) => {
  const found = await files.read(path)
  return found && new TextDecoder().decode(found)
}
const pathsOf = async (files: Files, begin?: string) => (await files.list(begin)).map(({ path }) => path).toSorted()

each('what is put is read back, byte by byte, and a second put replaces it (%s)', async ([, open]) => {
  const files = await open()
  const every = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256)

  await files.put('items/wall/abc.webp', every)
  expect(Buffer.compare((await files.read('items/wall/abc.webp'))!, every)).toBe(0)
  await files.put('items/wall/abc.webp', bytes('another'))
  expect(await textOf(files, 'items/wall/abc.webp')).toBe('another')
  await files.put('colors/empty.png', new Uint8Array())
  expect(await files.read('colors/empty.png')).toHaveLength(0)
})

each('what is missing reads as null, before and after it was there, and its folder is no file (%s)', async ([, open]) => {
  const files = await open()
  expect(await files.read('items/wall/abc.webp')).toBe(null)
  await files.put('items/wall/abc.webp', bytes('here'))
  expect(await textOf(files, 'items/wall/abc.webp')).toBe('here')
  expect(await files.read('items/wall')).toBe(null)
  expect(await files.read('items/wall/abc.webp/more.webp')).toBe(null)
  await files.delete('items/wall/abc.webp')
  expect(await files.read('items/wall/abc.webp')).toBe(null)
})

each('FILES-06 deleting takes the one file, and deleting what is gone is no mistake (%s)', async ([, open]) => {
  const files = await open()
  for (const path of ['people/a.jpg', 'people/ab.jpg', 'people/a.240.webp']) await files.put(path, bytes(path))
  await files.delete('people/a.jpg')
  await files.delete('people/a.jpg')
  await files.delete('people/never.jpg')
  expect(await pathsOf(files)).toEqual(['people/a.240.webp', 'people/ab.jpg'])
})

each('the list tells each path with the time of its last change, all of them or those that begin so (%s)', async ([, open]) => {
  const files = await open()
  expect(await files.list()).toEqual([])
  const begun = Date.now()
  for (const path of ['items/wall/a.jpg', 'items/wall/b.jpg', 'items/wallet/c.jpg', 'share/0f.jpg']) await files.put(path, bytes(path))

  expect(await pathsOf(files)).toEqual(['items/wall/a.jpg', 'items/wall/b.jpg', 'items/wallet/c.jpg', 'share/0f.jpg'])
  expect(await pathsOf(files, 'items/wall/')).toEqual(['items/wall/a.jpg', 'items/wall/b.jpg'])
  expect(await pathsOf(files, 'items/wall')).toEqual(['items/wall/a.jpg', 'items/wall/b.jpg', 'items/wallet/c.jpg'])
  expect(await pathsOf(files, 'items/wall/b')).toEqual(['items/wall/b.jpg'])
  expect(await pathsOf(files, 'nothing/')).toEqual([])
  // A storage may keep whole seconds.
  for (const { changedAt } of await files.list()) {
    expect(changedAt).toBeGreaterThanOrEqual(begun - 1000)
    expect(changedAt).toBeLessThanOrEqual(Date.now() + 1000)
    expect(Number.isInteger(changedAt)).toBe(true)
  }
})

each('a list of more than a thousand files is complete (%s)', async ([, open]) => {
  const files = await open()
  const paths = Array.from({ length: 1003 }, (_, index) => `items/many/${index}.webp`)
  for (let from = 0; from < paths.length; from += 40)
    await Promise.all(paths.slice(from, from + 40).map((path) => files.put(path, bytes('x'))))
  expect(await pathsOf(files)).toEqual(paths.toSorted())
})

each('no path climbs out, hides, or is nothing (%s)', async ([, open]) => {
  const files = await open()
  for (const path of [
    '../secrets/session',
    'items/../../shop.db',
    '/etc/passwd',
    'items//a.jpg',
    '.hidden',
    'items/.a.jpg',
    'a\\b',
    'é.jpg',
    '',
    'a/',
  ]) {
    expect(await files.read(path), path).toBe(null)
    await expect(files.put(path, bytes('x')), path).rejects.toThrow('not a path')
    await expect(files.delete(path), path).rejects.toThrow('not a path')
  }
  expect(await files.list()).toEqual([])
})

// Of a storage this is its own promise, which the one of the tests does not keep.
test('many writers of one path leave one of their files whole', async () => {
  const files = diskFiles(await openFolder())
  const texts = Array.from({ length: 12 }, (_, index) => String(index).repeat(5000))
  await Promise.all(texts.map((text) => files.put('items/wall/one.jpg', bytes(text))))
  expect(texts).toContain(await textOf(files, 'items/wall/one.jpg'))
  expect(await pathsOf(files)).toEqual(['items/wall/one.jpg'])
})

test('half a file of a killed upload is told by the list, can be deleted, and the next start takes it away', async () => {
  const folder = await openFolder()
  const files = diskFiles(folder)
  await files.put('items/wall/a.jpg', bytes('whole'))
  await writeFile(join(folder, '.ab12CD34.part'), 'half')
  await writeFile(join(folder, '.zz12CD34.part'), 'half')
  expect(await pathsOf(files)).toEqual(['.ab12CD34.part', '.zz12CD34.part', 'items/wall/a.jpg'])
  expect(await files.read('.ab12CD34.part')).toBe(null)
  await files.delete('.zz12CD34.part')
  expect(await pathsOf(files)).toEqual(['.ab12CD34.part', 'items/wall/a.jpg'])
  await removeUnfinished(folder)
  await expect(readFile(join(folder, '.ab12CD34.part'))).rejects.toThrow('ENOENT')
  expect(await textOf(files, 'items/wall/a.jpg')).toBe('whole')
  await removeUnfinished(join(folder, 'nowhere'))
})
