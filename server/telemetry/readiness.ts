import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrations } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import type { Log } from '#lib/telemetry/log.server.ts'

/** Fills a whole block, because a smaller file may still fit on a full disk. */
const TEST_BYTES = 'x'.repeat(4096)

type ReadinessOptions = { db: Db; dataDir: string; isStopping: () => boolean; log: Log }

export function createReadinessCheck(
  { db, dataDir, isStopping, log }: ReadinessOptions,
  { checkTimeoutMs = 2000, cacheMs = 1000, diskCacheMs = 10_000 } = {},
) {
  const newest = Object.keys(migrations('sqlite')).at(-1)!
  let before = ''

  async function hasDatabase() {
    const query = sql`select name from kysely_migration where name = ${newest}`
    return (await query.execute(db)).rows.length === 1
  }
  async function takesWrites() {
    const path = join(dataDir, `.ready-${process.pid}`)
    await writeFile(path, TEST_BYTES, { mode: 0o600 }).finally(() => rm(path, { force: true }))
    return true
  }
  const database = cachedCheck(cacheMs, () => withTimeout(hasDatabase(), checkTimeoutMs))
  const disk = cachedCheck(diskCacheMs, () => withTimeout(takesWrites(), checkTimeoutMs))

  return async () => {
    const [isThere, isWritable] = await Promise.all([database(), disk()])
    const faults = { stopping: isStopping(), database: !isThere, disk: !isWritable }
    const because = Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [fault] : []))
    const now = because.join(', ')
    if (now !== before && now !== 'stopping') {
      if (now === '') log.info('the shop is ready again')
      else log.error('the shop is not ready', undefined, { because })
    }
    before = now
    return because
  }
}

function cachedCheck(milliseconds: number, request: () => Promise<boolean>) {
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

const withTimeout = (work: Promise<boolean>, milliseconds: number) =>
  Promise.race([
    work,
    new Promise<boolean>((done) => setTimeout(done, milliseconds, false).unref()),
  ])
