/** What else lies in the database that a shop comes to: nothing of it may be lost, and nothing of an extension is in the way. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveOf, bringBack, kinds, openOther } from '#test/archives.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { UnusableArchive } from './read-archive.server.ts'

const onPostgres = process.env.TEST_DATABASE === 'postgres' ? test : () => {}

const things: [make: string, drop: string, look: string, on?: string][] = [
  ['create table bills as select 7 as id', 'drop table bills', 'select id from bills'],
  ['create view seven as select 7 as id', 'drop view seven', 'select id from seven'],
  [`create function seven() returns integer language sql as 'select 7'`, 'drop function seven', 'select seven() as id', 'postgres'],
]

test('S-268 tables, views and functions of another program in the same place are never taken away: the restore is refused', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const path = await archiveOf(shop)
  for (const kind of kinds) {
    const other = await openOther(kind)
    for (const [make, drop, look, on = kind] of things) {
      if (on !== kind) continue
      await sql.raw(make).execute(other.db)
      await expect(bringBack(path, other)).rejects.toThrow(UnusableArchive)
      expect((await sql.raw(look).execute(other.db)).rows).toEqual([{ id: 7 }])
      await sql.raw(drop).execute(other.db)
    }
    await bringBack(path, other)
    expect(await other.db.selectFrom('user').select('id').execute()).not.toEqual([])
  }
})

onPostgres('S-264 S-268 what an extension of PostgreSQL has brought is neither in an archive nor in the way of one', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const bring = `create extension pg_buffercache; create table brought (id integer, place point); alter extension pg_buffercache add table brought`
  await sql.raw(bring).execute(shop.db)
  const path = await archiveOf(shop)
  const other = await openOther('postgres')
  await sql.raw(bring).execute(other.db)
  await bringBack(path, other)
  expect((await sql`select id from brought`.execute(other.db)).rows).toEqual([])
})
