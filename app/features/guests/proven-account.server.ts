/** Which account a guest has proven to be hers: by its password, or with the provider that she signs in with (S-212). */
import type { Db, Tx } from '#db/tables.ts'
import { INVALID_CREDENTIALS, signInError } from '#app/features/accounts/account-texts.ts'
import { isAdminId } from '#app/features/accounts/admin.ts'
import { askAuth, userOfCookies, type Asker } from '#app/features/accounts/ask-auth.server.ts'
import type { User } from '#app/platform/context.ts'
import { MOST_TYPED } from '#app/platform/password-length.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { moveTexts, OWNERS_OWN } from './guest-texts.ts'

/** How long a proof is good for. */
export const PROOF_MINUTES = 10
const proofSince = (now: number) => now - PROOF_MINUTES * 60_000

export type Proven = { ok: true } | { ok: false; error: string; status: number }
const refuse = (error: string, status = 401): Proven => ({ ok: false, error, status })

/** S-002: her e-mail and password, by the same door and limits as signing in; she stays the guest until she says Yes. */
export async function proveAccount(asker: Asker, guest: User, { email, password }: { email: string; password: string }): Promise<Proven> {
  const { shop } = asker
  if (guest.role !== 'guest') return refuse(moveTexts['not-a-guest'], 409)
  const seconds = await shop.limits.secondsToWait('link', { address: asker.page.clientAddress, account: guest.id })
  if (seconds > 0) return tooMany(asker.page, seconds)
  const account = await shop.db.selectFrom('user').select('id').where('email', '=', email.toLowerCase()).executeTakeFirst()
  if (account && isAdminId(account.id)) return refuse(OWNERS_OWN, 422)
  const { status, cookies } = await askAuth(asker, '/sign-in/email', {
    email: email.slice(0, MOST_TYPED),
    password: password.slice(0, MOST_TYPED),
  })
  if (status === 429) return tooMany(asker.page)
  if (status !== 200) return refuse(account ? INVALID_CREDENTIALS : signInError('missing-user'))
  // The library proves a password by a session; this one never reaches the browser.
  const user = await userOfCookies(asker, cookies)
  await shop.db.deleteFrom('session').where('id', '=', user.sessionId).execute()
  return rememberProof(asker, guest, user.id)
}

/** The last one counts. */
export async function rememberProof({ shop }: Pick<Asker, 'shop'>, guest: User, userId: string): Promise<Proven> {
  const at = shop.now()
  const isKept = await transact(shop.db, async (tx) => {
    const people = await tx.selectFrom('user').select(['id', 'isAnonymous']).where('id', 'in', [guest.id, userId]).execute()
    const isGuest = people.some(({ id, isAnonymous }) => id === guest.id && Boolean(isAnonymous))
    const isLasting = people.some(({ id, isAnonymous }) => id === userId && !isAnonymous && !isAdminId(id))
    if (!isGuest || !isLasting) return false
    await tx
      .insertInto('guestLinks')
      .values({ guestId: guest.id, userId, at })
      .onConflict((conflict) => conflict.column('guestId').doUpdateSet({ userId, at }))
      .execute()
    return true
  })
  return isKept ? { ok: true } : refuse(moveTexts['not-a-guest'], 409)
}

/** The account that she has proven to be hers within the last minutes; null: none. */
export async function provenAccount(db: Db | Tx, guestId: string, now: number): Promise<Omit<User, 'sessionId'> | null> {
  const found = await db
    .selectFrom('guestLinks')
    .innerJoin('user', 'user.id', 'guestLinks.userId')
    .select(['user.id', 'user.name', 'user.email', 'user.image', 'user.isAnonymous'])
    .where('guestLinks.guestId', '=', guestId)
    .where('guestLinks.at', '>', proofSince(now))
    .executeTakeFirst()
  if (!found || found.isAnonymous || isAdminId(found.id)) return null
  const { id, name, email, image } = found
  return { id, name, email, image, role: 'customer' }
}

export async function forgetProof(db: Db, guestId: string): Promise<void> {
  await db.deleteFrom('guestLinks').where('guestId', '=', guestId).execute()
}
