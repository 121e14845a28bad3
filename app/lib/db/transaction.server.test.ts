import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { inTransaction } from './transaction.server.ts'

test('repeats one of two transactions that deadlock, so that each transaction succeeds once', async () => {
  const { db } = await openTestShop()
  for (const key of ['a', 'b']) await db.insertInto('keyValues').values({ key, value: '' }).execute()
  const add = (tx: Parameters<Parameters<typeof inTransaction>[1]>[0], key: string, word: string) =>
    tx
      .updateTable('keyValues')
      .set({ value: sql`"value" || ${word}` })
      .where('key', '=', key)
      .execute()
  const both = async (first: string, second: string, word: string, meet: () => Promise<void>) => {
    let tried = 0
    await inTransaction(db, async (tx) => {
      tried += 1
      await add(tx, first, word)
      await meet()
      await add(tx, second, word)
    })
    return tried
  }
  // SQLite runs one transaction after the other, so there is no deadlock.
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  let arrived = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const meet = async () => {
    if (++arrived === 2 || !isPostgres) resolve()
    await promise
  }
  const tries = await Promise.all([both('a', 'b', 'x', meet), both('b', 'a', 'y', meet)])
  expect(tries.toSorted()).toEqual(isPostgres ? [1, 2] : [1, 1])
  const rows = await db.selectFrom('keyValues').select('value').where('key', 'in', ['a', 'b']).execute()
  expect(rows.map(({ value }) => [...value].toSorted().join(''))).toEqual(['xy', 'xy'])
})
