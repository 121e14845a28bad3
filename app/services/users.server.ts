import type { Db, Tx } from '#db/schema.ts'
import { newSecretId } from '#app/lib/text/ids.ts'

/** Finds a customer, a guest or the owner by email address. The shop makes up an email address for each guest. */
export const findUserByEmail = (db: Db | Tx, email: string) =>
  db
    .selectFrom('user')
    .select(['id', 'emailVerified', 'twoFactorEnabled'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()

/** Locks the user's row, so that only one transaction at a time changes the account. Returns undefined if the account was deleted. */
export const lockUser = (tx: Tx, userId: string) =>
  tx
    .updateTable('user')
    .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
    .where('id', '=', userId)
    .returning(['id', 'name', 'email', 'emailVerified', 'image', 'isAnonymous', 'twoFactorEnabled'])
    .executeTakeFirst()

/** Sets the first password of a user who has signed in only with a provider. The caller must lock the user's row first, and end the user's sessions afterwards. [S-220] */
export async function setPassword(tx: Tx, userId: string, hash: string, at: number): Promise<void> {
  const updatedAt = new Date(at)
  const own = tx
    .updateTable('account')
    .set({ password: hash, updatedAt })
    .where('userId', '=', userId)
  const changed = await own.where('providerId', '=', 'credential').executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return
  const row = {
    id: newSecretId(),
    accountId: userId,
    providerId: 'credential',
    userId,
    password: hash,
    createdAt: updatedAt,
    updatedAt,
  }
  await tx.insertInto('account').values(row).execute()
}

/** Converts a date of better-auth, which is stored as text in SQLite and as a date in PostgreSQL. */
export const toEpochMs = (date: unknown): number => new Date(date as string | Date).getTime()
