import { join } from 'node:path'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { ensureOwner, type Auth } from '#app/services/auth.server.ts'
import type { Env } from '#app/lib/config/env.server.ts'
import type { Db } from '#db/schema.ts'
import { readOrCreateSecret } from './secrets.ts'

/** Applies OWNER_PASSWORD: a new value replaces the owner's password and ends her sessions. If the process is killed at any step, the next start completes the change. */
export async function applyConfiguredPassword(
  auth: Auth,
  env: Env,
  db: Db,
): Promise<{ email: string; hint: string }> {
  const path = join(env.dataDir, 'secrets', 'owner-password')
  const password = env.ownerPassword ?? (await readOrCreateSecret(path, 12))
  const made = await ensureOwner(auth, { id: ADMIN_ID, email: env.ownerEmail, name: '', password })
  const { internalAdapter } = await auth.$context
  const email = (await internalAdapter.findUserById(ADMIN_ID))?.email ?? env.ownerEmail
  if (env.ownerPassword !== null) {
    await applyPassword(auth, env.ownerPassword, db)
    return { email, hint: '' }
  }
  // The password is printed only once. The file contains the password in case the process is killed before printing.
  return {
    email,
    hint:
      made === 'created'
        ? ` with the password ${password} (stored in ${path})`
        : ` (her first password is in ${path})`,
  }
}

/** The row of `keyValues` with this key contains a hash of the last OWNER_PASSWORD that was applied. */
const key = 'owner-password-setting'

async function applyPassword(auth: Auth, newPassword: string, db: Db): Promise<void> {
  const { internalAdapter, password } = await auth.$context
  const last = await db
    .selectFrom('keyValues')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  if (
    last &&
    (await password.verify({ hash: last.value, password: newPassword }).catch(() => false))
  )
    return
  const account = (await internalAdapter.findAccounts(ADMIN_ID)).find(
    (one) => one.providerId === 'credential',
  )
  if (
    !account?.password ||
    !(await password.verify({ hash: account.password, password: newPassword }))
  ) {
    await internalAdapter.updatePassword(ADMIN_ID, await password.hash(newPassword))
    await internalAdapter.deleteUserSessions(ADMIN_ID)
  }
  // The hash is stored last, so that the next start repeats all steps if this start is killed.
  const value = await password.hash(newPassword)
  const row = db.insertInto('keyValues').values({ key, value })
  await row.onConflict((same) => same.column('key').doUpdateSet({ value })).execute()
}
