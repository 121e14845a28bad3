import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '#db/schema.ts'
import { removeGuestImages } from '#messaging/images/message-images.server.ts'
import { publishSessionEnds, listSessionIds } from '../sessions.server.ts'
import { deleteImageFiles } from '#images/edit-images.server.ts'
import { deleteParcelsOf } from '#parcels/parcels.server.ts'
import type { AppServices } from '#services/context.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'

const isIdleSince =
  (since: number) =>
  ({ and, eb, exists, not, or, selectFrom }: ExpressionBuilder<Tables, 'user'>) =>
    and([
      eb('user.createdAt', '<', new Date(since)),
      not(
        or([
          exists(
            selectFrom('session')
              .select('id')
              .whereRef('userId', '=', 'user.id')
              .where('session.updatedAt', '>=', new Date(since)),
          ),
          exists(
            selectFrom('favorites')
              .select('itemId')
              .whereRef('userId', '=', 'user.id')
              .where('favorites.createdAt', '>=', since),
          ),
          exists(
            selectFrom('messages')
              .select('messages.id')
              .whereRef('orderId', '=', 'user.id')
              .whereRef('sender', '=', 'user.id')
              .where('messages.createdAt', '>=', since),
          ),
        ]),
      ),
    ])

/**
 * Keeps the conversation. Returns false if the guest became a customer or was active. [ROLES-11]
 */
export async function deleteGuest(app: AppServices, userId: string, idleSince?: number) {
  const result = await inTransaction(app.db, async (tx) => {
    const sessions = await listSessionIds(tx, userId)
    const deletion = await tx
      .deleteFrom('user')
      .where('id', '=', userId)
      .where('isAnonymous', '=', true)
      .$if(idleSince !== undefined, (query) => query.where(isIdleSince(idleSince!)))
      .executeTakeFirst()
    if (deletion.numDeletedRows === 0n) return null
    await deleteParcelsOf(tx, userId)
    return { sessions, images: await removeGuestImages(tx, userId) }
  })
  if (!result) return false
  await deleteImageFiles(app, result.images)
  publishSessionEnds(app, result.sessions)
  await app.authWebhook.accountGone(userId)
  app.live.changed('orders', `order:${userId}`)
  return true
}

const DAY_MS = 86_400_000
/** Longer than a session (30 days), so a guest who may still return is not deleted. [S-214] */
export const IDLE_DAYS = 90

export async function deleteIdleGuests(app: AppServices) {
  const since = app.now() - IDLE_DAYS * DAY_MS
  const idleGuests = app.db
    .selectFrom('user')
    .select('id')
    .where('isAnonymous', '=', true)
    .where(isIdleSince(since))
  let count = 0
  for (const { id } of await idleGuests.orderBy('id').execute()) {
    // A query on SQLite blocks the process, so other requests get a turn here.
    await setImmediate()
    try {
      if (await deleteGuest(app, id, since)) count++
    } catch (error) {
      app.log.error('an idle guest could not be deleted', error)
    }
  }
  await app.db.deleteFrom('session').where('expiresAt', '<', new Date(since)).execute()
  if (count > 0) app.log.info('idle guests were deleted', { count })
  return count
}

/** Returns false after a jump of the clock, when everybody seems idle. */
export async function isClockPlausible({ db, now }: AppServices) {
  const findActive = (table: 'session' | 'user') =>
    db
      .selectFrom(table as 'session')
      .select('id')
      .where('updatedAt', '>=', new Date(now() - 31 * DAY_MS))
      .where('updatedAt', '<=', new Date(now() - DAY_MS))
      .limit(1)
      .executeTakeFirst()
  return ((await findActive('session')) ?? (await findActive('user'))) !== undefined
}

export const startDeletingIdleGuests = (app: AppServices) =>
  runEvery(
    { every: DAY_MS, failure: 'idle guests could not be deleted', log: app.log },
    async () => (await isClockPlausible(app)) && deleteIdleGuests(app),
  )
