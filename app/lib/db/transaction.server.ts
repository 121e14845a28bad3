import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { sql, SqliteAdapter } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'

const MAX_TRIES = 5

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01'

/** Runs a transaction, and repeats it if PostgreSQL has aborted the transaction because of a deadlock. An aborted transaction has written nothing. */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || tried === MAX_TRIES) throw error
    }
}

type Member = { run: (tx: Tx) => Promise<() => void>; fail: (error: unknown) => void }
const membersOf = new WeakMap<Db, Member[]>()
const MAX_MEMBERS = 64

/**
 * Runs `work` in a transaction. On SQLite, calls that wait at the same time share one transaction, because the flush of a commit takes longer than the writes (docs/performance.md).
 * If `work` throws, only its own writes are undone. The promise resolves after the commit.
 */
export function inSharedTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return inTransaction(db, work)
  // Without its own context, the queries of a request would appear in the trace of the request that opened the transaction.
  const inOwnContext = AsyncLocalStorage.snapshot()
  return new Promise<Result>((resolve, reject) => {
    const run = (tx: Tx) =>
      inOwnContext(async () => {
        await sql`savepoint member`.execute(tx)
        try {
          const result = await work(tx)
          await sql`release member`.execute(tx)
          return () => resolve(result)
        } catch (error) {
          await sql`rollback to member`.execute(tx)
          return () => reject(error as Error)
        }
      })
    const waiting = membersOf.get(db)
    if (waiting) return void waiting.push({ run, fail: reject })
    membersOf.set(db, [{ run, fail: reject }])
    void commitMembers(db)
  })
}

/** Waits until no more calls arrive in a turn of the event loop. During this time, the connection is free for the reads of requests that are about to write. */
async function whileMoreArrive(waiting: Member[]): Promise<void> {
  for (let count = 0; count < waiting.length && waiting.length < MAX_MEMBERS; await setImmediate())
    count = waiting.length
}

/** Commits the waiting calls together, until none waits. */
async function commitMembers(db: Db): Promise<void> {
  const waiting = membersOf.get(db)!
  while (waiting.length > 0) {
    let members: Member[] = []
    try {
      await whileMoreArrive(waiting)
      const settled = await db.transaction().execute(async (tx) => {
        members = waiting.splice(0, MAX_MEMBERS)
        const answers: (() => void)[] = []
        for (const { run } of members) answers.push(await run(tx))
        return answers
      })
      for (const settle of settled) settle()
    } catch (error) {
      // If the transaction did not even begin, all waiting calls fail.
      for (const { fail } of members.length > 0 ? members : waiting.splice(0)) fail(error)
    }
  }
  membersOf.delete(db)
}
