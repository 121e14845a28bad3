import type { Db } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { readBackups } from '#app/features/backups/backups.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { readRoom, sizeOfDatabase } from '#app/platform/storage-size.server.ts'
import { type StatusFacts, type StatusLine, statusLines, urgentTitles } from './status.ts'

export async function readStatus(shop: Shop): Promise<StatusLine[]> {
  const { db, machine, mail, now, timeZone } = shop
  const backups = await readBackups(shop)
  const [last] = backups.archives
  const work = await countWork(db)
  const facts: StatusFacts = {
    disk: await readRoom(machine.dataDir),
    databaseBytes: await sizeOfDatabase(db, shop.backup.dialect),
    backup: {
      isFolderThere: backups.isFolderThere,
      last: last ? { at: last.at, size: last.size } : null,
      failure: backups.failure && { at: backups.failure.at },
      isAutomatic: backups.next !== null,
    },
    mail: { hasServer: mail.hasServer, waiting: work.mailWaiting, undelivered: work.mailUndelivered, lateSince: work.lateSince },
    pictures: { waiting: work.picturesWaiting, failed: work.picturesFailed, struggling: work.picturesStruggling },
    errors: machine.errors.lastDay(),
    version: machine.version,
    startedAt: machine.startedAt,
    now: now(),
  }
  return statusLines(facts, timeZone)
}

const KEPT = 60_000
const kept = new WeakMap<Shop['machine'], { version: string; until: number; titles: Promise<string[]> }>()

/** Also fills the cache of `readUrgent`, so that the number beside "Settings" agrees with this list. */
export function readStatusNow(shop: Shop): Promise<StatusLine[]> {
  const version = shop.live.version(ADMIN_ID)
  const lines = readStatus(shop)
  const titles = lines.then(urgentTitles)
  kept.set(shop.machine, { version, until: performance.now() + KEPT, titles })
  titles.catch(() => kept.delete(shop.machine))
  return lines
}

/** S-271: every page of the owner shows this, so it is cached for a minute or until something changes. */
export async function readUrgent(shop: Shop): Promise<string[]> {
  const found = kept.get(shop.machine)
  if (found && found.version === shop.live.version(ADMIN_ID) && performance.now() < found.until) return found.titles
  return urgentTitles(await readStatusNow(shop))
}

/** The owner is told of a picture whose widths could not be made after this many tries. */
const FEW_TRIES = 2

export async function countWork(db: Db) {
  const letters = await db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('failedAt').as('failed')])
    .select(({ fn }) => fn.min('createdAt').filterWhere('failedAt', 'is', null).filterWhere('lastError', 'is not', null).as('lateSince'))
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
  const pictures = await db
    .selectFrom('pictures')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .select(({ fn }) => fn.countAll<number>().filterWhere('attempts', '>=', FEW_TRIES).as('struggling'))
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute()
  const inState = (state: string) => pictures.find((row) => row.state === state)
  const failed = Number(letters.failed)
  return {
    mailWaiting: Number(letters.all) - failed,
    mailUndelivered: failed,
    /** when the oldest letter was written that has failed and is still tried */
    lateSince: letters.lateSince,
    picturesWaiting: Number(inState('waiting')?.count ?? 0),
    picturesStruggling: Number(inState('waiting')?.struggling ?? 0),
    picturesFailed: Number(inState('failed')?.count ?? 0),
  }
}
