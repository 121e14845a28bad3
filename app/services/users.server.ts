import { canonicalEmail } from '#lib/text/email-address.server.ts'
import type { ExpressionBuilder } from 'kysely'
import type { Db, Tables, Tx } from '#db/schema.ts'
import { newSecretId } from '#lib/text/ids.ts'

export const findUserByEmail = (db: Db, email: string) =>
  db.selectFrom('user').selectAll().where('email', '=', canonicalEmail(email)).executeTakeFirst()

export const findUser = (db: Db, userId: string) =>
  db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()

export const isCustomer = ({ eb, or }: ExpressionBuilder<Tables, 'user'>) =>
  or([eb('user.isAnonymous', 'is', null), eb('user.isAnonymous', '=', false)])

export const lockUser = (tx: Tx, userId: string) =>
  tx.selectFrom('user').selectAll().where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()

/** The caller locks the user's row before, and ends the user's sessions afterwards. [S-220] */
export async function setPassword(tx: Tx, userId: string, hash: string, at: number) {
  const updatedAt = new Date(at)
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ password: hash, updatedAt })
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const credential = { userId, providerId: 'credential', accountId: userId, password: hash }
  await insertAccount(tx, credential, updatedAt).execute()
}

export const insertAccount = (
  db: Db,
  account: { userId: string; providerId: string; accountId: string; password?: string | null },
  at: Date,
) =>
  db.insertInto('account').values({ id: newSecretId(), ...account, createdAt: at, updatedAt: at })

/** better-auth stores a text in SQLite and a date in PostgreSQL. */
export const toEpochMs = (date: unknown) => new Date(date as string | Date).getTime()
