/** /ready tells the truth about the database, the disk and the end of the process; asking often costs nothing. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { createReadinessCheck } from './readiness.ts'

async function openHere() {
  const { shop, folder, logged } = await openTestShop()
  const state = { isStopping: false, asked: 0 }
  const db = shop.db.withPlugin({
    transformQuery: ({ node }) => {
      state.asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const open = (dataDir: string, patience = { kept: 0, ofDisk: 0 }) =>
    createReadinessCheck({ db, dataDir, isStopping: () => state.isStopping, log: shop.log, patience })
  return { shop, folder, logged, state, open, ready: open(folder) }
}

test('a shop with its database and its disk is ready, and not any more once it is to stop', async () => {
  const { ready, state } = await openHere()
  expect(await ready()).toEqual([])
  state.isStopping = true
  expect(await ready()).toEqual(['stopping'])
})

test('a database that is gone, or has not this version’s tables, is not ready; that is logged once, and so is its return', async () => {
  const { ready, shop, logged } = await openHere()
  await shop.db.schema.alterTable('kysely_migration').renameTo('away').execute()
  expect(await ready()).toEqual(['database'])
  expect(await ready()).toEqual(['database'])
  await shop.db.schema.alterTable('away').renameTo('kysely_migration').execute()
  const [newest] = await shop.db
    .deleteFrom('kysely_migration' as 'settings')
    .where('name' as 'key', '=', await newestOf(shop))
    .returningAll()
    .execute()
  expect(await ready()).toEqual(['database'])
  await shop.db
    .insertInto('kysely_migration' as 'settings')
    .values(newest!)
    .execute()
  expect(await ready()).toEqual([])
  expect(logged.map(({ message }) => message)).toEqual(['the shop is not ready', 'the shop is ready again'])
})

const newestOf = async ({ db }: Awaited<ReturnType<typeof openHere>>['shop']) => {
  const rows = (await db
    .selectFrom('kysely_migration' as 'settings')
    .selectAll()
    .execute()) as unknown as { name: string }[]
  return rows
    .map(({ name }) => name)
    .toSorted()
    .at(-1)!
}

test('a data folder that takes no writes is not ready, and nothing of the trial stays behind', async () => {
  const { open, folder } = await openHere()
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  const ready = open(file)
  expect(await ready()).toEqual(['disk'])
  await rm(file)
  expect(await open(folder)()).toEqual([])
  expect((await readdir(folder)).filter((name) => name.startsWith('.ready'))).toEqual([])
})

test('a hundred that ask at once are one question to the database', async () => {
  const { open, folder, state } = await openHere()
  const ready = open(folder, { kept: 60_000, ofDisk: 60_000 })
  await Promise.all(Array.from({ length: 100 }, () => ready()))
  await ready()
  expect(state.asked).toBe(1)
})
