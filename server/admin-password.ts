import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { makeFolder, putFile } from '#app/platform/durable-file.server.ts'
import { ensureOwner, type Auth } from '#app/platform/auth.server.ts'
import type { Env } from '#app/platform/env.server.ts'
import type { Db } from '#db/schema.ts'
import { readOrMakeSecret } from './secrets.ts'

/** OWNER_PASSWORD counts when it is other than at the last start: then it replaces her password and ends her sessions (006). A start may be killed at any step. */
export async function ensureOwnerPassword(auth: Auth, env: Env, db: Db): Promise<{ email: string; hint: string }> {
  const secrets = join(env.dataDir, 'secrets')
  const kept = join(secrets, 'owner-password')
  const password = env.ownerPassword ?? (await readOrMakeSecret(kept, 12))
  const made = await ensureOwner(auth, { id: ADMIN_ID, email: env.ownerEmail, name: 'Owner', password })
  const { internalAdapter } = await auth.$context
  const email = (await internalAdapter.findUserById(ADMIN_ID))?.email ?? env.ownerEmail
  if (env.ownerPassword !== null) {
    await follow(auth, env.ownerPassword, env.secret === null ? inFolder(secrets) : inDatabase(db))
    return { email, hint: '' }
  }
  // Shown once; a start that was killed before it could show it leaves the file.
  return { email, hint: made === 'created' ? ` with the password ${password} (kept in ${kept})` : ` (her first password is in ${kept})` }
}

type Followed = { read: () => Promise<string | null>; write: (hash: string) => Promise<void> }

function inFolder(secrets: string): Followed {
  const path = join(secrets, 'owner-password-setting')
  return {
    read: () => readFile(path, 'utf8').catch(() => null),
    async write(hash) {
      await makeFolder(secrets, 0o700)
      await putFile(path, hash, { mode: 0o600 })
    },
  }
}

/** S-260: for processes whose folder does not outlive them. */
function inDatabase(db: Db): Followed {
  const key = 'owner-password-setting'
  return {
    read: async () => (await db.selectFrom('marks').select('value').where('key', '=', key).executeTakeFirst())?.value ?? null,
    async write(value) {
      await db
        .insertInto('marks')
        .values({ key, value })
        .onConflict((same) => same.column('key').doUpdateSet({ value }))
        .execute()
    },
  }
}

async function follow(auth: Auth, wanted: string, followed: Followed): Promise<void> {
  const { internalAdapter, password } = await auth.$context
  const last = await followed.read()
  if (last && (await password.verify({ hash: last, password: wanted }).catch(() => false))) return
  const account = (await internalAdapter.findAccounts(ADMIN_ID)).find((one) => one.providerId === 'credential')
  if (!account?.password || !(await password.verify({ hash: account.password, password: wanted }))) {
    await internalAdapter.updatePassword(ADMIN_ID, await password.hash(wanted))
    await internalAdapter.deleteUserSessions(ADMIN_ID)
  }
  // Last, and whole: a start that is killed before does everything once more.
  await followed.write(await password.hash(wanted))
}
