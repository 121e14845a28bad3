/** Opens the database: a SQLite file in the data folder, or PostgreSQL by DATABASE_URL. */
import { backup } from 'node:sqlite'
import { chmodSync, closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Db, Tables } from '#db/tables.ts'
import { openSqlite, sqliteDialect } from './node-sqlite.server.ts'

export type Database = { db: Db; dialect: Dialect; backUp: () => Promise<void>; close: () => Promise<void> }

/** int8 and count(*) come as numbers, as they do from SQLite; cents and milliseconds are far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export function openPostgres(connectionString: string): Database {
  const pool = new pg.Pool({ connectionString, max: 10 })
  // An idle connection that breaks must not take the process down; the next query opens a new one.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  // PostgreSQL has its own backup tools; operating.md says which.
  return { db, dialect: 'postgres', backUp: async () => {}, close: () => db.destroy() }
}

/** Sessions, addresses and messages are for the shop's user alone, also in a folder that others may enter; SQLite's side files follow. */
function privateFile(path: string): string {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  return path
}

/** `folder` null: in memory, for tests. `isAlone`: no other process may have it open, or open it meanwhile. */
export function openSqliteDatabase(folder: string | null, isAlone = false): Database {
  const file = openSqlite(folder === null ? ':memory:' : privateFile(join(folder, 'shop.db')), isAlone)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  const backUp = async () => {
    if (folder === null) return
    const backups = join(folder, 'backups')
    await mkdir(backups, { recursive: true, mode: 0o700 })
    await backup(file, join(backups, `before-migration-${new Date().toISOString().replaceAll(':', '-')}.db`))
  }
  return { db, dialect: 'sqlite', backUp, close: () => db.destroy() }
}
