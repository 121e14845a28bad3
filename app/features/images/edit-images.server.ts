import { sql, type SqlBool } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { AppServices } from '#services/context.ts'
import { newSecretId } from '#lib/text/ids.ts'
import { itemFolder, profilePhotoStem } from '#services/image-paths.ts'
import type {
  ImageFiles,
  ImageFolder,
  ImageOptions,
  StoredImage,
} from '#services/image-store.server.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import { filesOf, stemOfVariant } from '#lib/images/resize.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import { refusalTable } from '#lib/http/form-actions.server.ts'
import { isRefusal, refuse, type Refusal } from '#lib/refusal.ts'
import { change, type ChangeResult, type Written } from '#services/change.server.ts'
import { validateFile, type FileRefusal, pathOfUrl, imageUrl, type Upload } from './image-upload.ts'
import { itemFileErrorTexts, shortFileErrorTexts, uploadTexts } from './texts.ts'

const DAY_MS = 86_400_000

export const isUnused = sql<SqlBool>`(${sql.join(
  [
    // Without an index on `imageId`, the database reads these small tables once.
    ...['colors', 'categories', 'showcase'].map(
      (table) =>
        sql`"images"."id" not in (select "imageId" from ${sql.table(table)} where "imageId" is not null)`,
    ),
    ...['itemImages', 'messageImages', 'chatUploads'].map(
      (table) =>
        sql`not exists (select "imageId" from ${sql.table(table)} where "imageId" = "images"."id")`,
    ),
  ],
  sql` and `,
)})`

/** Locks images before a change of their use; the sorted sequence avoids deadlocks. */
export async function lockImages(tx: Tx, ids: readonly (string | null)[]) {
  const sortedIds = [...new Set(ids.filter((id) => id !== null))].sort()
  for (const id of sortedIds) {
    await tx.selectFrom('images').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  }
  return sortedIds
}

/** The caller deletes the returned files after the commit. */
export async function removeImageRows(tx: Tx, ids: readonly (string | null)[]) {
  const removedFiles: ImageFiles[] = []
  for (const id of await lockImages(tx, ids)) {
    const rows = await tx
      .deleteFrom('images')
      .where('id', '=', id)
      .where(isUnused)
      .returning(['path', 'widths', 'state'])
      .execute()
    removedFiles.push(...rows)
  }
  return removedFiles
}

type PreparedImage = { ok: true; image: StoredImage } | Refusal<FileRefusal>

export async function prepareUpload(
  app: AppServices,
  folder: ImageFolder,
  file: FormDataEntryValue | null | undefined,
  options?: ImageOptions,
): Promise<PreparedImage> {
  const refusal = validateFile(file)
  if (refusal || !(file instanceof File)) return refuse(refusal ?? 'no-file')
  return app.images.prepare(folder, new Uint8Array(await file.arrayBuffer()), options)
}

export const tryPrepareUpload = (
  app: AppServices,
  failure: string,
  folder: ImageFolder,
  file: FormDataEntryValue | null | undefined,
) => tryWrite(app.log, failure, () => prepareUpload(app, folder, file))

export const fileRefusalsWith = (texts: Record<FileRefusal, string>) =>
  refusalTable(texts, (error) => ({ field: 'file', error }), 422)

export const fileRefusals = fileRefusalsWith(shortFileErrorTexts)

const MIN_FREE_BYTES = 1_000_000_000

/** On a nearly full disk only the owner can upload, so that space remains for orders. [S-421] */
export const isDiskAlmostFull = async ({ storage }: Pick<AppServices, 'storage'>) =>
  ((await storage.freeBytes?.()) ?? Infinity) < MIN_FREE_BYTES

const PHOTO_SIDE = 480

export const preparePhoto = (app: AppServices, file: FormDataEntryValue | null, isOwner: boolean) =>
  prepareUpload(app, 'people', file, { name: newSecretId(), square: PHOTO_SIDE, isOwner })

/**
 * Call it after the commit that removed the rows. It logs errors and does not throw them. [S-095]
 */
export async function deleteImageFiles(
  app: Pick<AppServices, 'images' | 'log'>,
  images: readonly ImageFiles[],
) {
  let areDeleted = true
  for (const image of images) {
    await app.images.discard(image).catch((error: unknown) => {
      areDeleted = false
      app.log.error('an image file could not be deleted', error, { path: image.path })
    })
  }
  return areDeleted
}

export async function withPreparedImages<T>(
  app: Pick<AppServices, 'images' | 'log'>,
  images: readonly StoredImage[],
  work: () => Promise<T>,
) {
  try {
    return await work()
  } catch (error) {
    await deleteImageFiles(app, images)
    throw error
  }
}

type ImageUpload = { folder: ImageFolder; file: FormDataEntryValue | null | undefined }
type ImagesWritten = Written & { unused?: readonly (string | null)[] }

/** Stores the image of `upload`, and deletes the images whose last use the change has removed. */
export async function changeImages<Result extends ImagesWritten | Refusal>(
  app: AppServices,
  { failure, upload }: { failure: string; upload?: ImageUpload | null | undefined },
  write: (tx: Tx, now: number, image: StoredImage | undefined) => Promise<Result>,
): Promise<ChangeResult<Result> | Refusal<'failed' | FileRefusal>> {
  const prepared = upload && (await tryPrepareUpload(app, failure, upload.folder, upload.file))
  if (prepared?.ok === false) return prepared
  const image = prepared?.image
  const result = await change(app, { failure }, async (tx, now) => {
    if (image) await app.images.keep(tx, image)
    const outcome = await write(tx, now, image)
    if (isRefusal(outcome)) return outcome as Refusal
    const { unused = [], value, ...written } = outcome as ImagesWritten
    return { ...written, value: { value, files: await removeImageRows(tx, unused) } }
  })
  const ownFiles = image ? [image] : []
  await deleteImageFiles(app, result.ok ? result.value.files : ownFiles)
  return (result.ok ? { ...result, value: result.value.value } : result) as ChangeResult<Result>
}

type ImageChange = { table: 'categories' | 'colors'; id: string; upload?: ImageUpload | null }

export const changeWithImage = <Value = undefined>(
  app: AppServices,
  failure: string,
  { table, id, upload }: ImageChange,
  write: (
    tx: Tx,
    image: StoredImage | undefined,
  ) => Promise<{ audit: Written['audit']; value?: Value }>,
) =>
  changeImages(app, { failure, upload }, async (tx, now, image) => {
    const update = (values: { createdAt: number } | { imageId: string }) =>
      tx
        .updateTable(table as 'colors')
        .set(values)
        .where('id', '=', id)
        .returning('imageId')
        .executeTakeFirst()
    // The write locks the row, so that concurrent changes replace the image one after the other.
    const row = await update({ createdAt: now })
    if (!row) return refuse('not-found')
    const written = await write(tx, image)
    if (image) await update({ imageId: image.id })
    return { ...written, topics: ['catalog'], unused: image ? [row.imageId] : [] }
  })

export async function deleteAbandonedUploads(app: AppServices) {
  const before = app.now() - DAY_MS
  const unusedFiles = await inTransaction(app.db, async (tx) => {
    const oldImages = tx.selectFrom('images').select('id').where('createdAt', '<', before)
    const oldChatImages = oldImages.where('path', 'like', 'chat/%')
    await tx.deleteFrom('chatUploads').where('imageId', 'in', oldChatImages).execute()
    const rows = await oldImages
      .where((eb) => eb.or([eb('path', 'like', 'items/%'), eb('path', 'like', 'chat/%')]))
      .where(isUnused)
      .execute()
    return removeImageRows(
      tx,
      rows.map(({ id }) => id),
    )
  })
  await deleteImageFiles(app, unusedFiles)
}

/** `signal` is aborted if the browser has gone and never receives the id. [MERCH-33] */
export async function uploadItemImage(
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
  const { image } = prepared
  await withPreparedImages(app, [image], () => app.images.keep(app.db, image))
  if (signal.aborted) return deleteUpload(app, imageUrl(image.path))
  app.images.wake()
  return { state: 'uploaded', id: image.id, url: imageUrl(image.path) }
}

export async function deleteUpload(app: AppServices, url: string): Promise<Upload> {
  const removedFiles = await inTransaction(app.db, async (tx) => {
    const row = await tx
      .selectFrom('images')
      .select('id')
      .where('path', '=', pathOfUrl(url))
      .where('path', 'like', 'items/%')
      .where(isUnused)
      .executeTakeFirst()
    return row ? removeImageRows(tx, [row.id]) : []
  })
  if (removedFiles.length === 0) return { state: 'error', text: uploadTexts.noUpload }
  const areDeleted = await deleteImageFiles(app, removedFiles)
  return areDeleted ? { state: 'deleted' } : { state: 'error', text: uploadTexts.notDeleted }
}

const isUploadedImagePath = (path: string) =>
  /^((items|colors|category|chat)\/|scenes\/[A-Za-z0-9]{16}\.)/.test(path) ||
  profilePhotoStem(path) !== null

/** If there are more, none is deleted: the database may be an old copy or of another shop. */
const MAX_ORPHANS = 40

export async function listOrphanedImages({ storage, db }: Pick<AppServices, 'storage' | 'db'>) {
  // Lists the files before the rows, because a file stored in between would seem to have no row.
  const storedFiles = await storage.list()
  const rows = await db.selectFrom('images').select(['path', 'widths', 'state']).execute()
  const namedPaths = new Set(rows.flatMap(filesOf))
  const waitingStems = new Set(
    rows.filter((row) => row.state === 'waiting').map((row) => stemOfVariant(row.path)),
  )
  const isNamed = (path: string) =>
    namedPaths.has(path) ||
    (waitingStems.has(stemOfVariant(path)) && /\.\d+\.(webp|avif)$/.test(path))
  const storedPaths = new Set(storedFiles.map(({ path }) => path))
  return {
    files: storedFiles.filter(
      ({ path }) => path.endsWith('.part') || (isUploadedImagePath(path) && !isNamed(path)),
    ),
    missing: [...namedPaths].filter((path) => !storedPaths.has(path)),
    // Even an empty database contains the default images of Home and About.
    named: [...namedPaths].filter((path) => !path.startsWith('scenes/')).length,
  }
}

/** Keeps a file that is younger than a day, because it may still get its row. [S-095] */
export async function deleteOrphanedImages(app: AppServices) {
  await deleteAbandonedUploads(app)
  const { files, missing, named } = await listOrphanedImages(app)
  if (missing.length > 0) {
    app.log.error('image files are missing', undefined, {
      count: missing.length,
      first: missing.slice(0, 5),
    })
  }
  const oldFiles = files.filter(({ changedAt }) => changedAt < app.now() - DAY_MS)
  const images = new Set(oldFiles.map(({ path }) => stemOfVariant(path)))
  if (images.size > MAX_ORPHANS || (named === 0 && oldFiles.length > 0)) {
    app.log.error('orphaned image files were not deleted: there are too many', undefined, {
      count: oldFiles.length,
      named,
    })
    return
  }
  let count = 0
  for (const { path } of oldFiles) {
    await app.storage.delete(path).then(
      () => (count += 1),
      (error: unknown) =>
        app.log.error('an orphaned image file could not be deleted', error, { path }),
    )
  }
  if (count > 0) app.log.info('orphaned image files were deleted', { count })
}

export const startDeletingOrphans = (app: AppServices) =>
  runEvery(
    {
      every: DAY_MS,
      failure: 'orphaned images could not be deleted',
      log: app.log,
    },
    () => deleteOrphanedImages(app),
  )
