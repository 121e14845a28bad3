import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { archiveOf, newDataFolder, onSqlite, rowsIn, stage } from '#test/archives.ts'
import { readFolder } from '#test/moving-shops.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { discardStagedRestore, finishRestore } from './restore-backup.server.ts'

/** A backup with three pictures, and another shop that has one of them, one with other bytes, and one of its own. */
async function twoShops() {
  const shop = await openTestShop()
  for (const name of ['new', 'same', 'other']) await shop.files.put(`items/${name}.webp`, Buffer.from(name))
  await mkdir(shop.backup.secrets)
  await writeFile(join(shop.backup.secrets, 'session'), 'the key of the archive')
  await shop.db.insertInto('marks').values({ key: 'which', value: 'archive' }).execute()
  const dataDir = await newDataFolder()
  const here = openSqliteDatabase(dataDir)
  await migrate(here.db, here.dialect)
  await here.db.insertInto('marks').values({ key: 'which', value: 'here' }).execute()
  await here.close()
  for (const folder of ['files/items', 'secrets']) await mkdir(join(dataDir, folder), { recursive: true })
  for (const [name, text] of [
    ['files/items/same.webp', 'same'],
    ['files/items/other.webp', 'as it is here'],
    ['files/items/own.webp', 'own'],
    ['secrets/session', 'the key of here'],
  ])
    await writeFile(join(dataDir, name!), text!)
  const state = async () => ({
    ...(await readFolder(join(dataDir, 'files'))),
    ...(await readFolder(join(dataDir, 'secrets'))),
    which: (await rowsIn(dataDir)).marks!.find(({ key }) => key === 'which')?.value,
  })
  const wanted = {
    ...{ 'items/new.webp': 'new', 'items/other.webp': 'other', 'items/same.webp': 'same' },
    ...{ session: 'the key of the archive', which: 'archive' },
  }
  return { path: await archiveOf(shop), dataDir, state, wanted }
}

onSqlite(
  'S-268 a restore that is killed before it is decided has changed nothing, and the next start deletes what it has unpacked',
  async () => {
    const { path, dataDir, state } = await twoShops()
    const before = await state()
    await stage(path, dataDir)
    // As if it had been killed just before the rename that decides.
    await rename(join(dataDir, 'restored'), join(dataDir, 'restoring'))
    expect(await finishRestore(dataDir)).toBe(false)
    await discardStagedRestore(dataDir)
    expect([await state(), existsSync(join(dataDir, 'restoring'))]).toEqual([before, false])
  },
)

onSqlite('S-268 a restore that is killed after it is decided is finished at the next start, wherever it was', async () => {
  for (const done of [[], ['files'], ['files', 'secrets'], ['files', 'secrets', 'shop.db']]) {
    const { path, dataDir, state, wanted } = await twoShops()
    await stage(path, dataDir)
    for (const name of done) {
      await rm(join(dataDir, name), { recursive: true })
      await rename(join(dataDir, 'restored', name), join(dataDir, name))
    }
    expect(await finishRestore(dataDir)).toBe(true)
    expect([await state(), existsSync(join(dataDir, 'restored'))]).toEqual([wanted, false])
    expect(await finishRestore(dataDir)).toBe(false)
  }
})

onSqlite('S-268 writes of the old database that still stand in its log never reach the new one', async () => {
  const { path, dataDir, state, wanted } = await twoShops()
  await stage(path, dataDir)
  for (const side of ['-wal', '-shm']) await writeFile(join(dataDir, `shop.db${side}`), 'of the old database')
  await finishRestore(dataDir)
  expect(await state()).toEqual(wanted)
})
