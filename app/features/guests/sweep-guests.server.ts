/** Guests who do not come back are cleared as if they had logged out: nobody can reach what is theirs. */
import type { Shop } from '#app/platform/context.ts'
import { regularly } from '#app/platform/regularly.server.ts'
import { sweepSessions } from '#app/features/devices/devices.server.ts'
import { clearGuest } from './clear-guest.server.ts'
import { listIdleGuests } from './idle-guests.server.ts'

const DAY = 86_400_000
/** S-214; a session ends 30 days after the last visit, so that these have been locked out for long. */
export const IDLE_DAYS = 90
const PART = 100

type Doors = Pick<Shop, 'db' | 'live' | 'pictures' | 'log' | 'now' | 'authSync'>

/**
 * Several processes may sweep at once: each guest is cleared by one of them, and only if she is idle still. Gives how many. What is
 * left of sessions goes as late, since it is a sign of life.
 */
export async function sweepGuests(shop: Doors): Promise<number> {
  const since = shop.now() - IDLE_DAYS * DAY
  let gone = 0
  for (let after = ''; ;) {
    const ids = await listIdleGuests(shop.db, since, after, PART)
    for (const id of ids)
      await clearGuest(shop, id, { idleSince: since }).then(
        (isCleared) => (gone += isCleared ? 1 : 0),
        (error: unknown) => shop.log.error('an idle guest could not be cleared', error),
      )
    if (ids.length < PART) break
    after = ids.at(-1)!
  }
  await sweepSessions(shop, since)
  if (gone > 0) shop.log.info('idle guests were cleared', { count: gone })
  return gone
}

/**
 * A clock that jumps ahead makes everybody look idle. So somebody must have been here in the days before yesterday, guest or not, by the same
 * clock: after a jump nobody was, and a shop that nobody visits may keep its guests.
 */
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

/** Now and every day; gives what stops it. */
export const startSweepingGuests = (shop: Doors): (() => Promise<void>) =>
  regularly(
    { every: DAY, failure: 'idle guests could not be swept', log: shop.log, isBegunNow: true },
    async () => (await isClockPlausible(shop)) && sweepGuests(shop),
  )
