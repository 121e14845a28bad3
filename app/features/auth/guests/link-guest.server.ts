/**
 * The ways on from a guest (S-002): her account becomes a lasting one in place, with its uid and all that hangs on it; or she proves an account
 * that is hers already (S-212), and sees what would move there.
 */
import type { Db, Tx } from '#db/schema.ts'
import { INVALID_CREDENTIALS, signInError, signUpError } from '#app/features/auth/auth-texts.ts'
import { askAuth, enterAs, userOfCookies, type Asker } from '#app/features/auth/auth-client.server.ts'
import { readBelongings } from '#app/features/auth/belongings.server.ts'
import { greetByLetter } from '#app/features/auth/email-verification/verification.server.ts'
import { ownerOfIdentity, refuseIdentity } from '#app/features/auth/oauth/oauth.server.ts'
import type { Reason } from '#app/features/auth/oauth/oauth.ts'
import { closeSessions, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { checkRegistration, type Credentials } from '#app/features/auth/sign-in.server.ts'
import { MOST_TYPED } from '#app/platform/account-limits.ts'
import { isAdminId } from '#app/platform/admin-id.ts'
import type { User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import type { Identity } from '#app/platform/providers.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { findUserByEmail } from '#app/platform/users.server.ts'
import { moveTexts, OWNERS_OWN, type WhatMoves } from './guests.ts'

export type Linked = { ok: true } | { ok: false; error: string; help?: string; status: number }

const refuse = (error: string, status: number): Linked => ({ ok: false, error, status })

/** NAV-41, S-002: to a new e-mail account; an address that has one already is refused, nothing is merged. */
export async function keepGuest(asker: Asker, guest: User, credentials: Credentials): Promise<Linked> {
  const { shop } = asker
  const refusal = checkRegistration(credentials)
  if (refusal) return refusal
  const seconds = await shop.limits.secondsToWait('link', { address: asker.page.clientAddress, account: guest.id })
  if (seconds > 0) return tooMany(asker.page, seconds)
  const email = credentials.email.toLowerCase()
  const isTaken = refuse(signUpError('USER_ALREADY_EXISTS'), 422)
  if (await findUserByEmail(shop.db, email)) return isTaken
  const password = await (await shop.auth.$context).password.hash(credentials.password)
  const person = { email, emailVerified: false, name: '', image: null }
  return (await makeLasting(asker, guest, person, { providerId: 'credential', accountId: guest.id, password })) ? { ok: true } : isTaken
}

type Person = { email: string; emailVerified: boolean; name: string; image: string | null }
type WayIn = { providerId: string; accountId: string; password: string | null }

/** S-002, S-215: the guest's sessions end with it, and a new one is made. False: the address was taken meanwhile, or the guest is none any more. */
async function makeLasting(asker: Asker, guest: User, person: Person, wayIn: WayIn): Promise<boolean> {
  const { shop } = asker
  const at = new Date(shop.now())
  const write = async (tx: Tx) => {
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

/** `ask`: nothing has moved; /link-guest/ shows what would, and asks. */
type KeptWith = { done: 'kept' | 'ask' } | { done: 'refused'; reason: Reason }

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

/** How long a proof is good for, in milliseconds. */
const PROOF_AGE = 10 * 60_000

/** S-002: her e-mail and password, with the same checks and limits as signing in; she stays the guest until she says Yes. */
export async function proveAccount(asker: Asker, guest: User, { email, password }: Credentials): Promise<Linked> {
  const { shop } = asker
  const seconds = await shop.limits.secondsToWait('link', { address: asker.page.clientAddress, account: guest.id })
  if (seconds > 0) return tooMany(asker.page, seconds)
  const account = await findUserByEmail(shop.db, email)
  if (account && isAdminId(account.id)) return refuse(OWNERS_OWN, 422)
  const { status, cookies } = await askAuth(asker, '/sign-in/email', {
    email: email.slice(0, MOST_TYPED),
    password: password.slice(0, MOST_TYPED),
  })
  if (status === 429) return tooMany(asker.page)
  if (status !== 200) return refuse(account ? INVALID_CREDENTIALS : signInError('missing-user'), 401)
  // The library proves a password by a session; this one never reaches the browser.
  const user = await userOfCookies(asker, cookies)
  await shop.db.deleteFrom('session').where('id', '=', user.sessionId).execute()
  return rememberProof(asker, guest, user.id)
}

export async function rememberProof({ shop }: Pick<Asker, 'shop'>, guest: User, userId: string): Promise<Linked> {
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
    .where('guestLinks.at', '>', now - PROOF_AGE)
    .executeTakeFirst()
  if (!found || found.isAnonymous || isAdminId(found.id)) return null
  const { id, name, email, image } = found
  return { id, name, email, image, role: 'customer' }
}

export async function forgetProof(db: Db, guestId: string): Promise<void> {
  await db.deleteFrom('guestLinks').where('guestId', '=', guestId).execute()
}

/** S-002: null when she has not proven an account, or too long ago. */
export async function readWhatMoves(db: Db | Tx, guestId: string, now: number): Promise<WhatMoves | null> {
  const account = await provenAccount(db, guestId, now)
  if (!account) return null
  const belongings = await readBelongings(db, guestId)
  const { there } = await db
    .selectFrom('favourites as f')
    .innerJoin('favourites as own', 'own.itemId', 'f.itemId')
    .where('f.userId', '=', guestId)
    .where('own.userId', '=', account.id)
    .select(({ fn }) => fn.countAll().as('there'))
    .executeTakeFirstOrThrow()
  const own = await db.selectFrom('orders').select('lastSeq').where('id', '=', account.id).executeTakeFirst()
  return {
    ...belongings,
    email: account.email,
    favouritesThere: Number(there),
    hasConversation: (own?.lastSeq ?? 0) > 0,
    version: JSON.stringify([account.id, belongings]),
  }
}
