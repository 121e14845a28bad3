/** Apart from database.server.ts, so that a shop on SQLite starts without the driver. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '#db/schema.ts'
import { notingDriver } from '../../platform/outage.server.ts'
import type { Database, OnQuery } from './database.server.ts'
import { openWatchedPool, type patience } from './watched-pool.server.ts'

/** int8 and count(*) come as numbers, as they do from SQLite; cents and milliseconds are far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Milliseconds that somebody waits for a connection to a server that neither answers nor refuses. */
const CONNECTING = 8000

class PoliteDialect extends PostgresDialect {
  override createDriver() {
    return notingDriver(super.createDriver())
  }
}

/** `connections`: at most so many at once; all processes together need fewer than the server gives. */
export function openPostgres(connectionString: string, connections = 10, onQuery?: OnQuery, wait?: typeof patience): Database {
  const config = { connectionString, max: connections, connectionTimeoutMillis: CONNECTING, keepAlive: true }
  const pool = openWatchedPool(config, wait)
  const db = new Kysely<Tables>({ dialect: new PoliteDialect({ pool }), log: onQuery })
  return { db, dialect: 'postgres', pool, copyDatabase: null, close: () => db.destroy() }
}
