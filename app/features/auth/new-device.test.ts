import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { customer, sameBrowser } from '#test/fixtures/accounts.ts'

const DAY = 24 * 60 * 60_000
const login = { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' }

test('an email informs a user about a login on a device that she has not used before [S-351]', async () => {
  const shop = await openTestShop({ now: Date.now() })
  const ann = await customer(shop, true)
  const notices = async () =>
    await shop.db.selectFrom('outbox').select(['toAddress', 'subject', 'text']).where('kind', '=', 'notice').execute()
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
  expect(await notices()).toMatchObject([{ toAddress: 'ann@mail.test', subject: 'New login to your account at Knots & Love' }])
})

test('the shop writes no email about a new device to an unconfirmed email address [S-351]', async () => {
  const shop = await openTestShop({ now: Date.now() })
  await customer(shop, false)
  shop.clock.now += 2 * DAY
  await shop.visitor().post('/login/', login)
  expect(await shop.db.selectFrom('outbox').select('id').where('kind', '=', 'notice').execute()).toEqual([])
})
