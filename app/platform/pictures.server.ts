import type { Insertable } from 'kysely'
import type { Db, PictureTable, Tx } from '#db/schema.ts'
import type { Files } from './files.server.ts'
import { newId8, newId15 } from './ids.ts'
import type { Live } from './live.server.ts'
import type { Log } from './log.server.ts'
import { makeOriginal, type PictureRefusal } from './normalize-upload.server.ts'
import { isDue, openJob } from './regularly.server.ts'
import { filesOf, makeWidths, type FilesOfPicture, type Turn } from './resize.server.ts'

export type { FilesOfPicture, PictureRefusal }
/** items/{category} | colors | category | people | scenes (FILES-01 to FILES-03); chat: for the two of a conversation only (025) */
export type PictureFolder = `items/${string}` | 'colors' | 'category' | 'people' | 'scenes' | 'chat'
export type StoredPicture = Insertable<PictureTable> & { state: 'waiting' | 'finished' }

type Prepared = { ok: true; picture: StoredPicture } | { ok: false; refusal: PictureRefusal }
export type Pictures = ReturnType<typeof openPictures>

type Setup = { db: Db; files: Files; now: () => number; log: Log; live: Pick<Live, 'changed' | 'onChange'> }

/** One piece of work on pictures at a time, so that a core is left for the pages; uploads, for which somebody waits, come before the background. */
function openTurns(): { soon: Turn; later: Turn } {
  let isTaken = false
  const soon: (() => void)[] = []
  const later: (() => void)[] = []
  const turn =
    (waiting: (() => void)[]): Turn =>
    async (work) => {
      if (isTaken) await new Promise<void>((go) => waiting.push(go))
      isTaken = true
      try {
        return await work()
      } finally {
        const next = soon.shift() ?? later.shift()
        if (next) next()
        else isTaken = false
      }
    }
  return { soon: turn(soon), later: turn(later) }
}

export function openPictures({ db, files, now, log, live }: Setup) {
  const turns = openTurns()
  return {
    ...openPictureWork({ db, files, now, log, live }, turns.later),
    /** Writes the original, not yet the row: call keep() in the transaction that uses the picture, or discard(). A given `name` is overwritten. */
    async prepare(folder: PictureFolder, bytes: Uint8Array, name = newId8() + newId8(), square?: number): Promise<Prepared> {
      const original = await turns.soon(() => makeOriginal(bytes, square))
      if (!original.ok) return original
      const path = `${folder}/${name}.${original.extension}`
      await files.put(path, original.bytes)
      const { width, height, placeholder } = original
      const work = { widths: '[]', state: 'waiting', attempts: 0, nextAttemptAt: 0 } as const
      return { ok: true, picture: { id: newId15(), path, width, height, placeholder, createdAt: now(), ...work } }
    },
    /** Makes only these widths of a prepared picture, before others' work: somebody waits for it. Throws the original away when it fails. */
    async completeSoon(picture: StoredPicture, wanted: readonly number[]): Promise<StoredPicture> {
      try {
        const { widths } = await makeWidths(files, picture, turns.soon, wanted)
        return { ...picture, widths: JSON.stringify(widths), state: 'finished' }
      } catch (error) {
        await files.delete(picture.path).catch(() => {})
        throw error
      }
    },
    async keep(on: Db | Tx, picture: StoredPicture) {
      await on.insertInto('pictures').values(picture).execute()
    },
    async discard(picture: FilesOfPicture) {
      await Promise.all(filesOf(picture).map((path) => files.delete(path)))
    },
  }
}

const MINUTE = 60_000
/** Pauses after failed tries; after the last one the picture stays as it was sent. */
export const pauses = [1, 5, 30, 240, 1440].map((minutes) => minutes * MINUTE)
/** Milliseconds between two looks at what is due; a new picture wakes the work at once. */
const ROUND = 15_000
/** Milliseconds. Many pictures in a row are told together: each telling makes every browser load its page again. */
const TOLD_TOGETHER = 60_000

/** Makes the widths of new pictures in the background. The work stands in the database, so no kill and no restart loses it. */
function openPictureWork({ db, files, now, log, live }: Setup, turn: Turn) {
  let isStopped = false

  /** The newest first: somebody is looking at it. The try is counted before it is made, for one that ends the process counts too. */
  async function claim() {
    const at = now()
    const due = await db
      .selectFrom('pictures')
      .selectAll()
      .where('state', '=', 'waiting')
      .where(isDue('nextAttemptAt', at, Math.max(...pauses)))
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!due) return null
    const attempt = due.attempts + 1
    const taken = await db
      .updateTable('pictures')
      .set({ attempts: attempt, nextAttemptAt: at + (pauses[due.attempts] ?? pauses.at(-1)!) })
      .where('id', '=', due.id)
      .where('attempts', '=', due.attempts)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    return { picture: due, attempt, isOurs: taken.numUpdatedRows === 1n }
  }

  /** true: pages may show it. */
  async function make({ picture, attempt }: NonNullable<Awaited<ReturnType<typeof claim>>>): Promise<boolean> {
    const ours = db.updateTable('pictures').where('id', '=', picture.id).where('state', '=', 'waiting')
    try {
      const { widths, written } = await makeWidths(files, picture, turn)
      const kept = await ours.set({ widths: JSON.stringify(widths), state: 'finished' }).executeTakeFirst()
      if (kept.numUpdatedRows === 1n) return true
      // Deleted meanwhile, with the files that were known then; or another process was faster, and these are its files too.
      const row = await db.selectFrom('pictures').select('id').where('id', '=', picture.id).executeTakeFirst()
      if (!row) await Promise.all(written.map((path) => files.delete(path)))
    } catch (error) {
      const isLast = attempt > pauses.length
      log.error(isLast ? 'a picture stays as it was sent' : 'the widths of a picture could not be made', error, {
        path: picture.path,
        attempt,
      })
      if (isLast) await ours.set({ state: 'failed' }).execute()
    }
    return false
  }

  async function work() {
    let untold = 0
    let toldAt = now()
    const tell = () => {
      if (untold > 0) live.changed('catalogue')
      untold = 0
      toldAt = now()
    }
    try {
      while (!isStopped) {
        const next = await claim()
        if (!next) break
        if (next.isOurs && (await make(next))) untold += 1
        if (now() - toldAt >= TOLD_TOGETHER) tell()
      }
    } finally {
      tell()
    }
  }

  const job = openJob({ every: ROUND, failure: 'the work on pictures broke off', log }, work)
  return {
    finish: job.run,
    wake: job.wake,
    start() {
      const stop = job.start()
      // Whoever keeps a picture says afterwards what has changed.
      const forget = live.onChange((topics) => topics.includes('catalogue') && job.wake())
      return async () => {
        isStopped = true
        forget()
        await stop()
      }
    },
  }
}
