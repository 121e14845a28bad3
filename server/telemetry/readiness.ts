/** Checks whether the shop can serve requests. Load balancers request the result at /ready. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrations } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'

type ReadinessFailure = 'stopping' | 'database' | 'disk'
/** Times in milliseconds. Each check may take `checkTimeoutMs`. The results are cached for `cacheMs` (database) and `diskCacheMs` (disk). */
type ReadinessTimeouts = { checkTimeoutMs?: number; cacheMs?: number; diskCacheMs?: number }
type Options = {
  db: Db
  dataDir: string
  isStopping: () => boolean
  log: Log
  timeouts?: ReadinessTimeouts
}

/** The check writes this text, which fills a whole disk block, to detect a full disk. */
const TEST_BYTES = 'x'.repeat(4096)

/** Returns a function that lists everything that prevents the shop from serving requests. Each change of this list is logged once. */
export function createReadinessCheck({
  db,
  dataDir,
  isStopping,
  log,
  timeouts = {},
}: Options): () => Promise<ReadinessFailure[]> {
  const { checkTimeoutMs = 2000, cacheMs = 1000, diskCacheMs = 10_000 } = timeouts
  const newest = Object.keys(migrations('sqlite')).at(-1)!
  let before = ''

  /** Returns false if the database lacks the newest migration of this process. Throws if the database is unavailable. */
  async function hasDatabase(): Promise<boolean> {
    const { rows } = await sql<{
      name: string
    }>`select name from kysely_migration where name = ${newest}`.execute(db)
    return rows.length === 1
  }
  async function takesWrites(): Promise<boolean> {
    const path = join(dataDir, `.ready-${process.pid}`)
    await writeFile(path, TEST_BYTES, { mode: 0o600 }).finally(() => rm(path, { force: true }))
    return true
  }
  const database = cachedCheck(cacheMs, () => withTimeout(hasDatabase(), checkTimeoutMs))
  const disk = cachedCheck(diskCacheMs, () => withTimeout(takesWrites(), checkTimeoutMs))

  return async () => {
    const [isThere, isWritable] = await Promise.all([database(), disk()])
    const faults: ReadinessFailure[] = [
      ...(isStopping() ? (['stopping'] as const) : []),
      ...(isThere ? [] : (['database'] as const)),
    ]
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

/** Caches the result of a check, so that the check never runs twice at the same time. An error counts as false. */
function cachedCheck(
  milliseconds: number,
  request: () => Promise<boolean>,
): () => Promise<boolean> {
  let last: Promise<boolean> | null = null
  let until = 0
  return () => {
    if (last && performance.now() < until) return last
    until = Infinity
    last = request()
      .catch(() => false)
      .finally(() => (until = performance.now() + milliseconds))
    return last
  }
}

const withTimeout = (work: Promise<boolean>, milliseconds: number): Promise<boolean> =>
  Promise.race([
    work,
    new Promise<boolean>((done) => setTimeout(done, milliseconds, false).unref()),
  ])
