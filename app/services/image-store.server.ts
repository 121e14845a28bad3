import type { Insertable } from 'kysely'
import type { Db, ImageTable } from '#db/schema.ts'
import type { AppServices } from './context.ts'
import type { FileStorage } from '#lib/storage/storage.server.ts'
import { newId8, newId15 } from '#lib/text/ids.ts'
import { normalizeUpload, type ImageRefusal } from '#lib/images/normalize-upload.server.ts'
import { isDueOrClockSkewed, createJob } from '#lib/jobs/interval.server.ts'
import { createPriorityMutex } from '#lib/images/priority-mutex.ts'
import {
  filesOf,
  writeVariants,
  type ImageFiles,
  type RunExclusive,
} from '#lib/images/resize.server.ts'

export type { ImageFiles, ImageRefusal }
/** Only the customer and the owner see images in 'chat'. All other images are public. [FILES-01] */
export type ImageFolder = `items/${string}` | 'colors' | 'category' | 'people' | 'scenes' | 'chat'
export type StoredImage = Insertable<ImageTable> & { state: 'waiting' | 'finished' }

const isForEveryone = (folder: ImageFolder) => folder === 'chat' || folder === 'people'

export type ImageOptions = { name?: string; square?: number; isOwner?: boolean }
export type ImageStore = ReturnType<typeof createImageStore>

type ImageStoreOptions = Pick<AppServices, 'db' | 'live' | 'log' | 'now'> & { files: FileStorage }

export function createImageStore(options: ImageStoreOptions) {
  const { files, now } = options
  const mutex = createPriorityMutex()
  return {
    ...createResizeQueue(options, mutex.later),
    hasHung: mutex.hasHung,
    /** The caller must call keep() in its transaction, or discard(). */
    async prepare(
      folder: ImageFolder,
      bytes: Uint8Array,
      { name = newId8() + newId8(), square, isOwner = !isForEveryone(folder) }: ImageOptions = {},
    ): Promise<{ ok: true; image: StoredImage } | { ok: false; refusal: ImageRefusal }> {
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
        image: { id: newId15(), path, width, height, placeholder, createdAt: now(), ...work },
      }
    },
    async completeSoon(
      image: StoredImage,
      targetWidths: readonly number[],
      isOwner: boolean,
    ): Promise<StoredImage> {
      const turn = isOwner ? mutex.first : mutex.soon
      try {
        const { widths } = await writeVariants(files, image, turn, targetWidths)
        return { ...image, widths: JSON.stringify(widths), state: 'finished' }
      } catch (error) {
        await files.delete(image.path).catch(() => {})
        throw error
      }
    },
    async keep(on: Db, image: StoredImage) {
      await on.insertInto('images').values(image).execute()
    },
    async discard(image: ImageFiles) {
      await Promise.all(filesOf(image).map((path) => files.delete(path)))
    },
  }
}

const MINUTE_MS = 60_000
export const resizeRetryDelaysMs = [1, 5, 30, 240, 1440].map((minutes) => minutes * MINUTE_MS)
const POLL_MS = 15_000
const PUBLISH_INTERVAL_MS = 60_000

function createResizeQueue(options: ImageStoreOptions, turn: RunExclusive) {
  const { db, now, log, live } = options
  let isStopped = false

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
        const claim = await claimImage(db, now())
        if (!claim) break
        if (claim.isOurs && (await createVariants(options, claim, turn))) unpublished += 1
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
      const forget = live.onChange((topics) => topics.includes('catalog') && job.wake())
      return async () => {
        isStopped = true
        forget()
        await stop()
      }
    },
  }
}

type Claim = NonNullable<Awaited<ReturnType<typeof claimImage>>>

/**
 * Takes the newest image, because visitors look at it. Counts the attempt before it begins, because
 * an attempt may crash the process.
 */
async function claimImage(db: Db, at: number) {
  const longestDelay = resizeRetryDelaysMs.at(-1)!
  const image = await db
    .selectFrom('images')
    .selectAll()
    .where('state', '=', 'waiting')
    .where(isDueOrClockSkewed('nextAttemptAt', at, longestDelay))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!image) return null
  const attempt = image.attempts + 1
  const nextAttemptAt = at + (resizeRetryDelaysMs[image.attempts] ?? longestDelay)
  const { numUpdatedRows } = await waitingRow(db, image.id)
    .set({ attempts: attempt, nextAttemptAt })
    .where('attempts', '=', image.attempts)
    .executeTakeFirst()
  return { image, attempt, isOurs: numUpdatedRows === 1n }
}

const waitingRow = (db: Db, id: string) =>
  db.updateTable('images').where('id', '=', id).where('state', '=', 'waiting')

async function createVariants(
  { db, files, log }: ImageStoreOptions,
  { image, attempt }: Claim,
  turn: RunExclusive,
) {
  const { id, path } = image
  try {
    const { widths, paths } = await writeVariants(files, image, turn)
    const { numUpdatedRows } = await waitingRow(db, id)
      .set({ widths: JSON.stringify(widths), state: 'finished' })
      .executeTakeFirst()
    if (numUpdatedRows === 1n) return true
    // Either another process has stored the same files, or the image was deleted and must leave no
    // files.
    const row = await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()
    if (!row) await Promise.all(paths.map((file) => files.delete(file)))
  } catch (error) {
    const isLast = attempt > resizeRetryDelaysMs.length
    const message = isLast
      ? 'an image keeps only its original size'
      : 'the sizes of an image could not be created'
    log.error(message, error, { path, attempt })
    if (isLast) await waitingRow(db, id).set({ state: 'failed' }).execute()
  }
  return false
}
