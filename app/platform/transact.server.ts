/** A transaction that may meet others of its kind. */
import type { Db, Tx } from '#db/schema.ts'

const TRIES = 5

const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01'

/**
 * PostgreSQL ends one of two transactions that wait for each other. Nothing of it is written then, so it is done once more; on SQLite they
 * come one after the other anyway.
 */
export async function transact<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || tried === TRIES) throw error
    }
}
