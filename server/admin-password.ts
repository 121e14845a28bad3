import { join } from 'node:path'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { ensureOwner, type Auth } from '#app/platform/auth.server.ts'
import type { Env } from '#app/platform/env.server.ts'
import type { Db } from '#db/schema.ts'
import { readOrMakeSecret } from './secrets.ts'

/** OWNER_PASSWORD counts when it is other than at the last start: then it replaces her password and ends her sessions (006). A start may be killed at any step. */
export async function ensureOwnerPassword(auth: Auth, env: Env, db: Db): Promise<{ email: string; hint: string }> {
  const kept = join(env.dataDir, 'secrets', 'owner-password')
  const password = env.ownerPassword ?? (await readOrMakeSecret(kept, 12))
  const made = await ensureOwner(auth, { id: ADMIN_ID, email: env.ownerEmail, name: 'Owner', password })
  const { internalAdapter } = await auth.$context
  const email = (await internalAdapter.findUserById(ADMIN_ID))?.email ?? env.ownerEmail
  if (env.ownerPassword !== null) {
    await follow(auth, env.ownerPassword, db)
    return { email, hint: '' }
  }
  // Shown once; a start that was killed before it could show it leaves the file.
  return { email, hint: made === 'created' ? ` with the password ${password} (kept in ${kept})` : ` (her first password is in ${kept})` }
}

/** The row of `marks` with the hash of the value that was followed last. */
const key = 'owner-password-setting'

async function follow(auth: Auth, wanted: string, db: Db): Promise<void> {
  const { internalAdapter, password } = await auth.$context
  const last = await db.selectFrom('marks').select('value').where('key', '=', key).executeTakeFirst()
  if (last && (await password.verify({ hash: last.value, password: wanted }).catch(() => false))) return
  const account = (await internalAdapter.findAccounts(ADMIN_ID)).find((one) => one.providerId === 'credential')
  if (!account?.password || !(await password.verify({ hash: account.password, password: wanted }))) {
    await internalAdapter.updatePassword(ADMIN_ID, await password.hash(wanted))
    await internalAdapter.deleteUserSessions(ADMIN_ID)
  }
  // Last, and whole: a start that is killed before does everything once more.
  const value = await password.hash(wanted)
  const row = db.insertInto('marks').values({ key, value })
  await row.onConflict((same) => same.column('key').doUpdateSet({ value })).execute()
}
