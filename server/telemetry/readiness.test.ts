import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { createReadinessCheck } from './readiness.ts'

async function openHere() {
  const { shop, folder, logged } = await openTestShop()
  const state = { isStopping: false }
  const open = (dataDir: string) =>
    createReadinessCheck(
      { db: shop.db, dataDir, isStopping: () => state.isStopping, log: shop.log },
      { cacheMs: 0, diskCacheMs: 0 },
    )
  return { shop, folder, logged, state, open, ready: open(folder) }
}

test('the shop is ready while database and disk work, and not ready while the process stops', async () => {
  const { ready, state } = await openHere()
  expect(await ready()).toEqual([])
  state.isStopping = true
  expect(await ready()).toEqual(['stopping'])
})

test('the shop is not ready when the database is unavailable or lacks a migration, and logs the problem once', async () => {
  const { ready, shop, logged } = await openHere()
  await shop.db.schema.alterTable('kysely_migration').renameTo('away').execute()
  expect(await ready()).toEqual(['database'])
  expect(await ready()).toEqual(['database'])
  await shop.db.schema.alterTable('away').renameTo('kysely_migration').execute()
  const migrations = await shop.db
    .deleteFrom('kysely_migration' as 'settings')
    .returningAll()
    .execute()
  expect(await ready()).toEqual(['database'])
  await shop.db
    .insertInto('kysely_migration' as 'settings')
    .values(migrations)
    .execute()
  expect(await ready()).toEqual([])
  expect(logged.map(({ message }) => message)).toEqual([
    'the shop is not ready',
    'the shop is ready again',
  ])
})

test('the shop is not ready when the data folder cannot be written, and the check leaves no file in the folder', async () => {
  const { open, folder } = await openHere()
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  const ready = open(file)
  expect(await ready()).toEqual(['disk'])
  await rm(file)
  expect(await open(folder)()).toEqual([])
  expect((await readdir(folder)).filter((name) => name.startsWith('.ready'))).toEqual([])
})
