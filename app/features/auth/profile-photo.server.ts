import { updateOrder } from '#conversation/conversation.server.ts'
import {
  deleteImageFiles,
  isDiskAlmostFull,
  preparePhoto,
  withPreparedImages,
} from '#images/edit-images.server.ts'
import { type FileRefusal, imageUrl } from '#images/image-upload.ts'
import type { StoredImage } from '#services/image-store.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { variantPath } from '#lib/images/resize.server.ts'
import { recordAccountEvent } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import { isOwnerId } from '#services/owner-id.ts'
import { MAX_UPLOAD_BYTES, profilePhotoStem } from '#services/image-paths.ts'
import { lockUser } from '#services/users.server.ts'
import type { Tx } from '#db/schema.ts'

type PhotoChange = { ok: true } | { ok: false; refusal: FileRefusal | 'gone' | 'no-space' }

const PHOTO_WIDTH = 240

/** Throws if the photo cannot be stored. [LOGIN-17] */
export async function changePhoto(
  app: AppServices,
  userId: string,
  file: FormDataEntryValue | null,
): Promise<PhotoChange> {
  const isOwner = isOwnerId(userId)
  if (!isOwner && (await isDiskAlmostFull(app))) return { ok: false, refusal: 'no-space' }
  const prepared = await preparePhoto(app, file, isOwner)
  if (!prepared.ok) return prepared
  const image = await app.images.completeSoon(prepared.image, [PHOTO_WIDTH], isOwner)
  const change = await withPreparedImages(app, [image], () => setPhoto(app, userId, image))
  if (!change.ok) await deleteImageFiles(app, [image])
  return change
}

export const removePhoto = (app: AppServices, userId: string) => setPhoto(app, userId, null)

async function setPhoto(
  app: AppServices,
  userId: string,
  photo: StoredImage | null,
): Promise<PhotoChange> {
  const image =
    photo && imageUrl(variantPath(photo.path, Math.min(PHOTO_WIDTH, photo.width), 'webp'))
  const result = await inTransaction(app.db, async (tx) => {
    const before = await lockUser(tx, userId)
    if (!before) return null
    const at = app.now()
    if (photo) await app.images.keep(tx, photo)
    await tx
      .updateTable('user')
      .set({ image, updatedAt: new Date(at) })
      .where('id', '=', userId)
      .execute()
    await updateOrder(tx, userId, { userPhotoURL: image ?? '' })
    await recordAccountEvent(tx, userId, {
      at,
      act: 'change-own-profile',
      name: before.name || before.email,
      detail: { what: 'photo' },
    })
    const shownTestimony = await tx
      .selectFrom('testimonies')
      .select('id')
      .where('writerId', '=', userId)
      .where('showOnPage', '=', true)
      .executeTakeFirst()
    const files = await replacePhoto(tx, userId, before.image, image)
    return { files, isShown: shownTestimony !== undefined }
  })
  if (!result) return { ok: false, refusal: 'gone' }
  app.live.changed('orders', 'sales', `order:${userId}`, `user:${userId}`)
  if (result.isShown) app.live.changed('testimonials')
  await deleteImageFiles(app, result.files)
  return { ok: true }
}

/** Returns the files to delete after the commit. Change or delete the user's row first. */
export async function replacePhoto(
  tx: Tx,
  userId: string,
  image: string | null,
  next: string | null = null,
) {
  const stem = profilePhotoStem(image)
  if (image === null || stem === null) return []
  const otherAccount = await tx
    .selectFrom('user')
    .select('id')
    .where('image', '=', image)
    .executeTakeFirst()
  if (otherAccount) return []
  await tx
    .updateTable('sales')
    .set({ buyerPhotoURL: next ?? '' })
    .where('buyerId', '=', userId)
    .where('buyerPhotoURL', '=', image)
    .execute()
  await tx
    .updateTable('testimonies')
    .set({ writerPhotoURL: next ?? '' })
    .where('writerId', '=', userId)
    .where('writerPhotoURL', '=', image)
    .execute()
  return tx
    .deleteFrom('images')
    .where('path', 'like', `${stem}.%`)
    .returning(['path', 'widths', 'state'])
    .execute()
}

const IMPORT_TIMEOUT_MS = 8000

export const beginPhotoImport = (app: AppServices, userId: string, url: string | null) =>
  url !== null &&
  app.backgroundTasks.begin('a photo could not be imported from a provider', () =>
    importPhoto(app, userId, url),
  )

/** Follows no redirects, because a redirect could lead to another server. */
async function importPhoto(app: AppServices, userId: string, url: string) {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(IMPORT_TIMEOUT_MS),
  })
  if (!response.ok || !response.body) {
    throw new Error(`the provider responded with ${response.status}`)
  }
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const part of response.body) {
    bytes += part.byteLength
    if (bytes > MAX_UPLOAD_BYTES) {
      throw new Error(`the photo has more than ${MAX_UPLOAD_BYTES} bytes`)
    }
    parts.push(part)
  }
  const photo = new File(parts, 'photo', { type: response.headers.get('content-type') ?? '' })
  const change = await changePhoto(app, userId, photo)
  if (!change.ok) throw new Error(`the photo was refused: ${change.refusal}`)
}
