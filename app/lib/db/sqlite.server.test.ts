import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite, sqliteDialect } from './sqlite.server.ts'
import { isOutage } from '../../platform/outage.server.ts'

/** The same file twice: ours, and another program's. */
async function openTwice(patience?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'held-'))
  const path = join(folder, 'shop.db')
  const ours = new Kysely<{ words: { word: string } }>({ dialect: sqliteDialect(openSqlite(path), patience) })
  const other = new DatabaseSync(path)
  onTestFinished(async () => {
    other.close()
    await ours.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  await sql`create table words (word text primary key)`.execute(ours)
  const words = async () => (await ours.selectFrom('words').select('word').orderBy('word').execute()).map(({ word }) => word)
  const write = (word: string) => ours.insertInto('words').values({ word }).execute()
  return { ours, other, words, write }
}

test('S-263 a write waits for the other program while reads go on, in a transaction and without one; then each is kept once, in its turn', async () => {
  const { ours, other, words, write } = await openTwice()
  other.exec(`begin immediate; insert into words values ('other')`)
  const order: string[] = []
  const alone = write('alone').then(() => order.push('alone'))
  const together = ours
    .transaction()
    .execute(async (tx) => {
      // Read first, then written: what the other wrote meanwhile is seen, and nothing has to be undone.
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

test('S-263 a write that waits too long is an outage, holds nobody up afterwards, and left nothing', async () => {
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

test('a transaction that fails is undone, and the next one has its turn', async () => {
  const { ours, words, write } = await openTwice()
  const failing = ours.transaction().execute(async (tx) => {
    await tx.insertInto('words').values({ word: 'half' }).execute()
    throw new Error('no')
  })
  const next = write('next')
  await expect(failing).rejects.toThrow('no')
  await next
  expect(await words()).toEqual(['next'])
})
