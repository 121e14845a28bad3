import { expect, test } from 'vitest'
import { openTestShop, OWNER } from '#test/open-test-shop.ts'
import { keyOn, openTotpApp, recoveryCodesOn, SECOND_FACTOR, turnOnSecondFactor } from '#test/totp-app.ts'

const { password } = OWNER
const login = { intent: 'login', ...OWNER }

async function openSecuredShop(options: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(options)
  const app = openTotpApp()
  const owner = await shop.owner()
  const codes = await turnOnSecondFactor(owner, app, password)
  /** Somebody who knows the password stands before the second step. */
  async function half() {
    const somebody = shop.visitor()
    await somebody.post('/login/', login)
    return somebody
  }
  return { ...shop, app, half, codes, her: owner }
}

const isIn = async (somebody: { get: (path: string) => Promise<Response> }) => (await somebody.get('/manage/')).status === 200
const letters = (shop: Pick<Awaited<ReturnType<typeof openTestShop>>, 'db'>) =>
  shop.db.selectFrom('outbox').select(['toAddress', 'subject', 'text']).where('kind', '=', 'account').orderBy('createdAt').execute()

test('S-233 without it the password alone opens the shop; with it there is no session before the code', async () => {
  const { app, half, codes } = await openSecuredShop()
  const owner = await half()

  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  expect(await isIn(owner)).toBe(false)
  expect([...owner.cookies.keys()].some((name) => name.includes('session_token'))).toBe(false)
  expect(await owner.page('/about/')).toContain('Login | Register')

  const done = await owner.post('/login/code/', { code: app.next() })

  expect([done.status, done.headers.get('location')]).toEqual([302, '/'])
  expect(await isIn(owner)).toBe(true)
})

test('S-233 the password leads to the page of the code, which leads on to where the letter led', async () => {
  const { half, app, visitor } = await openSecuredShop()
  const there = await visitor().post('/login/?messages=ann', login)
  expect([there.status, there.headers.get('location')]).toEqual([302, '/login/code/?messages=ann'])

  const owner = await half()
  const html = await owner.page('/login/code/')
  expect(html).toMatch(/<label[^>]*>Code<\/label><input[^>]*autoComplete="one-time-code"/i)
  const done = await owner.post('/login/code/?messages=ann', { code: app.next() })
  expect(done.headers.get('location')).toBe('/manage/messages/ann')
})

test('S-233 the page of the code is for whoever has just given the password: others go to the login', async () => {
  const { visitor, customer, her } = await openSecuredShop()
  expect((await visitor().get('/login/code/')).headers.get('location')).toBe('/login/')
  expect((await (await customer()).get('/login/code/')).headers.get('location')).toBe('/')
  expect((await her.get('/login/code/')).headers.get('location')).toBe('/')
  const forged = await visitor().send('/login/code/', {
    method: 'POST',
    body: new URLSearchParams({ code: '123456' }),
    headers: { origin: 'http://shop.test', cookie: 'shop.two_factor=2fa-abc.xyz' },
  })
  expect([forged.status, await forged.text()]).toEqual([401, expect.stringContaining('Please log in again')])
})

test('S-233 a login by the old password that waits for its code ends with that password', async () => {
  const { her, half, app, codes } = await openSecuredShop()
  const [one, other] = [await half(), await half()]
  await her.act('/account/password', { password, newPassword: 'an-even-better-one' })

  expect((await one.post('/login/code/', { code: app.next() })).status).toBe(401)
  expect((await other.post('/login/code/', { code: codes[0]! })).status).toBe(401)
  expect([await isIn(one), await isIn(other), await isIn(her)]).toEqual([false, false, true])
})

test('S-233 a code of the app counts once, in the next login too, and for one of two at the same moment', async () => {
  const { app, half, db } = await openSecuredShop()
  const setUpCode = app.code()
  const early = await half()
  expect((await early.post('/login/code/', { code: setUpCode })).status).toBe(401)
  expect(await isIn(early)).toBe(false)

  const code = app.next()
  const [first, second] = [await half(), await half()]
  const answers = await Promise.all([first, second].map((one) => one.post('/login/code/', { code })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401])
  expect((await Promise.all([first, second].map(isIn))).filter(Boolean)).toHaveLength(1)
  // The session of the refused one is no more: hers, and the one that got in.
  expect(await db.selectFrom('session').select('id').execute()).toHaveLength(2)
})

test('S-233 wrong, odd and old codes say so and open nothing; after five the password is asked for again', async () => {
  const { app, half } = await openSecuredShop()
  const old = app.code()
  for (let steps = 0; steps < 3; steps++) app.next()
  const owner = await half()
  for (const code of ['', 'x'.repeat(100_000), '１２３４５６', '12345', "' or 1=1 --", 'aaaa-aaaa-aaa'])
    expect((await owner.post('/login/code/', { code })).status, code.slice(0, 20)).toBe(422)
  for (const code of [old, '000000', 'aaaa-aaaa-aaaa', 'bbbb-bbbb-bbbb', '000001']) {
    const response = await owner.post('/login/code/', { code })
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('Code is Invalid')])
  }
  const late = await owner.post('/login/code/', { code: app.next() })
  expect([late.status, await late.text()]).toEqual([401, expect.stringContaining('Please log in again')])
  expect(await isIn(owner)).toBe(false)
})

test('S-233 ten wrong codes in a row, over however many logins, and no code counts for a quarter of an hour', async () => {
  const { app, half } = await openSecuredShop()
  for (const tries of [5, 5]) {
    const guesser = await half()
    for (let at = 0; at < tries; at++) await guesser.post('/login/code/', { code: `00000${at}` })
  }
  const owner = await half()
  const refused = await owner.post('/login/code/', { code: app.next() })
  expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
    429,
    '900',
    expect.stringContaining('Please wait 15 minutes'),
  ])
  for (let steps = 0; steps < 31; steps++) app.next()
  const later = await half()
  expect((await later.post('/login/code/', { code: app.next() })).status).toBe(302)
})

test('S-234 a recovery code opens the shop once, however it is typed; the owner is told, and how many are left', async () => {
  const { half, codes, db, her } = await openSecuredShop()
  const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `
  const [first, second] = [await half(), await half()]
  expect((await first.post('/login/code/', { code: typed })).status).toBe(302)
  expect(await isIn(first)).toBe(true)
  expect((await second.post('/login/code/', { code: codes[0]! })).status).toBe(401)
  expect((await second.post('/login/code/', { code: codes[1]! })).status).toBe(302)

  expect(await her.page(SECOND_FACTOR)).toContain('8 recovery codes are left')
  expect(await her.page('/manage/history/')).toContain(`Logged in as ${OWNER.email} with a recovery code, 9 left`)
  const told = await letters({ db })
  expect(told.map(({ toAddress }) => toAddress)).toEqual([OWNER.email, OWNER.email, OWNER.email])
  expect(told.map(({ subject }) => subject)).toContain('Somebody logged in with a recovery code (Knots & Love)')
  for (const { text } of told) for (const code of codes) expect(text).not.toContain(code)
})

test('S-234 of two who come with the same recovery code at the same moment one gets in', async () => {
  const { half, codes } = await openSecuredShop()
  const both = [await half(), await half()]
  const answers = await Promise.all(both.map((one) => one.post('/login/code/', { code: codes[3]! })))
  expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
  expect((await Promise.all(both.map(isIn))).filter(Boolean)).toHaveLength(1)
})

test('S-232 setting up: nothing counts before the first code, a wrong one keeps the picture, Cancel and starting anew harm nothing', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  const owner = await shop.owner()
  const wrong = await owner.post(SECOND_FACTOR, { intent: 'begin', password: 'not-her-password' })
  expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining('Invalid Credentials')])

  const first = keyOn(await (await owner.post(SECOND_FACTOR, { intent: 'begin', password })).text())
  const html = await (await owner.post(SECOND_FACTOR, { intent: 'begin', password })).text()
  const key = keyOn(html)
  expect(key).toMatch(/^[A-Z2-7]{32,}$/)
  expect(key).not.toBe(first)
  expect(html).toContain('aria-label="QR code for your app"')
  expect(html).toContain(key.replace(/(.{4})(?=.)/g, '$1 '))
  expect((await shop.visitor().post('/login/', login)).headers.get('location')).toBe('/')
  expect(await owner.page(SECOND_FACTOR)).toContain('Two-step login is off')

  app.scan(key)
  const refused = await owner.post(SECOND_FACTOR, { intent: 'confirm', code: '000000', key })
  const again = await refused.text()
  expect([refused.status, keyOn(again)]).toEqual([422, key])
  expect(again).toContain('Code is Invalid')
  const done = await owner.post(SECOND_FACTOR, { intent: 'confirm', code: ` ${app.code().slice(0, 3)} ${app.code().slice(3)}`, key })
  expect(recoveryCodesOn(await done.text())).toHaveLength(10)
  expect(await owner.page(SECOND_FACTOR)).toContain('Two-step login is on')
  expect(recoveryCodesOn(await owner.page(SECOND_FACTOR))).toEqual([])
  // The same form once more shows no codes.
  const twice = await owner.post(SECOND_FACTOR, { intent: 'confirm', code: app.code(), key })
  expect([twice.status, recoveryCodesOn(await twice.text())]).toEqual([409, []])
})

test('S-232 turning it on or off ends every other session of hers, and keeps this one as it is', async () => {
  const { her, half, app, shop, owner: logIn } = await openSecuredShop()
  const other = await half()
  await other.post('/login/code/', { code: app.next() })
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const cookie = her.cookies.get('shop.session_token')

  expect((await her.post(SECOND_FACTOR, { intent: 'off', password, code: app.next() })).status).toBe(200)

  expect(her.cookies.get('shop.session_token')).toBe(cookie)
  expect(await shop.db.selectFrom('session').select('id').execute()).toHaveLength(1)
  expect([await isIn(her), await isIn(other)]).toEqual([true, false])
  expect(ended.length).toBeGreaterThanOrEqual(1)
  const [one, two] = [await logIn(), await logIn()]
  await turnOnSecondFactor(one, app, password)
  expect([await isIn(one), await isIn(two)]).toEqual([true, false])
})

test('S-235 new recovery codes and turning off ask for both factors again, whatever the session; old codes end with the new', async () => {
  const { her, app, codes, half } = await openSecuredShop()
  for (const intent of ['codes', 'off'])
    for (const [form, status, text] of [
      [{ password: 'not-her-password', code: app.next() }, 403, 'Invalid Credentials'],
      [{ password }, 422, 'Code is Invalid'],
      [{ password, code: '000000' }, 403, 'Code is Invalid'],
    ] as const) {
      const response = await her.post(SECOND_FACTOR, { intent, ...form } as Record<string, string>)
      expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)])
    }
  const used = app.next()
  const made = recoveryCodesOn(await (await her.post(SECOND_FACTOR, { intent: 'codes', password, code: used })).text())
  expect(made).toHaveLength(10)
  expect((await her.post(SECOND_FACTOR, { intent: 'off', password, code: used })).status).toBe(403)
  const owner = await half()
  expect((await owner.post('/login/code/', { code: codes[0]! })).status).toBe(401)
  expect((await owner.post('/login/code/', { code: made[0]! })).status).toBe(302)

  const off = await her.post(SECOND_FACTOR, { intent: 'off', password, code: made[1]! })
  expect(await off.text()).toContain('Two-step login is off')
  expect((await (await half()).get('/manage/')).status).toBe(200)
})

test('S-235 the owner finds it on her account page, nobody else does', async () => {
  const { her, customer } = await openSecuredShop()
  expect(await her.page('/account/')).toContain('Two-step login is on. Recovery codes left: 10.')
  expect(await (await customer()).page('/account/')).not.toContain('Two-step')
})

test('S-235 only the owner has it: visitors, guests and customers get neither the page nor its forms', async () => {
  const { visitor, guest, customer, db } = await openSecuredShop()
  for (const somebody of [visitor(), await guest(), await customer()]) {
    for (const intent of ['begin', 'confirm', 'codes', 'off']) {
      const response = await somebody.post(SECOND_FACTOR, { intent, password: 'a-good-password', code: '000000' })
      expect(response.status).toBe(302)
    }
    expect((await somebody.get(SECOND_FACTOR)).status).toBe(302)
    expect((await somebody.get('/account/second-factor.data?_routes=routes%2Faccount%2Fsecond-factor')).status).not.toBe(200)
  }
  expect(await db.selectFrom('twoFactor').select('userId').execute()).toEqual([{ userId: 'owner' }])
})

test('S-232 neither the key nor the recovery codes stand in the database as they are', async () => {
  const { db, codes } = await openSecuredShop()
  const rows = JSON.stringify(await db.selectFrom('twoFactor').selectAll().execute())
  for (const code of codes) expect(rows).not.toContain(code)
  const [{ secret }] = (await db.selectFrom('twoFactor').select('secret').execute()) as [{ secret: string }]
  expect(secret).toMatch(/^[0-9a-f$:\w.-]{100,}$/)
})

test('S-236 the history says what happened, and a letter says it to the address with which she signs in', async () => {
  const { her, app, db } = await openSecuredShop()
  await her.post(SECOND_FACTOR, { intent: 'codes', password, code: app.next() })
  await her.post(SECOND_FACTOR, { intent: 'off', password, code: app.next() })
  const history = await her.page('/manage/history/?kind=account')
  for (const said of ['Turned on two-step login for', 'Made new recovery codes for', 'Turned off two-step login for'])
    expect(history).toContain(`${said} ${OWNER.email}`)
  expect((await letters({ db })).map(({ subject }) => subject).toSorted()).toEqual([
    'New recovery codes were made (Knots & Love)',
    'Two-step login was turned off (Knots & Love)',
    'Two-step login was turned on (Knots & Love)',
  ])
})
