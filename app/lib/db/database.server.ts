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
  /** PostgreSQL only, for libraries that bring their own SQL */
  pool?: pg.Pool
  /** Copies the database, as it is at one moment, into an empty file while the shop goes on writing (053); null on PostgreSQL. */
  copyDatabase: ((path: string) => Promise<void>) | null
  close: () => Promise<void>
}

export type OnQuery = (event: LogEvent) => void

/** Sessions, addresses and messages are for the shop's user alone, also in a folder that others may enter; SQLite's side files follow. */
function privateFile(path: string): string {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  return path
}

/** `folder` null: in memory, for tests. `isAlone`: no other process may have it open, or open it meanwhile. */
export function openSqliteDatabase(folder: string | null, isAlone = false, onQuery?: OnQuery): Database {
  const path = folder === null ? ':memory:' : privateFile(join(folder, 'shop.db'))
  const file = openSqlite(path, isAlone)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, isAlone ? 0 : undefined), log: onQuery })
  async function copyDatabase(to: string) {
    // Nobody else writes to the file: the own connection sees one moment.
    if (folder === null || isAlone) return void (await backup(file, to))
    const reader = openSqliteToRead(path)
    try {
      // A read transaction keeps the moment: other writes would make the copy begin anew again and again.
      reader.exec('begin; select count(*) from sqlite_master')
      await backup(reader, to)
    } finally {
      reader.close()
    }
  }
  return { db, dialect: 'sqlite', copyDatabase, close: () => db.destroy() }
}
