/** LOGIN-24: an account goes, with everything that is hers, in one transaction; what the law wants kept stays without her (035). */
import type { Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { picturesOfOrder } from '#app/features/conversations/message-pictures.server.ts'
import { closeSessions, listSessions } from '#app/features/devices/devices.server.ts'
import { takePhotoAway } from '#app/features/profile/photo.server.ts'
import { ownersAddress } from '#app/features/settings/owners-address.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { deletePictureFiles } from '#app/features/uploads/edit-pictures.server.ts'
import { removePictureRows } from '#app/features/uploads/used-pictures.server.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { FilesOfPicture } from '#app/platform/pictures.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { forgetBuyer, forgetInHistory, listProofs, takeLetters, takeTestimonies, takeTraces, type Leaving } from './forget-person.server.ts'
import { GONE } from './leaving.ts'
import { findOpenOrder, letterAboutOrder } from './open-order.server.ts'

export type Deleted = { ok: true } | { ok: false; refusal: 'owner' | 'not-found' | 'failed' }
type Gone = { ok: true; sessions: string[]; pictures: FilesOfPicture[]; wasShown: boolean }

/** LOGIN-38, LOGIN-54. `by`: herself, or the owner at her request (S-225). Guests leave by logging out (S-004). */
export async function deleteAccount(shop: Shop, id: string, by: 'herself' | 'owner'): Promise<Deleted> {
  if (id === ADMIN_ID) return { ok: false, refusal: 'owner' }
  const done = await attempt(shop.log, 'an account could not be deleted', async () => {
    const [to, { name: shopName }] = [await ownersAddress(shop.db), await readSettings(shop.db)]
    return transact(shop.db, async (tx): Promise<Gone | { ok: false; refusal: 'not-found' }> => {
      const sessions = await listSessions(tx, id)
      const proofs = await listProofs(tx, id)
      const person = await takeUser(tx, id)
      if (!person) return { ok: false, refusal: 'not-found' }
      const open = by === 'herself' ? await findOpenOrder(tx, id) : null
      const taken = await takeBelongings(tx, { id, email: person.email, goneId: `gone-${newId15()}` }, person.image, proofs)
      const now = shop.now()
      const act = { at: now, actor: by === 'owner' ? ADMIN_ID : GONE, act: 'delete-account', subject: '', name: 'a customer' } as const
      await recordAct(tx, { ...act, detail: { by, wasOrderOpen: open !== null } })
      if (open) await shop.mail.post(tx, { id: `left-${newId15()}`, kind: 'left', to, ...letterAboutOrder(open, person, shopName) }, now)
      return { ok: true, sessions, ...taken }
    })
  })
  if (!done.ok) return done
  shop.mail.wake()
  closeSessions(shop, done.sessions)
  shop.authSync.accountGone(id)
  shop.live.changed(
    'orders',
    'sales',
    'tickets',
    'mail',
    `order:${id}`,
    `user:${id}`,
    ...(done.wasShown ? (['testimonials'] as const) : []),
  )
  await deletePictureFiles(shop, done.pictures)
  return { ok: true }
}

/**
 * First of all, so that nothing of hers can be written any more: her sessions, ways in and favourites go with it, and who is about to write
 * in her conversation finds that there is no such person.
 */
const takeUser = (tx: Tx, id: string) =>
  tx
    .deleteFrom('user')
    .where('id', '=', id)
    .where('id', '<>', ADMIN_ID)
    .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    .returning(['name', 'email', 'image'])
    .executeTakeFirst()

async function takeBelongings(
  tx: Tx,
  leaving: Leaving,
  image: string | null,
  proofs: string[],
): Promise<Pick<Gone, 'pictures' | 'wasShown'>> {
  const { id } = leaving
  const uploads = await tx.deleteFrom('chatUploads').where('sender', '=', id).returning('pictureId').execute()
  const letters = await takeLetters(tx, leaving, proofs)
  const sent = await picturesOfOrder(tx, id)
  await tx.deleteFrom('orders').where('id', '=', id).execute()
  const receipts = await forgetBuyer(tx, leaving)
  const { ids: testimonies, wasShown } = await takeTestimonies(tx, leaving)
  await forgetInHistory(tx, leaving, [...receipts, ...testimonies, ...letters])
  await takeTraces(tx, leaving)
  const pictures = await removePictureRows(tx, [...sent, ...uploads.map((row) => row.pictureId)])
  return { pictures: [...pictures, ...(await takePhotoAway(tx, id, image))], wasShown }
}
