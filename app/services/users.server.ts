import type { Db, Tx } from '#db/schema.ts'
import { newSecretId } from '#app/lib/text/ids.ts'

/** Also finds guests by their made-up addresses; undefined: no such user. */
export const findUserByEmail = (db: Db | Tx, email: string) =>
  db.selectFrom('user').select(['id', 'emailVerified']).where('email', '=', email.toLowerCase()).executeTakeFirst()

/** Only one transaction at a time changes an account, on both databases; undefined: the account was deleted. */
export const lockUser = (tx: Tx, userId: string) =>
  tx
    .updateTable('user')
    .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
    .where('id', '=', userId)
    .returning(['id', 'name', 'email', 'emailVerified', 'image', 'isAnonymous'])
    .executeTakeFirst()

/** Sets the first password of a user who has signed in only with a provider so far [S-220]. The caller has locked the user's row, and ends the sessions. */
export async function setPassword(tx: Tx, userId: string, hash: string, at: number): Promise<void> {
  const updatedAt = new Date(at)
  const own = tx.updateTable('account').set({ password: hash, updatedAt }).where('userId', '=', userId)
  const changed = await own.where('providerId', '=', 'credential').executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return
  const row = { id: newSecretId(), accountId: userId, providerId: 'credential', userId, password: hash, createdAt: updatedAt, updatedAt }
  await tx.insertInto('account').values(row).execute()
}

/** better-auth stores dates as text in SQLite and as dates in PostgreSQL. */
export const toEpochMs = (date: unknown): number => new Date(date as string | Date).getTime()
