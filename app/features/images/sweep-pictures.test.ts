import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corners, storedPaths } from '#test/drawn-pictures.ts'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { listOrphans, startSweeping, sweepPictures } from './edit-pictures.server.ts'

const DAY = 86_400_000

/** A stored file, `age` milliseconds old by the shop's clock. */
async function leave(shop: TestShop, path: string, age: number) {
  if (path.endsWith('.part')) await writeFile(join(shop.folder, 'files', path), 'half')
  else await shop.files.put(path, Buffer.from('some bytes'))
  const at = (shop.clock.now - age) / 1000
  await utimes(join(shop.folder, 'files', path), at, at)
}

async function keepOne(shop: TestShop, folder: 'category' | 'colors' | 'items/walls') {
  const prepared = await shop.pictures.prepare(folder, await corners().png().toBuffer())
  if (!prepared.ok) throw new Error(prepared.refusal)
  await shop.pictures.keep(shop.db, prepared.picture)
  return prepared.picture
}

test('the sweep finds both: files without a row and rows without a file', async () => {
  const shop = await openTestShop()
  const [kept, lost] = [await keepOne(shop, 'colors'), await keepOne(shop, 'colors')]
  await shop.pictures.finish()
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })

  await shop.files.delete(lost.path)
  await shop.files.delete(kept.path.replace('.png', '.96.avif'))
  await leave(shop, 'items/walls/stray.jpg', 0)
  // Wider than any that its row names.
  await leave(shop, kept.path.replace('.png', '.960.webp'), 0)
  const found = await listOrphans(shop)
  expect(found.missing.sort()).toEqual([lost.path, kept.path.replace('.png', '.96.avif')].sort())
  expect(found.files.map(({ path }) => path).sort()).toEqual(['items/walls/stray.jpg', kept.path.replace('.png', '.960.webp')].sort())
})

test('S-095 only what nothing names and is older than a day goes; other kinds of files are never touched', async () => {
  const shop = await openTestShop()
  const waiting = await keepOne(shop, 'colors')
  const stays = [
    'share/abc.def.jpg',
    'people/someone.jpg',
    'scenes/slide.webp',
    'notes.txt',
    'colors/young.jpg',
    waiting.path.replace('.png', '.96.webp'),
  ]
  for (const path of stays) await leave(shop, path, path === 'colors/young.jpg' ? DAY - 1000 : 40 * DAY)
  await leave(shop, '.youngyou.part', DAY - 1000)
  for (const path of ['colors/old.jpg', 'colors/old.240.avif', 'category/old.gif', 'items/gone/old.webp', '.abcdefgh.part'])
    await leave(shop, path, DAY + 1000)
  await sweepPictures(shop)
  expect((await storedPaths(shop)).sort()).toEqual([...stays, waiting.path, '.youngyou.part'].sort())
  expect(shop.logged).toEqual([{ level: 'info', message: 'files without a picture were deleted' }])
})

test('uploads of an editor that was never saved go after a day with their rows; those in use stay', async () => {
  const shop = await openTestShop()
  const [used, forgotten] = [await keepOne(shop, 'items/walls'), await keepOne(shop, 'items/walls')]
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'), { pictures: [] })
  const row = { id: 'hung', itemId: 'moon', pictureId: used.id, position: 0, isAvailable: 1 as const }
  await shop.db.insertInto('itemPictures').values(row).execute()
  await shop.pictures.finish()
  shop.clock.now += DAY
  await sweepPictures(shop)
  expect(await shop.db.selectFrom('pictures').select('id').execute()).toHaveLength(2)
  shop.clock.now += 1
  await sweepPictures(shop)
  expect(await shop.db.selectFrom('pictures').select('id').execute()).toEqual([{ id: used.id }])
  expect((await storedPaths(shop)).filter((path) => path.includes(forgotten.path.replace('.png', '')))).toEqual([])
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
})

test('a file that cannot be deleted is logged and holds up no other, and a start sweeps', async () => {
  const shop = await openTestShop()
  await keepOne(shop, 'category')
  await leave(shop, 'colors/a.jpg', 2 * DAY)
  await leave(shop, 'colors/b.jpg', 2 * DAY)
  const { delete: remove } = shop.files
  shop.files.delete = (path) => (path === 'colors/a.jpg' ? Promise.reject(new Error('busy')) : remove(path))
  await startSweeping(shop.shop)()
  expect((await storedPaths(shop)).filter((path) => path.startsWith('colors/'))).toEqual(['colors/a.jpg'])
  expect(shop.logged.map(({ message }) => message)).toEqual([
    'a file without a picture could not be deleted',
    'files without a picture were deleted',
  ])
})

test('beside a database that knows none of them, or far too few, files stay: it is not theirs', async () => {
  const shop = await openTestShop()
  await leave(shop, 'colors/a.jpg', 2 * DAY)
  await sweepPictures(shop)
  expect(await storedPaths(shop)).toEqual(['colors/a.jpg'])
  await keepOne(shop, 'colors')
  for (let number = 0; number < 40; number++) await leave(shop, `items/walls/${number}.jpg`, 2 * DAY)
  await sweepPictures(shop)
  expect(await storedPaths(shop)).toHaveLength(42)
  expect(shop.logged.map(({ message }) => message)).toEqual(Array(2).fill('files without a picture stay: too many for a crash'))
  await shop.files.delete('items/walls/1.jpg')
  await sweepPictures(shop)
  expect(await storedPaths(shop)).toHaveLength(1)
})
