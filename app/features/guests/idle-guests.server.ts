/** Guests of whom there has been no sign of life for long. */
import type { ExpressionBuilder } from 'kysely'
import type { Db, Tables } from '#db/tables.ts'

/**
 * S-214: signs of life are the making of the account, the session's renewal (on any visit, once an hour), a favourite, and a message of hers.
 * For rows of `user`.
 */
export const isIdle =
  (since: number) =>
  ({ and, eb, exists, not, selectFrom }: ExpressionBuilder<Tables, 'user'>) =>
    and([
      eb('user.createdAt', '<', new Date(since)),
      not(
        exists(
          selectFrom('session')
            .select('session.id')
            .whereRef('session.userId', '=', 'user.id')
            .where('session.updatedAt', '>=', new Date(since)),
        ),
      ),
      not(
        exists(
          selectFrom('favourites')
            .select('favourites.itemId')
            .whereRef('favourites.userId', '=', 'user.id')
            .where('favourites.createdAt', '>=', since),
        ),
      ),
      not(
        exists(
          selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.orderId', '=', 'user.id')
            .whereRef('messages.sender', '=', 'user.id')
            .where('messages.createdAt', '>=', since),
        ),
      ),
    ])

/** By their ids, a part at a time; `after` is the last one of the part before. */
export async function listIdleGuests(db: Db, since: number, after: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where('isAnonymous', '=', true)
    .where(isIdle(since))
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}
