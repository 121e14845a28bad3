import type { Db } from '#db/schema.ts'
import { readBackups } from '#backups/backups.server.ts'
import { databaseSize, diskSpace } from '#lib/storage/free-space.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import type { AppServices } from '#services/context.ts'
import { criticalTitles, statusItems } from './status.ts'

export const readStatus = async (app: AppServices) =>
  statusItems(await readFacts(app), app.timeZone)

export type StatusFacts = Awaited<ReturnType<typeof readFacts>>

async function readFacts(app: AppServices) {
  const { db, processInfo, outbox, now } = app
  const { archives, isFolderThere, failure, next } = await readBackups(app)
  const { mail, images } = await countPendingWork(db)
  return {
    disk: await diskSpace(processInfo.dataDir),
    databaseBytes: await databaseSize(db, app.backup.dialect),
    backup: {
      isFolderThere,
      last: archives[0] ?? null,
      failure,
      isAutomatic: next !== null,
    },
    mail: { hasServer: await outbox.hasServer(), ...mail },
    images,
    errors: processInfo.errors.lastDay(),
    version: processInfo.version,
    startedAt: processInfo.startedAt,
    now: now(),
  }
}

const CACHE_MS = 60_000
const statusCache = new WeakMap<
  AppServices['processInfo'],
  { version: string; until: number; titles: Promise<string[]> }
>()

export function readStatusNow(app: AppServices) {
  const version = app.live.version(OWNER_ID)
  const lines = readStatus(app)
  const titles = lines.then(criticalTitles)
  statusCache.set(app.processInfo, { version, until: performance.now() + CACHE_MS, titles })
  titles.catch(() => statusCache.delete(app.processInfo))
  return lines
}

/** The titles of the alerts may be a minute old. [S-271] */
export async function readCriticalTitles(app: AppServices) {
  const entry = statusCache.get(app.processInfo)
  if (entry && entry.version === app.live.version(OWNER_ID) && performance.now() < entry.until) {
    return entry.titles
  }
  return criticalTitles(await readStatusNow(app))
}

const MIN_FAILED_ATTEMPTS = 2

export async function countPendingWork(db: Db) {
  const emails = await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.count<number>('failedAt').as('failed'),
      fn
        .min<number | null>('createdAt')
        .filterWhere('failedAt', 'is', null)
        .filterWhere('lastError', 'is not', null)
        .as('lateSince'),
    ])
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
  const images = await db
    .selectFrom('images')
    .select(({ fn }) => [
      'state',
      fn.countAll<number>().as('count'),
      fn.countAll<number>().filterWhere('attempts', '>=', MIN_FAILED_ATTEMPTS).as('struggling'),
    ])
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute()
  const inState = (state: string) => images.find((row) => row.state === state)
  const undelivered = Number(emails.failed)
  const waiting = inState('waiting')
  return {
    mail: {
      waiting: Number(emails.all) - undelivered,
      undelivered,
      lateSince: emails.lateSince,
    },
    images: {
      waiting: Number(waiting?.count ?? 0),
      struggling: Number(waiting?.struggling ?? 0),
      failed: Number(inState('failed')?.count ?? 0),
    },
  }
}
