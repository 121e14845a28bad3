import type { Role, Shop, User } from '#app/platform/context.ts'
import { libraryTime } from '#app/platform/users.server.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/schema.ts'

const DAY = 24 * 60 * 60_000

/** In milliseconds. A guest has nothing to log in with again, and would lose everything. */
const longest: Record<Role, number> = { admin: 30 * DAY, customer: 180 * DAY, guest: Infinity }

/** null when nobody is signed in; renewed cookies are pushed to `cookies`. Must not be called inside a transaction. */
export async function findUserOf(shop: Pick<Shop, 'auth' | 'db' | 'live'>, headers: Headers, cookies: string[]): Promise<User | null> {
  if (!headers.get('cookie')?.includes('session_token')) return null
  const { response, headers: renewed } = await shop.auth.api.getSession({ headers, returnHeaders: true })
  const renewedCookies = renewed?.getSetCookie() ?? []
  if (!response) {
    cookies.push(...renewedCookies)
    return null
  }
  const { user, session } = response
  const role = user.id === ADMIN_ID ? 'admin' : user.isAnonymous ? 'guest' : 'customer'
  // By when it was last renewed, within the hour; what is not used any more expires by itself.
  if (session.updatedAt.getTime() - session.createdAt.getTime() > longest[role]) {
    await shop.db.deleteFrom('session').where('id', '=', session.id).execute()
    shop.live.sessionEnded(session.id)
    return null
  }
  cookies.push(...renewedCookies)
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

/** For whoever takes the account itself away, and with it its sessions: to be read before. */
export async function listSessions(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.selectFrom('session').select('id').where('userId', '=', userId).execute()
  return rows.map((row) => row.id)
}

/** Logins that have given the password and have yet to give their code (S-233). The library keeps them under this name, for ten minutes. */
export const endHalfLogins = (tx: Tx, userId: string) =>
  tx.deleteFrom('verification').where('value', '=', userId).where('identifier', 'like', '2fa-%').execute()

/** All but `keep`; `closeSessions` after the commit. A guest's proof of this account (S-212) and a login without its code (S-233) end as well. */
export async function deleteSessions(tx: Tx, userId: string, keep: string | null): Promise<string[]> {
  await tx.deleteFrom('guestLinks').where('userId', '=', userId).execute()
  await endHalfLogins(tx, userId)
  const all = tx.deleteFrom('session').where('userId', '=', userId)
  const gone = await (keep === null ? all : all.where('id', '!=', keep)).returning('id').execute()
  return gone.map((row) => row.id)
}

/** Their pages hear of it at once: an open live connection ends with its session. */
export function closeSessions(shop: Pick<Shop, 'live'>, ids: readonly string[]): void {
  for (const id of ids) shop.live.sessionEnded(id)
}

/** Gives how many have ended; null: nobody has this address. Guests stay: they have nothing to log in with again. */
export async function logOutPeople({ db, now }: Pick<Shop, 'db' | 'now'>, whom: { email: string } | 'everybody'): Promise<number | null> {
  return transact(db, async (tx) => {
    let people = tx
      .selectFrom('user')
      .select('id')
      .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    if (whom !== 'everybody') people = people.where('email', '=', whom.email.toLowerCase())
    if (!(await people.executeTakeFirst())) return null
    const gone = await tx.deleteFrom('session').where('userId', 'in', people).returning('id').execute()
    // The history outlives accounts, so it names nobody.
    const name = whom === 'everybody' ? 'everybody' : 'one account'
    await recordAct(tx, { at: now(), actor: ADMIN_ID, act: 'log-out-people', subject: ADMIN_ID, name, detail: { count: gone.length } })
    return gone.length
  })
}
