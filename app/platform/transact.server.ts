import type { Db, Tx } from '#db/schema.ts'

const TRIES = 5

const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01'

/** PostgreSQL ends one of two transactions that wait for each other; nothing of it is written then, so it is done once more. */
export async function transact<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || tried === TRIES) throw error
    }
}
