/** Signing in with a provider: the way there, the way back, and whose account an identity opens (032). */
import { askAuth, enter, enterAs, type Asker } from '#app/features/auth/auth-client.server.ts'
import { AUTH_ORIGIN } from '#app/platform/auth.server.ts'
import type { User, Shop } from '#app/platform/context.ts'
import { readTry, type Reason, type Try } from './oauth.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { meeting, type Identity } from '#app/platform/providers.server.ts'
import type { Db } from '#db/schema.ts'
import { isOutageMet } from '#app/platform/outage.server.ts'
import { postNotice } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { findUserByEmail } from '#app/platform/users.server.ts'

/** Who may begin what: nobody who is signed in logs in once more, only a guest links, and only a lasting account has something to prove. */
export const mayBegin = (purpose: Try['purpose'], user: User | null): boolean =>
  purpose === 'login' ? user === null : user?.role === (purpose === 'link' ? 'guest' : 'customer')

/** LOGIN-13. The try is kept with the state on the server: what comes back is held to it. */
export async function beginTry(
  asker: Asker,
  provider: string,
  wanted: Try,
): Promise<{ ok: true; url: string } | { ok: false; reason: Reason }> {
  const query = new URLSearchParams(wanted)
  try {
    const { status, code, answer, cookies } = await askAuth(asker, '/sign-in/social', {
      provider,
      disableRedirect: true,
      callbackURL: `${AUTH_ORIGIN}/in?${query}`,
      errorCallbackURL: `${AUTH_ORIGIN}/out?${query}`,
      ...(wanted.purpose === 'prove' && provider !== 'google' && { additionalParams: { prompt: 'login' } }),
    })
    if (status === 429) return { ok: false, reason: 'busy' }
    if (status !== 200 || !answer.url) throw new Error(`${status} ${code}`)
    asker.page.cookies.push(...cookies)
    return { ok: true, url: answer.url }
  } catch (error) {
    asker.shop.log.error('a provider could not be reached', error, { provider })
    return { ok: false, reason: 'unreachable' }
  }
}

/** The uid that has this identity; null: nobody. By the provider's own name for the person: addresses change hands. */
export async function ownerOfIdentity(db: Db, { provider, subject }: Pick<Identity, 'provider' | 'subject'>): Promise<string | null> {
  const found = await db
    .selectFrom('account')
    .select('userId')
    .where('providerId', '=', provider)
    .where('accountId', '=', subject)
    .executeTakeFirst()
  return found?.userId ?? null
}

/**
 * S-208: null: it may go in. An identity that is new here joins the account of its address only where both sides have proven the address;
 * otherwise whoever registered a stranger's address first, here or there, would open the stranger's account. The owner's account is never joined.
 */
export async function refuseIdentity(db: Db, identity: Identity): Promise<Reason | null> {
  const known = await ownerOfIdentity(db, identity)
  if (known !== null) return known === ADMIN_ID ? 'owner' : null
  if (!identity.emailVerified) return 'unverified'
  const holder = await findUserByEmail(db, identity.email)
  if (!holder) return null
  if (holder.id === ADMIN_ID) return 'owner'
  return holder.emailVerified ? null : 'taken'
}

type Finished = { wanted: Try } & (
  | { done: 'in'; user: User }
  /** somebody is signed in here already, from another tab perhaps, and stays so */
  | { done: 'stays' }
  /** S-002: it is the guest's to keep */
  | { done: 'met'; identity: Identity }
  | { done: 'failed'; reason: Reason }
)

/** What a provider may send along; all of it together fits into any address. */
const SENT = ['code', 'state', 'error', 'iss']

export async function finishTry(asker: Asker, provider: string, user: User | null): Promise<Finished> {
  const { shop, page } = asker
  let seen: { identity: Identity; verdict: Verdict } | null = null as { identity: Identity; verdict: Verdict } | null
  let joined: Identity | null = null as Identity | null
  const meet = async (identity: Identity, address: string) => {
    // Whether it joins an account that opens otherwise so far.
    const isNew = (await ownerOfIdentity(shop.db, identity)) === null
    joined = isNew && (await findUserByEmail(shop.db, identity.email)) ? identity : null
    seen = { identity, verdict: await judge(shop.db, identity, tryOf(new URL(address)), user) }
    return seen.verdict === 'in'
  }
  const asked = meeting.run({ meet }, () => shop.auth.handler(asLibraryReads(asker, provider)))
  const response = await asked.catch((error: unknown) => {
    if (isOutageMet()) throw error
    shop.log.error('a sign-in with a provider broke off', error, { provider })
    return new Response(null, { status: 500 })
  })
  const cookies = response.headers.getSetCookie()
  const location = new URL(response.headers.get('location') ?? '/error', AUTH_ORIGIN)
  const wanted = tryOf(location)
  if (location.pathname === '/in') {
    const entered = await enter(asker, cookies)
    if (joined) await tellJoined(asker, joined)
    if (user) {
      await shop.db.deleteFrom('session').where('id', '=', user.sessionId).execute()
      shop.live.sessionEnded(user.sessionId)
    }
    return { wanted, done: 'in', user: entered }
  }
  page.cookies.push(...cookies)
  const error = location.searchParams.get('error')?.slice(0, 80) ?? ''
  const known = user || seen?.verdict !== 'in' ? null : await knownMeanwhile(shop, seen.identity, error)
  if (known) return { wanted, done: 'in', user: await enterAs(asker, known) }
  if (seen?.verdict === 'stays') return { wanted, done: 'stays' }
  if (seen?.verdict === 'met') return { wanted, done: 'met', identity: seen.identity }
  const reason = seen && seen.verdict !== 'in' ? seen.verdict : reasonOf(error)
  if (reason === 'failed') shop.log.info('a sign-in with a provider was not finished', { provider, error })
  return { wanted, done: 'failed', reason }
}

type Verdict = 'in' | 'met' | 'stays' | Reason

/** What the library says when another visit, which began when nobody knew this identity either, was quicker to write it down. */
const lost = ['unable_to_create_user', 'unable_to_link_account']

async function knownMeanwhile(shop: Shop, identity: Identity, error: string): Promise<string | null> {
  const { db } = shop
  if (!lost.includes(error) || (await refuseIdentity(db, identity)) !== null) return null
  const holder = await findUserByEmail(db, identity.email)
  if (!holder) return ownerOfIdentity(db, identity)
  // The library writes the account and the way into it one after the other: whichever visit is quicker with the second.
  const [at, { provider: providerId, subject: accountId }] = [new Date(shop.now()), identity]
  await db
    .insertInto('account')
    .values({ id: newSecretId(), userId: holder.id, providerId, accountId, createdAt: at, updatedAt: at })
    .onConflict((same) => same.columns(['accountId', 'providerId']).doNothing())
    .execute()
  return ownerOfIdentity(db, identity)
}

/** What comes of an identity that has been proven; 'in': the library signs in. */
async function judge(db: Db, identity: Identity, { purpose, userId }: Try, user: User | null): Promise<Verdict> {
  if (userId !== (user?.id ?? '')) return purpose === 'login' && user ? 'stays' : 'other'
  if (purpose === 'link') return 'met'
  if (purpose === 'prove') return (await ownerOfIdentity(db, identity)) === userId ? 'in' : 'other'
  return (await refuseIdentity(db, identity)) ?? 'in'
}

/** S-231: the account opens in another way from now on; its address hears of it. Whoever came in is in, also when no letter can be written. */
async function tellJoined({ shop }: Asker, { provider, email }: Identity): Promise<void> {
  const name = shop.providers.list.find(({ id }) => id === provider)?.name ?? provider
  await transact(shop.db, (tx) => postNotice(tx, shop, { provider: name }, email)).catch((error: unknown) =>
    shop.log.error('a letter about a new way into an account could not be written', error),
  )
  shop.mail.wake()
}

/** The library's own words; of two registrations of one address at once it sees the later one itself. */
const reasonOf = (error: string): Reason => (error === 'access_denied' ? 'cancelled' : error === 'account_not_linked' ? 'taken' : 'failed')

/** Only the state's cookie goes along: by a session's the library would judge, and even delete, for itself. */
function asLibraryReads({ page, request }: Asker, provider: string): Request {
  const asked = new URL(request.url).searchParams
  const told = new URLSearchParams(SENT.flatMap((name) => (asked.has(name) ? [[name, asked.get(name)!.slice(0, 4000)]] : [])))
  const state = (request.headers.get('cookie') ?? '').split(/;\s*/).filter((cookie) => /^(__Secure-|__Host-)?shop\.state=/.test(cookie))
  return new Request(`${AUTH_ORIGIN}/api/auth/callback/${encodeURIComponent(provider)}?${told}`, {
    headers: {
      cookie: state.join('; '),
      'user-agent': request.headers.get('user-agent') ?? '',
      'x-client-address': page.clientAddress,
    },
  })
}

/** Its address was kept with the state; an answer whose state is unknown belongs to no try, and counts as a plain login. */
const tryOf = ({ searchParams }: URL): Try => ({ ...readTry(searchParams), userId: searchParams.get('userId') ?? '' })
