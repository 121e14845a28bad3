import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite, sqliteDialect } from './sqlite.server.ts'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { isOutage } from '#app/lib/telemetry/outages.server.ts'

/** The same file twice: ours, and another program's. */
async function openTwice(patience?: number) {
  const path = join(await newFolder(), 'shop.db')
  const ours = new Kysely<{ words: { word: string } }>({ dialect: sqliteDialect(openSqlite(path), patience) })
  const other = new DatabaseSync(path)
  onTestFinished(async () => {
    other.close()
    await ours.destroy()
  })
  await sql`create table words (word text primary key)`.execute(ours)
  const words = async () => (await ours.selectFrom('words').select('word').orderBy('word').execute()).map(({ word }) => word)
  const write = (word: string) => ours.insertInto('words').values({ word }).execute()
  return { ours, other, words, write }
}

test('a write waits for another program while reads continue, and is stored once [S-263]', async () => {
  const { ours, other, words, write } = await openTwice()
  other.exec(`begin immediate; insert into words values ('other')`)
  const order: string[] = []
  const alone = write('alone').then(() => order.push('alone'))
  const together = ours
    .transaction()
    .execute(async (tx) => {
      // Reads before it writes: it must see what the other program has just written.
      const seen = await tx.selectFrom('words').select('word').execute()
      await tx
        .insertInto('words')
        .values({ word: `after ${seen.length}` })
        .execute()
    })
    .then(() => order.push('together'))
  for (let reads = 0; reads < 20; reads += 1) expect(await words()).toEqual([])
  expect(order).toEqual([])
  other.exec('commit')
  await Promise.all([alone, together])
  expect((await words()).toSorted()).toEqual(
    ['after 1', 'alone', 'other'].map((word) => (word === 'after 1' ? expect.stringMatching(/^after [12]$/) : word)),
  )
})

test('reports a write that waits too long as an outage, and writes nothing [S-263]', async () => {
  const { ours, other, words, write } = await openTwice(60)
  other.exec('begin immediate')
  const refused = await Promise.all(
    [write('a'), ours.transaction().execute((tx) => tx.insertInto('words').values({ word: 'b' }).execute())].map((work) =>
      work.then(
        () => false,
        (error: unknown) => isOutage(error),
      ),
    ),
  )
  expect(refused).toEqual([true, true])
  expect(await words()).toEqual([])
  other.exec('rollback')
  await write('a')
  expect(await words()).toEqual(['a'])
})
