import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '#db/schema.ts'
import { removeGuestPictures } from '#app/features/messaging/message-images.server.ts'
import { publishSessionEnds, listSessionIds } from '#app/features/auth/sessions.server.ts'
import { deletePictureFiles } from '#app/features/images/edit-images.server.ts'
import { deleteParcelsOf } from '#app/features/parcels/parcels.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { runEvery } from '#app/lib/jobs/interval.server.ts'

/** Selects users who were created before `since` and have not been active since then: they have renewed no session, added no favorite and sent no message. [S-214] */
const isIdleSince =
  (since: number) =>
  ({ and, eb, exists, not, selectFrom }: ExpressionBuilder<Tables, 'user'>) =>
    and([
      eb('user.createdAt', '<', new Date(since)),
      not(
        exists(
          selectFrom('session')
            .select('id')
            .whereRef('userId', '=', 'user.id')
            .where('session.updatedAt', '>=', new Date(since)),
        ),
      ),
      not(
        exists(
          selectFrom('favorites')
            .select('itemId')
            .whereRef('userId', '=', 'user.id')
            .where('favorites.createdAt', '>=', since),
        ),
      ),
      not(
        exists(
          selectFrom('messages')
            .select('messages.id')
            .whereRef('orderId', '=', 'user.id')
            .whereRef('sender', '=', 'user.id')
            .where('messages.createdAt', '>=', since),
        ),
      ),
    ])

/**
 * Deletes a guest, her images and the addresses of her parcels. Her conversation stays for the owner. Returns false and deletes nothing if the guest has become
 * a customer in another tab, or was active after `idleSince`. [ROLES-11, S-002, S-004, S-175]
 */
export async function deleteGuest(
  app: Pick<AppServices, 'db' | 'live' | 'images' | 'log' | 'authWebhook'>,
  userId: string,
  { idleSince }: { idleSince?: number } = {},
): Promise<boolean> {
  const cleared = await inTransaction(app.db, async (tx) => {
    const sessions = await listSessionIds(tx, userId)
    const gone = await tx
      .deleteFrom('user')
      .where('id', '=', userId)
      .where('isAnonymous', '=', true)
      .$if(idleSince !== undefined, (query) => query.where(isIdleSince(idleSince!)))
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) return null
    await deleteParcelsOf(tx, userId)
    return { sessions, pictures: await removeGuestPictures(tx, userId) }
  })
  if (!cleared) return false
  await deletePictureFiles(app, cleared.pictures)
  publishSessionEnds(app, cleared.sessions)
  await app.authWebhook.accountGone(userId)
  app.live.changed('orders', `order:${userId}`)
  return true
}

const DAY_MS = 86_400_000
/** Guests are deleted after this many days without activity. Their sessions end after 30 days without a visit, so they cannot return anyway. [S-214] */
export const IDLE_DAYS = 90

type Deps = Pick<AppServices, 'db' | 'live' | 'images' | 'log' | 'now' | 'authWebhook'>

/** Deletes idle guests. Several processes may call this function concurrently. Returns the number of deleted guests. */
export async function deleteIdleGuests(app: Deps): Promise<number> {
  const since = app.now() - IDLE_DAYS * DAY_MS
  const idle = app.db
    .selectFrom('user')
    .select('id')
    .where('isAnonymous', '=', true)
    .where(isIdleSince(since))
  let gone = 0
  for (const { id } of await idle.orderBy('id').execute()) {
    // A query on SQLite blocks the process. The process handles other requests before it deletes the next guest.
    await setImmediate()
    await deleteGuest(app, id, { idleSince: since }).then(
      (isCleared) => (gone += isCleared ? 1 : 0),
      (error: unknown) => app.log.error('an idle guest could not be deleted', error),
    )
  }
  await app.db.deleteFrom('session').where('expiresAt', '<', new Date(since)).execute()
  if (gone > 0) app.log.info('idle guests were deleted', { count: gone })
  return gone
}

/** Returns false if no user was active between 31 days and 1 day ago. In this case, the server's clock may have jumped ahead, and all guests would look idle. */
export async function isClockPlausible({
  db,
  now,
}: Pick<AppServices, 'db' | 'now'>): Promise<boolean> {
  const lately = [new Date(now() - 31 * DAY_MS), new Date(now() - DAY_MS)] as const
  const seen = (table: 'session' | 'user') =>
    db
      .selectFrom(table as 'session')
      .select('id')
      .where('updatedAt', '>=', lately[0])
      .where('updatedAt', '<=', lately[1])
      .limit(1)
      .executeTakeFirst()
  return ((await seen('session')) ?? (await seen('user'))) !== undefined
}

export const startDeletingIdleGuests = (app: Deps): (() => Promise<void>) =>
  runEvery(
    { every: DAY_MS, failure: 'idle guests could not be deleted', log: app.log, isBegunNow: true },
    async () => (await isClockPlausible(app)) && deleteIdleGuests(app),
  )
