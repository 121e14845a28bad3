import { sql, type SqlBool } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { Shop } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { itemFolder, photoStemOf } from '#app/platform/picture-types.ts'
import type { FilesOfPicture, PictureFolder, StoredPicture } from '#app/platform/pictures.server.ts'
import { regularly } from '#app/platform/regularly.server.ts'
import { filesOf, stemOfVariant } from '#app/platform/resize.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { itemPickTexts, refusePicked, type PickRefusal, pathOfUrl, pictureUrl, type Upload } from './picture-upload.ts'

const DAY = 86_400_000

/** No item, color, category, place of Home's ring, message or upload of a conversation shows it. */
export const isUnused = sql<SqlBool>`(${sql.join(
  [
    // These are few; to the others an index leads from the picture.
    ...['colors', 'categories', 'showcase'].map(
      (table) => sql`"pictures"."id" not in (select "pictureId" from ${sql.table(table)} where "pictureId" is not null)`,
    ),
    ...['itemPictures', 'messagePictures', 'chatUploads'].map(
      (table) => sql`not exists (select "pictureId" from ${sql.table(table)} where "pictureId" = "pictures"."id")`,
    ),
  ],
  sql` and `,
)})`

const inOrder = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))].sort()

/**
 * Whoever hangs a picture somewhere, or takes it away, comes first to its row: of two at once the second sees what the first has done. One by
 * one and in one order, so that two of them never wait for each other.
 */
export async function lockPictures(tx: Tx, ids: readonly (string | null)[]): Promise<void> {
  for (const id of inOrder(ids))
    await tx
      .updateTable('pictures')
      .set(({ ref }) => ({ path: ref('path') }))
      .where('id', '=', id)
      .execute()
}

/** Takes the rows of pictures that nothing uses any more out of the tables, and gives back whose files must go after the commit. */
export async function removePictureRows(tx: Tx, ids: readonly (string | null)[]): Promise<FilesOfPicture[]> {
  await lockPictures(tx, ids)
  const gone: FilesOfPicture[] = []
  for (const id of inOrder(ids))
    gone.push(...(await tx.deleteFrom('pictures').where('id', '=', id).where(isUnused).returning(['path', 'widths', 'state']).execute()))
  return gone
}

export type Prepared = { ok: true; picture: StoredPicture } | { ok: false; refusal: PickRefusal }

/** Checks a chosen file and writes its files; the row comes with the transaction that uses it. Throws when storing fails. */
export async function preparePicked(
  shop: Shop,
  folder: PictureFolder,
  file: FormDataEntryValue | null,
  ...named: [name?: string, side?: number]
): Promise<Prepared> {
  const refusal = refusePicked(file)
  if (refusal || !(file instanceof File)) return { ok: false, refusal: refusal ?? 'no-file' }
  return shop.pictures.prepare(folder, new Uint8Array(await file.arrayBuffer()), ...named)
}

/** Pixels of a side: more than any place for a photo has, and no more of a person than the shop needs. */
const PHOTO_SIDE = 480

/** The same for a person's photo, under a name that nobody can guess (S-139). */
export const preparePhoto = (shop: Shop, file: FormDataEntryValue | null): Promise<Prepared> =>
  preparePicked(shop, 'people', file, newSecretId(), PHOTO_SIDE)

/** S-095: files go after the commit; one that cannot be deleted is logged, never shown (FILES-09, FILES-10). */
export async function deletePictureFiles(
  shop: Pick<Shop, 'pictures' | 'log'>,
  pictures: readonly FilesOfPicture[],
): Promise<'deleted' | 'error'> {
  let state: 'deleted' | 'error' = 'deleted'
  for (const picture of pictures)
    await shop.pictures.discard(picture).catch((error: unknown) => {
      state = 'error'
      shop.log.error('a picture file could not be deleted', error, { path: picture.path })
    })
  return state
}

/** Runs what uses the prepared pictures; when it fails their files go again. */
export async function usingPictures<T>(
  shop: Pick<Shop, 'pictures' | 'log'>,
  pictures: readonly StoredPicture[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await deletePictureFiles(shop, pictures)
    throw error
  }
}

/** Writes to a category or a color together with its new picture, if there is one; false: there is no such row (any more). */
export async function changeWithPicture(
  shop: Shop,
  table: 'categories' | 'colors',
  id: string,
  picture: StoredPicture | null,
  write: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  const pictures = picture ? [picture] : []
  const replaced = await usingPictures(shop, pictures, () =>
    transact(shop.db, async (tx) => {
      const rowOf = (values: { createdAt: number } | { pictureId: string }) =>
        tx
          .updateTable(table as 'colors')
          .set(values)
          .where('id', '=', id)
          .returning('pictureId')
          .executeTakeFirst()
      // Writing the row first locks it: of two changes at once each replaces the other's picture and writes over what the other wrote.
      const row = await rowOf({ createdAt: shop.now() })
      if (!row) return null
      await write(tx)
      if (!picture) return []
      await shop.pictures.keep(tx, picture)
      await rowOf({ pictureId: picture.id })
      return removePictureRows(tx, [row.pictureId])
    }),
  )
  if (replaced) shop.live.changed('catalogue')
  await deletePictureFiles(shop, replaced ?? pictures)
  return replaced !== null
}

/** An editor that uploaded and was never saved, or a message that was never sent, leaves pictures behind: after a day they go. */
export async function sweepUploads(shop: Shop): Promise<void> {
  const before = shop.now() - DAY
  const forgotten = await transact(shop.db, async (tx) => {
    const old = tx.selectFrom('pictures').select('id').where('path', 'like', 'chat/%').where('createdAt', '<', before)
    await tx.deleteFrom('chatUploads').where('pictureId', 'in', old).execute()
    const rows = await tx
      .selectFrom('pictures')
      .select('id')
      .where((build) => build.or([build('path', 'like', 'items/%'), build('path', 'like', 'chat/%')]))
      .where('createdAt', '<', before)
      .where(isUnused)
      .execute()
    return removePictureRows(
      tx,
      rows.map(({ id }) => id),
    )
  })
  await deletePictureFiles(shop, forgotten)
}

/** MERCH-33: one picture in a request of its own, kept until the item is saved with it; `signal` aborts once nobody waits for the answer. */
export async function uploadItemPicture(
  shop: Shop,
  categoryId: string,
  file: FormDataEntryValue | null,
  signal: AbortSignal,
): Promise<Upload> {
  const category = await shop.db.selectFrom('categories').select('id').where('id', '=', categoryId).executeTakeFirst()
  if (!category) return { state: 'error', text: 'Please Select a Category' }
  const prepared = await preparePicked(shop, itemFolder(category.id), file)
  if (!prepared.ok) return { state: 'error', text: itemPickTexts[prepared.refusal] }
  const { picture } = prepared
  await usingPictures(shop, [picture], () => shop.pictures.keep(shop.db, picture))
  // It was cancelled, or the line broke and it will be sent again: nobody knows of this one.
  if (signal.aborted) return deleteUpload(shop, pictureUrl(picture.path))
  shop.pictures.wake()
  return { state: 'uploaded', id: picture.id, url: pictureUrl(picture.path) }
}

export async function deleteUpload(shop: Shop, url: string): Promise<Upload> {
  const gone = await transact(shop.db, async (tx) => {
    const named = tx.selectFrom('pictures').select('id').where('path', '=', pathOfUrl(url))
    const row = await named.where('path', 'like', 'items/%').where(isUnused).executeTakeFirst()
    return row ? removePictureRows(tx, [row.id]) : []
  })
  if (gone.length === 0) return { state: 'error', text: 'There is no such upload' }
  return (await deletePictureFiles(shop, gone)) === 'deleted' ? { state: 'deleted' } : { state: 'error', text: 'The file stays for now' }
}

/** FILES-01 to FILES-03, 025, 034. Nothing else is touched: the faces and scenes that came with the shop are named by other tables and texts, share/ keeps its own order. */
const isNamedByRow = (path: string): boolean => /^(items|colors|category|chat)\//.test(path) || photoStemOf(path) !== null

/** A crash leaves a handful. More, or a shop without any picture, looks like files beside another database, or beside an old copy of it. */
const MOST_AT_ONCE = 40

/** Both directions. A picture whose widths are being made may have some of them already. */
export async function listOrphans({ files, db }: Pick<Shop, 'files' | 'db'>) {
  // Files first: one whose row is written meanwhile then has it.
  const stored = await files.list()
  const rows = await db.selectFrom('pictures').select(['path', 'widths', 'state']).execute()
  const named = new Set(rows.flatMap(filesOf))
  const inWork = new Set(rows.filter((row) => row.state === 'waiting').map((row) => stemOfVariant(row.path)))
  const isNamed = (path: string) => named.has(path) || (inWork.has(stemOfVariant(path)) && /\.\d+\.(webp|avif)$/.test(path))
  const there = new Set(stored.map(({ path }) => path))
  return {
    // What a killed process has begun to write has no name yet.
    files: stored.filter(({ path }) => path.endsWith('.part') || (isNamedByRow(path) && !isNamed(path))),
    missing: [...named].filter((path) => !there.has(path)),
    named: named.size,
  }
}

/** S-095: what nothing names goes once it is a day old: what is younger may belong to a form that is being sent. */
export async function sweepPictures(shop: Shop): Promise<void> {
  await sweepUploads(shop)
  const { files, missing, named } = await listOrphans(shop)
  if (missing.length > 0) shop.log.error('pictures have lost files', undefined, { count: missing.length, first: missing.slice(0, 5) })
  const old = files.filter(({ changedAt }) => changedAt < shop.now() - DAY)
  if (old.length > MOST_AT_ONCE || (named === 0 && old.length > 0)) {
    shop.log.error('files without a picture stay: too many for a crash', undefined, { count: old.length, named })
    return
  }
  let gone = 0
  for (const { path } of old)
    await shop.files.delete(path).then(
      () => (gone += 1),
      (error: unknown) => shop.log.error('a file without a picture could not be deleted', error, { path }),
    )
  if (gone > 0) shop.log.info('files without a picture were deleted', { count: gone })
}

export const startSweeping = (shop: Shop): (() => Promise<void>) =>
  regularly({ every: DAY, failure: 'pictures could not be swept', log: shop.log, isBegunNow: true }, () => sweepPictures(shop))
