/** A guest becomes a lasting account in place: the uid stays, and with it favourites, conversation and order requests (S-002). */
import type { Tx } from '#db/schema.ts'
import { signUpError } from '#app/features/auth/auth-texts.ts'
import { enterAs, type Asker } from '#app/features/auth/auth-client.server.ts'
import { greetByLetter } from '#app/features/auth/email-verification/confirm-email.server.ts'
import { checkRegistration } from '#app/features/auth/sign-in.server.ts'
import { closeSessions, deleteSessions } from '#app/features/auth/sessions.server.ts'
import type { User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { ownerOfIdentity, refuseIdentity } from '#app/features/auth/oauth/oauth.server.ts'
import type { Reason } from '#app/features/auth/oauth/oauth.ts'
import type { Identity } from '#app/platform/providers.server.ts'
import { rememberProof } from './link-account.server.ts'
import { findUserByEmail } from '#app/platform/users.server.ts'

export type Kept = { ok: true } | { ok: false; error: string; help?: string; status: number }

const refuse = (code: string): Kept => ({ ok: false, error: signUpError(code), status: 422 })

/** NAV-41, S-002: to a new e-mail account; an address that has one already is refused, nothing is merged. */
export async function keepGuest(asker: Asker, guest: User, credentials: { email: string; password: string }): Promise<Kept> {
  const { shop } = asker
  if (guest.role !== 'guest') return refuse('NOT_A_GUEST')
  const refusal = checkRegistration(credentials)
  if (refusal) return { ...refuse(refusal.code), ...(refusal.help && { help: refusal.help }) }
  const seconds = await shop.limits.secondsToWait('link', { address: asker.page.clientAddress, account: guest.id })
  if (seconds > 0) return tooMany(asker.page, seconds)
  const email = credentials.email.toLowerCase()
  if (await findUserByEmail(shop.db, email)) return refuse('USER_ALREADY_EXISTS')
  const password = await (await shop.auth.$context).password.hash(credentials.password)
  const person = { email, emailVerified: false, name: '', image: null }
  return (await makeLasting(asker, guest, person, { providerId: 'credential', accountId: guest.id, password }))
    ? { ok: true }
    : refuse('USER_ALREADY_EXISTS')
}

export type Person = { email: string; emailVerified: boolean; name: string; image: string | null }
type WayIn = { providerId: string; accountId: string; password: string | null }

/**
 * S-002, S-215: in one transaction that only touches a row that is still a guest's. The guest's sessions end with it, and a new one is made: a
 * cookie of before is worth nothing. False: the address was taken meanwhile, or the guest is none any more.
 */
export async function makeLasting(asker: Asker, guest: User, person: Person, wayIn: WayIn): Promise<boolean> {
  const { shop } = asker
  const at = new Date(shop.now())
  const write = async (tx: Tx) => {
    // Of two forms at once one wins.
    const changed = await tx
      .updateTable('user')
      .set({ ...person, isAnonymous: false, updatedAt: at })
      .where('id', '=', guest.id)
      .where('isAnonymous', '=', true)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) return null
    await tx
      .insertInto('account')
      .values({ id: newSecretId(), userId: guest.id, ...wayIn, createdAt: at, updatedAt: at })
      .execute()
    const { name: userName, email: userEmail, image } = person
    await tx
      .updateTable('orders')
      .set({ userName, userEmail, userPhotoURL: image ?? '' })
      .where('id', '=', guest.id)
      .execute()
    await tx.deleteFrom('guestLinks').where('guestId', '=', guest.id).execute()
    return deleteSessions(tx, guest.id, null)
  }
  const ended = await transact(shop.db, write).catch(async (error: unknown) => {
    // The address was taken between the question and the write.
    if (await findUserByEmail(shop.db, person.email)) return null
    throw error
  })
  if (!ended) return false
  await enterAs(asker, guest.id)
  await greetByLetter(shop, guest.id)
  closeSessions(shop, ended)
  shop.live.changed('orders', `order:${guest.id}`, `user:${guest.id}`)
  return true
}

/**
 * `kept`: the guest is a lasting account now, under the same uid and with a new session. `ask`: nothing has moved; /link-guest/ shows what would,
 * and asks.
 */
export type KeptWith = { done: 'kept' | 'ask' } | { done: 'refused'; reason: Reason }

/** S-002, S-212: whom the login lets in, by the same rules (S-208). */
export async function keepGuestWith(asker: Asker, guest: User | null, identity: Identity): Promise<KeptWith> {
  const { db } = asker.shop
  if (guest?.role !== 'guest') return { done: 'refused', reason: 'other' }
  const reason = await refuseIdentity(db, identity)
  if (reason) return { done: 'refused', reason }
  const accountId = (await ownerOfIdentity(db, identity)) ?? (await findUserByEmail(db, identity.email))?.id
  if (accountId !== undefined) {
    const { ok } = await rememberProof(asker, guest, accountId)
    return ok ? { done: 'ask' } : { done: 'refused', reason: 'failed' }
  }
  const person = { email: identity.email, emailVerified: identity.emailVerified, name: identity.name, image: null }
  const wayIn = { providerId: identity.provider, accountId: identity.subject, password: null }
  return (await makeLasting(asker, guest, person, wayIn)) ? { done: 'kept' } : { done: 'refused', reason: 'taken' }
}
