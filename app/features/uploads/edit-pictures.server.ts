/** Uploading and deleting the pictures of the catalogue. */
import type { Db, Tx } from '#db/tables.ts'
import type { Shop } from '#app/platform/context.ts'
import type { FilesOfPicture, PictureFolder, StoredPicture } from '#app/platform/pictures.server.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { itemFolder } from '#app/platform/picture-types.ts'
import { transact } from '#app/platform/transact.server.ts'
import { refusePicked, type PickRefusal } from './picked-picture.ts'
import { pathOfUrl, pictureUrl, type Upload } from './picture-upload.ts'
import { isUnused, removePictureRows } from './used-pictures.server.ts'

export type Prepared = { ok: true; picture: StoredPicture } | { ok: false; refusal: PickRefusal }

/** Checks a chosen file and writes its files; the row comes with the transaction that uses it. Throws when storing fails. */
export async function preparePicked(shop: Shop, folder: PictureFolder, file: FormDataEntryValue | null): Promise<Prepared> {
  const refusal = refusePicked(file)
  if (refusal || !(file instanceof File)) return { ok: false, refusal: refusal ?? 'no-file' }
  return shop.pictures.prepare(folder, new Uint8Array(await file.arrayBuffer()))
}

/** Pixels of a side: more than any place for a photo has, and no more of a person than the shop needs. */
const PHOTO_SIDE = 480

/** The same for a person's photo, under a name that nobody can guess (S-139). */
export async function preparePhoto(shop: Shop, file: FormDataEntryValue | null): Promise<Prepared> {
  const refusal = refusePicked(file)
  if (refusal || !(file instanceof File)) return { ok: false, refusal: refusal ?? 'no-file' }
  return shop.pictures.prepare('people', new Uint8Array(await file.arrayBuffer()), newSecretId(), PHOTO_SIDE)
}

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

/** Uploaded for an item, and not saved with one; or for a message that was never sent, or is gone. */
const uploads = (db: Db | Tx, folder: 'items' | 'chat' = 'items') =>
  db.selectFrom('pictures').where('path', 'like', `${folder}/%`).where(isUnused)

const DAY = 86_400_000

/** An editor that uploaded and was never saved, or a message that was never sent, leaves pictures behind: after a day they go. */
export async function sweepUploads(shop: Shop): Promise<void> {
  const before = shop.now() - DAY
  const forgotten = await transact(shop.db, async (tx) => {
    const old = tx.selectFrom('pictures').select('id').where('path', 'like', 'chat/%').where('createdAt', '<', before)
    await tx.deleteFrom('chatUploads').where('pictureId', 'in', old).execute()
    const gone: string[] = []
    for (const folder of ['items', 'chat'] as const) {
      const rows = await uploads(tx, folder).select('id').where('createdAt', '<', before).execute()
      gone.push(...rows.map((row) => row.id))
    }
    return removePictureRows(tx, gone)
  })
  await deletePictureFiles(shop, forgotten)
}

type SentPicture = {
  categoryId: string
  file: FormDataEntryValue | null
  texts: Record<PickRefusal, string>
  /** aborted once nobody waits for the answer */
  signal: AbortSignal
}

/** MERCH-33: one picture in a request of its own, kept until the item is saved with it. */
export async function uploadItemPicture(shop: Shop, { categoryId, file, texts, signal }: SentPicture): Promise<Upload> {
  const category = await shop.db.selectFrom('categories').select('id').where('id', '=', categoryId).executeTakeFirst()
  if (!category) return { state: 'error', text: 'Please Select a Category' }
  const prepared = await preparePicked(shop, itemFolder(category.id), file)
  if (!prepared.ok) return { state: 'error', text: texts[prepared.refusal] }
  const { picture } = prepared
  await usingPictures(shop, [picture], () => shop.pictures.keep(shop.db, picture))
  // It was cancelled, or the line broke and it will be sent again: nobody knows of this one.
  if (signal.aborted) return deleteUpload(shop, pictureUrl(picture.path))
  shop.pictures.wake()
  return { state: 'uploaded', id: picture.id, url: pictureUrl(picture.path) }
}

/** FILES-06: a stored file that nothing uses, by its url. */
export async function deleteUpload(shop: Shop, url: string): Promise<Upload> {
  const gone = await transact(shop.db, async (tx) => {
    const row = await uploads(tx).select('id').where('path', '=', pathOfUrl(url)).executeTakeFirst()
    return row ? removePictureRows(tx, [row.id]) : []
  })
  if (gone.length === 0) return { state: 'error', text: 'There is no such upload' }
  return (await deletePictureFiles(shop, gone)) === 'deleted' ? { state: 'deleted' } : { state: 'error', text: 'The file stays for now' }
}
