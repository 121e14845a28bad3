import type { Db, Tx } from '#db/schema.ts'

const MAX_TRIES = 5

const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01'

/** Runs a transaction, and repeats it if PostgreSQL has aborted it because of a deadlock. An aborted transaction has written nothing. */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || tried === MAX_TRIES) throw error
    }
}
