import { join } from 'node:path'
import { readPasswordHash } from '#auth/reauthenticate.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { ensureOwner, type Auth } from '#services/auth.server.ts'
import type { Env } from '#lib/config/env.server.ts'
import { knownOwnerPasswords } from '#lib/config/production-checks.server.ts'
import type { Db } from '#db/schema.ts'
import { customers } from '#demo/catalog.ts'
import { readOrCreateSecret } from './secrets.ts'

export async function applyConfiguredPassword(auth: Auth, env: Env, db: Db) {
  const path = join(env.dataDir, 'secrets', 'owner-password')
  const password = env.ownerPassword ?? (await readOrCreateSecret(path, 12))
  const owner = { email: env.ownerEmail, name: '', password }
  const isNew = (await ensureOwner(auth, owner)) === 'created'
  const { internalAdapter } = await auth.$context
  const email = (await internalAdapter.findUserById(OWNER_ID))?.email ?? env.ownerEmail
  if (env.ownerPassword !== null) {
    await applyPassword(auth, env.ownerPassword, db)
    return { email, hint: '' }
  }
  const hint = isNew
    ? ` with the password ${password} (stored in ${path})`
    : ` (her first password is in ${path})`
  return { email, hint }
}

const key = 'owner-password-setting'

async function applyPassword(auth: Auth, newPassword: string, db: Db) {
  const { internalAdapter, password } = await auth.$context
  const last = await db
    .selectFrom('keyValues')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  if (
    last &&
    (await password.verify({ hash: last.value, password: newPassword }).catch(() => false))
  ) {
    return
  }
  const hash = await readPasswordHash(db, OWNER_ID)
  if (!hash || !(await password.verify({ hash, password: newPassword }))) {
    await internalAdapter.updatePassword(OWNER_ID, await password.hash(newPassword))
    await internalAdapter.deleteUserSessions(OWNER_ID)
  }
  // This write comes last, so that a start after a kill repeats all steps.
  const value = await password.hash(newPassword)
  await db
    .insertInto('keyValues')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

export async function findAccountsWithDefaultPasswords(db: Db, auth: Auth) {
  const { password } = await auth.$context
  const isOpenTo = async (userId: string, knownPasswords: string[]) => {
    const hash = await readPasswordHash(db, userId)
    if (!hash) return false
    for (const knownPassword of knownPasswords) {
      if (await password.verify({ hash, password: knownPassword }).catch(() => false)) return true
    }
    return false
  }
  const lines: string[] = []
  if (await isOpenTo(OWNER_ID, knownOwnerPasswords)) {
    lines.push(
      'The owner has a password that everyone knows: set a new one with npm run admin -- reset-password, or with OWNER_PASSWORD',
    )
  }
  const emails = customers.map(({ email }) => email)
  const demoPasswords = customers.map((customer) => customer.password)
  const users = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where('email', 'in', emails)
    .execute()
  for (const { id, email } of users) {
    if (await isOpenTo(id, demoPasswords)) {
      lines.push(
        `${email} is a customer of the demo shop, whose password everyone knows: start with a new DATA_DIR (or database) and DEMO=0`,
      )
    }
  }
  return lines
}
