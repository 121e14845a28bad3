/** Opens PostgreSQL. This code is a separate module, so that a shop on SQLite does not load the driver. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '#db/schema.ts'
import { driverWithOutageDetection } from '#app/lib/telemetry/outages.server.ts'
import type { Database, OnQuery } from './database.server.ts'
import { openWatchedPool, type livenessTimeoutsMs } from './watched-pool.server.ts'

/** Returns int8 and count(*) as numbers, as SQLite does. This is safe, because cents and milliseconds are far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** The shop waits this many milliseconds for a server that neither accepts nor refuses a connection. */
const CONNECT_TIMEOUT_MS = 8000

class ObservedPostgresDialect extends PostgresDialect {
  override createDriver() {
    return driverWithOutageDetection(super.createDriver())
  }
}

/** `connections` is the maximum number of connections of this process. All processes together must stay below the limit of the server. */
export function openPostgres(
  connectionString: string,
  connections = 10,
  onQuery?: OnQuery,
  wait?: typeof livenessTimeoutsMs,
): Database {
  const config = {
    connectionString,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  }
  const pool = openWatchedPool(config, wait)
  const db = new Kysely<Tables>({ dialect: new ObservedPostgresDialect({ pool }), log: onQuery })
  return { db, dialect: 'postgres', pool, copyDatabase: null, close: () => db.destroy() }
}
