/** Where letters to the owner go. */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { Db, Tx } from '#db/tables.ts'
import { readSettings } from './settings.server.ts'
import { defaultSettings } from './default-settings.server.ts'

/** The address in the settings, or as long as that is a placeholder the one she signs in with. */
export async function ownersAddress(db: Db | Tx): Promise<string> {
  const { email } = await readSettings(db)
  if (email !== defaultSettings.email) return email
  return (await db.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()).email
}
