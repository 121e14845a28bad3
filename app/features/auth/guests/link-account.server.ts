/** Which account a guest has proven to be hers (S-212), and what would move there. */
import type { Db, Tx } from '#db/schema.ts'
import { INVALID_CREDENTIALS, signInError } from '#app/features/auth/auth-texts.ts'
import { isAdminId } from '#app/platform/admin-id.ts'
import { askAuth, userOfCookies, type Asker } from '#app/features/auth/auth-client.server.ts'
import type { User } from '#app/platform/context.ts'
import { MOST_TYPED } from '#app/platform/account-limits.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { moveTexts, OWNERS_OWN, type WhatMoves } from './guests.ts'
import { findUserByEmail } from '#app/platform/users.server.ts'

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
  const account = await findUserByEmail(shop.db, email)
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

/** S-002: null when she has not proven an account, or too long ago. */
export async function readWhatMoves(db: Db | Tx, guestId: string, now: number): Promise<WhatMoves | null> {
  const account = await provenAccount(db, guestId, now)
  if (!account) return null
  const favourites = await db.selectFrom('favourites').select('itemId').where('userId', '=', guestId).orderBy('itemId').execute()
  const there = await db
    .selectFrom('favourites as f')
    .innerJoin('favourites as own', 'own.itemId', 'f.itemId')
    .where('f.userId', '=', guestId)
    .where('own.userId', '=', account.id)
    .select('f.itemId')
    .execute()
  const order = await db.selectFrom('orders').select(['lastSeq', 'isClosed']).where('id', '=', guestId).executeTakeFirst()
  const pictures = await db
    .selectFrom('messagePictures')
    .where('orderId', '=', guestId)
    .where('pictureId', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const lines = await db.selectFrom('orderItems').select(['name', 'isSold']).where('orderId', '=', guestId).orderBy('position').execute()
  const bought = await db
    .selectFrom('sales')
    .where('buyerId', '=', guestId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const own = await db.selectFrom('orders').select('lastSeq').where('id', '=', account.id).executeTakeFirst()
  const asked = order?.isClosed === 0 ? lines.filter((line) => line.isSold === 0).map((line) => line.name) : []
  return {
    email: account.email,
    favourites: favourites.length,
    favouritesThere: there.length,
    messages: order?.lastSeq ?? 0,
    pictures: Number(pictures.count),
    asked,
    sold: Number(bought.count),
    hasConversation: (own?.lastSeq ?? 0) > 0,
    version: JSON.stringify([account.id, favourites.map(({ itemId }) => itemId), order?.lastSeq ?? 0, Number(pictures.count), asked]),
  }
}
