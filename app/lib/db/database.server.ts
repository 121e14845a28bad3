import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from 'node:sqlite'
import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db, Dialect, Tables } from '#db/schema.ts'
import { notingDriver } from '../../platform/outage.server.ts'
import { openSqlite, openSqliteToRead, sqliteDialect } from './sqlite.server.ts'
import { openWatchedPool, type patience } from './watched-pool.server.ts'

export type Database = {
  db: Db
  dialect: Dialect
  /** PostgreSQL only, for libraries that bring their own SQL */
  pool?: pg.Pool
  /** Copies the database, as it is at one moment, into an empty file while the shop goes on writing (053); null on PostgreSQL. */
  copyDatabase: ((path: string) => Promise<void>) | null
  close: () => Promise<void>
}

/** int8 and count(*) come as numbers, as they do from SQLite; cents and milliseconds are far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Milliseconds that somebody waits for a connection to a server that neither answers nor refuses. */
const CONNECTING = 8000

class PoliteDialect extends PostgresDialect {
  override createDriver() {
    return notingDriver(super.createDriver())
  }
}

type OnQuery = (event: LogEvent) => void

/** `connections`: at most so many at once; all processes together need fewer than the server gives. */
export function openPostgres(connectionString: string, connections = 10, onQuery?: OnQuery, wait?: typeof patience): Database {
  const config = { connectionString, max: connections, connectionTimeoutMillis: CONNECTING, keepAlive: true }
  const pool = openWatchedPool(config, wait)
  const db = new Kysely<Tables>({ dialect: new PoliteDialect({ pool }), log: onQuery })
  return { db, dialect: 'postgres', pool, copyDatabase: null, close: () => db.destroy() }
}

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
