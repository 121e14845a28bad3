import type { Db, Tx } from '#db/schema.ts'
import { newSecretId } from './ids.ts'

/** The account that has this email address, guests' made-up ones included; undefined: there is none. */
export const findUserByEmail = (db: Db | Tx, email: string) =>
  db.selectFrom('user').select(['id', 'emailVerified']).where('email', '=', email.toLowerCase()).executeTakeFirst()

/** Locks the user's row, so that changes of one account follow each other on both databases; undefined once the account is deleted. */
export const lockUser = (tx: Tx, userId: string) =>
  tx
    .updateTable('user')
    .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
    .where('id', '=', userId)
    .returning(['id', 'name', 'email', 'emailVerified', 'image', 'isAnonymous'])
    .executeTakeFirst()

/** Gives a user of another provider a first password [S-220]. The caller has locked the user's row and ends the sessions. */
export async function setPassword(tx: Tx, userId: string, hash: string, at: number): Promise<void> {
  const updatedAt = new Date(at)
  const own = tx.updateTable('account').set({ password: hash, updatedAt }).where('userId', '=', userId)
  const changed = await own.where('providerId', '=', 'credential').executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return
  const row = { id: newSecretId(), accountId: userId, providerId: 'credential', userId, password: hash, createdAt: updatedAt, updatedAt }
  await tx.insertInto('account').values(row).execute()
}

/** Dates of the authentication library, which are text in SQLite and dates in PostgreSQL; both make a Date. */
export const libraryTime = (date: unknown): number => new Date(date as string | Date).getTime()
