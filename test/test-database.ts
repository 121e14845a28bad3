/** The database of one test: SQLite in memory, or a fresh copy of a migrated template in a real PostgreSQL (TEST_DATABASE=postgres). */
import { randomBytes } from 'node:crypto'
import { migrate } from '#db/migrate.ts'
import { openPostgres, openSqliteDatabase, type Database } from '#app/platform/db.server.ts'
import { createDatabase, createTemplate, dropDatabase } from './postgres-databases.ts'

export async function openTestDatabase(): Promise<Database> {
  if (process.env.TEST_DATABASE !== 'postgres') {
    const database = openSqliteDatabase(null)
    await migrate(database.db, database.dialect)
    return database
  }
  await createTemplate('migrated', async (url) => {
    const database = openPostgres(url)
    await migrate(database.db, database.dialect)
    await database.close()
  })
  const name = `shop_${randomBytes(6).toString('hex')}`
  const database = openPostgres(await createDatabase(name, 'migrated'))
  const close = async () => {
    await database.close()
    await dropDatabase(name)
  }
  return { ...database, close }
}
