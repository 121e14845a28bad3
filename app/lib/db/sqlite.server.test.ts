import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite, sqliteDialect } from './sqlite.server.ts'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { isOutage } from '../telemetry/outages.server.ts'

/** Opens the same database file for the shop and for another program. */
async function openTwice(waitMs: number) {
  const path = join(await newFolder(), 'shop.db')
  const ours = new Kysely<{ words: { word: string } }>({
    dialect: sqliteDialect(openSqlite(path), waitMs),
  })
  const other = new DatabaseSync(path)
  onTestFinished(async () => {
    other.close()
    await ours.destroy()
  })
  await sql`create table words (word text primary key)`.execute(ours)
  const words = async () =>
    (await ours.selectFrom('words').select('word').orderBy('word').execute()).map(
      ({ word }) => word,
    )
  const write = (word: string) => ours.insertInto('words').values({ word }).execute()
  return { ours, other, words, write }
}

test('treats a write that waits too long for a lock as an outage, and writes nothing [S-263]', async () => {
  const { ours, other, words, write } = await openTwice(60)
  other.exec('begin immediate')
  const inTransaction = ours
    .transaction()
    .execute((tx) => tx.insertInto('words').values({ word: 'b' }).execute())
  for (const work of await Promise.allSettled([write('a'), inTransaction])) {
    expect(work.status === 'rejected' && isOutage(work.reason)).toBe(true)
  }
  expect(await words()).toEqual([])
  other.exec('rollback')
  await write('a')
  expect(await words()).toEqual(['a'])
})
