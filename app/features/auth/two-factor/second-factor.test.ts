import { expect, test } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { openTestShop, OWNER } from '#test/fixtures/test-shop.ts'
import { drawQr } from '#ui/qr-code.server.ts'
import {
  keyOn,
  openTotpApp,
  recoveryCodesOn,
  SECOND_FACTOR,
  turnOnSecondFactor,
} from '#test/fixtures/accounts.ts'
import { authenticatorUrl } from './two-factor.server.ts'

const { password } = OWNER
const login = { intent: 'login', ...OWNER }

async function openSecuredShop(options: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(options)
  const app = openTotpApp()
  const owner = await shop.owner()
  const codes = await turnOnSecondFactor(owner, app, password)
  /**
   * Returns the browser of an owner who has entered her password, but not yet the two-factor code.
   */
  async function logInWithPassword() {
    const client = shop.visitor()
    await client.post('/login/', login)
    return client
  }
  return { ...shop, app, logInWithPassword, codes, her: owner }
}

const isIn = async (client: { get: (path: string) => Promise<Response> }) =>
  (await client.get('/manage/')).status === 200
const emails = (shop: Pick<Awaited<ReturnType<typeof openTestShop>>, 'db'>) =>
  shop.db
    .selectFrom('outbox')
    .select(['toAddress', 'subject', 'text'])
    .where('kind', '=', 'account')
    .orderBy('createdAt')
    .execute()

test('with two-step login, the password alone does not log the user in [S-233]', async () => {
  const { app, logInWithPassword, codes } = await openSecuredShop()
  const owner = await logInWithPassword()

  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  expect(await isIn(owner)).toBe(false)
  expect([...owner.cookies.keys()].some((name) => name.includes('session_token'))).toBe(false)
  expect(await owner.page('/about/')).toContain('Login | Register')

  const answer = await owner.post('/login/code/', { code: app.next() })

  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe('/')
  expect(await isIn(owner)).toBe(true)
})

test('an owner who follows a link in an email sees the linked page after password and two-factor code [S-233]', async () => {
  const { logInWithPassword, app, visitor } = await openSecuredShop()
  const response = await visitor().post('/login/?messages=ann', login)
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('/login/code/?messages=ann')

  const owner = await logInWithPassword()
  const field = pageOf(await owner.page('/login/code/')).getByLabelText('Code')
  expect(field.getAttribute('autocomplete')).toBe('one-time-code')
  const answer = await owner.post('/login/code/?messages=ann', { code: app.next() })
  expect(answer.headers.get('location')).toBe('/manage/messages/ann')
})

test('the page for the two-factor code redirects everyone who has not just entered the password [S-233]', async () => {
  const { visitor, customer, her } = await openSecuredShop()
  expect((await visitor().get('/login/code/')).headers.get('location')).toBe('/login/')
  expect((await (await customer()).get('/login/code/')).headers.get('location')).toBe('/')
  expect((await her.get('/login/code/')).headers.get('location')).toBe('/')
  const forged = await visitor().send('/login/code/', {
    method: 'POST',
    body: new URLSearchParams({ code: '123456' }),
    headers: { origin: 'http://shop.test', cookie: 'shop.two_factor=2fa-abc.xyz' },
  })
  expect(forged.status).toBe(401)
  expect(await forged.text()).toContain('Please log in again')
})

test('a code of the authenticator app is accepted only once, even in two simultaneous logins [S-233]', async () => {
  const { app, logInWithPassword, db } = await openSecuredShop()
  const setUpCode = app.code()
  const early = await logInWithPassword()
  expect((await early.post('/login/code/', { code: setUpCode })).status).toBe(401)
  expect(await isIn(early)).toBe(false)

  const code = app.next()
  const first = await logInWithPassword()
  const second = await logInWithPassword()
  const answers = await Promise.all(
    [first, second].map((one) => one.post('/login/code/', { code })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401])
  expect((await Promise.all([first, second].map(isIn))).filter(Boolean)).toHaveLength(1)
  expect(await db.selectFrom('session').select('id').execute()).toHaveLength(2)
})

test('the login refuses invalid two-factor codes, and asks for the password again after five wrong codes [S-233]', async () => {
  const { app, logInWithPassword } = await openSecuredShop()
  const old = app.code()
  for (let steps = 0; steps < 3; steps++) app.next()
  const owner = await logInWithPassword()
  for (const code of [
    '',
    'x'.repeat(100_000),
    '１２３４５６',
    '12345',
    "' or 1=1 --",
    'aaaa-aaaa-aaa',
  ]) {
    expect((await owner.post('/login/code/', { code })).status, code.slice(0, 20)).toBe(422)
  }
  for (const code of [old, '000000', 'aaaa-aaaa-aaaa', 'bbbb-bbbb-bbbb', '000001']) {
    const response = await owner.post('/login/code/', { code })
    expect(response.status).toBe(401)
    expect(await response.text()).toContain('Code is Invalid')
  }
  const late = await owner.post('/login/code/', { code: app.next() })
  expect(late.status).toBe(401)
  expect(await late.text()).toContain('Please log in again')
  expect(await isIn(owner)).toBe(false)
})

test('after ten wrong two-factor codes in a row, also in different logins, every code is refused for 15 minutes [S-233]', async () => {
  const { app, logInWithPassword } = await openSecuredShop()
  for (const tries of [5, 5]) {
    const guesser = await logInWithPassword()
    for (let index = 0; index < tries; index++) {
      await guesser.post('/login/code/', { code: `00000${index}` })
    }
  }
  const owner = await logInWithPassword()
  const refused = await owner.post('/login/code/', { code: app.next() })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('900')
  expect(await refused.text()).toEqual(expect.stringContaining('Please wait 15 minutes'))
  for (let steps = 0; steps < 31; steps++) app.next()
  const later = await logInWithPassword()
  expect((await later.post('/login/code/', { code: app.next() })).status).toBe(302)
})

test('a recovery code works only once, even in two concurrent logins, and the owner sees how many codes are left [S-234]', async () => {
  const { logInWithPassword, codes, db, her } = await openSecuredShop()
  const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `
  const both = [await logInWithPassword(), await logInWithPassword()]
  const answers = await Promise.all(
    both.map((one, at) => one.post('/login/code/', { code: at === 0 ? typed : codes[0]! })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401])
  expect((await Promise.all(both.map(isIn))).filter(Boolean)).toHaveLength(1)
  expect((await (await logInWithPassword()).post('/login/code/', { code: typed })).status).toBe(401)
  expect((await (await logInWithPassword()).post('/login/code/', { code: codes[1]! })).status).toBe(
    302,
  )

  expect(await her.page(SECOND_FACTOR)).toContain('8 recovery codes are left')
  expect(await her.page('/account/')).toContain('Two-step login is on. Recovery codes left: 8.')
  expect(await her.page('/manage/history/')).toContain(
    `Used a recovery code of ${OWNER.email}, 9 left`,
  )
  const sent = await emails({ db })
  expect(sent.map(({ toAddress }) => toAddress)).toEqual([OWNER.email, OWNER.email, OWNER.email])
  expect(sent.map(({ subject }) => subject)).toContain(
    'Someone used a recovery code (Knots & Love)',
  )
  for (const { text } of sent) for (const code of codes) expect(text).not.toContain(code)
})

test('only a correct code turns two-step login on; after a wrong code, the page shows the same key again [S-232]', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  const owner = await shop.owner()
  const wrong = await owner.post(SECOND_FACTOR, { intent: 'begin', password: 'not-her-password' })
  expect(wrong.status).toBe(403)
  expect(await wrong.text()).toContain('Invalid Credentials')

  const first = keyOn(await (await owner.post(SECOND_FACTOR, { intent: 'begin', password })).text())
  const html = await (await owner.post(SECOND_FACTOR, { intent: 'begin', password })).text()
  const key = keyOn(html)
  expect(key).toMatch(/^[A-Z2-7]{32,}$/)
  expect(key).not.toBe(first)
  expect(pageOf(html).getByRole('img', { name: 'QR code for your app' })).toBeTruthy()
  expect(html).toContain(key.replace(/(.{4})(?=.)/g, '$1 '))
  expect((await shop.visitor().post('/login/', login)).headers.get('location')).toBe('/manage/')
  expect(await owner.page(SECOND_FACTOR)).toContain('Two-step login is off')

  app.scan(key)
  const refused = await owner.post(SECOND_FACTOR, { intent: 'confirm', code: '000000', key })
  const again = await refused.text()
  expect(refused.status).toBe(422)
  expect(keyOn(again)).toEqual(key)
  expect(again).toContain('Code is Invalid')
  const answer = await owner.post(SECOND_FACTOR, {
    intent: 'confirm',
    code: ` ${app.code().slice(0, 3)} ${app.code().slice(3)}`,
    key,
  })
  expect(recoveryCodesOn(await answer.text())).toHaveLength(10)
  expect(await owner.page(SECOND_FACTOR)).toContain('Two-step login is on')
  expect(recoveryCodesOn(await owner.page(SECOND_FACTOR))).toEqual([])
  const twice = await owner.post(SECOND_FACTOR, { intent: 'confirm', code: app.code(), key })
  expect(twice.status).toBe(409)
  expect(recoveryCodesOn(await twice.text())).toEqual([])
})

test('turning two-step login on or off ends every other session of the owner [S-232]', async () => {
  const { her, logInWithPassword, app, shop, owner: logIn } = await openSecuredShop()
  const other = await logInWithPassword()
  await other.post('/login/code/', { code: app.next() })
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const cookie = her.cookies.get('shop.session_token')

  expect(
    (await her.post(SECOND_FACTOR, { intent: 'off', password, code: app.next() })).status,
  ).toBe(200)

  expect(her.cookies.get('shop.session_token')).toBe(cookie)
  expect(await shop.db.selectFrom('session').select('id').execute()).toHaveLength(1)
  expect(await isIn(her)).toBe(true)
  expect(await isIn(other)).toBe(false)
  expect(ended.length).toBeGreaterThanOrEqual(1)
  const one = await logIn()
  const two = await logIn()
  await turnOnSecondFactor(one, app, password)
  expect(await isIn(one)).toBe(true)
  expect(await isIn(two)).toBe(false)
})

test('turning two-step login off or creating new recovery codes requires the password and a two-factor code [S-235]', async () => {
  const { her, app, codes, logInWithPassword } = await openSecuredShop()
  for (const intent of ['codes', 'off']) {
    for (const [form, status, text] of [
      [{ password: 'not-her-password', code: app.next() }, 403, 'Invalid Credentials'],
      [{ password }, 422, 'Code is Invalid'],
      [{ password, code: '000000' }, 403, 'Code is Invalid'],
    ] as const) {
      const response = await her.post(SECOND_FACTOR, { intent, ...form } as Record<string, string>)
      expect(response.status).toEqual(status)
      expect(await response.text()).toEqual(expect.stringContaining(text))
    }
  }
  const used = app.next()
  const made = recoveryCodesOn(
    await (await her.post(SECOND_FACTOR, { intent: 'codes', password, code: used })).text(),
  )
  expect(made).toHaveLength(10)
  expect((await her.post(SECOND_FACTOR, { intent: 'off', password, code: used })).status).toBe(403)
  const owner = await logInWithPassword()
  expect((await owner.post('/login/code/', { code: codes[0]! })).status).toBe(401)
  expect((await owner.post('/login/code/', { code: made[0]! })).status).toBe(302)

  const off = await her.post(SECOND_FACTOR, { intent: 'off', password, code: made[1]! })
  expect(await off.text()).toContain('Two-step login is off')
  expect((await (await logInWithPassword()).get('/manage/')).status).toBe(200)
})

test('the database does not contain the secret of two-step login or the recovery codes in plain text [S-232]', async () => {
  const { db, codes } = await openSecuredShop()
  const rows = JSON.stringify(await db.selectFrom('twoFactor').selectAll().execute())
  for (const code of codes) expect(rows).not.toContain(code)
  const [{ secret }] = (await db.selectFrom('twoFactor').select('secret').execute()) as [
    { secret: string },
  ]
  expect(secret).toMatch(/^[0-9a-f$:\w.-]{100,}$/)
})

test('the audit log and an email inform the owner about each change of two-step login [S-236]', async () => {
  const { her, app, db } = await openSecuredShop()
  await her.post(SECOND_FACTOR, { intent: 'codes', password, code: app.next() })
  await her.post(SECOND_FACTOR, { intent: 'off', password, code: app.next() })
  const history = await her.page('/manage/history/?kind=account')
  for (const said of [
    'Turned on two-step login for',
    'Created new recovery codes for',
    'Turned off two-step login for',
  ]) {
    expect(history).toContain(`${said} ${OWNER.email}`)
  }
  expect((await emails({ db })).map(({ subject }) => subject).toSorted()).toEqual([
    'New recovery codes were created (Knots & Love)',
    'Two-step login was turned off (Knots & Love)',
    'Two-step login was turned on (Knots & Love)',
  ])
})

test('with a shop name of 60 letters, the QR code of the authenticator app has fewer than 100 modules per side, so that a phone can scan it [S-431]', () => {
  const url = authenticatorUrl({
    shopName: 'Κ'.repeat(60),
    email: OWNER.email,
    key: 'A'.repeat(52),
  })
  expect(new URL(url).searchParams.get('issuer')).toBe('Κ'.repeat(24))
  expect(drawQr(url).size).toBeLessThan(100)
})
