import { Kysely, PostgresDialect, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { booleanResults } from '#db/booleans.ts'
import type { Tables } from '#db/schema.ts'
import { driverWithOutageDetection } from '#lib/telemetry/outages.server.ts'
import type { Database } from './database.server.ts'
import { openWatchedPool } from '#lib/db/watched-pool.server.ts'

/** Reads INT8 as numbers, because cents and milliseconds are far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const CONNECT_TIMEOUT_MS = 8000

/** Writes booleans as 1 and 0, which PostgreSQL reads in columns of integers and of booleans. */
class BooleansAsNumbersCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown) {
    super.appendValue(typeof value === 'boolean' ? Number(value) : value)
  }
}

class ObservedPostgresDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new BooleansAsNumbersCompiler()
  }
  override createDriver() {
    return driverWithOutageDetection(super.createDriver())
  }
}

export function openPostgres(connectionString: string, connections = 10): Database {
  const config = {
    connectionString,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  }
  const pool = openWatchedPool(config)
  const db = new Kysely<Tables>({
    dialect: new ObservedPostgresDialect({ pool }),
    plugins: [booleanResults],
  })
  return { db, dialect: 'postgres', pool, copyDatabase: null, close: () => db.destroy() }
}
