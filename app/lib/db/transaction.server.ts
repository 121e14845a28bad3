import type { Db, Tx } from '#db/schema.ts'

const MAX_TRIES = 5

const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01'

/** On a deadlock, PostgreSQL aborts a transaction without writing anything; then the transaction is repeated. */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || tried === MAX_TRIES) throw error
    }
}
