import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { clearGuest } from './delete-guests.server.ts'

const account = { email: 'Gwen@mail.test', password: 'a-good-password' }

test('NAV-41 S-002 a guest links a new account and keeps uid, favourites and conversation, under a new session', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
  const guest = await shop.guest()
  await guest.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await guest.post('/order-request', { itemId: 'moon', message: 'Please', messageId: '' })
  expect(await guest.page('/')).toMatch(
    /<form[^>]* action="\/link-guest\/"[^>]*>((?!<\/form>).)*<button[^>]*>((?!<\/button>).)*Link Guest Account<\/button>/,
  )

  const before = new Map(guest.cookies)
  const linked = await guest.post('/link-guest/?from=/gallery/', { ...account, intent: 'register' })

  expect([linked.status, linked.headers.get('location')]).toEqual([303, '/gallery/'])
  expect(guest.cookies.get('shop.session_token')).not.toBe(before.get('shop.session_token'))
  expect(await guest.page('/')).not.toContain('Link Guest Account')
  const later = shop.visitor()
  expect((await later.post('/login/', { intent: 'login', ...account })).status).toBe(302)
  expect(await later.page('/?messages')).toContain('Please')
  const order = await shop.db.selectFrom('orders').select(['id', 'userEmail']).executeTakeFirstOrThrow()
  expect(order).toEqual({ id: guest.id, userEmail: 'gwen@mail.test' })
  expect(await shop.db.selectFrom('favourites').select('itemId').where('userId', '=', guest.id).execute()).toHaveLength(1)
})

test('S-002 logging out after linking asks nothing and loses nothing', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  await guest.act('/link-guest/', account)

  await guest.post('/logout', {})

  expect(await shop.db.selectFrom('user').select('id').where('id', '=', guest.id).execute()).toHaveLength(1)
})

test('S-002 a logout that began while the account was still a guest takes nothing of the linked one', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  await guest.act('/link-guest/', account)

  await clearGuest(shop.shop, guest.id)

  expect(await shop.db.selectFrom('user').select('id').where('id', '=', guest.id).execute()).toHaveLength(1)
})

test('S-002 an address that has an account, a weak password and no e-mail are refused, and the guest stays a guest', async () => {
  const shop = await openTestShop()
  await shop.customer('ann@mail.test')
  const guest = await shop.guest()
  const tries = [
    [{ email: 'ANN@mail.test', password: 'a-good-password' }, 'already associated with an account'],
    [{ email: 'owner@shop.test', password: 'a-good-password' }, 'already associated with an account'],
    [{ email: 'gwen@mail.test', password: 'short' }, 'Password is too weak!'],
    [{ email: 'gwen', password: 'a-good-password' }, 'Please provide a valid Email.'],
  ] as const
  for (const [form, text] of tries) {
    const refused = await guest.act('/link-guest/', form)
    expect([refused.status, refused.text.includes(text)]).toEqual([422, true])
  }
  expect(await guest.page('/')).toContain('Link Guest Account')
})

test('S-002 a lasting account cannot be linked, and of two forms at once one wins', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  await ann.post('/link-guest/', account)
  expect(await shop.db.selectFrom('user').select('email').where('id', '=', ann.id).execute()).toEqual([{ email: 'ann@mail.test' }])
  const guest = await shop.guest()

  const both = await Promise.all([guest.act('/link-guest/', account), guest.act('/link-guest/', { ...account, email: 'other@mail.test' })])

  // The later one is refused, or finds its session ended already.
  expect(both.map((one) => one.status)).toContain(202)
  expect(await shop.db.selectFrom('account').select('id').where('userId', '=', guest.id).execute()).toHaveLength(1)
})
