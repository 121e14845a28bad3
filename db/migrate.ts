import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { initialSchema } from './migrations/001-initial-schema.ts'
import type { Db, Dialect } from './schema.ts'

/** Released migrations never change. */
export const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '001-schema': initialSchema(dialect),
})

async function migrationsOf(db: Db) {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const query = sql<{ name: string }>`select name from kysely_migration order by name`
  return (await query.execute(db)).rows.map(({ name }) => name)
}

export async function schemaState(db: Db, dialect: Dialect): Promise<'ours' | 'older' | 'none'> {
  const names = Object.keys(migrations(dialect))
  const executed = await migrationsOf(db)
  const unknown = executed.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new Error(
      `The database has a migration that this version of the shop does not know (${unknown}): it was made by a newer version, or by one before the first release. Start that version, or give this one an empty database.`,
    )
  }
  if (executed.length === names.length) return 'ours'
  return executed.length > 0 ? 'older' : 'none'
}

export async function migrate(db: Db, dialect: Dialect) {
  if ((await schemaState(db, dialect)) === 'ours') return []
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(dialect) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}
