import { sql, type SqlBool } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import { itemFolder, profilePhotoStem } from '#app/services/image-paths.ts'
import type {
  ImageFiles,
  ImageFolder,
  ImageOptions,
  StoredImage,
} from '#app/lib/images/image-store.server.ts'
import { runEvery } from '#app/lib/jobs/interval.server.ts'
import { filesOf, stemOfVariant } from '#app/lib/images/resize.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import {
  validateFile,
  type FileRefusal,
  pathOfUrl,
  pictureUrl,
  type Upload,
} from './image-upload.ts'
import { itemFileErrorTexts, uploadTexts } from './texts.ts'

const DAY_MS = 86_400_000

/** True if no item, color, category, showcase record, message or upload uses the image. */
export const isUnused = sql<SqlBool>`(${sql.join(
  [
    // These tables are small and have no index on `pictureId`. So the database reads all rows of each table once.
    ...['colors', 'categories', 'showcase'].map(
      (table) =>
        sql`"pictures"."id" not in (select "pictureId" from ${sql.table(table)} where "pictureId" is not null)`,
    ),
    ...['itemPictures', 'messagePictures', 'chatUploads'].map(
      (table) =>
        sql`not exists (select "pictureId" from ${sql.table(table)} where "pictureId" = "pictures"."id")`,
    ),
  ],
  sql` and `,
)})`

const sortedIds = (ids: readonly (string | null)[]): string[] =>
  [...new Set(ids.filter((id) => id !== null))].sort()

/** Locks images before a record starts or stops using them, so that concurrent changes run one after the other. Always locks in the same sequence to avoid deadlocks. */
export async function lockPictures(tx: Tx, ids: readonly (string | null)[]): Promise<void> {
  for (const id of sortedIds(ids))
    await tx
      .updateTable('pictures')
      .set(({ ref }) => ({ path: ref('path') }))
      .where('id', '=', id)
      .execute()
}

/** Deletes the database rows of images that no record uses, and returns the image files to delete after the commit. */
export async function removePictureRows(
  tx: Tx,
  ids: readonly (string | null)[],
): Promise<ImageFiles[]> {
  await lockPictures(tx, ids)
  const gone: ImageFiles[] = []
  for (const id of sortedIds(ids))
    gone.push(
      ...(await tx
        .deleteFrom('pictures')
        .where('id', '=', id)
        .where(isUnused)
        .returning(['path', 'widths', 'state'])
        .execute()),
    )
  return gone
}

type PreparedImage = { ok: true; picture: StoredImage } | { ok: false; refusal: FileRefusal }

/** Checks an uploaded image and stores its file. The caller then inserts the database row of the image in its own transaction. Throws if the file cannot be stored. */
export async function prepareUpload(
  app: AppServices,
  folder: ImageFolder,
  file: FormDataEntryValue | null,
  options?: ImageOptions,
): Promise<PreparedImage> {
  const refusal = validateFile(file)
  if (refusal || !(file instanceof File)) return { ok: false, refusal: refusal ?? 'no-file' }
  return app.images.prepare(folder, new Uint8Array(await file.arrayBuffer()), options)
}

const MIN_FREE_BYTES = 1_000_000_000

/** Returns true if the disk has so little space left that only the owner can upload images, because without space the shop could not store orders either. [S-421] */
export const isDiskAlmostFull = async ({
  storage,
}: Pick<AppServices, 'storage'>): Promise<boolean> =>
  ((await storage.freeBytes?.()) ?? Infinity) < MIN_FREE_BYTES

/** The shop shows profile photos with at most this width and height in pixels. */
const PHOTO_SIDE = 480

/** Stores an uploaded profile photo under a file name that cannot be guessed. [S-139] */
export const preparePhoto = (
  app: AppServices,
  file: FormDataEntryValue | null,
  isOwner: boolean,
): Promise<PreparedImage> =>
  prepareUpload(app, 'people', file, { name: newSecretId(), square: PHOTO_SIDE, isOwner })

/** Deletes image files after the commit that removed their database rows. The shop logs an error and does not throw it. [S-095, FILES-09, FILES-10] */
export async function deletePictureFiles(
  app: Pick<AppServices, 'images' | 'log'>,
  pictures: readonly ImageFiles[],
): Promise<'deleted' | 'error'> {
  let state: 'deleted' | 'error' = 'deleted'
  for (const picture of pictures)
    await app.images.discard(picture).catch((error: unknown) => {
      state = 'error'
      app.log.error('an image file could not be deleted', error, { path: picture.path })
    })
  return state
}

/** Runs `work`, and deletes the files of the given images if `work` throws. */
export async function withPreparedImages<T>(
  app: Pick<AppServices, 'images' | 'log'>,
  pictures: readonly StoredImage[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await deletePictureFiles(app, pictures)
    throw error
  }
}

/** Changes a category or color, and replaces its image if `picture` is given. Returns false if the category or color does not exist. */
export async function changeWithPicture(
  app: AppServices,
  table: 'categories' | 'colors',
  id: string,
  picture: StoredImage | null,
  write: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  const pictures = picture ? [picture] : []
  const replaced = await withPreparedImages(app, pictures, () =>
    inTransaction(app.db, async (tx) => {
      const rowOf = (values: { createdAt: number } | { pictureId: string }) =>
        tx
          .updateTable(table as 'colors')
          .set(values)
          .where('id', '=', id)
          .returning('pictureId')
          .executeTakeFirst()
      // This write locks the row of the category or color, so that concurrent changes replace the image one after the other.
      const row = await rowOf({ createdAt: app.now() })
      if (!row) return null
      await write(tx)
      if (!picture) return []
      await app.images.keep(tx, picture)
      await rowOf({ pictureId: picture.id })
      return removePictureRows(tx, [row.pictureId])
    }),
  )
  if (replaced) app.live.changed('catalog')
  await deletePictureFiles(app, replaced ?? pictures)
  return replaced !== null
}

/** Deletes uploaded images that are older than a day and that no saved item and no message uses. */
export async function deleteAbandonedUploads(app: AppServices): Promise<void> {
  const before = app.now() - DAY_MS
  const forgotten = await inTransaction(app.db, async (tx) => {
    const old = tx
      .selectFrom('pictures')
      .select('id')
      .where('path', 'like', 'chat/%')
      .where('createdAt', '<', before)
    await tx.deleteFrom('chatUploads').where('pictureId', 'in', old).execute()
    const rows = await tx
      .selectFrom('pictures')
      .select('id')
      .where((build) =>
        build.or([build('path', 'like', 'items/%'), build('path', 'like', 'chat/%')]),
      )
      .where('createdAt', '<', before)
      .where(isUnused)
      .execute()
    return removePictureRows(
      tx,
      rows.map(({ id }) => id),
    )
  })
  await deletePictureFiles(app, forgotten)
}

/** Stores an uploaded image of an item that is not saved yet. `signal` aborts when the browser closes the connection. [MERCH-33] */
export async function uploadItemPicture(
  app: AppServices,
  categoryId: string,
  file: FormDataEntryValue | null,
  signal: AbortSignal,
): Promise<Upload> {
  const category = await app.db
    .selectFrom('categories')
    .select('id')
    .where('id', '=', categoryId)
    .executeTakeFirst()
  if (!category) return { state: 'error', text: uploadTexts.noCategory }
  const prepared = await prepareUpload(app, itemFolder(category.id), file)
  if (!prepared.ok) return { state: 'error', text: itemFileErrorTexts[prepared.refusal] }
  const { picture } = prepared
  await withPreparedImages(app, [picture], () => app.images.keep(app.db, picture))
  // The browser has closed the connection and never receives the id of the image. So no item would ever use this image.
  if (signal.aborted) return deleteUpload(app, pictureUrl(picture.path))
  app.images.wake()
  return { state: 'uploaded', id: picture.id, url: pictureUrl(picture.path) }
}

export async function deleteUpload(app: AppServices, url: string): Promise<Upload> {
  const gone = await inTransaction(app.db, async (tx) => {
    const named = tx.selectFrom('pictures').select('id').where('path', '=', pathOfUrl(url))
    const row = await named.where('path', 'like', 'items/%').where(isUnused).executeTakeFirst()
    return row ? removePictureRows(tx, [row.id]) : []
  })
  if (gone.length === 0) return { state: 'error', text: uploadTexts.noUpload }
  const isDeleted = (await deletePictureFiles(app, gone)) === 'deleted'
  return isDeleted ? { state: 'deleted' } : { state: 'error', text: uploadTexts.notDeleted }
}

/** Returns true for the path of an uploaded image. Such a file is an orphan if no database row contains its path. The images of the demo and the files in share/ have other paths. [FILES-01 to FILES-03] */
const isUploadedImagePath = (path: string): boolean =>
  /^((items|colors|category|chat)\/|scenes\/[A-Za-z0-9]{16}\.)/.test(path) ||
  profilePhotoStem(path) !== null

/** If the files without a row belong to more images than this number, the shop deletes no file. Then the database may be an old copy or belong to another shop. */
const MAX_ORPHANS = 40

/** Lists image files without a database row, and database rows without a file. The file of an unfinished image variant counts as a file with a row. */
export async function listOrphanedImages({ storage, db }: Pick<AppServices, 'storage' | 'db'>) {
  // The code lists the files before it reads the rows. Otherwise an image that is stored between these two steps would seem to have no row.
  const stored = await storage.list()
  const rows = await db.selectFrom('pictures').select(['path', 'widths', 'state']).execute()
  const named = new Set(rows.flatMap(filesOf))
  const inWork = new Set(
    rows.filter((row) => row.state === 'waiting').map((row) => stemOfVariant(row.path)),
  )
  const isNamed = (path: string) =>
    named.has(path) || (inWork.has(stemOfVariant(path)) && /\.\d+\.(webp|avif)$/.test(path))
  const storedPaths = new Set(stored.map(({ path }) => path))
  return {
    // A crash leaves partial files with the ending ".part".
    files: stored.filter(
      ({ path }) => path.endsWith('.part') || (isUploadedImagePath(path) && !isNamed(path)),
    ),
    missing: [...named].filter((path) => !storedPaths.has(path)),
    // The default pictures of Home and About are not counted, because even an empty database contains these pictures.
    named: [...named].filter((path) => !path.startsWith('scenes/')).length,
  }
}

/** Deletes image files that have no database row and are older than a day. A younger file may still get its row. [S-095] */
export async function deleteOrphanedImages(app: AppServices): Promise<void> {
  await deleteAbandonedUploads(app)
  const { files, missing, named } = await listOrphanedImages(app)
  if (missing.length > 0)
    app.log.error('image files are missing', undefined, {
      count: missing.length,
      first: missing.slice(0, 5),
    })
  const old = files.filter(({ changedAt }) => changedAt < app.now() - DAY_MS)
  const images = new Set(old.map(({ path }) => stemOfVariant(path))).size
  if (images > MAX_ORPHANS || (named === 0 && old.length > 0)) {
    app.log.error('orphaned image files were not deleted: there are too many', undefined, {
      count: old.length,
      named,
    })
    return
  }
  let gone = 0
  for (const { path } of old)
    await app.storage.delete(path).then(
      () => (gone += 1),
      (error: unknown) =>
        app.log.error('an orphaned image file could not be deleted', error, { path }),
    )
  if (gone > 0) app.log.info('orphaned image files were deleted', { count: gone })
}

export const startDeletingOrphans = (app: AppServices): (() => Promise<void>) =>
  runEvery(
    {
      every: DAY_MS,
      failure: 'orphaned images could not be deleted',
      log: app.log,
      isBegunNow: true,
    },
    () => deleteOrphanedImages(app),
  )
