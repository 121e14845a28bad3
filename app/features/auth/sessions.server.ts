import { canonicalEmail } from '#lib/text/email-address.server.ts'
import type { Role, AppServices, User } from '#services/context.ts'
import { isCustomer, lockUser, toEpochMs } from '#services/users.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import type { Tables, Tx } from '#db/schema.ts'
import type { SelectQueryBuilder } from 'kysely'
import { parse } from 'bowser'
import { deviceTexts } from './texts.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * The longest time since the login, even with daily visits. Guests have no limit, because they
 * could not log in again. Without visits, a session ends after 30 days (services/auth.server.ts).
 */
const maxTotalAgeMs: Record<Role, number> = {
  owner: 30 * DAY_MS,
  customer: 180 * DAY_MS,
  guest: Infinity,
}

/** With null for `cookies`, the session is not renewed. Do not call it inside a transaction. */
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
  const visitorRole = user.isAnonymous ? 'guest' : 'customer'
  const role = user.id === OWNER_ID ? 'owner' : visitorRole
  // better-auth only ends sessions that were not used for some time.
  if (session.updatedAt.getTime() - session.createdAt.getTime() > maxTotalAgeMs[role]) {
    await app.db.deleteFrom('session').where('id', '=', session.id).execute()
    app.live.sessionEnded(session.id)
    return null
  }
  cookies?.push(...renewedCookies)
  return {
    id: user.id,
    name: user.name,
    email: role === 'guest' ? '' : user.email,
    image: user.image ?? null,
    role,
    sessionId: session.id,
    loginExpiresAt: session.createdAt.getTime() + maxTotalAgeMs[role],
    hasSecondFactor: Boolean(user.twoFactorEnabled),
  }
}

export async function findEndedSessions(app: Pick<AppServices, 'db' | 'now'>, ids: string[]) {
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

export async function listSessionIds(tx: Tx, userId: string) {
  const rows = await tx.selectFrom('session').select('id').where('userId', '=', userId).execute()
  return rows.map((row) => row.id)
}

type Accounts = string | SelectQueryBuilder<Tables, 'user', { id: string }>
const asList = (accounts: Accounts) => (typeof accounts === 'string' ? [accounts] : accounts)

/** Otherwise, a login that waits for its code could still succeed for ten minutes. [S-233] */
export const deletePendingTwoFactorLogins = (tx: Tx, accounts: Accounts) =>
  tx
    .deleteFrom('verification')
    .where('value', 'in', asList(accounts))
    .where('identifier', 'like', '2fa-%')
    .execute()

/**
 * The lock keeps a concurrent login from adding a session later. Call `publishSessionEnds` after
 * the commit. [S-212]
 */
export async function deleteSessions(tx: Tx, accounts: Accounts, keep = '') {
  if (typeof accounts === 'string') await lockUser(tx, accounts)
  await tx.deleteFrom('guestLinks').where('userId', 'in', asList(accounts)).execute()
  await deletePendingTwoFactorLogins(tx, accounts)
  const ended = await tx
    .deleteFrom('session')
    .where('userId', 'in', asList(accounts))
    .where('id', '!=', keep)
    .returning('id')
    .execute()
  return ended.map((row) => row.id)
}

const MAX_SESSIONS = 30

export async function endLeastRecentlyUsedSessions(app: AppServices, userId: string) {
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

export function publishSessionEnds(app: Pick<AppServices, 'live'>, ids: readonly string[]) {
  for (const id of ids) app.live.sessionEnded(id)
}

/**
 * `target` is an email address or 'everybody'. Returns null without such an account. Guests stay
 * signed in, because they could not log in again.
 */
export async function revokeSessions({ db, now }: Pick<AppServices, 'db' | 'now'>, target: string) {
  return inTransaction(db, async (tx) => {
    let people = tx.selectFrom('user').select('id').where(isCustomer)
    if (target !== 'everybody') people = people.where('email', '=', canonicalEmail(target))
    if (!(await people.executeTakeFirst())) return null
    const { length: count } = await deleteSessions(tx, people)
    await recordAuditEvent(tx, {
      at: now(),
      act: 'log-out-people',
      actor: OWNER_ID,
      subject: OWNER_ID,
      // The audit log outlives accounts, so it must not name this account.
      name: target === 'everybody' ? 'everybody' : 'one account',
      detail: { count },
    })
    return count
  })
}

const MAX_USER_AGENT_LENGTH = 500

const systemNames: Record<string, string> = { macOS: 'Mac', iOS: 'iPhone' }

/** For example "Safari on iPhone", never a part of the user agent. [S-219] */
export function describeDevice(userAgent: string | null) {
  const { browser, os, platform } = parse((userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH) || ' ')
  const isHandheld = platform.type === 'mobile' || platform.type === 'tablet'
  const system = platform.model === 'iPad' ? 'iPad' : (systemNames[os.name ?? ''] ?? os.name ?? '')
  const name = browser.name || deviceTexts.unknownBrowser
  return { name: system ? deviceTexts.onSystem(name, system) : name, isHandheld }
}
