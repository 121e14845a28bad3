/** What stands for a password where there is none: having just signed in with one's provider. */
import type { Shop, User } from '#app/platform/context.ts'

/** S-211: ten minutes. */
const FRESH = 600_000

/** Which provider she can prove herself with; null: she has none. Others than the configured ones cannot be asked. */
export async function providerOf(shop: Pick<Shop, 'db' | 'providers'>, user: Pick<User, 'id'>): Promise<string | null> {
  const rows = await shop.db.selectFrom('account').select('providerId').where('userId', '=', user.id).orderBy('providerId').execute()
  const configured = shop.providers.list.map(({ id }) => id)
  return rows.find(({ providerId }) => configured.includes(providerId))?.providerId ?? null
}

/** S-015, S-211: her session is younger than ten minutes, and she could not have signed in by a password. Asked at once, from the database. */
export async function hasJustSignedIn(shop: Pick<Shop, 'db' | 'now'>, user: Pick<User, 'id' | 'sessionId'>): Promise<boolean> {
  const accounts = await shop.db.selectFrom('account').select(['providerId', 'password']).where('userId', '=', user.id).execute()
  if (accounts.length === 0 || accounts.some(({ password }) => password !== null)) return false
  const session = await shop.db
    .selectFrom('session')
    .select('createdAt')
    .where('id', '=', user.sessionId)
    .where('userId', '=', user.id)
    .executeTakeFirst()
  // The library keeps text in SQLite and a date in PostgreSQL; both make a Date.
  const age = session ? shop.now() - new Date(session.createdAt as string | Date).getTime() : FRESH
  return age < FRESH
}
