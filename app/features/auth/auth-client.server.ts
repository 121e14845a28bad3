/** Calls the library better-auth through its request handler, so that better-auth's own checks apply. Also applies the shop's rate limits. */
import { makeSignature } from 'better-auth/crypto'
import { AUTH_ORIGIN } from '#app/services/auth.server.ts'
import type { RequestInfo, AppServices, User } from '#app/services/context.ts'
import { ServiceUnavailableError, sawOutage } from '#app/lib/telemetry/outages.server.ts'
import {
  deletePendingTwoFactorLogins,
  endLeastRecentlyUsedSessions,
  findSessionUser,
} from './sessions.server.ts'
import type { RateLimitName, RateLimitSubject } from '#app/services/rate-limits.server.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readCookie } from '#app/lib/http/cookies.server.ts'
import { MAX_TYPED_PASSWORD_LENGTH } from '#app/lib/auth/account-limits.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import { isAdminId } from '#app/services/admin-id.ts'
import { lockUser, toEpochMs } from '#app/services/users.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import {
  mayNotify,
  sendSecurityNotification,
} from './email-verification/verification-tokens.server.ts'
import { describeDevice } from './describe-device.server.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '#db/schema.ts'

type Fields = {
  code: string
  url: string
  token: string
  twoFactorRedirect: boolean
  totpURI: string
  backupCodes: string[]
}
type AuthApiResponse = Partial<Fields>
export type AuthRequest = { app: AppServices; info: RequestInfo; request: Request }

/** Sends sign-ins and sign-ups without the current session's cookie, because better-auth would clear that cookie in the same response. After status 429, `tooManyRequests` says how long to wait. `email` is the address of the account to which a user logs in with a password or code. */
export async function callAuthApi(auth: AuthRequest, path: string, body: object, email = '') {
  const { app, info, request } = auth
  const before = email === '' ? undefined : await readCredentials(app.db, email)
  const counts = await limitsFor(auth, path, email, before !== undefined)
  // Each attempt is counted before the password is checked, so that the limit also holds for concurrent attempts.
  for (const { what, who } of counts) {
    const seconds = await app.rateLimits.secondsToWait(what, who)
    if (seconds === 0) continue
    info.retryAfter = seconds
    return { status: 429, code: 'TOO_MANY_TRIES', answer: {} as AuthApiResponse, cookies: [] }
  }
  const responding = app.auth.handler(
    new Request(`${AUTH_ORIGIN}/api/auth${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: AUTH_ORIGIN,
        cookie:
          path.startsWith('/sign-in') || path.startsWith('/sign-up')
            ? ''
            : (request.headers.get('cookie') ?? ''),
        'user-agent': request.headers.get('user-agent') ?? '',
        'x-client-address': info.clientAddress,
      },
      body: JSON.stringify(body),
    }),
  )
  const response = await responding.catch((error: unknown) => {
    app.log.error('better-auth failed', error, { path })
    return new Response(null, { status: 500 })
  })
  // If an outage of the database caused the failure, the response is 503, whatever better-auth reports. [S-262]
  if (!response.ok && sawOutage())
    throw new ServiceUnavailableError(`better-auth failed at ${path}`)
  const answer = ((await response.json().catch(() => null)) ?? {}) as AuthApiResponse
  const isOutdated =
    response.ok && email !== '' && (await endOutdatedLogin(app, email, before, answer.token))
  const isSuccess = response.ok && !isOutdated
  if (path === '/sign-in/email')
    for (const { what, who } of counts)
      if (isSuccess !== (what === 'successful-sign-in')) await app.rateLimits.giveBack(what, who)
  if (isOutdated)
    return {
      status: 401,
      code: 'INVALID_TWO_FACTOR_COOKIE',
      answer: {} as AuthApiResponse,
      cookies: [],
    }
  return {
    status: response.status,
    code: answer.code ?? '',
    answer,
    cookies: response.headers.getSetCookie(),
  }
}

export type TypedLogin = { email: string; password: string }

/** Checks the email address and password of a login. */
export function callPasswordSignIn(auth: AuthRequest, typed: TypedLogin) {
  const [email, password] = [
    typed.email.slice(0, MAX_TYPED_PASSWORD_LENGTH),
    typed.password.slice(0, MAX_TYPED_PASSWORD_LENGTH),
  ]
  return callAuthApi(auth, '/sign-in/email', { email, password }, email)
}

/** Returns what a login with a password depends on, or undefined if no account with a password has this email address. */
const readCredentials = (db: Db | Tx, email: string) =>
  db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select(['user.id', 'user.twoFactorEnabled', 'account.password'])
    .where('user.email', '=', email.toLowerCase())
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst()

/** If the account's password or two-factor login has changed since `before`, deletes what better-auth has created for this login, and returns true. better-auth reads the password hash before it waits to compare the password. [S-380] */
const endOutdatedLogin = (
  { db }: AppServices,
  email: string,
  before: { id: string } | undefined,
  token?: string,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    if (before) await lockUser(tx, before.id)
    const now = await readCredentials(tx, email)
    if (now && isDeepStrictEqual(now, before)) return false
    if (token) await tx.deleteFrom('session').where('token', '=', token).execute()
    else if (before) await deletePendingTwoFactorLogins(tx, before.id)
    return true
  })

/** Completes every sign-in: sends the cookies of the new session and returns its user. [LOGIN-25] */
export async function completeSignIn(auth: AuthRequest, cookies: string[]): Promise<User> {
  const user = await userFromCookies(auth, cookies)
  if (user.email) {
    if (!(await isTrustedDevice(auth, user.email))) await reportNewDevice(auth, user.id)
    await trustDevice(auth, user.email)
  }
  await endLeastRecentlyUsedSessions(auth.app, user.id)
  auth.info.responseCookies.push(...cookies)
  await auth.app.authWebhook.signedIn(user)
  return user
}

/** An account that is at most this many milliseconds old has no other devices yet. */
const NEW_ACCOUNT_MS = 24 * 60 * 60_000

/** Writes an email about a login on a device that is not trusted. Writes none if the email address is not verified. [S-351] */
async function reportNewDevice({ app, request }: AuthRequest, userId: string): Promise<void> {
  const user = await app.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!user.emailVerified || app.now() - toEpochMs(user.createdAt) < NEW_ACCOUNT_MS) return
  if (!(await mayNotify(app, userId, 'device'))) return
  const device = describeDevice(request.headers.get('user-agent')).name
  await inTransaction(app.db, (tx) => sendSecurityNotification(tx, app, { device }, user.email))
  app.outbox.wake()
}

/** Reads the new session from its cookies and returns the session's user. */
export async function userFromCookies(
  { app }: Pick<AuthRequest, 'app'>,
  cookies: string[],
): Promise<User> {
  const user = await findSessionUser(
    app,
    new Headers({ cookie: cookies.map((line) => line.split(';')[0]).join('; ') }),
    [],
  )
  if (!user) throw new Error('the new session could not be read')
  return user
}

type LimitedAttempt = { what: RateLimitName; who: RateLimitSubject }
const limitsByAddress = new Map<string, RateLimitName>([
  ['/sign-up/email', 'registration'],
  ['/sign-in/anonymous', 'guest'],
  ['/sign-in/social', 'provider'],
])

/**
 * Lists the rate limits of a request. A sign-in with a password has three limits: for this account from this IP address, for all accounts
 * from this IP address (against a stolen list of passwords), and for this account from all IP addresses. A trusted device instead has only
 * its own limit, so that an attacker elsewhere cannot lock out the customer. Successful sign-ins with a password have only the limit
 * `successful-sign-in`. `sign-in-anywhere` counts only addresses of accounts, because invented addresses would push out the counters of accounts.
 */
async function limitsFor(
  auth: AuthRequest,
  path: string,
  email: string,
  hasAccount: boolean,
): Promise<LimitedAttempt[]> {
  const address = auth.info.clientAddress
  const what = limitsByAddress.get(path)
  if (what) return [{ what, who: { address } }]
  if (path !== '/sign-in/email') return []
  const success = { what: 'successful-sign-in', who: { address, account: email } } as const
  const device = await findTrustedDevice(auth, email)
  if (device) return [{ what: 'known-device', who: { account: device } }, success]
  return [
    { what: 'sign-in-here', who: { account: `${address} ${email}` } },
    { what: 'sign-in', who: { address } },
    ...(hasAccount
      ? [{ what: 'sign-in-anywhere', who: { account: email } } as const, success]
      : []),
  ]
}

const TRUSTED_DEVICE_COOKIE = 'known'
const TRUSTED_DEVICE_MS = 180 * 24 * 60 * 60_000
const MAX_ACCOUNTS = 5

/**
 * Returns a function that signs entries of the device cookie. No entry contains an email address, so the cookie reveals no account. A new
 * password makes old entries invalid. Otherwise an attacker with many old cookies could guess the new password ten times with each cookie.
 */
async function createDeviceSignature(
  { app }: AuthRequest,
  typed: string,
): Promise<(mark: string) => Buffer> {
  const email = typed.toLowerCase()
  const own = await readCredentials(app.db, email)
  const { secret } = await app.auth.$context
  const key = createHmac('sha256', secret).update('known devices').digest()
  return (mark) =>
    createHmac('sha256', key)
      .update(`${mark} ${email} ${own?.password ?? ''}`)
      .digest()
}

const trustedDeviceEntries = ({ request, info }: AuthRequest): string[] =>
  readCookie(request, info, TRUSTED_DEVICE_COOKIE)
    .split('~')
    .slice(0, MAX_ACCOUNTS)
    .filter((entry) => entry !== '')

/** Returns the device's token for this account, or null if nobody has signed in to the account on this device for half a year. */
async function findTrustedDevice(auth: AuthRequest, email: string): Promise<string | null> {
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

/** Returns true if the user has logged in on this device before. */
export const isTrustedDevice = async (auth: AuthRequest, email: string): Promise<boolean> =>
  (await findTrustedDevice(auth, email)) !== null

export async function trustDevice(auth: AuthRequest, email: string): Promise<void> {
  const before = await findTrustedDevice(auth, email)
  const others = trustedDeviceEntries(auth).filter(
    (entry) => !(before && entry.startsWith(`${before}.`)),
  )
  const mark = `${auth.app.now().toString(36)}-${newSecretId()}`
  const entry = `${mark}.${(await createDeviceSignature(auth, email))(mark).toString('base64url')}`
  const value = [entry, ...others].slice(0, MAX_ACCOUNTS).join('~')
  auth.info.responseCookies.push(
    `${TRUSTED_DEVICE_COOKIE}=${value}; Path=/; Max-Age=${TRUSTED_DEVICE_MS / 1000}; HttpOnly; SameSite=Lax`,
  )
}

/** Creates a session without checking a password, so the caller must have verified the user. Must not be called inside a transaction, and never for the owner. */
export async function createSessionFor(auth: AuthRequest, userId: string): Promise<User> {
  if (isAdminId(userId)) throw new Error('the owner signs in at the login page')
  const { internalAdapter } = await auth.app.auth.$context
  const userAgent = auth.request.headers.get('user-agent') ?? ''
  const session = await internalAdapter.createSession(userId, false, {
    ipAddress: auth.info.clientAddress,
    userAgent,
  })
  return completeSignIn(auth, [await sessionCookie(auth.app, session.token)])
}

/** Returns the session cookie in the format of better-auth: the token with its signature. */
export async function sessionCookie(
  { auth }: Pick<AppServices, 'auth'>,
  token: string,
): Promise<string> {
  const { authCookies, secret, sessionConfig } = await auth.$context
  const { name, attributes } = authCookies.sessionToken
  const value = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`)
  return `${name}=${value}; Max-Age=${sessionConfig.expiresIn}; Path=/; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`
}
