import { canonicalEmail } from '#lib/text/email-address.server.ts'
import { encodeEmail } from '#lib/auth/encoded-emails.server.ts'
import { makeSignature } from 'better-auth/crypto'
import { AUTH_ORIGIN } from '#services/auth.server.ts'
import type { RequestInfo, AppServices } from '#services/context.ts'
import { ServiceUnavailableError, sawOutage } from '#lib/telemetry/outages.server.ts'
import {
  deletePendingTwoFactorLogins,
  describeDevice,
  endLeastRecentlyUsedSessions,
  findSessionUser,
} from './sessions.server.ts'
import type { RateLimitName, RateLimitSubject } from '#services/rate-limits.server.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { privateCookie, readCookie } from '#lib/http/cookies.server.ts'
import { MAX_TYPED_PASSWORD_LENGTH } from '#lib/auth/account-limits.ts'
import { newSecretId } from '#lib/text/ids.ts'
import { isOwnerId } from '#services/owner-id.ts'
import { findUser, lockUser, toEpochMs } from '#services/users.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { notifyOfLogin } from './email-verification/tokens.server.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '#db/schema.ts'

type AuthApiResponse = {
  code?: string
  url?: string
  token?: string
  twoFactorRedirect?: boolean
  totpURI?: string
  backupCodes?: string[]
}
export type AuthRequest = { app: AppServices; info: RequestInfo; request: Request }

/** `email` is '' if the request is not a login. */
export async function callAuthApi(auth: AuthRequest, path: string, body: object, email = '') {
  const { app, info, request } = auth
  const before = email === '' ? undefined : await readCredentials(app.db, email)
  const counts = await limitsFor(auth, path, email, before !== undefined)
  // Counts each attempt before its password is checked, so that concurrent ones are limited.
  for (const { what, who } of counts) {
    const seconds = await app.rateLimits.secondsToWait(what, who)
    if (seconds === 0) continue
    info.retryAfter = seconds
    return refusal(429, 'TOO_MANY_TRIES')
  }
  // With the cookie of the old session, better-auth would clear the cookie of the new one.
  const isNewSession = path.startsWith('/sign-in') || path.startsWith('/sign-up')
  const apiRequest = new Request(`${AUTH_ORIGIN}/api/auth${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: AUTH_ORIGIN,
      cookie: isNewSession ? '' : (request.headers.get('cookie') ?? ''),
      'user-agent': request.headers.get('user-agent') ?? '',
      'x-client-address': info.clientAddress,
    },
    body: JSON.stringify(body),
  })
  const response = await app.auth.handler(apiRequest).catch((error: unknown) => {
    app.log.error('better-auth failed', error, { path })
    return new Response(null, { status: 500 })
  })
  // better-auth reports an outage of the database as an ordinary error.
  if (!response.ok && sawOutage()) {
    throw new ServiceUnavailableError(`better-auth failed at ${path}`)
  }
  const answer = ((await response.json().catch(() => null)) ?? {}) as AuthApiResponse
  const isOutdated =
    response.ok && email !== '' && (await endOutdatedLogin(app, email, before, answer.token))
  const isSuccess = response.ok && !isOutdated
  if (path === '/sign-in/email') {
    for (const { what, who } of counts) {
      if (isSuccess !== (what === 'successful-sign-in')) await app.rateLimits.giveBack(what, who)
    }
  }
  if (isOutdated) return refusal(401, 'INVALID_TWO_FACTOR_COOKIE')
  const cookies = response.headers.getSetCookie()
  return { status: response.status, code: answer.code ?? '', answer, cookies }
}

const refusal = (status: number, code: string) => ({
  status,
  code,
  answer: {} as AuthApiResponse,
  cookies: [] as string[],
})

export type TypedLogin = { email: string; password: string }

export function callPasswordSignIn(auth: AuthRequest, typed: TypedLogin) {
  const email = canonicalEmail(typed.email.slice(0, MAX_TYPED_PASSWORD_LENGTH))
  const password = typed.password.slice(0, MAX_TYPED_PASSWORD_LENGTH)
  return callAuthApi(auth, '/sign-in/email', { email: encodeEmail(email), password }, email)
}

const readCredentials = (db: Db, email: string) =>
  db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select(['user.id', 'user.twoFactorEnabled', 'account.password'])
    .where('user.email', '=', canonicalEmail(email))
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst()

/**
 * Ends the login if password or two-factor login have changed since `before`, because better-auth
 * compares a password hash that it has read earlier.
 */
const endOutdatedLogin = (
  { db }: AppServices,
  email: string,
  before: { id: string } | undefined,
  token?: string,
) =>
  inTransaction(db, async (tx) => {
    if (before) await lockUser(tx, before.id)
    const now = await readCredentials(tx, email)
    if (now && isDeepStrictEqual(now, before)) return false
    if (token) await tx.deleteFrom('session').where('token', '=', token).execute()
    else if (before) await deletePendingTwoFactorLogins(tx, before.id)
    return true
  })

export async function completeSignIn(auth: AuthRequest, cookies: string[]) {
  const user = await userFromCookies(auth.app, cookies)
  if (user.email) {
    if (!(await isTrustedDevice(auth, user.email))) await reportNewDevice(auth, user.id)
    await trustDevice(auth, user.email)
  }
  await endLeastRecentlyUsedSessions(auth.app, user.id)
  auth.info.responseCookies.push(...cookies)
  await auth.app.authWebhook.signedIn(user)
  return user
}

const NEW_ACCOUNT_MS = 24 * 60 * 60_000

async function reportNewDevice({ app, request }: AuthRequest, userId: string) {
  const user = await findUser(app.db, userId)
  if (!user?.emailVerified || app.now() - toEpochMs(user.createdAt) < NEW_ACCOUNT_MS) return
  const { name } = describeDevice(request.headers.get('user-agent'))
  await notifyOfLogin(app, userId, 'device', user.email, name)
}

export async function userFromCookies(app: AppServices, cookies: string[]) {
  const user = await findSessionUser(app, new Headers({ cookie: toCookieHeader(cookies) }), [])
  if (!user) throw new Error('the new session could not be read')
  return user
}

export const toCookieHeader = (cookies: readonly string[]) =>
  cookies.map((line) => line.split(';')[0]).join('; ')

const limitsByAddress = new Map<string, RateLimitName>([
  ['/sign-up/email', 'registration'],
  ['/sign-in/anonymous', 'guest'],
  ['/sign-in/social', 'provider'],
])

/**
 * A trusted device has only its own limit, so that an attacker elsewhere cannot lock out the
 * customer. `sign-in-anywhere` ignores addresses without an account, because their counters would
 * evict those of accounts.
 */
async function limitsFor(
  auth: AuthRequest,
  path: string,
  email: string,
  hasAccount: boolean,
): Promise<{ what: RateLimitName; who: RateLimitSubject }[]> {
  const address = auth.info.clientAddress
  const what = limitsByAddress.get(path)
  if (what) return [{ what, who: { address } }]
  if (path !== '/sign-in/email') return []
  const success = { what: 'successful-sign-in' as const, who: { address, account: email } }
  const device = await findTrustedDevice(auth, email)
  if (device) return [{ what: 'known-device', who: { account: device } }, success]
  const anywhere = { what: 'sign-in-anywhere' as const, who: { account: email } }
  return [
    { what: 'sign-in-here', who: { account: `${address} ${email}` } },
    { what: 'sign-in', who: { address } },
    ...(hasAccount ? [anywhere, success] : []),
  ]
}

const TRUSTED_DEVICE_COOKIE = 'known'
const TRUSTED_DEVICE_MS = 180 * 24 * 60 * 60_000
const MAX_ACCOUNTS = 5

/**
 * Signs the entries of the cookie for trusted devices. The signature contains the hash of the
 * password, so a new password makes all entries invalid.
 */
async function createDeviceSignature({ app }: AuthRequest, typed: string) {
  const email = canonicalEmail(typed)
  const credentials = await readCredentials(app.db, email)
  const { secret } = await app.auth.$context
  const key = createHmac('sha256', secret).update('known devices').digest()
  return (mark: string) =>
    createHmac('sha256', key)
      .update(`${mark} ${email} ${credentials?.password ?? ''}`)
      .digest()
}

const trustedDeviceEntries = ({ request, info }: AuthRequest) =>
  readCookie(request, info, TRUSTED_DEVICE_COOKIE)
    .split('~')
    .slice(0, MAX_ACCOUNTS)
    .filter((entry) => entry !== '')

async function findTrustedDevice(auth: AuthRequest, email: string) {
  const entries = trustedDeviceEntries(auth)
  if (entries.length === 0) return null
  const sign = await createDeviceSignature(auth, email)
  for (const entry of entries) {
    const [mark = '', signature = ''] = entry.split('.')
    const expected = sign(mark)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) continue
    const age = auth.app.now() - Number.parseInt(mark.split('-')[0]!, 36)
    return age < TRUSTED_DEVICE_MS ? mark : null
  }
  return null
}

export const isTrustedDevice = async (auth: AuthRequest, email: string) =>
  (await findTrustedDevice(auth, email)) !== null

export async function trustDevice(auth: AuthRequest, email: string) {
  const before = await findTrustedDevice(auth, email)
  const others = trustedDeviceEntries(auth).filter(
    (entry) => !(before && entry.startsWith(`${before}.`)),
  )
  const mark = `${auth.app.now().toString(36)}-${newSecretId()}`
  const entry = `${mark}.${(await createDeviceSignature(auth, email))(mark).toString('base64url')}`
  const value = [entry, ...others].slice(0, MAX_ACCOUNTS).join('~')
  auth.info.responseCookies.push(
    privateCookie(TRUSTED_DEVICE_COOKIE, value, TRUSTED_DEVICE_MS / 1000),
  )
}

/** The caller has verified the user, who is not the owner. Do not call it in a transaction. */
export async function createSessionFor(auth: AuthRequest, userId: string) {
  if (isOwnerId(userId)) throw new Error('the owner signs in at the login page')
  const { internalAdapter } = await auth.app.auth.$context
  const session = await internalAdapter.createSession(userId, false, {
    ipAddress: auth.info.clientAddress,
    userAgent: auth.request.headers.get('user-agent') ?? '',
  })
  return completeSignIn(auth, [await sessionCookie(auth.app, session.token)])
}

export async function sessionCookie({ auth }: AppServices, token: string) {
  const { authCookies, secret, sessionConfig } = await auth.$context
  const value = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`)
  return privateCookie(authCookies.sessionToken.name, value, sessionConfig.expiresIn)
}
