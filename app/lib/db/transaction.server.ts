import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { sql, SqliteAdapter, type Kysely, type Transaction } from 'kysely'
import { isRefusal, type Refusal } from '../refusal.ts'

const MAX_TRIES = 5
const MAX_MEMBERS = 64

/** PostgreSQL aborts one transaction of a deadlock and writes nothing of it, so it runs again. */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: Work<Tables, Result>,
) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_TRIES) throw error
    }
  }
}

const isDeadlock = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '40P01'

export type RunTransaction<Tables> = <Result>(
  db: Kysely<Tables>,
  work: Work<Tables, Result>,
) => Promise<Result>
type Work<Tables, Result> = (tx: Transaction<Tables>) => Promise<Result>

/** Thrown after a refusal, because Kysely rolls back only if the transaction throws. */
class RolledBack extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.refusal)
    this.refusal = refusal
  }
}

export const rollBackRefusals =
  <Tables>(run: RunTransaction<Tables>): RunTransaction<Tables> =>
  async <Result>(db: Kysely<Tables>, work: Work<Tables, Result>) => {
    try {
      return await run(db, async (tx) => {
        const result = await work(tx)
        if (isRefusal(result)) throw new RolledBack(result)
        return result
      })
    } catch (error) {
      if (error instanceof RolledBack) return error.refusal as Result
      throw error
    }
  }

/** On SQLite, waiting calls share a commit. If `work` throws, only its writes are undone. */
export function inSharedTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: Work<Tables, Result>,
) {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return inTransaction(db, work)
  // Otherwise, log entries of a waiting call would have the request id of another request.
  const inOwnContext = AsyncLocalStorage.snapshot()
  return new Promise<Result>((resolve, reject) => {
    const run = (tx: Transaction<Tables>) =>
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
    addMember(db, { run, fail: reject })
  })
}

type Member<Tables> = { run: Work<Tables, () => void>; fail: (error: unknown) => void }
const membersOf = new WeakMap<object, unknown[]>()

function addMember<Tables>(db: Kysely<Tables>, member: Member<Tables>) {
  const waiting = membersOf.get(db)
  if (waiting) {
    waiting.push(member)
    return
  }
  const members = [member]
  membersOf.set(db, members)
  void commitMembers(db, members)
}

async function commitMembers<Tables>(db: Kysely<Tables>, waiting: Member<Tables>[]) {
  while (waiting.length > 0) {
    let members: Member<Tables>[] = []
    try {
      await whileMoreArrive(waiting)
      const settlements = await db.transaction().execute(async (tx) => {
        members = waiting.splice(0, MAX_MEMBERS)
        const settlers: (() => void)[] = []
        for (const { run } of members) settlers.push(await run(tx))
        return settlers
      })
      for (const settle of settlements) settle()
    } catch (error) {
      // A transaction that could not begin has no members yet, so all waiting calls fail.
      for (const { fail } of members.length > 0 ? members : waiting.splice(0)) fail(error)
    }
  }
  membersOf.delete(db)
}

async function whileMoreArrive(waiting: unknown[]) {
  let count = 0
  while (count < waiting.length && waiting.length < MAX_MEMBERS) {
    count = waiting.length
    await setImmediate()
  }
}
