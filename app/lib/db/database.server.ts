import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from 'node:sqlite'
import { Kysely, type LogEvent } from 'kysely'
import type pg from 'pg'
import type { Db, Dialect, Tables } from '#db/schema.ts'
import { openSqlite, openSqliteToRead, sqliteDialect } from './sqlite.server.ts'

export type Database = {
  db: Db
  dialect: Dialect
  /** the connections to PostgreSQL, for libraries that send their own SQL; undefined on SQLite */
  pool?: pg.Pool
  /** copies a consistent snapshot of the SQLite database into an empty file while the shop continues to write; null on PostgreSQL */
  copyDatabase: ((path: string) => Promise<void>) | null
  close: () => Promise<void>
}

export type OnQuery = (event: LogEvent) => void

/** Lets only the shop's system user read the database, even in a shared folder. SQLite gives its -wal and -shm files the same permissions. */
function privateFile(path: string): string {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  return path
}

/** If `folder` is null, the database is only in memory, for tests. If `isAlone` is true, no other process may have the file open. */
export function openSqliteDatabase(
  folder: string | null,
  isAlone = false,
  onQuery?: OnQuery,
): Database {
  const path = folder === null ? ':memory:' : privateFile(join(folder, 'shop.db'))
  const file = openSqlite(path, isAlone)
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(file, isAlone ? 0 : undefined),
    log: onQuery,
  })
  async function copyDatabase(to: string) {
    // No other process writes to a database in memory or to a locked file. So a copy through this connection is consistent.
    if (folder === null || isAlone) return void (await backup(file, to))
    const reader = openSqliteToRead(path)
    try {
      // A read transaction holds the snapshot, because otherwise each write by the shop would restart the copy.
      reader.exec('begin; select count(*) from sqlite_master')
      await backup(reader, to)
    } finally {
      reader.close()
    }
  }
  return { db, dialect: 'sqlite', copyDatabase, close: () => db.destroy() }
}
