import type { Insertable } from 'kysely'
import type { Db, ImageTable, Tx } from '#db/schema.ts'
import type { FileStorage } from '#app/lib/storage/storage.server.ts'
import { newId8, newId15 } from '#app/lib/text/ids.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'
import { normalizeUpload, type ImageRefusal } from './normalize-upload.server.ts'
import { isDueOrClockSkewed, createJob } from '#app/lib/jobs/interval.server.ts'
import { createPriorityMutex } from './priority-mutex.ts'
import { filesOf, writeVariants, type ImageFiles, type RunExclusive } from './resize.server.ts'

export type { ImageFiles, ImageRefusal }
/** Only the customer and the owner can see the images in 'chat'. Images in all other folders are public. [FILES-01 to FILES-03] */
export type ImageFolder = `items/${string}` | 'colors' | 'category' | 'people' | 'scenes' | 'chat'
export type StoredImage = Insertable<ImageTable> & { state: 'waiting' | 'finished' }

/** Everyone can upload images to a chat and a profile photo. Only the owner can upload other images. */
const isForEveryone = (folder: ImageFolder) => folder === 'chat' || folder === 'people'

type Prepared = { ok: true; picture: StoredImage } | { ok: false; refusal: ImageRefusal }
/** `isOwner` says whether the owner uploads the image. Her images do not wait for the images of other people. By default, it is true for the folders to which only she can upload. */
export type ImageOptions = { name?: string; square?: number; isOwner?: boolean }
export type ImageStore = ReturnType<typeof createImageStore>

type Changes = {
  changed: (topic: 'catalog') => void
  onChange: (listener: (topics: readonly string[]) => void) => () => void
}
type Options = { db: Db; files: FileStorage; now: () => number; log: Log; live: Changes }

export function createImageStore({ db, files, now, log, live }: Options) {
  const mutex = createPriorityMutex()
  return {
    ...createResizeQueue({ db, files, now, log, live }, mutex.later),
    hasHung: mutex.hasHung,
    /** Writes only the original file of an image. The caller then calls keep() in the transaction that uses the image, or calls discard(). A file with the same `name` is overwritten. Images that everyone can upload are compact. */
    async prepare(
      folder: ImageFolder,
      bytes: Uint8Array,
      { name = newId8() + newId8(), square, isOwner = !isForEveryone(folder) }: ImageOptions = {},
    ): Promise<Prepared> {
      const turn = isOwner ? mutex.first : mutex.soon
      const original = await turn(() =>
        normalizeUpload(bytes, { square, isCompact: isForEveryone(folder) }),
      )
      if (!original.ok) return original
      const path = `${folder}/${name}.${original.extension}`
      await files.put(path, original.bytes)
      const { width, height, placeholder } = original
      const work = { widths: '[]', state: 'waiting', attempts: 0, nextAttemptAt: 0 } as const
      return {
        ok: true,
        picture: { id: newId15(), path, width, height, placeholder, createdAt: now(), ...work },
      }
    },
    /** Creates only the image variants of the given widths. A user waits for them, so they are created before any background work. If a variant cannot be created, deletes the original. */
    async completeSoon(
      picture: StoredImage,
      targetWidths: readonly number[],
      isOwner: boolean,
    ): Promise<StoredImage> {
      try {
        const { widths } = await writeVariants(
          files,
          picture,
          isOwner ? mutex.first : mutex.soon,
          targetWidths,
        )
        return { ...picture, widths: JSON.stringify(widths), state: 'finished' }
      } catch (error) {
        await files.delete(picture.path).catch(() => {})
        throw error
      }
    },
    async keep(on: Db | Tx, picture: StoredImage) {
      await on.insertInto('pictures').values(picture).execute()
    },
    async discard(picture: ImageFiles) {
      await Promise.all(filesOf(picture).map((path) => files.delete(path)))
    },
  }
}

const MINUTE_MS = 60_000
/** The delays after failed attempts to create the variants of an image. After the last failed attempt, the image has only its original size. */
export const resizeRetryDelaysMs = [1, 5, 30, 240, 1440].map((minutes) => minutes * MINUTE_MS)
/** The queue looks for pending images at this interval in milliseconds, and immediately after an upload. */
const POLL_MS = 15_000
/** The queue publishes finished images together at this interval in milliseconds, because each change makes browsers load their page again. */
const PUBLISH_INTERVAL_MS = 60_000

/** Creates the variants of new images in the background. The database contains the pending images, so that no image is forgotten when the process is killed. */
function createResizeQueue({ db, files, now, log, live }: Options, turn: RunExclusive) {
  let isStopped = false

  /** Claims the newest image, because a visitor is probably looking at it. The attempt is counted before it starts, because an attempt might crash the process. */
  async function claim() {
    const at = now()
    const due = await db
      .selectFrom('pictures')
      .selectAll()
      .where('state', '=', 'waiting')
      .where(isDueOrClockSkewed('nextAttemptAt', at, Math.max(...resizeRetryDelaysMs)))
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!due) return null
    const attempt = due.attempts + 1
    const taken = await db
      .updateTable('pictures')
      .set({
        attempts: attempt,
        nextAttemptAt: at + (resizeRetryDelaysMs[due.attempts] ?? resizeRetryDelaysMs.at(-1)!),
      })
      .where('id', '=', due.id)
      .where('attempts', '=', due.attempts)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    return { picture: due, attempt, isOurs: taken.numUpdatedRows === 1n }
  }

  /** Creates the variants of one image. Returns true if all variants exist and pages may show these variants. */
  async function make({
    picture,
    attempt,
  }: NonNullable<Awaited<ReturnType<typeof claim>>>): Promise<boolean> {
    const ours = db
      .updateTable('pictures')
      .where('id', '=', picture.id)
      .where('state', '=', 'waiting')
    try {
      const { widths, written } = await writeVariants(files, picture, turn)
      const finished = await ours
        .set({ widths: JSON.stringify(widths), state: 'finished' })
        .executeTakeFirst()
      if (finished.numUpdatedRows === 1n) return true
      // No row was changed. If the image was deleted in the meantime, its new files are deleted, too. Otherwise another process has already stored the same files, which stay.
      const row = await db
        .selectFrom('pictures')
        .select('id')
        .where('id', '=', picture.id)
        .executeTakeFirst()
      if (!row) await Promise.all(written.map((path) => files.delete(path)))
    } catch (error) {
      const isLast = attempt > resizeRetryDelaysMs.length
      log.error(
        isLast
          ? 'an image keeps only its original size'
          : 'the sizes of an image could not be created',
        error,
        {
          path: picture.path,
          attempt,
        },
      )
      if (isLast) await ours.set({ state: 'failed' }).execute()
    }
    return false
  }

  async function work() {
    let unpublished = 0
    let publishedAt = now()
    const publish = () => {
      if (unpublished > 0) live.changed('catalog')
      unpublished = 0
      publishedAt = now()
    }
    try {
      while (!isStopped) {
        const next = await claim()
        if (!next) break
        if (next.isOurs && (await make(next))) unpublished += 1
        if (now() - publishedAt >= PUBLISH_INTERVAL_MS) publish()
      }
    } finally {
      publish()
    }
  }

  const job = createJob({ every: POLL_MS, failure: 'images could not be processed', log }, work)
  return {
    finish: job.run,
    wake: job.wake,
    start() {
      const stop = job.start()
      // Code that saves an image publishes a change of the catalog, which wakes this queue.
      const forget = live.onChange((topics) => topics.includes('catalog') && job.wake())
      return async () => {
        isStopped = true
        forget()
        await stop()
      }
    },
  }
}
