import {
  callAuthApi,
  completeSignIn,
  createSessionFor,
  type AuthRequest,
} from '../auth-client.server.ts'
import { AUTH_ORIGIN } from '#services/auth.server.ts'
import { renderToStaticMarkup as escaped } from 'react-dom/server'
import { redirect } from 'react-router'
import type { User, AppServices, RequestInfo } from '#services/context.ts'
import { privateCookie, readCookie } from '#lib/http/cookies.server.ts'
import { htmlStart, minimalStyle } from '#lib/http/html-start.ts'
import {
  channelName,
  isFailureReason,
  parseAttempt,
  type FailureReason,
  type OAuthAttempt,
  type PopupMessage,
} from './oauth.ts'
import { providerPageTexts as texts } from './texts.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { oauthCallbackContext, type Identity } from '#lib/auth/oauth-providers.server.ts'
import type { Db } from '#db/schema.ts'
import { sawOutage } from '#lib/telemetry/outages.server.ts'
import { notifyOfLogin } from '../email-verification/tokens.server.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import { findUserByEmail, insertAccount } from '#services/users.server.ts'
import { beginPhotoImport } from '../profile-photo.server.ts'

export const canStart = (purpose: OAuthAttempt['purpose'], user: User | null) =>
  purpose === 'login' ? user === null : user?.role === (purpose === 'link' ? 'guest' : 'customer')

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

/** The provider's id identifies the user, because an address may pass to somebody else. */
export async function findIdentityUser(
  db: Db,
  { provider, subject }: Pick<Identity, 'provider' | 'subject'>,
) {
  const account = await db
    .selectFrom('account')
    .select('userId')
    .where('providerId', '=', provider)
    .where('accountId', '=', subject)
    .executeTakeFirst()
  return account?.userId ?? null
}

/** A stranger may have registered an unverified address, here or with the provider. [S-208] */
export async function identityRefusal(db: Db, identity: Identity) {
  const userId = await findIdentityUser(db, identity)
  if (userId !== null) return userId === OWNER_ID ? 'owner' : null
  if (!identity.emailVerified) return 'unverified'
  const holder = await findUserByEmail(db, identity.email)
  if (!holder) return null
  if (holder.id === OWNER_ID) return 'owner'
  // Whoever controls the mailbox could log in without a two-factor code.
  if (holder.twoFactorEnabled) return 'twoStep'
  return holder.emailVerified ? null : 'taken'
}

type OAuthOutcome = { attempt: OAuthAttempt } & (
  | { done: 'in'; user: User }
  | { done: 'stays' }
  | { done: 'met'; identity: Identity }
  | { done: 'failed'; reason: FailureReason }
)

const CALLBACK_PARAMETERS = ['code', 'state', 'error', 'iss']

export async function handleOAuthCallback(
  auth: AuthRequest,
  provider: string,
  user: User | null,
): Promise<OAuthOutcome> {
  const { app, info } = auth
  const meeting: Meeting = {}
  const meet = async (identity: Identity, address: string) => {
    const isNew = (await findIdentityUser(app.db, identity)) === null
    const isJoined = isNew && (await findUserByEmail(app.db, identity.email)) !== undefined
    const attempt = attemptFromUrl(new URL(address))
    const verdict = await resolveIdentity(app.db, identity, attempt, user)
    meeting.latest = { identity, verdict, isNew, isJoined }
    return verdict === 'in'
  }
  const response = await oauthCallbackContext
    .run({ meet }, () => app.auth.handler(callbackRequest(auth, provider)))
    .catch((error: unknown) => {
      if (sawOutage()) throw error
      app.log.error('a sign-in with a provider failed', error, { provider })
      return new Response(null, { status: 500 })
    })
  const { latest } = meeting
  const cookies = response.headers.getSetCookie()
  const location = new URL(response.headers.get('location') ?? '/error', AUTH_ORIGIN)
  const attempt = attemptFromUrl(location)
  if (location.pathname === '/in') {
    const entered = await completeSignIn(auth, cookies)
    if (latest?.isJoined) await notifyLinkedProvider(app, entered.id, latest.identity)
    const isNewUser = latest?.isNew && !latest.isJoined
    beginPhotoImport(app, entered.id, isNewUser ? latest.identity.image : null)
    if (user) {
      await app.db.deleteFrom('session').where('id', '=', user.sessionId).execute()
      app.live.sessionEnded(user.sessionId)
    }
    return { attempt, done: 'in', user: entered }
  }
  info.responseCookies.push(...cookies)
  const error = location.searchParams.get('error')?.slice(0, 80) ?? ''
  const knownUserId =
    user || latest?.verdict !== 'in' ? null : await findFasterLogin(app, latest.identity, error)
  if (knownUserId) return { attempt, done: 'in', user: await createSessionFor(auth, knownUserId) }
  if (latest?.verdict === 'stays') return { attempt, done: 'stays' }
  if (latest?.verdict === 'met') return { attempt, done: 'met', identity: latest.identity }
  const reason = latest && latest.verdict !== 'in' ? latest.verdict : reasonOf(error)
  if (reason === 'failed') {
    app.log.info('a sign-in with a provider was not completed', { provider, error })
  }
  return { attempt, done: 'failed', reason }
}

type Verdict = 'in' | 'met' | 'stays' | FailureReason
type Meeting = {
  latest?: { identity: Identity; verdict: Verdict; isNew: boolean; isJoined: boolean }
}

const lostRaceErrors = ['unable_to_create_user', 'unable_to_link_account']

async function findFasterLogin({ db, now }: AppServices, identity: Identity, error: string) {
  if (!lostRaceErrors.includes(error) || (await identityRefusal(db, identity)) !== null) return null
  const holder = await findUserByEmail(db, identity.email)
  if (!holder) return findIdentityUser(db, identity)
  // better-auth writes user and account separately, so a concurrent login may find only the user.
  const { provider: providerId, subject: accountId } = identity
  const account = { userId: holder.id, providerId, accountId }
  await insertAccount(db, account, new Date(now()))
    .onConflict((conflict) => conflict.columns(['accountId', 'providerId']).doNothing())
    .execute()
  return findIdentityUser(db, identity)
}

async function resolveIdentity(
  db: Db,
  identity: Identity,
  { purpose, userId }: OAuthAttempt,
  user: User | null,
) {
  if (userId !== (user?.id ?? '')) return purpose === 'login' && user ? 'stays' : 'other'
  if (purpose === 'link') return 'met'
  if (purpose === 'prove') return (await findIdentityUser(db, identity)) === userId ? 'in' : 'other'
  return (await identityRefusal(db, identity)) ?? 'in'
}

function notifyLinkedProvider(app: AppServices, userId: string, { provider, email }: Identity) {
  const name = app.providers.find(({ id }) => id === provider)?.name ?? provider
  return tryWrite(app.log, 'an email about a new login method could not be written', () =>
    notifyOfLogin(app, userId, 'provider', email, name),
  )
}

function reasonOf(error: string) {
  if (error === 'access_denied') return 'cancelled'
  return error === 'account_not_linked' ? 'taken' : 'failed'
}

/** better-auth would evaluate a session cookie, so the request has none. */
function callbackRequest({ info, request }: AuthRequest, provider: string) {
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

const attemptFromUrl = ({ searchParams }: URL): OAuthAttempt => ({
  ...parseAttempt(searchParams),
  userId: searchParams.get('userId') ?? '',
})

/** `same-origin-allow-popups` would cut the popup off from its opener. */
const POPUP_HEADERS = { 'Cross-Origin-Opener-Policy': 'unsafe-none' }

function minimalPage(
  theme: RequestInfo['theme'],
  title: string,
  body: string,
  headers: Record<string, string>,
) {
  const style = `${minimalStyle(theme)}
body{display:grid;place-content:center;justify-items:center;gap:1rem;padding:1.5rem;box-sizing:border-box;text-align:center}
h1{margin:0;font:600 1.5rem/1.2 Georgia,serif}a{display:inline-flex;align-items:center;min-height:2.75rem;color:inherit}`
  const heading = escaped(title)
  const html = `${htmlStart(heading, style)}<main id="main"><h1>${heading}</h1>${body}</main></body></html>`
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } })
}

/** An HTML page redirects, because the shop's policy `form-action` would block an HTTP redirect. */
export function redirectPage({ theme }: RequestInfo, name: string, url: string) {
  const body = `<p>${texts.continueTo.before}<a href="${escaped(url)}">${escaped(texts.continueTo.link(name))}</a></p>`
  return minimalPage(theme, texts.goingTo(name), body, {
    Refresh: `0; url=${url}`,
    ...POPUP_HEADERS,
  })
}

export function closingPage({ theme, nonce }: RequestInfo, popup: string, message: PopupMessage) {
  const json = JSON.stringify(message).replaceAll('<', '\\u003c')
  const script = `const c=new BroadcastChannel(${JSON.stringify(channelName(popup))});c.postMessage(${json});setTimeout(()=>{window.close();setTimeout(()=>location.replace(${JSON.stringify(message.to)}),1000)},1000)`
  const body = `<p><a href="${escaped(message.to)}">${texts.continueToShop}</a></p><script${nonce === null ? '' : ` nonce="${nonce}"`}>${script}</script>`
  return minimalPage(theme, message.ok ? texts.signedIn : texts.closeWindow, body, POPUP_HEADERS)
}

const FAILURE_COOKIE = 'provider-failed'

const startPages = {
  link: '/link-guest/',
  prove: '/account/',
}

export function respondToFailure(
  info: RequestInfo,
  provider: string,
  { purpose, popup, search }: Pick<OAuthAttempt, 'purpose' | 'popup' | 'search'>,
  reason: FailureReason,
) {
  const to = purpose === 'login' ? `/login/${search}` : startPages[purpose]
  if (popup) return closingPage(info, popup, { ok: false, reason, to })
  info.responseCookies.push(privateCookie(FAILURE_COOKIE, `${provider}.${reason}`, 60))
  return redirect(to, 303)
}

/** Clears the cookie, so that only one page shows the failure. [LOGIN-30] */
export function takeFailure(request: Request, info: RequestInfo) {
  const cookie = /^([\w-]{1,40})\.(\w{1,20})$/.exec(readCookie(request, info, FAILURE_COOKIE))
  if (!cookie) return null
  info.responseCookies.push(privateCookie(FAILURE_COOKIE, '', 0))
  const [, provider = '', reason = ''] = cookie
  return isFailureReason(reason) ? { provider, reason } : null
}
