/** Who asks: the user of a request's session. */
import type { Shop, User } from '#app/platform/context.ts'
import { isDueForRenewal } from '#app/platform/auth.server.ts'
import { libraryTime } from '#app/platform/library-date.ts'
import { prepareQuery } from '#app/platform/prepared-query.server.ts'
import { ADMIN_ID } from './admin.ts'
import { isTooOld } from './session-age.ts'
import { readSessionToken } from './session-cookie.server.ts'

type Doors = Pick<Shop, 'auth' | 'db' | 'live'>
type Person = { id: string; name: string; email: string; image?: string | null; isAnonymous?: unknown }
type Session = { id: string; createdAt: Date; updatedAt: Date }

/** null when nobody is signed in; renewed cookies are pushed to `cookies`. Must not be called inside a transaction. */
export async function findUserOf(shop: Doors, headers: Headers, cookies: string[]): Promise<User | null> {
  const shown = headers.get('cookie')
  if (!shown?.includes('session_token')) return null
  const plain = await findPlainly(shop, shown)
  if (plain) return userOf(shop, plain.user, plain.session)
  const { response, headers: renewed } = await shop.auth.api.getSession({ headers, returnHeaders: true })
  const given = renewed?.getSetCookie() ?? []
  if (!response) {
    cookies.push(...given)
    return null
  }
  const user = await userOf(shop, response.user, response.session)
  if (user) cookies.push(...given)
  return user
}

const sessionByToken = prepareQuery((db, token: string) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .where('session.token', '=', token)
    .select(['session.id as sessionId', 'session.expiresAt', 'session.createdAt', 'session.updatedAt'])
    .select(['user.id', 'user.name', 'user.email', 'user.image', 'user.isAnonymous']),
)

/**
 * 040: the session as nearly every request brings it: signed, alive, not yet to be renewed. The database is asked each time, so a session that
 * has ended anywhere is over at once. null: the library decides, which also answers all that is unusual.
 */
async function findPlainly({ auth, db }: Doors, shown: string): Promise<{ user: Person; session: Session } | null> {
  const { authCookies, secret } = await auth.$context
  if (shown.includes(authCookies.sessionData.name)) return null
  const token = readSessionToken(shown, authCookies.sessionToken.name, secret)
  const [row] = token === null ? [] : await sessionByToken(db, token)
  if (!row || isDueForRenewal(libraryTime(row.expiresAt), Date.now())) return null
  const { sessionId, createdAt, updatedAt, ...user } = row
  return { user, session: { id: sessionId, createdAt: new Date(libraryTime(createdAt)), updatedAt: new Date(libraryTime(updatedAt)) } }
}

async function userOf(shop: Doors, user: Person, session: Session): Promise<User | null> {
  const role = user.id === ADMIN_ID ? 'admin' : user.isAnonymous ? 'guest' : 'customer'
  if (isTooOld(session, role)) {
    await shop.db.deleteFrom('session').where('id', '=', session.id).execute()
    shop.live.sessionEnded(session.id)
    return null
  }
  return { id: user.id, name: user.name, email: role === 'guest' ? '' : user.email, image: user.image ?? null, role, sessionId: session.id }
}

/** Which of these sessions are over: signed out elsewhere, expired, or gone with their account. */
export async function endedSessions(shop: Pick<Shop, 'db' | 'now'>, ids: string[]): Promise<Set<string>> {
  const ended = new Set(ids)
  for (let from = 0; from < ids.length; from += 500) {
    const rows = await shop.db
      .selectFrom('session')
      .select(['id', 'expiresAt'])
      .where('id', 'in', ids.slice(from, from + 500))
      .execute()
    // The library keeps text in SQLite and a date in PostgreSQL; both make a Date.
    for (const { id, expiresAt } of rows) if (libraryTime(expiresAt) > shop.now()) ended.delete(id)
  }
  return ended
}
