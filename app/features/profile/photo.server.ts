/** A person's photo: kept like every picture of the shop, shown wherever the person is, gone with the next one. */
import { isAdminId } from '#app/features/accounts/admin.ts'
import { deletePictureFiles, preparePhoto, usingPictures } from '#app/features/uploads/edit-pictures.server.ts'
import type { PickRefusal } from '#app/features/uploads/picked-picture.ts'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import type { FilesOfPicture, StoredPicture } from '#app/platform/pictures.server.ts'
import { photoStemOf } from '#app/platform/picture-types.ts'
import { variantPath } from '#app/platform/picture-widths.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import { lockUser } from './own-row.server.ts'

export type PhotoChanged = { ok: true } | { ok: false; refusal: PickRefusal | 'gone' }

/** What stands beside a name, on a sharp screen as well. */
const WIDTH = 240

/**
 * LOGIN-17, S-218: `file` is what a form sent, or bytes that came from elsewhere (a provider's photo). Only the middle square is kept, written
 * anew without what was said about it (015). Throws when storing fails.
 */
export async function changePhoto(shop: Shop, user: Pick<User, 'id'>, file: FormDataEntryValue | null): Promise<PhotoChanged> {
  const prepared = await preparePhoto(shop, file)
  if (!prepared.ok) return prepared
  const picture = await shop.pictures.completeSoon(prepared.picture, [WIDTH])
  const isThere = await usingPictures(shop, [picture], () => setPhoto(shop, user.id, picture))
  if (isThere) return { ok: true }
  await deletePictureFiles(shop, [picture])
  return { ok: false, refusal: 'gone' }
}

/** LOGIN-17: the placeholder stands there again (S-009). */
export const removePhoto = async (shop: Shop, user: Pick<User, 'id'>): Promise<PhotoChanged> =>
  (await setPhoto(shop, user.id, null)) ? { ok: true } : { ok: false, refusal: 'gone' }

/** False: the account is gone. */
async function setPhoto(shop: Shop, userId: string, picture: StoredPicture | null): Promise<boolean> {
  const image = picture && pictureUrl(variantPath(picture.path, Math.min(WIDTH, picture.width), 'webp'))
  const gone = await transact(shop.db, async (tx) => {
    const before = await lockUser(tx, userId)
    if (!before) return null
    const at = shop.now()
    if (picture) await shop.pictures.keep(tx, picture)
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
    if (isAdminId(userId))
      await recordAct(tx, {
        at,
        actor: userId,
        act: 'change-own-profile',
        subject: userId,
        name: before.name || before.email,
        detail: { what: 'photo' },
      })
    const isShown = await tx
      .selectFrom('testimonies')
      .select('id')
      .where('writerId', '=', userId)
      .where('showOnPage', '=', 1)
      .executeTakeFirst()
    return { files: await takePhotoAway(tx, userId, before.image, image), isShown: isShown !== undefined }
  })
  if (!gone) return false
  shop.live.changed('orders', 'sales', `order:${userId}`, `user:${userId}`, ...(gone.isShown ? (['testimonials'] as const) : []))
  await deletePictureFiles(shop, gone.files)
  return true
}

/**
 * Takes the photo out of all that showed it, sales and testimonies too (`next` comes in its place), and its row out of the tables; gives back whose files must go after the
 * commit. For whoever removes an account: call it in that transaction, after the account's row has gone or lost its `image`. Only photos that
 * were sent here have a name of that kind; the demo shop's faces and addresses elsewhere stay.
 */
export async function takePhotoAway(tx: Tx, userId: string, image: string | null, next: string | null = null): Promise<FilesOfPicture[]> {
  const stem = photoStemOf(image)
  if (image === null || stem === null) return []
  const other = await tx.selectFrom('user').select('id').where('image', '=', image).executeTakeFirst()
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
  return tx.deleteFrom('pictures').where('path', 'in', originals).returning(['path', 'widths', 'state']).execute()
}
