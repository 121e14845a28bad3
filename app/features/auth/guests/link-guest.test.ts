import { expect, test } from 'vitest'
import { hiddenValueOf, pageOf } from '#test/fixtures/html.ts'
import {
  answerWith,
  clara,
  favoritesOf,
  hasUser,
  like,
  move,
  openGuestAndAccount,
  logInToLink,
  openTotpApp,
  seenBy,
  turnOnSecondFactor,
  verifyEmail,
} from '#test/fixtures/accounts.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { openTestShop, type Person } from '#test/fixtures/test-shop.ts'
import { deleteGuest } from './delete-guests.server.ts'

const account = { email: 'Gwen@mail.test', password: 'a-good-password' }

test('a guest who registers keeps her uid, favorites and conversation, and gets a new session [NAV-41] [S-002]', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
  const guest = await shop.guest()
  await guest.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await guest.post('/order-request', { itemId: 'moon', message: 'Please', messageId: '' })
  const button = pageOf(await guest.page('/')).getByRole('button', { name: 'Link Guest Account' })
  expect(button.closest('form')!.getAttribute('action')).toBe('/link-guest/')

  const before = new Map(guest.cookies)
  const linked = await guest.post('/link-guest/?from=/gallery/', { ...account, intent: 'register' })

  expect(linked.status).toBe(303)
  expect(linked.headers.get('location')).toBe('/gallery/')
  expect(guest.cookies.get('shop.session_token')).not.toBe(before.get('shop.session_token'))
  expect(await guest.page('/')).not.toContain('Link Guest Account')
  const later = shop.visitor()
  expect((await later.post('/login/', { intent: 'login', ...account })).status).toBe(302)
  expect(await later.page('/?messages')).toContain('Please')
  const order = await shop.db
    .selectFrom('orders')
    .select(['id', 'userEmail'])
    .executeTakeFirstOrThrow()
  expect(order).toEqual({ id: guest.id, userEmail: 'gwen@mail.test' })
  expect(
    await shop.db.selectFrom('favorites').select('itemId').where('userId', '=', guest.id).execute(),
  ).toHaveLength(1)
})

test('when a guest links an account during a logout, the logout deletes nothing of the account [S-002]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  await guest.act('/link-guest/', account)

  await deleteGuest(shop.shop, guest.id)

  expect(await hasUser(shop, guest.id)).toBe(true)
  // The user is now a customer, so a logout needs no confirmation and deletes nothing.
  await guest.post('/logout', {})
  expect(await hasUser(shop, guest.id)).toBe(true)
})

test.each([
  ['ANN@mail.test', 'a-good-password', 'already associated with an account'],
  ['gwen', 'a-good-password', 'Please provide a valid Email.'],
])(
  'a guest who wants to register with the email %s and the password %s stays a guest and sees "%s" [S-002]',
  async (email, password, text) => {
    const shop = await openTestShop()
    await shop.customer('ann@mail.test')
    const guest = await shop.guest()
    const refused = await guest.act('/link-guest/', { email, password })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(text)
    expect(await guest.page('/')).toContain('Link Guest Account')
  },
)

test('a guest cannot link an account with a wrong password, an unknown email address or the owner’s email address [S-212]', async () => {
  const { shop, guest } = await openGuestAndAccount()
  const tries = [
    [{ ...clara, password: 'another-password' }, 401, 'Invalid Credentials'],
    [{ email: 'unknown@mail.test', password: 'a-good-password' }, 401, 'User not Found'],
    [
      { email: 'owner@shop.test', password: 'wrong-password' },
      422,
      'Nothing can be moved to the owner',
    ],
  ] as const
  for (const [form, status, text] of tries) {
    const refused = await logInToLink(guest, form)
    expect(refused.status).toEqual(status)
    expect(refused.text.includes(text)).toBe(true)
  }
  expect(await seenBy(guest)).toBe('')
  expect(await shop.db.selectFrom('guestLinks').selectAll().execute()).toEqual([])
  // better-auth opens a session to check the password, and the shop ends it immediately.
  await logInToLink(guest)
  const claras = await shop.db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select('email')
    .execute()
  expect(claras.filter(({ email }) => email === clara.email)).toHaveLength(1)
})

test('after too many failed logins, "Link Guest Account" says how long to wait and keeps the typed email address [S-212, S-237]', async () => {
  const { shop, guest } = await openGuestAndAccount({ rateLimits: true })
  for (let tries = 0; tries < 10; tries++) {
    await shop
      .visitor()
      .post('/login/', { intent: 'login', email: clara.email, password: 'wrong-password' })
  }
  const refused = await guest.post('/link-guest/', { intent: 'login', ...clara })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  const page = pageOf(await refused.text())
  expect(page.getByText(/Too many tries\. Please wait 15 minutes/)).toBeTruthy()
  expect(page.getByLabelText('Email').getAttribute('value')).toBe(clara.email)
})

test('"Yes" moves data only after a recent login to the account, and only if the page showed the current data [S-212]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await like(guest, 'moon')
  const otherGuest = await shop.guest()
  const refusedWith = async (who: Person, seen: string) => {
    const { status, text } = await answerWith(who, 'Yes', seen)
    return [status, /account again|look at the list/.exec(text)?.[0]]
  }
  expect(await refusedWith(guest, '')).toEqual([409, 'account again'])
  await logInToLink(guest)
  const seen = await seenBy(guest)
  expect(await refusedWith(otherGuest, seen)).toEqual([409, 'account again'])
  await like(guest, 'sun')
  expect(await refusedWith(guest, seen)).toEqual([409, 'look at the list'])
  shop.clock.now += 11 * 60_000
  expect(await refusedWith(guest, await seenBy(guest))).toEqual([409, 'account again'])

  expect(await hasUser(shop, guest.id)).toBe(true)
  expect(await favoritesOf(shop, account.id)).toEqual([])
  expect((await move(guest)).status).toBe(202)
  expect(await favoritesOf(shop, account.id)).toEqual(['moon', 'sun'])
})

test('a guest who links an account with two-step login must enter a code of the account [S-002, S-233]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await verifyEmail(shop, account.id)
  const app = openTotpApp()
  await turnOnSecondFactor(account, app, clara.password)
  const answer = await guest.post('/link-guest/', { intent: 'login', ...clara })
  expect(answer.status).toBe(401)
  const page = pageOf(await answer.text())
  expect(page.getByText(/^Enter the six digits/)).toBeTruthy()
  const field = page.getByLabelText('Code of your app, or a recovery code')
  expect(field.getAttribute('name')).toBe('code')
  expect(
    (await guest.post('/link-guest/', { intent: 'login', ...clara, code: '000000' })).status,
  ).toBe(401)
  expect(hiddenValueOf(await guest.page('/link-guest/'), 'seen')).toBeUndefined()

  await logInToLink(guest, { ...clara, code: app.next() } as typeof clara)
  expect((await answerWith(guest, 'Yes', await seenBy(guest))).status).toBe(202)
  expect((await guest.get('/account/')).status).toBe(200)
})
