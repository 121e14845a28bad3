/** A code of the app counts once, although it stays the same for half a minute and is taken for longer (RFC 6238, 5.2). */
import type { Db } from '#db/tables.ts'

/** Longer than the app's code is taken for, with clocks that differ. */
const KEPT = 5 * 60_000

/** False when this very code has been used before, also by somebody at the same moment: the key of the table decides. */
export async function claimCode(db: Db, userId: string, code: string, now: number): Promise<boolean> {
  await db
    .deleteFrom('usedCodes')
    .where('usedAt', '<', now - KEPT)
    .execute()
  const used = await db
    .insertInto('usedCodes')
    .values({ userId, code, usedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return used.numInsertedOrUpdatedRows === 1n
}
