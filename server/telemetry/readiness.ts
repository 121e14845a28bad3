/** Whether the shop may be sent requests now (/ready), for proxies that know of other processes (046). */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrations } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import type { Log } from '#app/platform/log.server.ts'

type ReadinessFailure = 'stopping' | 'database' | 'disk'
/** Milliseconds: for the database's answer; how long an answer holds, so that asking often costs nothing; and the same for the disk. */
type Patience = { ofDatabase?: number; kept?: number; ofDisk?: number }
type Setup = { db: Db; dataDir: string; isStopping: () => boolean; log: Log; patience?: Patience }

/** As much as a block has, so that a full disk is seen. */
const TRIAL = 'x'.repeat(4096)

/** Gives what is in the way, nothing when the shop is ready. Changes are logged once. */
export function createReadinessCheck({ db, dataDir, isStopping, log, patience = {} }: Setup): () => Promise<ReadinessFailure[]> {
  const { ofDatabase = 2000, kept = 1000, ofDisk = 10_000 } = patience
  // Their names are the same on every database.
  const newest = Object.keys(migrations('sqlite')).at(-1)!
  let before = ''

  /** Answers, and has the tables of this version: a newer process may have brought it further. */
  async function hasDatabase(): Promise<boolean> {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration where name = ${newest}`.execute(db)
    return rows.length === 1
  }
  async function takesWrites(): Promise<boolean> {
    const path = join(dataDir, `.ready-${process.pid}`)
    await writeFile(path, TRIAL, { mode: 0o600 }).finally(() => rm(path, { force: true }))
    return true
  }
  const database = remembered(kept, () => inTime(hasDatabase(), ofDatabase))
  const disk = remembered(ofDisk, () => inTime(takesWrites(), ofDatabase))

  return async () => {
    const [isThere, isWritable] = await Promise.all([database(), disk()])
    const faults: ReadinessFailure[] = [...(isStopping() ? (['stopping'] as const) : []), ...(isThere ? [] : (['database'] as const))]
    if (!isWritable) faults.push('disk')
    const now = faults.join(', ')
    if (now !== before && now !== 'stopping') {
      if (now === '') log.info('the shop is ready again')
      else log.error('the shop is not ready', undefined, { because: faults })
    }
    before = now
    return faults
  }
}

/** One look at a time, whose answer holds for a while; what throws is a no. */
function remembered(milliseconds: number, look: () => Promise<boolean>): () => Promise<boolean> {
  let last: Promise<boolean> | null = null
  let until = 0
  return () => {
    if (last && performance.now() < until) return last
    until = Infinity
    last = look()
      .catch(() => false)
      .finally(() => (until = performance.now() + milliseconds))
    return last
  }
}

const inTime = (work: Promise<boolean>, milliseconds: number): Promise<boolean> =>
  Promise.race([work, new Promise<boolean>((done) => setTimeout(done, milliseconds, false).unref())])
