import { expect, test } from 'vitest'
import { deleteIdleGuests, IDLE_DAYS } from '#auth/guests/delete-guests.server.ts'
import { sendReminders } from '#messaging/reminders/reminders.server.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const DAY = 86_400_000
const COUNT = 8

/** Returns the number of iterations of the event loop while `job` runs. */
async function iterationsDuring(job: () => Promise<unknown>): Promise<number> {
  let iterations = 0
  let next = setImmediate(function count() {
    iterations += 1
    next = setImmediate(count)
  })
  await job()
  clearImmediate(next)
  return iterations
}

test('the jobs for reminders and idle guests let other requests run after each row', async () => {
  const shop = await openTestShop({ now: Date.now() })
  for (let at = 0; at < COUNT; at++) {
    await (await shop.guest()).act('/messages', { intent: 'send', message: 'Hello' })
  }
  expect(await iterationsDuring(() => sendReminders(shop.shop))).toBeGreaterThanOrEqual(COUNT)
  shop.clock.now += (IDLE_DAYS + 1) * DAY
  expect(await iterationsDuring(() => deleteIdleGuests(shop.shop))).toBeGreaterThanOrEqual(COUNT)
  expect(
    await shop.db.selectFrom('user').select('id').where('isAnonymous', '=', true).execute(),
  ).toEqual([])
})
