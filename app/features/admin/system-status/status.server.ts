import type { Db } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { readBackups } from '#app/features/backups/backups.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { diskSpace, databaseSize } from '#app/lib/storage/free-space.server.ts'
import { type StatusFacts, type StatusItem, statusItems, criticalTitles } from './status.ts'

export async function readStatus(app: AppServices): Promise<StatusItem[]> {
  const { db, processInfo, outbox, now, timeZone } = app
  const backups = await readBackups(app)
  const [last] = backups.archives
  const work = await countPendingWork(db)
  const facts: StatusFacts = {
    disk: await diskSpace(processInfo.dataDir),
    databaseBytes: await databaseSize(db, app.backup.dialect),
    backup: {
      isFolderThere: backups.isFolderThere,
      last: last ? { at: last.at, size: last.size } : null,
      failure: backups.failure && { at: backups.failure.at },
      isAutomatic: backups.next !== null,
    },
    mail: {
      hasServer: await outbox.hasServer(),
      waiting: work.mailWaiting,
      undelivered: work.mailUndelivered,
      lateSince: work.lateSince,
    },
    pictures: {
      waiting: work.picturesWaiting,
      failed: work.picturesFailed,
      struggling: work.picturesStruggling,
    },
    errors: processInfo.errors.lastDay(),
    version: processInfo.version,
    startedAt: processInfo.startedAt,
    now: now(),
  }
  return statusItems(facts, timeZone)
}

const CACHE_MS = 60_000
const statusCache = new WeakMap<
  AppServices['processInfo'],
  { version: string; until: number; titles: Promise<string[]> }
>()

/** Reads the status from its sources, and also updates the cache of `readCriticalTitles`, so that the number beside "Settings" agrees with the status page. */
export function readStatusNow(app: AppServices): Promise<StatusItem[]> {
  const version = app.live.version(ADMIN_ID)
  const lines = readStatus(app)
  const titles = lines.then(criticalTitles)
  statusCache.set(app.processInfo, { version, until: performance.now() + CACHE_MS, titles })
  titles.catch(() => statusCache.delete(app.processInfo))
  return lines
}

/** Returns the titles of the red status lines. Every page of the owner shows the number of these lines, so the titles are cached for at most a minute. [S-271] */
export async function readCriticalTitles(app: AppServices): Promise<string[]> {
  const found = statusCache.get(app.processInfo)
  if (found && found.version === app.live.version(ADMIN_ID) && performance.now() < found.until)
    return found.titles
  return criticalTitles(await readStatusNow(app))
}

/** The status page warns about an image after this many failed attempts to resize it. */
const MIN_FAILED_ATTEMPTS = 2

export async function countPendingWork(db: Db) {
  const emails = await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.count<number>('failedAt').as('failed'),
    ])
    .select(({ fn }) =>
      fn
        .min('createdAt')
        .filterWhere('failedAt', 'is', null)
        .filterWhere('lastError', 'is not', null)
        .as('lateSince'),
    )
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
  const pictures = await db
    .selectFrom('pictures')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .select(({ fn }) =>
      fn.countAll<number>().filterWhere('attempts', '>=', MIN_FAILED_ATTEMPTS).as('struggling'),
    )
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute()
  const inState = (state: string) => pictures.find((row) => row.state === state)
  const failed = Number(emails.failed)
  return {
    mailWaiting: Number(emails.all) - failed,
    mailUndelivered: failed,
    /** The creation time of the oldest email that could not be sent yet and will be retried. */
    lateSince: emails.lateSince,
    picturesWaiting: Number(inState('waiting')?.count ?? 0),
    picturesStruggling: Number(inState('waiting')?.struggling ?? 0),
    picturesFailed: Number(inState('failed')?.count ?? 0),
  }
}
