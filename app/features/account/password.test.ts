import { expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import {
  openTestShop,
  type Person,
  refuseWrites,
  type TestShop,
  openShopWithAnn,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'
import { verifyEmail, withoutPassword } from '#test/fixtures/accounts.ts'
import { FRESH_LOGIN_MS } from '#auth/reauthenticate.server.ts'
import { loginErrorTexts } from '#auth/texts.ts'

const OLD = 'a-good-password'
const NEW = 'an-even-better-one'

const logsIn = async (shop: TestShop, email: string, password: string) =>
  (await shop.visitor().post('/login/', { intent: 'login', email, password })).status === 302

async function anotherDevice(shop: TestShop, email = 'ann@mail.test'): Promise<Person> {
  const device = shop.visitor()
  await device.post('/login/', { intent: 'login', email, password: OLD })
  return device
}

const isIn = async (who: Person) => (await who.get('/account/')).status === 200

test('a new password ends the sessions on all other devices, but not on the current device [LOGIN-19, LOGIN-23, LOGIN-36, LOGIN-39, S-220]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const phone = await anotherDevice(shop)
  const ben = await shop.customer('ben@mail.test')
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const sessions = await shop.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', ann.id)
    .execute()
  const mine = await shop.auth.api.getSession({ headers: cookieOf(ann) })

  const answer = await ann.act('/account/password', { password: OLD, newPassword: NEW })

  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('Password changed') })
  expect(await isIn(ann)).toBe(true)
  expect(await isIn(phone)).toBe(false)
  expect(await isIn(ben)).toBe(true)
  expect(ended).toEqual(sessions.map(({ id }) => id).filter((id) => id !== mine!.session.id))
  expect(await logsIn(shop, 'ann@mail.test', OLD)).toBe(false)
  expect(await logsIn(shop, 'ann@mail.test', NEW)).toBe(true)
})

const cookieOf = (who: Person) =>
  new Headers({ cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })

test('after a password change, the browser gets a new session cookie, and the old cookie is invalid [S-220]', async () => {
  const shop = await openTestShop()
  const signedUp = await shop
    .visitor()
    .post('/login/', { intent: 'register', email: 'ann@mail.test', password: OLD })
  const [atSignup] = signedUp.headers
    .getSetCookie()
    .filter((line) => line.includes('session_token'))
  const ann = await anotherDevice(shop)
  const stolen = cookieOf(ann)

  const response = await ann.post('/account/password', {
    password: OLD,
    newPassword: NEW,
    back: '/account/',
  })

  const [atChange] = response.headers
    .getSetCookie()
    .filter((line) => line.includes('session_token'))
  const attributes = (line: string | undefined) => line!.split('; ').slice(1).sort()
  expect(attributes(atChange)).toEqual(attributes(atSignup))
  expect(cookieOf(ann).get('cookie')).not.toBe(stolen.get('cookie'))
  expect(await isIn(ann)).toBe(true)
  const thief = await shop.app(new Request('http://shop.test/account/', { headers: stolen }), {
    address: '10.9.9.9',
  })
  expect(thief.status).toBe(302)
  expect(thief.headers.get('location')).toBe('/login')
})

test('after a password change, the shop informs the customer by email only if her address is verified [S-231]', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const ben = await shop.customer('ben@mail.test')
  await verifyEmail(shop, ann.id)

  for (const person of [ann, ben]) {
    expect(
      (await person.act('/account/password', { password: OLD, newPassword: NEW })).status,
    ).toBe(200)
  }
  await ann.act('/account/password', { password: 'wrong-password', newPassword: OLD })

  const emails = await shop.db
    .selectFrom('outbox')
    .select(['toAddress', 'subject', 'text'])
    .where('kind', '=', 'notice')
    .execute()
  expect(emails.map(({ toAddress, subject }) => [toAddress, subject])).toEqual([
    ['ann@mail.test', 'Your password for Knots & Love was changed'],
  ])
  expect(emails[0]!.text).not.toContain(NEW)
})

test('a wrong current password shows "Invalid Credentials" and changes nothing [LOGIN-55] [S-015] [TOAST-07]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await shop.customer('ben@mail.test')
  for (const password of ['', 'wrong-password', `${OLD} `, 'z'.repeat(100_000)]) {
    const refused = await ann.act('/account/password', { password, newPassword: NEW })
    expect(refused).toMatchObject({
      status: 403,
      text: expect.stringContaining('Invalid Credentials'),
    })
  }
  const plain = await ann.post('/account/password', {
    password: 'wrong-password',
    newPassword: NEW,
    back: '/account/',
  })
  expect(plain.status).toBe(303)
  expect(plain.headers.get('location')).toBe('/account/')
  expect(await ann.page('/account/')).toContain('Invalid Credentials')
  expect(await logsIn(shop, 'ann@mail.test', OLD)).toBe(true)
  expect(await logsIn(shop, 'ann@mail.test', NEW)).toBe(false)
})

test('when a new password cannot be stored, the old password and every session stay valid [LOGIN-51]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const phone = await anotherDevice(shop)
  await refuseWrites(shop.db, shop.dialect, 'session', 'delete')

  const refused = await ann.act('/account/password', { password: OLD, newPassword: NEW })

  expect(refused).toMatchObject({
    status: 500,
    text: expect.stringContaining('Unable to Update Password'),
  })
  expect(await isIn(ann)).toBe(true)
  expect(await isIn(phone)).toBe(true)
  expect(await logsIn(shop, 'ann@mail.test', OLD)).toBe(true)
  expect(shop.logged.splice(0).map(({ message }) => message)).toEqual([
    'a password could not be changed',
  ])
})

test('when two devices change the password concurrently, one change fails and its device is logged out [LOGIN-19]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const desk = await anotherDevice(shop)
  const phone = await anotherDevice(shop)
  const wanted = ['first-new-password', 'second-new-password'] as const

  const both = await Promise.all(
    [desk, phone].map((who, at) =>
      who.act('/account/password', { password: OLD, newPassword: wanted[at]! }),
    ),
  )

  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const winner = both[0]!.status === 200 ? 0 : 1
  expect(
    await Promise.all(wanted.map((password) => logsIn(shop, 'ann@mail.test', password))),
  ).toEqual([winner === 0, winner === 1])
  expect(await isIn(desk)).toEqual(winner === 0)
  expect(await isIn(phone)).toEqual(winner === 1)
})

test('a customer without a password can set a password only within ten minutes after a login [LOGIN-19, S-220]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await withoutPassword(shop, ann.id, shop.clock.now - FRESH_LOGIN_MS)
  expect(await ann.page('/account/')).toContain(loginErrorTexts.staleLogin)
  const refused = await ann.act('/account/password', { password: OLD, newPassword: NEW })
  expect(refused.status).toBe(403)
  expect(refused.text.includes(loginErrorTexts.staleLogin)).toBe(true)
  expect(
    await shop.db.selectFrom('account').select('providerId').where('userId', '=', ann.id).execute(),
  ).toHaveLength(1)

  await withoutPassword(shop, ann.id, shop.clock.now - FRESH_LOGIN_MS + 1)
  const html = await ann.page('/account/')
  expect(html).toContain('Set a Password')
  expect(html).not.toContain('Current Password')
  const both = await Promise.all(
    [1, 2].map(() => ann.act('/account/password', { newPassword: NEW })),
  )

  expect(both.map(({ status }) => status).sort()).not.toContain(500)
  expect(await logsIn(shop, 'ann@mail.test', NEW)).toBe(true)
  expect(
    (
      await shop.db
        .selectFrom('account')
        .select('providerId')
        .where('userId', '=', ann.id)
        .execute()
    )
      .map((row) => row.providerId)
      .sort(),
  ).toEqual(['credential', 'google'])
})

test('the audit log records that the owner changed her password [LOGIN-19]', async () => {
  const { shop, owner } = await openShopWithOwner()

  expect((await owner.act('/account/password', { password: OLD, newPassword: NEW })).status).toBe(
    200,
  )

  const html = await owner.page('/manage/history/')
  expect(html).toContain('Changed the password of Ona Owner')
  expect(html).not.toContain(NEW)
  expect(await logsIn(shop, 'owner@shop.test', NEW)).toBe(true)
})

test('the password dialog has fields for the current and the new password, and the buttons Cancel and Submit [TOAST-06, TOAST-07, LOGIN-28]', async () => {
  const shop = await openTestShop()
  const page = pageOf(await (await shop.customer()).page('/account/'))
  const dialog = within(page.getByLabelText('Current Password').closest('dialog')!)
  const fields = dialog.getAllByLabelText(/./)
  expect(fields).toEqual(
    ['Current Password', 'New Password'].map((label) => dialog.getByLabelText(label)),
  )
  for (const field of fields) {
    expect(field.getAttribute('type')).toBe('password')
    expect(field.hasAttribute('required')).toBe(true)
  }
  const buttons = dialog.getAllByRole('button', { hidden: true })
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Cancel', 'Submit'])
})
