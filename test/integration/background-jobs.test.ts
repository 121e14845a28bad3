import { expect, test } from 'vitest'
import { deleteIdleGuests, IDLE_DAYS } from '#app/features/auth/guests/delete-guests.server.ts'
import { sendReminders } from '#app/features/messaging/reminders/reminders.server.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const DAY = 86_400_000
const COUNT = 8

/** Returns how often the event loop runs other work while `job` runs. */
async function turnsDuring(job: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  await job()
  clearImmediate(next)
  return turns
}

test('other requests get a turn after each unread conversation, and after each idle guest that is deleted [S-180, S-214]', async () => {
  const shop = await openTestShop({ now: Date.now() })
  for (let at = 0; at < COUNT; at++) await (await shop.guest()).act('/messages', { intent: 'send', message: 'Hello' })
  expect(await turnsDuring(() => sendReminders(shop.shop, null))).toBeGreaterThanOrEqual(COUNT)
  shop.clock.now += (IDLE_DAYS + 1) * DAY
  expect(await turnsDuring(() => deleteIdleGuests(shop.shop))).toBeGreaterThanOrEqual(COUNT)
  expect(await shop.db.selectFrom('user').select('id').where('isAnonymous', '=', true).execute()).toEqual([])
})
