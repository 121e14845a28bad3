import {
  deletePictureFiles,
  isDiskAlmostFull,
  preparePhoto,
  withPreparedImages,
} from '#app/features/images/edit-images.server.ts'
import { type FileRefusal, pictureUrl } from '#app/features/images/image-upload.ts'
import type { ImageFiles, StoredImage } from '#app/lib/images/image-store.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { variantPath } from '#app/lib/images/resize.server.ts'
import { recordAccountEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { isAdminId } from '#app/services/admin-id.ts'
import { profilePhotoStem } from '#app/services/image-paths.ts'
import { lockUser } from '#app/services/users.server.ts'
import type { Tx } from '#db/schema.ts'

type PhotoChange = { ok: true } | { ok: false; refusal: FileRefusal | 'gone' | 'no-space' }

/** The width in pixels of the photo that pages show. Even high-density screens need no wider photo. */
const PHOTO_WIDTH = 240

/** Crops the photo to its central square, re-encodes it and stores it. Throws if the photo cannot be stored. [LOGIN-17, S-218] */
export async function changePhoto(
  app: AppServices,
  user: Pick<User, 'id'>,
  file: FormDataEntryValue | null,
): Promise<PhotoChange> {
  const isOwner = isAdminId(user.id)
  if (!isOwner && (await isDiskAlmostFull(app))) return { ok: false, refusal: 'no-space' }
  const prepared = await preparePhoto(app, file, isOwner)
  if (!prepared.ok) return prepared
  const picture = await app.images.completeSoon(prepared.picture, [PHOTO_WIDTH], isOwner)
  const isThere = await withPreparedImages(app, [picture], () => setPhoto(app, user.id, picture))
  if (isThere) return { ok: true }
  await deletePictureFiles(app, [picture])
  return { ok: false, refusal: 'gone' }
}

export const removePhoto = async (app: AppServices, user: Pick<User, 'id'>): Promise<PhotoChange> =>
  (await setPhoto(app, user.id, null)) ? { ok: true } : { ok: false, refusal: 'gone' }

/** Returns false if the account was deleted in the meantime. */
async function setPhoto(
  app: AppServices,
  userId: string,
  picture: StoredImage | null,
): Promise<boolean> {
  const image =
    picture && pictureUrl(variantPath(picture.path, Math.min(PHOTO_WIDTH, picture.width), 'webp'))
  const gone = await inTransaction(app.db, async (tx) => {
    const before = await lockUser(tx, userId)
    if (!before) return null
    const at = app.now()
    if (picture) await app.images.keep(tx, picture)
    await tx
      .updateTable('user')
      .set({ image, updatedAt: new Date(at) })
      .where('id', '=', userId)
      .execute()
    await tx
      .updateTable('orders')
      .set({ userPhotoURL: image ?? '' })
      .where('userId', '=', userId)
      .execute()
    await recordAccountEvent(tx, userId, {
      at,
      act: 'change-own-profile',
      name: before.name || before.email,
      detail: { what: 'photo' },
    })
    const isShown = await tx
      .selectFrom('testimonies')
      .select('id')
      .where('writerId', '=', userId)
      .where('showOnPage', '=', 1)
      .executeTakeFirst()
    return {
      files: await replacePhoto(tx, userId, before.image, image),
      isShown: isShown !== undefined,
    }
  })
  if (!gone) return false
  app.live.changed(
    'orders',
    'sales',
    `order:${userId}`,
    `user:${userId}`,
    ...(gone.isShown ? (['testimonials'] as const) : []),
  )
  await deletePictureFiles(app, gone.files)
  return true
}

/**
 * Replaces an uploaded photo with `next` in the user's sales and testimonies, and returns the files to delete after the commit. Does nothing
 * for a demo photo, an external URL, or a photo that another account uses. The caller must first change or delete the user's row.
 */
export async function replacePhoto(
  tx: Tx,
  userId: string,
  image: string | null,
  next: string | null = null,
): Promise<ImageFiles[]> {
  const stem = profilePhotoStem(image)
  if (image === null || stem === null) return []
  const other = await tx
    .selectFrom('user')
    .select('id')
    .where('image', '=', image)
    .executeTakeFirst()
  if (other) return []
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
  const originals = ['jpg', 'png', 'webp', 'gif', 'avif'].map((extension) => `${stem}.${extension}`)
  return tx
    .deleteFrom('pictures')
    .where('path', 'in', originals)
    .returning(['path', 'widths', 'state'])
    .execute()
}
