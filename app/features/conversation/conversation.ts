import type { User } from '#services/context.ts'

/** An order has the id of its customer. */
export const canAccess = (user: Pick<User, 'id' | 'role'>, orderId: string) =>
  user.role === 'owner' || user.id === orderId

/** Returns why the owner cannot reply; a customer can write in a closed order, too. [S-304] */
export function replyBlockedReason(order: { isClosed: boolean; fromContactPage: boolean }) {
  if (order.fromContactPage) return 'no-reply'
  return order.isClosed ? 'closed' : null
}
