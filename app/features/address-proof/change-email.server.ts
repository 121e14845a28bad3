/** Another address for an account: asked for by who has just proven who she is, confirmed by the old address and the new one. */
import { lockUser } from '#app/features/profile/own-row.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db, Tx } from '#db/tables.ts'
import { isFitEmail } from './proof-input.ts'
import type { AccountAddress } from './proof.ts'
import { issueProof } from './proofs.server.ts'

/** Both letters of a change. */
const CHANGE = ['change-old', 'change-new'] as const

/** `user` as her session tells; an account that has gone meanwhile has no say any more. */
export async function readAddress(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
): Promise<AccountAddress> {
  const user = await db.selectFrom('user').select(['email', 'emailVerified']).where('id', '=', userId).executeTakeFirst()
  if (!user) return { email, isVerified: false, change: null }
  const change = await db
    .selectFrom('addressProofs')
    .select(['kind', 'newEmail'])
    .where('userId', '=', userId)
    .where('email', '=', user.email)
    .where('kind', 'in', CHANGE)
    .where('expiresAt', '>', now())
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  return {
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    change: change ? { newEmail: change.newEmail!, waitsFor: change.kind === 'change-old' ? 'old' : 'new' } : null,
  }
}

export const isTaken = async (db: Db | Tx, email: string): Promise<boolean> =>
  (await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()) !== undefined

export const dropChanges = (tx: Db | Tx, userId: string) =>
  tx.deleteFrom('addressProofs').where('userId', '=', userId).where('kind', 'in', CHANGE).execute()

/**
 * LOGIN-18, LOGIN-50, S-230: an address that was confirmed has to confirm the change, one that never was has no say. A new wish takes the
 * place of the former. null: "Unable to Update Email".
 */
export async function beginEmailChange(shop: Shop, userId: string, typed: string): Promise<'old' | 'new' | null> {
  const newEmail = typed.trim().toLowerCase()
  if (!isFitEmail(newEmail) || newEmail.endsWith('.invalid')) return null
  const waitsFor = await transact(shop.db, async (tx) => {
    // Of two wishes at once the later one takes the place of the other.
    const user = await lockUser(tx, userId)
    if (!user || user.isAnonymous || (await isTaken(tx, newEmail))) return null
    await dropChanges(tx, userId)
    const first = user.emailVerified ? 'old' : 'new'
    await issueProof(tx, shop, { kind: `change-${first}`, userId, email: user.email, newEmail })
    return first
  }).catch((error: unknown) => {
    shop.log.error('the change of an address could not begin', error)
    return null
  })
  if (waitsFor) {
    shop.mail.wake()
    shop.live.changed(`user:${userId}`)
  }
  return waitsFor
}

/** Letters about it that are still under way become worthless. */
export async function cancelEmailChange(shop: Shop, userId: string): Promise<void> {
  await dropChanges(shop.db, userId)
  shop.live.changed(`user:${userId}`)
}
