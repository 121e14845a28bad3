import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createEmptyDatabase } from '#test/fixtures/database.ts'
import { openSqliteDatabase, type Database } from '#services/database.server.ts'
import { openPostgres } from '#services/postgres.server.ts'
import { migrate, schemaState } from './migrate.ts'
import { insert } from '#test/fixtures/catalog.ts'

async function openEmpty(): Promise<Database> {
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  const database = isPostgres ? openPostgres(await createEmptyDatabase()) : openSqliteDatabase(null)
  onTestFinished(database.close)
  return database
}

test('the first migration of an empty database creates all tables, and a second migration changes nothing', async () => {
  const { db, dialect } = await openEmpty()
  expect(await schemaState(db, dialect)).toBe('none')
  expect(await migrate(db, dialect)).toEqual(['001-schema'])
  expect(await schemaState(db, dialect)).toBe('ours')
  expect(await migrate(db, dialect)).toEqual([])
})

test('refuses to migrate a database with an unknown migration, and leaves this database unchanged', async () => {
  const { db, dialect } = await openEmpty()
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  )
  for (const name of ['001-accounts', '033-identities']) {
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-11-01')`.execute(
      db,
    )
  }
  const refusal =
    'The database has a migration that this version of the shop does not know (001-accounts): it was made by a newer version, or by one before the first release. Start that version, or give this one an empty database.'
  await expect(migrate(db, dialect)).rejects.toThrow(new Error(refusal))
  await expect(schemaState(db, dialect)).rejects.toThrow(new Error(refusal))
  expect((await db.introspection.getTables()).map(({ name }) => name)).toEqual([])
})

test('the database normalizes searchable text when a row is written', async () => {
  const { db, dialect } = await openEmpty()
  await migrate(db, dialect)
  const at = { createdAt: 1, firstCreatedAt: 1 }
  await insert(db, 'categories', {
    id: 'bags',
    title: 'Bags',
    color: '#fff',
    imageId: null,
    position: 0,
    ...at,
  })
  const texts = { width: '', soleType: '', size: '', discountType: null, discountValue: null }
  const item = {
    id: 'moon',
    name: 'Möon BAG',
    description: 'Très soft',
    categoryId: 'bags',
    priceCents: 1,
    ...texts,
    ...at,
  }
  await db.insertInto('items').values(item).execute()
  const read = () =>
    db.selectFrom('items').select(['searchName', 'searchText']).executeTakeFirstOrThrow()
  expect(await read()).toEqual({ searchName: 'moon bag', searchText: 'moon bag tres soft' })
  await db.updateTable('items').set({ name: 'Sun' }).execute()
  expect(await read()).toEqual({ searchName: 'sun', searchText: 'sun tres soft' })
})
