import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { inSharedTransaction, inTransaction } from './transaction.server.ts'

test('repeats one of two transactions that deadlock, so that each transaction succeeds once', async () => {
  const { db } = await openTestShop()
  for (const key of ['a', 'b']) {
    await db.insertInto('keyValues').values({ key, value: '' }).execute()
  }
  const add = (tx: typeof db, key: string, word: string) =>
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
  // SQLite runs one transaction after another, so a deadlock can happen only on PostgreSQL.
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  let arrived = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const meet = async () => {
    if (++arrived === 2 || !isPostgres) resolve()
    await promise
  }
  const tries = await Promise.all([both('a', 'b', 'x', meet), both('b', 'a', 'y', meet)])
  // On a busy machine, a repeated transaction may meet the other one again.
  expect(Math.max(...tries) > 1).toBe(isPostgres)
  const rows = await db
    .selectFrom('keyValues')
    .select('value')
    .where('key', 'in', ['a', 'b'])
    .execute()
  expect(rows.map(({ value }) => [...value].toSorted().join(''))).toEqual(['xy', 'xy'])
})

test('transactions that wait at the same time share a commit, and a failing transaction undoes only its own writes', async () => {
  const { db } = await openTestShop()
  const write = (key: string) =>
    inSharedTransaction(db, (tx) => tx.insertInto('keyValues').values({ key, value: '' }).execute())
  let isCommitted = false
  const first = write('first')
  const earlier = write('earlier').then(() => (isCommitted = true))
  const failing = inSharedTransaction(db, async (tx) => {
    await tx.insertInto('keyValues').values({ key: 'undone', value: '' }).execute()
    throw new Error('refused by the work')
  })
  const later = inSharedTransaction(db, async (tx) => {
    await tx.insertInto('keyValues').values({ key: 'later', value: '' }).execute()
    return isCommitted
  })
  await expect(failing).rejects.toThrow('refused by the work')
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  if (!isPostgres) expect(await later, 'the earlier write is not yet acknowledged').toBe(false)
  await Promise.all([first, earlier, later, write('last')])
  const rows = await db
    .selectFrom('keyValues')
    .select('key')
    .where('key', 'in', ['first', 'earlier', 'undone', 'later', 'last'])
    .execute()
  expect(rows.map(({ key }) => key).toSorted()).toEqual(['earlier', 'first', 'last', 'later'])
})

test('after a failed commit, all waiting transactions fail and the next transaction succeeds', async () => {
  const { db } = await openTestShop()
  const write = (key: string, statement: string) =>
    inSharedTransaction(db, async (tx) => {
      await tx.insertInto('keyValues').values({ key, value: '' }).execute()
      await sql.raw(statement).execute(tx)
    })
  // SQLite rolls back the whole transaction, as it does by itself when the disk is full.
  const all = ['a', 'b', 'c'].map((key) =>
    write(key, key === 'b' && process.env.TEST_DATABASE !== 'postgres' ? 'rollback' : 'select 1'),
  )
  const settled = await Promise.allSettled(all)
  await write('d', 'select 1')
  const rows = await db
    .selectFrom('keyValues')
    .select('key')
    .where('key', 'in', ['a', 'b', 'c', 'd'])
    .orderBy('key')
    .execute()
  const stored = ['a', 'b', 'c'].filter((_, at) => settled[at]!.status === 'fulfilled')
  expect(rows.map(({ key }) => key)).toEqual([...stored, 'd'])
  if (process.env.TEST_DATABASE !== 'postgres') expect(stored).not.toContain('b')
})
