/** What is left of an anonymous guest when she goes. */
import { removeGuestPictures } from '#app/features/conversations/message-pictures.server.ts'
import { closeSessions, listSessions } from '#app/features/devices/devices.server.ts'
import { deletePictureFiles } from '#app/features/uploads/edit-pictures.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { isIdle } from './idle-guests.server.ts'

/**
 * S-004, ROLES-11: the account, its sessions and favourites go; the conversation stays with the owner, out of the guest's reach, without
 * the pictures that the guest sent (S-175).
 * A guest who has become a lasting customer meanwhile, in another tab, keeps everything (S-002); with `idleSince`, so does one who has come
 * back after it. False: there was nothing to clear.
 */
export async function clearGuest(
  shop: Pick<Shop, 'db' | 'live' | 'pictures' | 'log' | 'authSync'>,
  userId: string,
  { idleSince }: { idleSince?: number } = {},
): Promise<boolean> {
  const cleared = await transact(shop.db, async (tx) => {
    const sessions = await listSessions(tx, userId)
    const gone = await tx
      .deleteFrom('user')
      .where('id', '=', userId)
      .where('isAnonymous', '=', true)
      .$if(idleSince !== undefined, (query) => query.where(isIdle(idleSince!)))
      .executeTakeFirst()
    return gone.numDeletedRows === 0n ? null : { sessions, pictures: await removeGuestPictures(tx, userId) }
  })
  if (!cleared) return false
  await deletePictureFiles(shop, cleared.pictures)
  closeSessions(shop, cleared.sessions)
  shop.authSync.accountGone(userId)
  shop.live.changed('orders', `order:${userId}`)
  return true
}
