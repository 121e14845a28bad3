import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from 'node:sqlite'
import { Kysely } from 'kysely'
import type pg from 'pg'
import { booleanResults } from '#db/booleans.ts'
import type { Db, Dialect, Tables } from '#db/schema.ts'
import { openSqlite, openSqliteToRead, sqliteDialect } from '#lib/db/sqlite.server.ts'

export type Database = {
  db: Db
  dialect: Dialect
  pool?: pg.Pool
  copyDatabase: ((path: string) => Promise<void>) | null
  close: () => Promise<void>
}

/** SQLite gives the files -wal and -shm the same permissions. */
function privateFile(path: string) {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  return path
}

/**
 * If `folder` is null, the database is in memory. With `isAlone`, no other process may have the
 * file open.
 */
export function openSqliteDatabase(folder: string | null, isAlone = false): Database {
  const path = folder === null ? ':memory:' : privateFile(join(folder, 'shop.db'))
  const file = openSqlite(path, isAlone)
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(file, isAlone ? 0 : undefined),
    plugins: [booleanResults],
  })
  async function copyDatabase(to: string) {
    if (folder === null || isAlone) return void (await backup(file, to))
    const reader = openSqliteToRead(path)
    try {
      // Without a read transaction, each write would restart the copy.
      reader.exec('begin; select count(*) from sqlite_master')
      await backup(reader, to)
    } finally {
      reader.close()
    }
  }
  return { db, dialect: 'sqlite', copyDatabase, close: () => db.destroy() }
}
