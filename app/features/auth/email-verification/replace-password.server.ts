import { deleteSessions } from '../sessions.server.ts'
import { recordAccountEvent } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import { setPassword } from '#services/users.server.ts'
import type { Tx } from '#db/schema.ts'
import { deleteTokensOf, sendSecurityNotification } from './tokens.server.ts'

/**
 * Gives the account to the owner of the mailbox. Lock the user's row first. Returns the ended
 * sessions for `publishSessionEnds` after the commit. [S-229]
 */
export async function replacePassword(
  tx: Tx,
  app: AppServices,
  { userId, email, hash }: { userId: string; email: string; hash: string },
) {
  const at = app.now()
  await setPassword(tx, userId, hash, at)
  // A stranger may have linked her own provider account with this account.
  await tx
    .deleteFrom('account')
    .where('userId', '=', userId)
    .where('providerId', '<>', 'credential')
    .execute()
  const sessions = await deleteSessions(tx, userId)
  await deleteTokensOf(tx, userId)
  await sendSecurityNotification(tx, app, 'password', email)
  await recordAccountEvent(tx, userId, { at, act: 'reset-own-password', name: email })
  return sessions
}
