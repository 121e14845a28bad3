/** Stores the testimony that a buyer has written on the page of her testimony ticket. */
import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import type { AppServices } from '#app/services/context.ts'
import { lockUser } from '#app/services/users.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { earnCredit } from '#app/features/credits/credits.server.ts'
import { customerName } from '#app/features/orders/order.ts'

type TestimonyWriteResult = 'written' | 'refused' | 'failed'

/** Stores a testimony if its testimony ticket is unused, and creates the writer's credit. Logs errors of the database. [TESTI-31 to TESTI-33, S-045, ERR-06, AGREE-63] */
export async function writeTestimony(
  app: AppServices,
  id: string,
  { email, testimony }: { email: string; testimony: string },
): Promise<TestimonyWriteResult> {
  let done: { writerId: string; hasEarned: boolean } | undefined
  try {
    done = await inTransaction(app.db, async (tx) => {
      // Locks the account before the testimony. The deletion of an account uses the same sequence, so the two cannot block each other.
      const ticket = await tx
        .selectFrom('testimonies')
        .select('writerId')
        .where('id', '=', id)
        .executeTakeFirst()
      const writer = ticket && (await lockUser(tx, ticket.writerId))
      const now = app.now()
      const written = await tx
        .updateTable('testimonies')
        .set({ testimony, isAvailable: 0, writtenAt: now })
        .where('id', '=', id)
        .where('isAvailable', '=', 1)
        .where('writerEmail', '=', email)
        .returning(['writerId', 'receiptTag', 'writerName', 'writerEmail'])
        .executeTakeFirst()
      return (
        written && {
          writerId: written.writerId,
          hasEarned: await earnReward(tx, written, writer?.id, now),
        }
      )
    })
  } catch (error) {
    app.log.error('a testimony could not be stored', error)
    return 'failed'
  }
  if (!done) return 'refused'
  // Makes open pages of the owner and of the writer, who may have no account, load their data again.
  app.live.changed(
    'tickets',
    'testimonials',
    ...(done.hasEarned ? [`order:${done.writerId}` as const] : []),
  )
  return 'written'
}

type Written = {
  writerId: string
  receiptTag: string | null
  writerName: string
  writerEmail: string
}

/** `lockedId` is the account that the caller has locked. It differs from the writer if a guest has moved to an account meanwhile. A buyer without an account gets no credit. */
async function earnReward(
  tx: Tx,
  { writerId, receiptTag, writerName, writerEmail }: Written,
  lockedId: string | undefined,
  now: number,
): Promise<boolean> {
  if (
    receiptTag === null ||
    writerId === ADMIN_ID ||
    (lockedId !== writerId && !(await lockUser(tx, writerId)))
  )
    return false
  return earnCredit(
    tx,
    { userId: writerId, receiptTag, name: customerName({ name: writerName, email: writerEmail }) },
    now,
  )
}
