/** Opens the database: a SQLite file in the data folder, or PostgreSQL by DATABASE_URL. */
import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Db, Tables, Tx } from '#db/tables.ts'
import { copyBeforeMigration } from './database-copies.server.ts'
import { notingDriver } from './outage.server.ts'
import { openSqlite, openSqliteToRead, sqliteDialect } from './node-sqlite.server.ts'
import { openWatchedPool, type patience } from './stalled-postgres.server.ts'

/** Reads everything as it was at one moment, however long that takes, while others go on writing (045). */
export type Snapshot = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
export type Database = {
  db: Db
  dialect: Dialect
  /** PostgreSQL only, for libraries that bring their own SQL */
  pool?: pg.Pool
  snapshot: Snapshot
  backUp: () => Promise<void>
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

/** Hears of each query once it is done (046). */
type OnQuery = (event: LogEvent) => void

/** `connections`: at most so many at once; all processes together need fewer than the server gives. */
export function openPostgres(connectionString: string, connections = 10, onQuery?: OnQuery, wait?: typeof patience): Database {
  const config = { connectionString, max: connections, connectionTimeoutMillis: CONNECTING, keepAlive: true }
  const pool = openWatchedPool(config, wait)
  const db = new Kysely<Tables>({ dialect: new PoliteDialect({ pool }), log: onQuery })
  // PostgreSQL has its own backup tools; operating.md says which.
  const snapshot: Snapshot = (work) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
  return { db, dialect: 'postgres', pool, snapshot, backUp: async () => {}, close: () => db.destroy() }
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
  const backUp = async () => {
    if (folder !== null) await copyBeforeMigration(file, folder, new Date())
  }
  // The shop's one connection would be taken as long as the reading lasts; a second one sees the moment of its first reading.
  const snapshot: Snapshot = async (work) => {
    if (folder === null || isAlone) return db.transaction().execute(work)
    const reader = new Kysely<Tables>({ dialect: sqliteDialect(openSqliteToRead(path)) })
    return reader
      .transaction()
      .execute(work)
      .finally(() => reader.destroy())
  }
  return { db, dialect: 'sqlite', snapshot, backUp, close: () => db.destroy() }
}
