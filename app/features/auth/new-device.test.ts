import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import {
  customer,
  openTotpApp,
  sameBrowser,
  SECOND_FACTOR,
  turnOnSecondFactor,
} from '#test/fixtures/accounts.ts'

const DAY = 24 * 60 * 60_000
const login = { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' }

test('an email informs a user about a login on a device that she has not used before [S-351]', async () => {
  const shop = await openTestShop({ now: Date.now() })
  const ann = await customer(shop, true)
  const notices = async () =>
    await shop.db
      .selectFrom('outbox')
      .select(['toAddress', 'subject', 'text'])
      .where('kind', '=', 'notice')
      .execute()
  await shop.visitor().post('/login/', login)
  expect(await notices(), 'a new account has no other devices').toEqual([])

  shop.clock.now += 2 * DAY
  const known = sameBrowser(shop, ann)
  await known.post('/logout', {})
  await known.post('/login/', login)
  expect(await notices()).toEqual([])
  const stranger = shop.visitor()
  await stranger.post('/login/', { ...login, password: 'a-wrong-password' })
  expect(await notices()).toEqual([])
  await stranger.post('/login/', login)
  expect(await notices()).toMatchObject([
    { toAddress: 'ann@mail.test', subject: 'New login to your account at Knots & Love' },
  ])
})

test('a user gets at most ten emails of one kind about logins and changes of her account in an hour [S-381]', async () => {
  const shop = await openTestShop({ now: Date.now(), rateLimits: true })
  const ann = await customer(shop, true)
  shop.clock.now += 2 * DAY
  for (let logins = 0; logins < 15; logins++) {
    expect((await shop.visitor().post('/login/', login)).status).toBe(302)
  }
  const password = 'a-good-password'
  const app = openTotpApp()
  for (let changes = 0; changes < 12; changes++) {
    expect(
      (await ann.act('/account/password', { password, newPassword: password, code: '' })).status,
    ).toBe(200)
  }
  await turnOnSecondFactor(ann, app, password)
  for (let times = 0; times < 12; times++) {
    expect(
      (await ann.post(SECOND_FACTOR, { intent: 'codes', password, code: app.next() })).status,
    ).toBe(200)
  }

  const emails = await shop.db
    .selectFrom('outbox')
    .select('subject')
    .where('toAddress', '=', 'ann@mail.test')
    .execute()
  for (const subject of ['New login to', 'Your password for', 'New recovery codes']) {
    expect(emails.filter((email) => email.subject.startsWith(subject))).toHaveLength(10)
  }
})

test('the shop writes no email about a new device to an unconfirmed email address [S-351]', async () => {
  const shop = await openTestShop({ now: Date.now() })
  await customer(shop, false)
  shop.clock.now += 2 * DAY
  await shop.visitor().post('/login/', login)
  expect(
    await shop.db.selectFrom('outbox').select('id').where('kind', '=', 'notice').execute(),
  ).toEqual([])
})
