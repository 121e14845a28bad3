import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { initialSchema } from './migrations/001-initial-schema.ts'
import type { Db, Dialect, Tx } from './schema.ts'

/** Lists all migrations in order. New migrations are added at the end, and released migrations never change. */
export const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '001-initial-schema': initialSchema(dialect),
})

async function migrationsOf(db: Db | Tx): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{
    name: string
  }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns 'ours' if all migrations have run, 'older' if some have run, and 'none' if no migration has run. Throws the same errors as `migrate`. */
export async function schemaState(db: Db, dialect: Dialect): Promise<'ours' | 'older' | 'none'> {
  const known = Object.keys(migrations(dialect))
  const executed = await migrationsOf(db)
  const unknown = executed.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(
      `The database has a migration that this version of the shop does not know (${unknown}): it was made by a newer version, or by one before the first release. Start that version, or give this one an empty database.`,
    )
  return executed.length === known.length ? 'ours' : executed.length > 0 ? 'older' : 'none'
}

/** Runs the missing migrations and returns their names. Throws an error with one line of text if the database belongs to another version of the shop. */
export async function migrate(db: Db, dialect: Dialect): Promise<string[]> {
  if ((await schemaState(db, dialect)) === 'ours') return []
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(dialect) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}
