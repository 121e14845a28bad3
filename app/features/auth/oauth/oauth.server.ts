import {
  callAuthApi,
  completeSignIn,
  createSessionFor,
  type AuthRequest,
} from '#app/features/auth/auth-client.server.ts'
import { AUTH_ORIGIN } from '#app/services/auth.server.ts'
import type { User, AppServices } from '#app/services/context.ts'
import { parseAttempt, type FailureReason, type OAuthAttempt } from './oauth.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { oauthCallbackContext, type Identity } from '#app/lib/auth/oauth-providers.server.ts'
import type { Db } from '#db/schema.ts'
import { sawOutage } from '#app/lib/telemetry/outages.server.ts'
import {
  mayNotify,
  sendSecurityNotification,
} from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { findUserByEmail } from '#app/services/users.server.ts'
import { beginPhotoImport } from './import-photo.server.ts'

/** A visitor may only log in with a provider, a guest may only link her account, and a customer may only re-authenticate. */
export const canStart = (purpose: OAuthAttempt['purpose'], user: User | null): boolean =>
  purpose === 'login' ? user === null : user?.role === (purpose === 'link' ? 'guest' : 'customer')

/** Returns the URL of the provider's login page. better-auth stores the attempt together with the OAuth state. [LOGIN-13] */
export async function startOAuth(
  auth: AuthRequest,
  provider: string,
  attempt: OAuthAttempt,
): Promise<{ ok: true; url: string } | { ok: false; reason: FailureReason }> {
  const query = new URLSearchParams(attempt)
  try {
    const { status, code, answer, cookies } = await callAuthApi(auth, '/sign-in/social', {
      provider,
      disableRedirect: true,
      callbackURL: `${AUTH_ORIGIN}/in?${query}`,
      errorCallbackURL: `${AUTH_ORIGIN}/out?${query}`,
      ...(attempt.purpose === 'prove' &&
        provider !== 'google' && { additionalParams: { prompt: 'login' } }),
    })
    if (status === 429) return { ok: false, reason: 'busy' }
    if (status !== 200 || !answer.url) throw new Error(`${status} ${code}`)
    auth.info.responseCookies.push(...cookies)
    return { ok: true, url: answer.url }
  } catch (error) {
    auth.app.log.error('a sign-in provider could not be reached', error, { provider })
    return { ok: false, reason: 'unreachable' }
  }
}

/** Searches by the id that the provider gave the user, because an email address may later belong to another person. */
export async function findIdentityUser(
  db: Db,
  { provider, subject }: Pick<Identity, 'provider' | 'subject'>,
): Promise<string | null> {
  const found = await db
    .selectFrom('account')
    .select('userId')
    .where('providerId', '=', provider)
    .where('accountId', '=', subject)
    .executeTakeFirst()
  return found?.userId ?? null
}

/**
 * Returns null if the identity is accepted. An unknown identity is linked to the account with its email address only if both the provider and
 * the shop have verified the address. Otherwise two people could share an account, because one of them registered the address of the other.
 * Never accepts an identity for the owner's account, or a new identity for an account with two-step login. [S-208, S-232]
 */
export async function identityRefusal(db: Db, identity: Identity): Promise<FailureReason | null> {
  const known = await findIdentityUser(db, identity)
  if (known !== null) return known === ADMIN_ID ? 'owner' : null
  if (!identity.emailVerified) return 'unverified'
  const holder = await findUserByEmail(db, identity.email)
  if (!holder) return null
  if (holder.id === ADMIN_ID) return 'owner'
  // Otherwise whoever controls the mailbox could log in with a new identity instead of the code.
  if (holder.twoFactorEnabled) return 'twoStep'
  return holder.emailVerified ? null : 'taken'
}

type OAuthOutcome = { attempt: OAuthAttempt } & (
  | { done: 'in'; user: User }
  /** The user has signed in from another tab in the meantime, and stays signed in. */
  | { done: 'stays' }
  /** A guest wants to link the account of this identity. [S-002] */
  | { done: 'met'; identity: Identity }
  | { done: 'failed'; reason: FailureReason }
)

/** The shop passes only these parameters of a provider's response to better-auth. */
const CALLBACK_PARAMETERS = ['code', 'state', 'error', 'iss']

export async function handleOAuthCallback(
  auth: AuthRequest,
  provider: string,
  user: User | null,
): Promise<OAuthOutcome> {
  const { app, info } = auth
  let seen: { identity: Identity; verdict: Decision } | null = null as {
    identity: Identity
    verdict: Decision
  } | null
  let joined: Identity | null = null as Identity | null
  let photo: string | null = null as string | null
  const meet = async (identity: Identity, address: string) => {
    // If the identity is unknown and an account has the identity's email address, the provider becomes a new login method of this account.
    const isNew = (await findIdentityUser(app.db, identity)) === null
    joined = isNew && (await findUserByEmail(app.db, identity.email)) ? identity : null
    photo = isNew && !joined ? identity.image : null
    seen = {
      identity,
      verdict: await resolveIdentity(app.db, identity, attemptFromUrl(new URL(address)), user),
    }
    return seen.verdict === 'in'
  }
  const responding = oauthCallbackContext.run({ meet }, () =>
    app.auth.handler(callbackRequest(auth, provider)),
  )
  const response = await responding.catch((error: unknown) => {
    if (sawOutage()) throw error
    app.log.error('a sign-in with a provider failed', error, { provider })
    return new Response(null, { status: 500 })
  })
  const cookies = response.headers.getSetCookie()
  const location = new URL(response.headers.get('location') ?? '/error', AUTH_ORIGIN)
  const attempt = attemptFromUrl(location)
  if (location.pathname === '/in') {
    const entered = await completeSignIn(auth, cookies)
    if (joined && (await mayNotify(app, entered.id, 'provider')))
      await notifyLinkedProvider(auth, joined)
    beginPhotoImport(app, entered.id, photo)
    if (user) {
      await app.db.deleteFrom('session').where('id', '=', user.sessionId).execute()
      app.live.sessionEnded(user.sessionId)
    }
    return { attempt, done: 'in', user: entered }
  }
  info.responseCookies.push(...cookies)
  const error = location.searchParams.get('error')?.slice(0, 80) ?? ''
  const known = user || seen?.verdict !== 'in' ? null : await isKnownNow(app, seen.identity, error)
  if (known) return { attempt, done: 'in', user: await createSessionFor(auth, known) }
  if (seen?.verdict === 'stays') return { attempt, done: 'stays' }
  if (seen?.verdict === 'met') return { attempt, done: 'met', identity: seen.identity }
  const reason = seen && seen.verdict !== 'in' ? seen.verdict : reasonOf(error)
  if (reason === 'failed')
    app.log.info('a sign-in with a provider was not completed', { provider, error })
  return { attempt, done: 'failed', reason }
}

type Decision = 'in' | 'met' | 'stays' | FailureReason

/** better-auth reports these errors if a concurrent login of the same new user was faster. */
const lostRaceErrors = ['unable_to_create_user', 'unable_to_link_account']

async function isKnownNow(
  app: AppServices,
  identity: Identity,
  error: string,
): Promise<string | null> {
  const { db } = app
  if (!lostRaceErrors.includes(error) || (await identityRefusal(db, identity)) !== null) return null
  const holder = await findUserByEmail(db, identity.email)
  if (!holder) return findIdentityUser(db, identity)
  // better-auth writes user and account separately, so the faster login may have stored only the user so far. This login then stores the account.
  const [at, { provider: providerId, subject: accountId }] = [new Date(app.now()), identity]
  await db
    .insertInto('account')
    .values({
      id: newSecretId(),
      userId: holder.id,
      providerId,
      accountId,
      createdAt: at,
      updatedAt: at,
    })
    .onConflict((same) => same.columns(['accountId', 'providerId']).doNothing())
    .execute()
  return findIdentityUser(db, identity)
}

/** Decides what happens with an identity. "in" means that better-auth signs the user in. */
async function resolveIdentity(
  db: Db,
  identity: Identity,
  { purpose, userId }: OAuthAttempt,
  user: User | null,
): Promise<Decision> {
  if (userId !== (user?.id ?? '')) return purpose === 'login' && user ? 'stays' : 'other'
  if (purpose === 'link') return 'met'
  if (purpose === 'prove') return (await findIdentityUser(db, identity)) === userId ? 'in' : 'other'
  return (await identityRefusal(db, identity)) ?? 'in'
}

/** Informs the user by email about the new login method. If the email cannot be written, the sign-in still succeeds. [S-231] */
async function notifyLinkedProvider(
  { app }: AuthRequest,
  { provider, email }: Identity,
): Promise<void> {
  const name = app.providers.list.find(({ id }) => id === provider)?.name ?? provider
  await inTransaction(app.db, (tx) =>
    sendSecurityNotification(tx, app, { provider: name }, email),
  ).catch((error: unknown) =>
    app.log.error('an email about a new login method could not be written', error),
  )
  app.outbox.wake()
}

/** Translates an error code of better-auth into a reason that the shop shows. */
const reasonOf = (error: string): FailureReason =>
  error === 'access_denied' ? 'cancelled' : error === 'account_not_linked' ? 'taken' : 'failed'

/** Passes only the state cookie to better-auth. Otherwise better-auth would also evaluate the session cookie. */
function callbackRequest({ info, request }: AuthRequest, provider: string): Request {
  const query = new URL(request.url).searchParams
  const params = new URLSearchParams(
    CALLBACK_PARAMETERS.flatMap((name) =>
      query.has(name) ? [[name, query.get(name)!.slice(0, 4000)]] : [],
    ),
  )
  const state = (request.headers.get('cookie') ?? '')
    .split(/;\s*/)
    .filter((cookie) => /^(__Secure-|__Host-)?shop\.state=/.test(cookie))
  return new Request(`${AUTH_ORIGIN}/api/auth/callback/${encodeURIComponent(provider)}?${params}`, {
    headers: {
      cookie: state.join('; '),
      'user-agent': request.headers.get('user-agent') ?? '',
      'x-client-address': info.clientAddress,
    },
  })
}

/** Reads the login attempt from the parameters of the URL. A URL without these parameters counts as the login of a visitor. */
const attemptFromUrl = ({ searchParams }: URL): OAuthAttempt => ({
  ...parseAttempt(searchParams),
  userId: searchParams.get('userId') ?? '',
})
