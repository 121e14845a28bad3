/** Anonymous guests: what is left of them when they go. */
import { removeGuestPictures } from '#app/features/conversations/message-pictures.server.ts'
import { deletePictureFiles } from '#app/features/uploads/edit-pictures.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'

/**
 * S-004, ROLES-11: the account, its sessions and favourites go; the conversation stays with the owner, out of the guest's reach, without
 * the pictures that the guest sent (S-175).
 * A guest who has become a lasting customer meanwhile, in another tab, keeps everything (S-002).
 */
export async function clearGuest(shop: Pick<Shop, 'db' | 'live' | 'pictures' | 'log'>, userId: string): Promise<void> {
  const pictures = await transact(shop.db, async (tx) => {
    const gone = await tx.deleteFrom('user').where('id', '=', userId).where('isAnonymous', '=', true).executeTakeFirst()
    return gone.numDeletedRows === 0n ? [] : removeGuestPictures(tx, userId)
  })
  await deletePictureFiles(shop, pictures)
  shop.live.changed('orders', `order:${userId}`)
}
