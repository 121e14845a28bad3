/** Anonymous guests: what is left of them when they go. */
import type { Shop } from '#app/platform/context.ts'

/**
 * S-004, ROLES-11: the account, its sessions and favourites go; the conversation stays with the owner, out of the guest's reach.
 * A guest who has become a lasting customer meanwhile, in another tab, keeps everything (S-002).
 */
export async function clearGuest(shop: Pick<Shop, 'db' | 'live'>, userId: string): Promise<void> {
  await shop.db.deleteFrom('user').where('id', '=', userId).where('isAnonymous', '=', true).execute()
  shop.live.changed('orders', `order:${userId}`)
}
