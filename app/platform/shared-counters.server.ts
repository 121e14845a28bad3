/** Counters of tries that all processes on one PostgreSQL share (043): whoever guesses gets no more tries where there are more processes. */
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Db } from '#db/tables.ts'
import type { Shop } from './context.ts'
import { countersInMemory, type OpenCounters } from './rate-limits.server.ts'
import { regularly } from './regularly.server.ts'

/** Windows up to this many seconds slow down floods, as many times as there are processes; asking the database for each message would cost more than it saves. */
const BRIEF = 60

/** S-261. While the database cannot be asked each process counts by itself; without the database nothing that is counted works anyway. */
export const countersInPostgres =
  (pool: pg.Pool): OpenCounters =>
  (options) => {
    if (options.duration <= BRIEF) return countersInMemory(options)
    return new RateLimiterPostgres({
      ...options,
      // Without the names of prepared statements, which a pooler would mix up.
      storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) },
      storeType: 'pool',
      tableName: 'rateLimits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    })
  }

const HOUR = 3_600_000

/** Counts whose window is over say nothing any more. */
export const sweepCounts = (db: Db, at: number) => db.deleteFrom('rateLimits').where('expire', '<', at).execute()

/** Every hour; gives what stops it. */
export const startSweepingCounts = ({ db, now, log }: Pick<Shop, 'db' | 'now' | 'log'>): (() => Promise<void>) =>
  regularly({ every: HOUR, failure: 'old counts of tries could not be swept', log, isBegunNow: false }, () => sweepCounts(db, now()))
