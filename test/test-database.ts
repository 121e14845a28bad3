/** The database of one test: SQLite in memory, or a fresh copy of a migrated template in a real PostgreSQL (TEST_DATABASE=postgres). */
import { randomBytes } from 'node:crypto'
import { backup, DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openSqliteDatabase, type Database } from '#app/lib/db/database.server.ts'
import { openPostgres } from '#app/lib/db/postgres.server.ts'
import { openSqlite, sqliteDialect } from '#app/lib/db/sqlite.server.ts'
import type { Tables } from '#db/schema.ts'
import { createDatabase, createTemplate, dropDatabase } from './postgres-databases.ts'

/** For tests of what only SQLite does. */
export const onSqlite = process.env.TEST_DATABASE === 'postgres' ? () => {} : test

const canCopy = 'deserialize' in DatabaseSync.prototype

/** `reach`: gives the address by which the shop is to reach its PostgreSQL, for tests that cut the line. */
export async function openTestDatabase(reach = async (url: string) => url): Promise<Database & { url?: string }> {
  if (process.env.TEST_DATABASE !== 'postgres') return canCopy ? openCopyInMemory() : openMigratedInMemory()
  await createTemplate('migrated', async (url) => {
    const database = openPostgres(url)
    await migrate(database.db, database.dialect)
    await database.close()
  })
  const name = `shop_${randomBytes(6).toString('hex')}`
  const url = await createDatabase(name, 'migrated')
  const database = openPostgres(await reach(url))
  const close = async () => {
    await database.close()
    await dropDatabase(name)
  }
  return { ...database, url, close }
}

let template: Promise<Uint8Array> | undefined

/** What openSqliteDatabase(null) opens, its tables copied: the migrations take thirty times as long. */
async function openCopyInMemory(): Promise<Database> {
  const file = openSqlite(':memory:')
  template ??= makeTemplate()
  file.deserialize(await template)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  return {
    db,
    dialect: 'sqlite',
    copyDatabase: async (path) => void (await backup(file, path)),
    close: () => db.destroy(),
  }
}

async function makeTemplate(): Promise<Uint8Array> {
  const file = openSqlite(':memory:')
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  await migrate(db, 'sqlite')
  const bytes = file.serialize()
  await db.destroy()
  return bytes
}

/** For a Node before 24.16, which cannot copy what lies in memory. */
async function openMigratedInMemory(): Promise<Database> {
  const database = openSqliteDatabase(null)
  await migrate(database.db, database.dialect)
  return database
}
