import type { Db } from '#db/schema.ts'
import { readBackups } from '#app/features/backups/backups.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { readRoom, sizeOfDatabase } from '#app/platform/storage-size.server.ts'
import type { Topic } from '#app/platform/live.server.ts'
import { type StatusFacts, type StatusLine, statusLines, urgentTitles } from './status.ts'

async function lateSince(db: Db): Promise<number | null> {
  const letter = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.min('createdAt').as('at'))
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('lastError', 'is not', null)
    .executeTakeFirst()
  return letter?.at ?? null
}

const FEW_TRIES = 2
async function countStruggling(db: Db): Promise<number> {
  const pictures = await db
    .selectFrom('pictures')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'waiting')
    .where('attempts', '>=', FEW_TRIES)
    .executeTakeFirstOrThrow()
  return Number(pictures.count)
}

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
    mail: { hasServer: mail.hasServer, waiting: work.mailWaiting, undelivered: work.mailUndelivered, lateSince: await lateSince(db) },
    pictures: { waiting: work.picturesWaiting, failed: work.picturesFailed, struggling: await countStruggling(db) },
    errors: machine.errors.lastDay(),
    version: machine.version,
    startedAt: machine.startedAt,
    now: now(),
  }
  return statusLines(facts, timeZone)
}

/** Looked at with each of her pages, so not each time anew. */
const KEPT = 60_000
/** Ends before that: she has just seen to it, and looks whether that has helped. */
const SEEN_TO: Topic[] = ['backups', 'mail']
const kept = new WeakMap<Shop['machine'], { until: number; titles: Promise<string[]> }>()

function keepUrgent({ machine, live }: Shop, titles: Promise<string[]>) {
  if (!kept.has(machine)) {
    const stop = live.onChange((topics) => {
      if (!topics.some((topic) => SEEN_TO.includes(topic))) return
      kept.delete(machine)
      stop()
    })
  }
  kept.set(machine, { until: performance.now() + KEPT, titles })
}

export function readUrgent(shop: Shop): Promise<string[]> {
  const found = kept.get(shop.machine)
  if (found && performance.now() < found.until) return found.titles
  const titles = readStatus(shop).then(urgentTitles)
  keepUrgent(shop, titles)
  titles.catch(() => kept.set(shop.machine, { until: 0, titles }))
  return titles
}

/** The page itself has looked: the number beside "Settings" says the same. */
export async function readStatusNow(shop: Shop): Promise<StatusLine[]> {
  const lines = await readStatus(shop)
  keepUrgent(shop, Promise.resolve(urgentTitles(lines)))
  return lines
}

export type Work = { mailWaiting: number; mailUndelivered: number; picturesWaiting: number; picturesFailed: number }

export async function countWork(db: Db): Promise<Work> {
  const letters = await db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('failedAt').as('failed')])
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
  const pictures = await db
    .selectFrom('pictures')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute()
  const inState = (state: string) => Number(pictures.find((row) => row.state === state)?.count ?? 0)
  const [all, failed] = [Number(letters.all), Number(letters.failed)]
  return { mailWaiting: all - failed, mailUndelivered: failed, picturesWaiting: inState('waiting'), picturesFailed: inState('failed') }
}
