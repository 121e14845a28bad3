import { glob, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { transact } from './transact.server.ts'

/** Reads alone, or what stands by itself while nobody else writes, or cannot be begun anew. */
const byThemselves = [
  'app/platform/transact.server.ts',
  'app/features/sales/sales.server.ts',
  'app/features/firestore-import/import-shop.server.ts',
  'app/features/backups/copy-database.server.ts',
  'app/features/backups/restore-backup.server.ts',
]

test('042 whatever writes beside others does it once more where two wait for each other', async () => {
  const found: string[] = []
  for await (const path of glob('app/**/*.server.ts')) if ((await readFile(path, 'utf8')).includes('.transaction()')) found.push(path)
  expect(found.toSorted()).toEqual(byThemselves.toSorted())
})

test('042 two that lock the same two rows crosswise both come to their end, each once', async () => {
  const { db } = await openTestShop()
  for (const key of ['a', 'b']) await db.insertInto('marks').values({ key, value: '' }).execute()
  const add = (tx: Parameters<Parameters<typeof transact>[1]>[0], key: string, word: string) =>
    tx
      .updateTable('marks')
      .set({ value: sql`"value" || ${word}` })
      .where('key', '=', key)
      .execute()
  const both = async (first: string, second: string, word: string, meet: () => Promise<void>) => {
    let tried = 0
    await transact(db, async (tx) => {
      tried += 1
      await add(tx, first, word)
      await meet()
      await add(tx, second, word)
    })
    return tried
  }
  // On SQLite they come one after the other, so nobody waits for the other one there.
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  let arrived = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const meet = async () => {
    if (++arrived === 2 || !isPostgres) resolve()
    await promise
  }
  const tries = await Promise.all([both('a', 'b', 'x', meet), both('b', 'a', 'y', meet)])
  expect(tries.toSorted()).toEqual(isPostgres ? [1, 2] : [1, 1])
  const rows = await db.selectFrom('marks').select('value').where('key', 'in', ['a', 'b']).execute()
  expect(rows.map(({ value }) => [...value].toSorted().join(''))).toEqual(['xy', 'xy'])
})

test('042 what fails for another reason is not done again', async () => {
  const { db } = await openTestShop()
  let tried = 0
  const work = transact(db, async () => {
    tried += 1
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(tried).toBe(1)
})
