/** The row of an account, held while something of it changes. */
import type { Tx } from '#db/tables.ts'

/** Changes of one account follow each other, on both databases; undefined once it is gone. */
export const lockUser = (tx: Tx, userId: string) =>
  tx
    .updateTable('user')
    .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
    .where('id', '=', userId)
    .returning(['id', 'name', 'email', 'emailVerified', 'image', 'isAnonymous'])
    .executeTakeFirst()
