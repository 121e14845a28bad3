import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'

const DAY = 24 * 60 * 60_000

/** As if the session had been used all the time since then. */
async function beganDaysAgo(shop: TestShop, userId: string, days: number) {
  const dates = {
    createdAt: new Date(Date.now() - days * DAY),
    updatedAt: new Date(Date.now() - 2 * DAY),
    expiresAt: new Date(Date.now() + DAY),
  }
  const kept =
    shop.dialect === 'sqlite' ? Object.fromEntries(Object.entries(dates).map(([name, date]) => [name, date.toISOString()])) : dates
  await shop.db.updateTable('session').set(kept).where('userId', '=', userId).execute()
}

test('003 however often it is used, a session of the owner ends after 30 days, a customer’s after 180, and the log-in follows', async () => {
  const shop = await openTestShop()
  const [owner, ann, guest] = [await shop.owner(), await shop.customer(), await shop.guest()]
  const people = [
    [owner, 'owner', 29, true],
    [ann, ann.id, 179, true],
    [guest, guest.id, 2000, true],
    [owner, 'owner', 31, false],
    [ann, ann.id, 181, false],
  ] as const
  for (const [person, id, days, isIn] of people) {
    await beganDaysAgo(shop, id, days)
    const ended: string[] = []
    shop.live.onSessionEnd((session) => ended.push(session))
    const sessions = await shop.db.selectFrom('session').select('id').where('userId', '=', id).execute()
    expect([id, days, (await person.page('/')).includes('Login | Register')]).toEqual([id, days, !isIn])
    expect(ended).toEqual(isIn ? [] : sessions.map((session) => session.id))
  }
  // Nothing of it is left, and the way in is open as ever.
  expect(await shop.db.selectFrom('session').select('userId').execute()).toEqual([{ userId: guest.id }])
  expect((await ann.post('/login/', { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' })).status).toBe(302)
  expect((await ann.get('/account/')).status).toBe(200)
})
