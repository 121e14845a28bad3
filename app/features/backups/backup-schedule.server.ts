/** Makes the nightly backup: one of several processes does it, and a night that was missed is made up for (S-265). */
import type { Shop } from '#app/platform/context.ts'
import { listBackups } from './backup-folder.server.ts'
import { backUp } from './backups.server.ts'
import { lastRun } from './schedule.ts'

const MINUTE_MS = 60_000
/** A start has other things to do. */
const FIRST_CHECK_MS = 10 * MINUTE_MS
/** After a failure, and after a process that was killed during a backup. */
const [RETRY_MS, GIVEN_UP_MS] = [60 * MINUTE_MS, 6 * 60 * MINUTE_MS]

/** Returns true when a backup was made or tried. */
export async function backUpIfDue(shop: Shop, signal?: AbortSignal): Promise<boolean> {
  const { at, folder } = shop.backup
  if (at === null) return false
  const due = lastRun(at, shop.now(), shop.timeZone)
  const isMade = (await listBackups(folder)).some((backup) => backup.reason === 'nightly' && backup.at >= due)
  const id = `nightly-${new Date(due).toISOString()}`
  if (isMade || !(await claim(shop, id))) return false
  await backUp(shop, 'nightly', { id, ...(signal && { signal }) })
  return true
}

/** The process that writes the row makes the backup; a row without success is free again after a while. */
async function claim({ db, now }: Shop, id: string): Promise<boolean> {
  const row = { reason: 'nightly', startedAt: now(), finishedAt: null, error: null }
  const claimed = await db
    .insertInto('backups')
    .values({ id, ...row })
    .onConflict((same) =>
      same
        .column('id')
        .doUpdateSet(row)
        .where('backups.finishedAt', 'is', null)
        .where((is) =>
          is.or([
            is.and([is('backups.error', 'is not', null), is('backups.startedAt', '<=', now() - RETRY_MS)]),
            is('backups.startedAt', '<=', now() - GIVEN_UP_MS),
          ]),
        ),
    )
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/** Returns what stops it; a backup that is being made is given up. */
export function startBackups(shop: Shop): () => Promise<void> {
  if (shop.backup.at === null) return async () => {}
  const stopped = new AbortController()
  const startedAt = shop.now()
  let running: Promise<unknown> | null = null
  let isLogged = false
  const check = () => {
    running ??= backUpIfDue(shop, stopped.signal)
      .then(
        () => (isLogged = false),
        (error: unknown) => {
          // A folder that is away for a night would be logged six hundred times.
          if (!isLogged) shop.log.error('nobody could look whether a backup is due', error)
          isLogged = true
        },
      )
      .finally(() => (running = null))
  }
  const clock = setInterval(() => shop.now() - startedAt >= FIRST_CHECK_MS && check(), MINUTE_MS)
  return async () => {
    clearInterval(clock)
    stopped.abort()
    await running
  }
}
