/** A guest becomes a customer with the same id, or logs in to an existing account and sees which of her data would move into that account. [S-002, S-212] */
import type { Db, Tx } from '#db/schema.ts'
import { loginErrorTexts, loginResults } from '#app/features/auth/texts.ts'
import { linkGuestResults, mergeErrorTexts } from './texts.ts'
import {
  callPasswordSignIn,
  createSessionFor,
  userFromCookies,
  type AuthRequest,
  type TypedLogin,
} from '#app/features/auth/auth-client.server.ts'
import { readUserDataSummary } from '#app/features/auth/user-data-summary.server.ts'
import { sendWelcomeVerification } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { beginPhotoImport } from '#app/features/auth/oauth/import-photo.server.ts'
import { findIdentityUser, identityRefusal } from '#app/features/auth/oauth/oauth.server.ts'
import type { FailureReason } from '#app/features/auth/oauth/oauth.ts'
import { publishSessionEnds, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { checkRegistration, type Credentials } from '#app/features/auth/sign-in.server.ts'
import type { FieldErrors } from '#app/features/auth/login-pages.tsx'
import { parseName } from '#app/lib/auth/person-name.ts'
import { hasName } from '#app/services/guest-name.ts'
import { isAdminId } from '#app/services/admin-id.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import type { Identity } from '#app/lib/auth/oauth-providers.server.ts'
import { tooManyRequests } from '#app/services/rate-limits.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { findUserByEmail, lockUser } from '#app/services/users.server.ts'
import { loginCodeTexts } from '#app/features/auth/two-factor/texts.ts'
import { checkLoginCode } from '#app/features/auth/two-factor/check-code.server.ts'
import type { MergePreview } from './guests.ts'

/** With `asksForCode`, the password was correct, and the page asks for a two-factor code. */
export type LinkResult =
  | { ok: true }
  | {
      ok: false
      error: string
      help?: string
      errors?: FieldErrors
      status: number
      asksForCode?: boolean
    }

const refuse = (error: string, status: number) => ({ ok: false, error, status }) as const

const typedName = (guest: User): string => (hasName(guest) ? guest.name : '')

/** Makes the guest a customer with this email address, unless another account has the address. [NAV-41, S-002] */
export async function convertToAccount(
  auth: AuthRequest,
  guest: User,
  credentials: Credentials,
): Promise<LinkResult> {
  const { app } = auth
  const refusal = checkRegistration(credentials)
  if (refusal) return refusal
  const seconds = await app.rateLimits.secondsToWait('link', {
    address: auth.info.clientAddress,
    account: guest.id,
  })
  if (seconds > 0) return tooManyRequests(auth.info, seconds)
  const email = credentials.email.toLowerCase()
  const isTaken = refuse(loginResults.emailTaken, 422)
  if (await findUserByEmail(app.db, email)) return isTaken
  const password = await (await app.auth.$context).password.hash(credentials.password)
  const person = {
    email,
    emailVerified: false,
    name: parseName(credentials.name) || typedName(guest),
    image: null,
  }
  return (await upgradeToAccount(auth, guest, person, {
    providerId: 'credential',
    accountId: guest.id,
    password,
  }))
    ? { ok: true }
    : isTaken
}

type AccountProfile = { email: string; emailVerified: boolean; name: string; image: string | null }
type Credential = { providerId: string; accountId: string; password: string | null }

/** Makes the guest a customer, and replaces her sessions with a new session. Returns false if the address is taken or the user is no longer a guest. [S-002, S-215] */
async function upgradeToAccount(
  auth: AuthRequest,
  guest: User,
  person: AccountProfile,
  credential: Credential,
): Promise<boolean> {
  const { app } = auth
  const at = new Date(app.now())
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
      .values({ id: newSecretId(), userId: guest.id, ...credential, createdAt: at, updatedAt: at })
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
  const ended = await inTransaction(app.db, write).catch(async (error: unknown) => {
    if (await findUserByEmail(app.db, person.email)) return null
    throw error
  })
  if (!ended) return false
  await createSessionFor(auth, guest.id)
  await sendWelcomeVerification(auth, guest.id)
  publishSessionEnds(app, ended)
  app.live.changed('orders', `order:${guest.id}`, `user:${guest.id}`)
  return true
}

/** With "ask", no data of the guest has moved yet. /link-guest/ shows which data will move, and asks the guest to confirm. */
type OAuthConversion = { done: 'converted' | 'ask' } | { done: 'refused'; reason: FailureReason }

/** Links a guest with her identity at a provider, under the same rules as a visitor's login with this provider. [S-002, S-208, S-212] */
export async function convertWithOAuth(
  auth: AuthRequest,
  guest: User | null,
  identity: Identity,
): Promise<OAuthConversion> {
  const { db } = auth.app
  if (guest?.role !== 'guest') return { done: 'refused', reason: 'other' }
  const reason = await identityRefusal(db, identity)
  if (reason) return { done: 'refused', reason }
  const accountId =
    (await findIdentityUser(db, identity)) ?? (await findUserByEmail(db, identity.email))?.id
  if (accountId !== undefined) {
    const { ok } = await saveVerifiedAccount(auth.app, guest, accountId)
    return ok ? { done: 'ask' } : { done: 'refused', reason: 'failed' }
  }
  const person = {
    email: identity.email,
    emailVerified: identity.emailVerified,
    name: identity.name || typedName(guest),
    image: null,
  }
  const credential = { providerId: identity.provider, accountId: identity.subject, password: null }
  if (!(await upgradeToAccount(auth, guest, person, credential)))
    return { done: 'refused', reason: 'taken' }
  beginPhotoImport(auth.app, guest.id, identity.image)
  return { done: 'converted' }
}

const VERIFIED_ACCOUNT_MS = 10 * 60_000

/** Checks email address, password and two-factor code of the existing account, with the same checks and limits as a login. The user stays a guest until she confirms the move. [S-002] */
export async function verifyAccountForMerge(
  auth: AuthRequest,
  guest: User,
  typed: TypedLogin,
  code: string,
): Promise<LinkResult> {
  const { app } = auth
  const seconds = await app.rateLimits.secondsToWait('link', {
    address: auth.info.clientAddress,
    account: guest.id,
  })
  if (seconds > 0) return tooManyRequests(auth.info, seconds)
  const account = await findUserByEmail(app.db, typed.email)
  if (account && isAdminId(account.id)) return refuse(linkGuestResults.ownerNotAllowed, 422)
  const { status, answer, ...login } = await callPasswordSignIn(auth, typed)
  if (status === 429) return tooManyRequests(auth.info)
  if (status !== 200)
    return refuse(account ? loginResults.invalidCredentials : loginErrorTexts.missingUser, 401)
  let { cookies } = login
  if (answer.twoFactorRedirect && account) {
    if (code === '') return { ...refuse(loginCodeTexts.lead, 401), asksForCode: true }
    const checked = await checkLoginCode(
      auth,
      cookies,
      { id: account.id, email: typed.email },
      code,
    )
    if (!checked.ok) return { ...refuse(checked.error, checked.status), asksForCode: true }
    cookies = checked.cookies
  }
  const user = await userFromCookies(auth, cookies)
  return saveVerifiedAccount(app, guest, user.id, user.sessionId)
}

/** `sessionId` is the session that better-auth has created for a password. The browser never gets this session. If a new password has ended it, the account is not saved. */
export async function saveVerifiedAccount(
  app: AppServices,
  guest: User,
  userId: string,
  sessionId?: string,
): Promise<LinkResult> {
  const at = app.now()
  const isConverted = await inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId)
    const ended =
      sessionId === undefined
        ? null
        : await tx.deleteFrom('session').where('id', '=', sessionId).executeTakeFirst()
    if (ended?.numDeletedRows === 0n) return null
    const people = await tx
      .selectFrom('user')
      .select(['id', 'isAnonymous'])
      .where('id', 'in', [guest.id, userId])
      .execute()
    const isGuest = people.some(({ id, isAnonymous }) => id === guest.id && Boolean(isAnonymous))
    const isLasting = people.some(
      ({ id, isAnonymous }) => id === userId && !isAnonymous && !isAdminId(id),
    )
    if (!isGuest || !isLasting) return false
    await tx
      .insertInto('guestLinks')
      .values({ guestId: guest.id, userId, at })
      .onConflict((conflict) => conflict.column('guestId').doUpdateSet({ userId, at }))
      .execute()
    return true
  })
  if (isConverted === null) return refuse(loginResults.invalidCredentials, 401)
  return isConverted ? { ok: true } : refuse(mergeErrorTexts['not-a-guest'], 409)
}

export async function findVerifiedAccount(
  db: Db | Tx,
  guestId: string,
  now: number,
): Promise<Omit<User, 'sessionId'> | null> {
  const found = await db
    .selectFrom('guestLinks')
    .innerJoin('user', 'user.id', 'guestLinks.userId')
    .select(['user.id', 'user.name', 'user.email', 'user.image', 'user.isAnonymous'])
    .where('guestLinks.guestId', '=', guestId)
    .where('guestLinks.at', '>', now - VERIFIED_ACCOUNT_MS)
    .executeTakeFirst()
  if (!found || found.isAnonymous || isAdminId(found.id)) return null
  const { id, name, email, image } = found
  return { id, name, email, image, role: 'customer' }
}

export async function deleteVerifiedAccount(db: Db, guestId: string): Promise<void> {
  await db.deleteFrom('guestLinks').where('guestId', '=', guestId).execute()
}

/** Returns null if the guest has not logged in to an account, or if that login was too long ago. [S-002] */
export async function readMergePreview(
  db: Db | Tx,
  guestId: string,
  now: number,
): Promise<MergePreview | null> {
  const account = await findVerifiedAccount(db, guestId, now)
  if (!account) return null
  const belongings = await readUserDataSummary(db, guestId)
  const { favoritesOfBoth } = await db
    .selectFrom('favorites as f')
    .innerJoin('favorites as own', 'own.itemId', 'f.itemId')
    .where('f.userId', '=', guestId)
    .where('own.userId', '=', account.id)
    .select(({ fn }) => fn.countAll().as('favoritesOfBoth'))
    .executeTakeFirstOrThrow()
  const own = await db
    .selectFrom('orders')
    .select('lastSeq')
    .where('id', '=', account.id)
    .executeTakeFirst()
  return {
    ...belongings,
    email: account.email,
    favoritesOfBoth: Number(favoritesOfBoth),
    hasConversation: (own?.lastSeq ?? 0) > 0,
    version: JSON.stringify([account.id, belongings]),
  }
}
