/** The clock of the nightly backup: of several processes one makes it, and one that was missed is made up for (S-265). */
import type { Shop } from '#app/platform/context.ts'
import { listArchives } from './backup-folder.server.ts'
import { backUp } from './backups.server.ts'
import { lastPoint } from './schedule.ts'

const MINUTE = 60_000
/** A start has other things to do. */
const FIRST_LOOK = 10 * MINUTE
/** After a failure, and after a process that was killed at it. */
const [AGAIN, GIVEN_UP] = [60 * MINUTE, 6 * 60 * MINUTE]

/** true: one was made or tried. */
export async function backUpIfDue(shop: Shop, signal?: AbortSignal): Promise<boolean> {
  const { at, folder } = shop.backup
  if (at === null) return false
  const point = lastPoint(at, shop.now(), shop.timeZone)
  const isThere = (await listArchives(folder)).some((archive) => archive.reason === 'nightly' && archive.at >= point)
  const id = `nightly-${new Date(point).toISOString()}`
  if (isThere || !(await claim(shop, id))) return false
  await backUp(shop, 'nightly', { id, ...(signal && { signal }) })
  return true
}

/** Whoever writes the row has it; one without success is free again after a while. */
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
            is.and([is('backups.error', 'is not', null), is('backups.startedAt', '<=', now() - AGAIN)]),
            is('backups.startedAt', '<=', now() - GIVEN_UP),
          ]),
        ),
    )
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/** Gives what stops it; a backup under way is left undone. */
export function startBackups(shop: Shop): () => Promise<void> {
  if (shop.backup.at === null) return async () => {}
  const stopped = new AbortController()
  let round: Promise<unknown> | null = null
  let isTold = false
  const look = () => {
    round ??= backUpIfDue(shop, stopped.signal)
      .then(
        () => (isTold = false),
        (error: unknown) => {
          // A folder that is away for a night would be told six hundred times.
          if (!isTold) shop.log.error('nobody could look whether a backup is due', error)
          isTold = true
        },
      )
      .finally(() => (round = null))
  }
  const clock = setInterval(() => shop.now() - begun >= FIRST_LOOK && look(), MINUTE)
  const begun = shop.now()
  return async () => {
    clearInterval(clock)
    stopped.abort()
    await round
  }
}
