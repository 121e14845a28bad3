import { sql, type RawBuilder, type SqlBool } from 'kysely'

/** Due, or further off than it can have been set (`longest` milliseconds): a clock that was ahead has set it. */
export const isDue = (column: 'nextAttemptAt' | 'claimedUntil', at: number, longest: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + longest})`
