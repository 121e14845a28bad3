/** Who asks: the user of a request's session. */
import type { Shop, User } from '#app/platform/context.ts'
import { libraryTime } from '#app/platform/library-date.ts'
import { ADMIN_ID } from './admin.ts'
import { isTooOld } from './session-age.ts'

/** null when nobody is signed in; renewed cookies are pushed to `cookies`. Must not be called inside a transaction. */
export async function findUserOf(shop: Pick<Shop, 'auth' | 'db' | 'live'>, headers: Headers, cookies: string[]): Promise<User | null> {
  if (!headers.get('cookie')?.includes('session_token')) return null
  const { response, headers: renewed } = await shop.auth.api.getSession({ headers, returnHeaders: true })
  const given = renewed?.getSetCookie() ?? []
  if (!response) {
    cookies.push(...given)
    return null
  }
  const { user, session } = response
  const role = user.id === ADMIN_ID ? 'admin' : user.isAnonymous ? 'guest' : 'customer'
  if (isTooOld(session, role)) {
    await shop.db.deleteFrom('session').where('id', '=', session.id).execute()
    shop.live.sessionEnded(session.id)
    return null
  }
  cookies.push(...given)
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
