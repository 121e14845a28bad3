/** A module of its own, so that a shop on SQLite does not load the driver. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '#db/schema.ts'
import { driverWithOutageDetection } from '#app/lib/telemetry/outages.server.ts'
import type { Database, OnQuery } from './database.server.ts'
import { openWatchedPool, type livenessTimeoutsMs } from './watched-pool.server.ts'

/** int8 and count(*) become numbers, as in SQLite; cents and milliseconds are far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Milliseconds to wait for a server that neither accepts nor refuses a connection. */
const CONNECT_TIMEOUT_MS = 8000

class ObservedPostgresDialect extends PostgresDialect {
  override createDriver() {
    return driverWithOutageDetection(super.createDriver())
  }
}

/** `connections`: the maximum per process; all processes together must stay below the server's limit */
export function openPostgres(connectionString: string, connections = 10, onQuery?: OnQuery, wait?: typeof livenessTimeoutsMs): Database {
  const config = { connectionString, max: connections, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true }
  const pool = openWatchedPool(config, wait)
  const db = new Kysely<Tables>({ dialect: new ObservedPostgresDialect({ pool }), log: onQuery })
  return { db, dialect: 'postgres', pool, copyDatabase: null, close: () => db.destroy() }
}
