import { LONGEST_NAME } from '#app/platform/account-limits.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { lockUser } from '#app/platform/users.server.ts'
import { deletePictureFiles, preparePhoto, usingPictures } from '#app/features/images/edit-pictures.server.ts'
import { type PickRefusal, pictureUrl } from '#app/features/images/picture-upload.ts'
import type { FilesOfPicture, StoredPicture } from '#app/platform/pictures.server.ts'
import { photoStemOf } from '#app/platform/picture-types.ts'
import { variantPath } from '#app/platform/resize.server.ts'
import type { Tx } from '#db/schema.ts'

/** Far beyond any name, so that nothing here ever works on a book. */
const MOST_TYPED = 1000

/** LOGIN-16: the name as it is kept, '' for none (S-009); null when it is none that can be. */
export function readName(typed: string): string | null {
  // Before anything else: to put a million accents in their order takes half an hour, with everybody waiting.
  if (typed.length > MOST_TYPED) return null
  // One line of what can be seen: line ends and other controls would reach the headers of letters, and marks of direction turn the words
  // around it, in the owner's lists above all. Joiners stay, emoji are made of them.
  const name = typed
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .trim()
  if (name.length > LONGEST_NAME) return null
  // Nothing but joiners and variation marks shows as nothing.
  return /[^\p{Cf}\p{Mn}\s]/u.test(name) ? name : ''
}

/** LOGIN-16, LOGIN-34, S-217: also the name over the conversation; sales, invoices and testimonies keep the one that the person had. */
export async function changeName(shop: Shop, user: Pick<User, 'id'>, typed: string) {
  const name = readName(typed)
  if (name === null) return { ok: false, refusal: 'unfit' } as const
  const done = await attempt(shop.log, 'a name could not be changed', () =>
    transact(shop.db, async (tx) => {
      const before = await lockUser(tx, user.id)
      if (!before) return { ok: false, refusal: 'gone' } as const
      if (before.name === name) return { ok: true } as const
      const at = shop.now()
      await tx
        .updateTable('user')
        .set({ name, updatedAt: new Date(at) })
        .where('id', '=', user.id)
        .execute()
      await tx.updateTable('orders').set({ userName: name }).where('userId', '=', user.id).execute()
      const detail = { before: { name: before.name }, after: { name } }
      await recordOwnAct(tx, user.id, { at, act: 'change-own-profile', name: name || before.email, detail })
      return { ok: true } as const
    }),
  )
  if (done.ok) shop.live.changed('orders', `order:${user.id}`, `user:${user.id}`)
  return done
}

type PhotoChanged = { ok: true } | { ok: false; refusal: PickRefusal | 'gone' }

/** What stands beside a name, on a sharp screen as well. */
const WIDTH = 240

/** LOGIN-17, S-218: only the middle square is kept, written anew (015). Throws when storing fails. */
export async function changePhoto(shop: Shop, user: Pick<User, 'id'>, file: FormDataEntryValue | null): Promise<PhotoChanged> {
  const prepared = await preparePhoto(shop, file)
  if (!prepared.ok) return prepared
  const picture = await shop.pictures.completeSoon(prepared.picture, [WIDTH])
  const isThere = await usingPictures(shop, [picture], () => setPhoto(shop, user.id, picture))
  if (isThere) return { ok: true }
  await deletePictureFiles(shop, [picture])
  return { ok: false, refusal: 'gone' }
}

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
    await recordOwnAct(tx, userId, { at, act: 'change-own-profile', name: before.name || before.email, detail: { what: 'photo' } })
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
 * Takes the photo out of all that showed it (`next` comes in its place) and gives back whose files must go after the commit. The account's row has
 * gone or lost its `image` before. Only photos that were sent here have such names; the demo shop's faces and addresses elsewhere stay.
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
