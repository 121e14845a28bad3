import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { openTestShop, OWNER, type Person } from '#test/fixtures/test-shop.ts'
import {
  emailTo,
  openTotpApp,
  SECOND_FACTOR,
  turnOnSecondFactor,
  verifyEmail,
} from '#test/fixtures/accounts.ts'

const { password } = OWNER

test('changing the owner’s password or email address requires a code while two-step login is on [S-235]', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  const owner = await shop.owner()
  await turnOnSecondFactor(owner, app, password)
  const fields = pageOf(await owner.page('/account/')).getAllByLabelText(
    'Code of your app, or a recovery code',
  )
  expect(new Set(fields.map((field) => field.getAttribute('name')))).toEqual(new Set(['code']))

  for (const [path, form] of [
    ['/account/password', { newPassword: 'a-new-long-password' }],
    ['/account/email', { email: 'new@mail.test' }],
  ] as const) {
    for (const code of ['', '000000']) {
      const refused = await owner.act(path, { password, code, ...form })
      expect(refused.status, path).toEqual(code ? 403 : 422)
      expect(refused.text, path).toEqual(
        expect.stringMatching(/Code is Invalid.*"field","code"|"field".*"code".*Code is Invalid/),
      )
    }
  }
  expect(
    (await owner.act('/account/email', { email: 'new@mail.test', password, code: app.next() }))
      .status,
  ).toBe(200)
  expect(
    (
      await owner.act('/account/password', {
        newPassword: 'a-new-long-password',
        password,
        code: app.next(),
      })
    ).status,
  ).toBe(200)
})

test('a customer with a confirmed email address can use two-step login [S-232]', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  const ann = await shop.customer('ann@mail.test')
  const unconfirmed = await ann.post(SECOND_FACTOR, { intent: 'begin', password })
  expect(unconfirmed.status).toBe(409)
  expect(await unconfirmed.text()).toContain('confirm your email address')
  await verifyEmail(shop, ann.id)

  const codes = await turnOnSecondFactor(ann, app, password)
  expect(codes).toHaveLength(10)
  const login = { intent: 'login', email: 'ann@mail.test', password }
  const browser = shop.visitor()
  expect((await browser.post('/login/', login)).headers.get('location')).toBe('/login/code/')
  expect(await browser.page('/about/')).toContain('Login | Register')
  expect((await browser.post('/login/code/', { code: app.next() })).status).toBe(302)
  expect(await browser.page('/account/')).toContain(
    'Two-step login is on. Recovery codes left: 10.',
  )
  // A code of the owner's authenticator app must not complete the customer's login.
  const ownerApp = openTotpApp()
  await turnOnSecondFactor(await shop.owner(), ownerApp, password)
  const other = shop.visitor()
  await other.post('/login/', login)
  expect((await other.post('/login/code/', { code: ownerApp.code(1) })).status).toBe(401)

  expect((await browser.act('/account/delete', { password })).status).toBe(422)
  const sent = await shop.db
    .selectFrom('outbox')
    .select(['toAddress', 'subject'])
    .where('toAddress', '=', 'ann@mail.test')
    .execute()
  expect(sent.map(({ subject }) => subject)).toContain(
    'Two-step login was turned on (Knots & Love)',
  )
  expect(await (await shop.owner()).page('/manage/history/?kind=account')).not.toContain(
    'Turned on two-step login for ann@mail.test',
  )
  expect((await browser.act('/account/delete', { password, code: codes[0]! })).status).toBe(202)
  expect(
    await shop.db.selectFrom('twoFactor').select('userId').where('userId', '=', ann.id).execute(),
  ).toEqual([])
})

test('after five wrong codes in a row, the user gets at most one email per hour [S-236]', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  await turnOnSecondFactor(await shop.owner(), app, password)
  const emails = async () =>
    (await shop.db.selectFrom('outbox').select('subject').execute()).filter(({ subject }) =>
      subject.includes('wrong login codes'),
    )
  const guess = async (times: number) => {
    const stranger = shop.visitor()
    await stranger.post('/login/', { intent: 'login', ...OWNER })
    for (let index = 0; index < times; index++) {
      await stranger.post('/login/code/', { code: `00000${index}` })
    }
  }
  await guess(4)
  expect(await emails()).toHaveLength(0)
  await guess(4)
  expect(await emails()).toHaveLength(1)
})

test('five wrong codes in a row in password prompts cause an email, and a correct code restarts the count [S-236]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const app = openTotpApp()
  const owner = await shop.owner()
  const [recoveryCode] = await turnOnSecondFactor(owner, app, password)
  const type = async (code: string, times = 1) => {
    for (let index = 0; index < times; index++) {
      await owner.act('/account/password', { newPassword: password, password, code })
    }
    const emails = await shop.db
      .selectFrom('outbox')
      .select('subject')
      .where('kind', '=', 'account')
      .execute()
    return emails
      .filter(({ subject }) => subject.startsWith('Someone'))
      .map(({ subject }) => subject)
  }
  // Wrong codes that a stranger typed at the login do not count in password prompts.
  await shop.db.updateTable('twoFactor').set({ failedVerificationCount: 9 }).execute()
  expect(await type('000000', 4)).toEqual([])
  expect(await type(recoveryCode!)).toEqual(['Someone used a recovery code (Knots & Love)'])
  expect(await type('000000', 4)).toHaveLength(1)
  expect(await type('000000')).toContain('Someone typed several wrong login codes (Knots & Love)')
})

test('a login with a correct code restarts the count of wrong codes in password prompts [S-236]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const owner = await shop.owner()
  const [recoveryCode] = await turnOnSecondFactor(owner, openTotpApp(), password)
  const type = async (times: number) => {
    for (let index = 0; index < times; index++) {
      await owner.act('/account/password', { newPassword: password, password, code: '000000' })
    }
  }
  await type(4)
  const another = shop.visitor()
  await another.post('/login/', { intent: 'login', ...OWNER })
  await another.post('/login/code/', { code: recoveryCode! })
  await type(4)
  const subjects = async () =>
    (await shop.db.selectFrom('outbox').select('subject').execute()).map(({ subject }) => subject)
  expect((await subjects()).filter((subject) => subject.includes('wrong login codes'))).toEqual([])
  await type(1)
  expect(
    (await subjects()).filter((subject) => subject.includes('wrong login codes')),
  ).toHaveLength(1)
})

test('with two-step login, a password reset does not make a new device trusted, because a stranger may read the mailbox [S-233]', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const resetOn = async (device: Person) => {
    await device.post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
    const { code } = await emailTo(shop, 'ann@mail.test')
    const answer = await device.post('/reset-password/', {
      intent: 'choose',
      code,
      password: 'another-good-password',
    })
    return answer.headers.getSetCookie().some((cookie) => cookie.startsWith('known='))
  }
  expect(await resetOn(shop.visitor())).toBe(true)
  await ann.post('/login/', {
    intent: 'login',
    email: 'ann@mail.test',
    password: 'another-good-password',
  })
  await turnOnSecondFactor(ann, openTotpApp(), 'another-good-password')
  expect(await resetOn(shop.visitor())).toBe(false)
  expect(await resetOn(ann)).toBe(true)
})

test('wrong codes of a stranger who knows the password do not lock out the owner’s own device [S-233]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const app = openTotpApp()
  const owner = await shop.owner()
  await turnOnSecondFactor(owner, app, password)
  const statuses: number[] = []
  for (let logins = 0; logins < 8; logins++) {
    const stranger = shop.visitor()
    await stranger.post('/login/', { intent: 'login', ...OWNER })
    for (let at = 0; at < 5; at++) {
      statuses.push((await stranger.post('/login/code/', { code: `00000${at}` })).status)
    }
    // Waits until the lock of 15 minutes after ten wrong codes has ended.
    for (let steps = 0; steps < 32; steps++) app.next()
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30)
  expect(statuses.at(-1)).toBe(429)

  await owner.post('/logout', {})
  await owner.post('/login/', { intent: 'login', ...OWNER })
  expect((await owner.post('/login/code/', { code: app.next() })).status).toBe(302)
})
