/** What is left of an anonymous guest when she goes, and guests who do not come back. */
import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '#db/schema.ts'
import { removeGuestPictures } from '#app/features/messaging/message-pictures.server.ts'
import { closeSessions, listSessions } from '#app/features/auth/sessions.server.ts'
import { deletePictureFiles } from '#app/features/images/edit-pictures.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { regularly } from '#app/platform/regularly.server.ts'

/** S-214: a guest is active when she creates the account, renews the session, adds a favourite or sends a message. */
const isIdle =
  (since: number) =>
  ({ and, eb, exists, not, selectFrom }: ExpressionBuilder<Tables, 'user'>) =>
    and([
      eb('user.createdAt', '<', new Date(since)),
      not(exists(selectFrom('session').select('id').whereRef('userId', '=', 'user.id').where('session.updatedAt', '>=', new Date(since)))),
      not(exists(selectFrom('favourites').select('itemId').whereRef('userId', '=', 'user.id').where('favourites.createdAt', '>=', since))),
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
 * S-004, ROLES-11: the conversation stays with the owner, without the pictures that the guest sent (S-175). A guest who has become a customer in
 * another tab keeps everything (S-002); with `idleSince`, so does one who has come back after it. False: there was nothing to clear.
 */
export async function clearGuest(
  shop: Pick<Shop, 'db' | 'live' | 'pictures' | 'log' | 'authSync'>,
  userId: string,
  { idleSince }: { idleSince?: number } = {},
): Promise<boolean> {
  const cleared = await transact(shop.db, async (tx) => {
    const sessions = await listSessions(tx, userId)
    const gone = await tx
      .deleteFrom('user')
      .where('id', '=', userId)
      .where('isAnonymous', '=', true)
      .$if(idleSince !== undefined, (query) => query.where(isIdle(idleSince!)))
      .executeTakeFirst()
    return gone.numDeletedRows === 0n ? null : { sessions, pictures: await removeGuestPictures(tx, userId) }
  })
  if (!cleared) return false
  await deletePictureFiles(shop, cleared.pictures)
  closeSessions(shop, cleared.sessions)
  shop.authSync.accountGone(userId)
  shop.live.changed('orders', `order:${userId}`)
  return true
}

const DAY = 86_400_000
/** S-214; a session ends 30 days after the last visit, so that these have been locked out for long. */
export const IDLE_DAYS = 90

type Doors = Pick<Shop, 'db' | 'live' | 'pictures' | 'log' | 'now' | 'authSync'>

/** Of several processes that sweep at once each guest is cleared by one, and only if she is idle still. Gives how many. */
export async function sweepGuests(shop: Doors): Promise<number> {
  const since = shop.now() - IDLE_DAYS * DAY
  const idle = shop.db.selectFrom('user').select('id').where('isAnonymous', '=', true).where(isIdle(since))
  let gone = 0
  for (const { id } of await idle.orderBy('id').execute())
    await clearGuest(shop, id, { idleSince: since }).then(
      (isCleared) => (gone += isCleared ? 1 : 0),
      (error: unknown) => shop.log.error('an idle guest could not be cleared', error),
    )
  await shop.db.deleteFrom('session').where('expiresAt', '<', new Date(since)).execute()
  if (gone > 0) shop.log.info('idle guests were cleared', { count: gone })
  return gone
}

/** A clock that jumps ahead makes everybody look idle: so somebody must have been here in the month before yesterday, by the same clock. */
export async function isClockPlausible({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<boolean> {
  const lately = [new Date(now() - 31 * DAY), new Date(now() - DAY)] as const
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

export const startSweepingGuests = (shop: Doors): (() => Promise<void>) =>
  regularly(
    { every: DAY, failure: 'idle guests could not be swept', log: shop.log, isBegunNow: true },
    async () => (await isClockPlausible(shop)) && sweepGuests(shop),
  )
