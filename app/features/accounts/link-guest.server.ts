/** A guest becomes a lasting account in place: the uid stays, and with it favourites, conversation and order requests (S-002). */
import type { Shop, User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { signUpError, TOO_MANY_TRIES } from './account-texts.ts'
import { checkRegistration } from './sign-in-input.ts'

export type Linked = { ok: true } | { ok: false; error: string; status: number }

const refuse = (code: string): Linked => ({ ok: false, error: signUpError(code), status: 422 })

/** NAV-41, S-002: to a new e-mail account; an address that has one already is refused, nothing is merged. */
export async function linkGuest(shop: Shop, user: User, credentials: { email: string; password: string }): Promise<Linked> {
  if (user.role !== 'guest') return refuse('NOT_A_GUEST')
  const refusal = checkRegistration(credentials)
  if (refusal) return refuse(refusal)
  if (!(await shop.limits.allow('link', { account: user.id }))) return { ok: false, error: TOO_MANY_TRIES, status: 429 }
  const email = credentials.email.toLowerCase()
  const isTaken = () => shop.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  if (await isTaken()) return refuse('USER_ALREADY_EXISTS')
  const password = await (await shop.auth.$context).password.hash(credentials.password)
  const at = new Date(shop.now())
  const isLinked = await shop.db
    .transaction()
    .execute(async (tx) => {
      // Only a guest is changed: of two forms at once one wins.
      const changed = await tx
        .updateTable('user')
        .set({ email, name: '', isAnonymous: false, emailVerified: false, updatedAt: at })
        .where('id', '=', user.id)
        .where('isAnonymous', '=', true)
        .executeTakeFirst()
      if (changed.numUpdatedRows === 0n) return false
      await tx
        .insertInto('account')
        .values({
          id: newSecretId(),
          accountId: user.id,
          providerId: 'credential',
          userId: user.id,
          password,
          createdAt: at,
          updatedAt: at,
        })
        .execute()
      await tx.updateTable('orders').set({ userName: '', userEmail: email }).where('id', '=', user.id).execute()
      return true
    })
    .catch(async (error: unknown) => {
      // The address was taken between the question and the write.
      if (await isTaken()) return false
      throw error
    })
  if (!isLinked) return refuse('USER_ALREADY_EXISTS')
  shop.live.changed('orders', `order:${user.id}`, `user:${user.id}`)
  return { ok: true }
}
