/** Writes a password that has been proven and found fit, for whoever may: under Account, by a letter, on the machine. */
import { newSecretId } from '#app/platform/ids.ts'
import type { Tx } from '#db/tables.ts'

/**
 * S-220: who came by another provider, or was moved here, gets the first one. The account's row is held; which sessions end with it is the
 * caller's choice (`deleteSessions`).
 */
export async function setPassword(tx: Tx, userId: string, hash: string, at: number): Promise<void> {
  const updatedAt = new Date(at)
  const own = tx.updateTable('account').set({ password: hash, updatedAt }).where('userId', '=', userId)
  const changed = await own.where('providerId', '=', 'credential').executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return
  const row = { id: newSecretId(), accountId: userId, providerId: 'credential', userId, password: hash, createdAt: updatedAt, updatedAt }
  await tx.insertInto('account').values(row).execute()
}
