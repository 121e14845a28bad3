import type { Role, AppServices, User } from '#app/services/context.ts'
import { lockUser, toEpochMs } from '#app/services/users.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { Tables, Tx } from '#db/schema.ts'
import type { SelectQueryBuilder } from 'kysely'

const DAY_MS = 24 * 60 * 60_000

/** The maximum age of a session in milliseconds. A guest's session has no maximum age, because a guest could not log in again and would lose everything. */
const maxAgeMs: Record<Role, number> = {
  admin: 30 * DAY_MS,
  customer: 180 * DAY_MS,
  guest: Infinity,
}

/**
 * Returns null for a visitor without a session. Appends the cookies of a renewed session to `cookies`. If `cookies` is null, the session is not renewed, because the
 * caller cannot send cookies. Must not be called inside a transaction.
 */
export async function findSessionUser(
  app: Pick<AppServices, 'auth' | 'db' | 'live'>,
  headers: Headers,
  cookies: string[] | null,
): Promise<User | null> {
  if (!headers.get('cookie')?.includes('session_token')) return null
  const { response, headers: renewed } = await app.auth.api.getSession({
    headers,
    query: { disableRefresh: cookies === null },
    returnHeaders: true,
  })
  const renewedCookies = renewed?.getSetCookie() ?? []
  if (!response) {
    cookies?.push(...renewedCookies)
    return null
  }
  const { user, session } = response
  const role = user.id === ADMIN_ID ? 'admin' : user.isAnonymous ? 'guest' : 'customer'
  // better-auth ends only unused sessions, so the shop ends the sessions that are older than the maximum age.
  if (session.updatedAt.getTime() - session.createdAt.getTime() > maxAgeMs[role]) {
    await app.db.deleteFrom('session').where('id', '=', session.id).execute()
    app.live.sessionEnded(session.id)
    return null
  }
  cookies?.push(...renewedCookies)
  return {
    ...{
      id: user.id,
      name: user.name,
      email: role === 'guest' ? '' : user.email,
      image: user.image ?? null,
      role,
    },
    ...{ sessionId: session.id, hasSecondFactor: Boolean(user.twoFactorEnabled) },
  }
}

/** Returns which of these sessions have ended, for example by a logout in another browser or because the account was deleted. */
export async function findEndedSessions(
  app: Pick<AppServices, 'db' | 'now'>,
  ids: string[],
): Promise<Set<string>> {
  const ended = new Set(ids)
  for (let from = 0; from < ids.length; from += 500) {
    const rows = await app.db
      .selectFrom('session')
      .select(['id', 'expiresAt'])
      .where('id', 'in', ids.slice(from, from + 500))
      .execute()
    for (const { id, expiresAt } of rows) if (toEpochMs(expiresAt) > app.now()) ended.delete(id)
  }
  return ended
}

/** Lists the sessions of an account. Must be called before the account is deleted. */
export async function listSessionIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.selectFrom('session').select('id').where('userId', '=', userId).execute()
  return rows.map((row) => row.id)
}

/** A user id, or a query that finds user ids. */
type Accounts = string | SelectQueryBuilder<Tables, 'user', { id: string }>
const asList = (accounts: Accounts) => (typeof accounts === 'string' ? [accounts] : accounts)

/** Deletes logins of users who have entered the correct password but not yet the two-factor code. better-auth stores such logins for ten minutes. [S-233] */
export const deletePendingTwoFactorLogins = (tx: Tx, accounts: Accounts) =>
  tx
    .deleteFrom('verification')
    .where('value', 'in', asList(accounts))
    .where('identifier', 'like', '2fa-%')
    .execute()

/** Deletes the sessions of the accounts, except for the session `keep`. Also deletes guests' unfinished links to these accounts [S-212], and logins that still need a two-factor code [S-233]. A single account is locked, so that a login that is being checked cannot outlast the deletion. The caller must call `publishSessionEnds` after the commit. */
export async function deleteSessions(
  tx: Tx,
  accounts: Accounts,
  keep: string | null,
): Promise<string[]> {
  if (typeof accounts === 'string') await lockUser(tx, accounts)
  await tx.deleteFrom('guestLinks').where('userId', 'in', asList(accounts)).execute()
  await deletePendingTwoFactorLogins(tx, accounts)
  const all = tx.deleteFrom('session').where('userId', 'in', asList(accounts))
  const gone = await (keep === null ? all : all.where('id', '!=', keep)).returning('id').execute()
  return gone.map((row) => row.id)
}

/** An account has at most this many sessions. */
const MAX_SESSIONS = 30

/** Ends the least recently used sessions of an account that has too many. Must be called after each login. [S-219] */
export async function endLeastRecentlyUsedSessions(
  app: Pick<AppServices, 'db' | 'live'>,
  userId: string,
): Promise<void> {
  const sessions = app.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('updatedAt', 'desc')
  // SQLite allows an offset only with a limit.
  const ids = (await sessions.offset(MAX_SESSIONS).limit(1000).execute()).map(({ id }) => id)
  if (ids.length === 0) return
  await app.db.deleteFrom('session').where('id', 'in', ids).execute()
  publishSessionEnds(app, ids)
}

/** Closes the WebSockets of these sessions. */
export function publishSessionEnds(app: Pick<AppServices, 'live'>, ids: readonly string[]): void {
  for (const id of ids) app.live.sessionEnded(id)
}

/** Ends sessions of one account or of everybody. Returns the number of ended sessions, or null if no account has the address. Guests stay signed in, because they could not log in again. */
export async function revokeSessions(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  target: { email: string } | 'everybody',
): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    let people = tx
      .selectFrom('user')
      .select('id')
      .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    if (target !== 'everybody') people = people.where('email', '=', target.email.toLowerCase())
    if (!(await people.executeTakeFirst())) return null
    const gone = await deleteSessions(tx, people, null)
    // The event names no account, because the audit log still contains the event after the account is deleted.
    const event = {
      actor: ADMIN_ID,
      subject: ADMIN_ID,
      name: target === 'everybody' ? 'everybody' : 'one account',
    }
    await recordAuditEvent(tx, {
      ...event,
      at: now(),
      act: 'log-out-people',
      detail: { count: gone.length },
    })
    return gone.length
  })
}
