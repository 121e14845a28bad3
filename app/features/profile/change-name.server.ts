/** Giving oneself another name. */
import { isAdminId } from '#app/features/accounts/admin.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { lockUser } from './own-row.server.ts'
import { readName } from './profile-input.ts'

export type Changed = { ok: true } | { ok: false; refusal: 'unfit' | 'gone' | 'failed' }

/**
 * LOGIN-16, LOGIN-34, S-217: the account's name, and the one that the owner reads over the conversation. Sales, invoices and testimonies keep
 * the name that the person had.
 */
export async function changeName(shop: Shop, user: Pick<User, 'id'>, typed: string): Promise<Changed> {
  const name = readName(typed)
  if (name === null) return { ok: false, refusal: 'unfit' }
  const done = await attempt(shop.log, 'a name could not be changed', () =>
    transact(shop.db, async (tx): Promise<Changed> => {
      const before = await lockUser(tx, user.id)
      if (!before) return { ok: false, refusal: 'gone' }
      if (before.name === name) return { ok: true }
      const at = shop.now()
      await tx
        .updateTable('user')
        .set({ name, updatedAt: new Date(at) })
        .where('id', '=', user.id)
        .execute()
      await tx.updateTable('orders').set({ userName: name }).where('userId', '=', user.id).execute()
      if (isAdminId(user.id))
        await recordAct(tx, {
          at,
          actor: user.id,
          act: 'change-own-profile',
          subject: user.id,
          name: name || before.email,
          detail: { before: { name: before.name }, after: { name } },
        })
      return { ok: true }
    }),
  )
  if (done.ok) shop.live.changed('orders', `order:${user.id}`, `user:${user.id}`)
  return done
}
