/** What is to be done at a time of its own, by a clock that may be wrong for a while. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'

/**
 * The time has come; or it is further off than it can ever have been set (`longest` milliseconds), so that a clock which was ahead has set
 * it. Otherwise what was tried in that hour would wait for the year to come.
 */
export const isDue = (column: 'nextAttemptAt' | 'claimedUntil', at: number, longest: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + longest})`
