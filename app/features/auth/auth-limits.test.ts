import { expect, onTestFinished, test, vi } from 'vitest'
import { pageOf } from '#test/fixtures/html.ts'
import { openTestShop, ORIGIN, OWNER, person, type TestShop } from '#test/fixtures/test-shop.ts'

const PASSWORD = 'a-good-password'
const open = () => openTestShop({ rateLimits: true })
const at = (shop: TestShop, address: string) => person(shop.app, ORIGIN, address)
const tryIn = (who: ReturnType<typeof person>, email: string, password = 'wrong-password') =>
  who.post('/login/', { intent: 'login', email, password })
const statusOf = async (answer: Promise<Response>) => (await answer).status

test('ten wrong passwords for an account block the IP address for this account, but not for other accounts [S-237, S-238]', async () => {
  const shop = await open()
  for (const email of ['ann@mail.test', 'bea@mail.test']) {
    await at(shop, '198.51.100.1').post('/login/', {
      intent: 'register',
      email,
      password: PASSWORD,
    })
  }
  const attacker = at(shop, '203.0.113.5')
  const statuses: number[] = []
  for (let tries = 0; tries < 10; tries++) {
    statuses.push((await tryIn(attacker, 'ann@mail.test')).status)
  }
  expect(statuses).toEqual(Array(10).fill(401))

  const refused = await tryIn(attacker, 'ANN@mail.test', PASSWORD)
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(14 * 60)
  expect(seconds).toBeLessThanOrEqual(15 * 60)
  const page = pageOf(await refused.text())
  expect(page.getByText('Too many tries. Please wait 15 minutes and try again.')).toBeTruthy()
  expect(page.getByLabelText('Email').getAttribute('value')).toBe('ANN@mail.test')
  expect(
    (await attacker.act('/login/', { intent: 'login', email: 'ann@mail.test', password: PASSWORD }))
      .status,
  ).toBe(429)

  expect(await statusOf(tryIn(at(shop, '203.0.113.5'), 'bea@mail.test', PASSWORD))).toBe(302)
  expect(await statusOf(tryIn(at(shop, '203.0.113.6'), 'ann@mail.test', PASSWORD))).toBe(302)
})

test('a hundred failed logins block an IP address, but not a device on which a user has logged in before [S-238]', async () => {
  const shop = await open()
  const customer = at(shop, '203.0.113.5')
  await customer.post('/login/', { intent: 'register', email: 'ann@mail.test', password: PASSWORD })
  await customer.post('/logout', {})
  const attacker = at(shop, '203.0.113.5')
  for (let tries = 0; tries < 100; tries++) {
    expect(await statusOf(tryIn(attacker, `somebody-${tries}@mail.test`))).toBe(401)
  }

  expect(await statusOf(tryIn(attacker, 'somebody-else@mail.test'))).toBe(429)
  expect(await statusOf(tryIn(attacker, OWNER.email, OWNER.password))).toBe(429)
  expect(await statusOf(tryIn(at(shop, '203.0.113.6'), OWNER.email, OWNER.password))).toBe(302)
  expect(await statusOf(tryIn(customer, 'ann@mail.test', PASSWORD))).toBe(302)
})

test('fifty failed logins block an account for an hour, but a valid device cookie allows ten more attempts [S-238]', async () => {
  const shop = await open()
  const owner = await shop.owner()
  await owner.post('/logout', {})
  const known = owner.cookies.get('known')!
  for (let tries = 0; tries < 50; tries++) await tryIn(at(shop, `198.51.100.${tries}`), OWNER.email)
  const withMark = async (mark: string, address = '192.0.2.1') => {
    const client = at(shop, address)
    client.cookies.set('known', mark)
    return statusOf(tryIn(client, OWNER.email))
  }

  const [mark, signature] = known.split('.')
  const bea = await shop.customer('bea@mail.test')
  for (const forged of [
    '',
    known.slice(0, -3),
    `${mark}0.${signature}`,
    `${mark}.`,
    bea.cookies.get('known')!,
    `${'~'.repeat(6)}${known}`,
  ]) {
    expect(await withMark(forged), forged).toBe(429)
  }
  // A stolen device cookie allows ten password guesses from all IP addresses together.
  for (let tries = 0; tries < 10; tries++) {
    expect(await withMark(`${bea.cookies.get('known')}~${known}`, `192.0.2.${tries}`)).toBe(401)
  }
  expect(await withMark(known)).toBe(429)

  shop.clock.now += 181 * 24 * 60 * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(await withMark(known)).toBe(429)
  vi.setSystemTime(Date.now() + 41 * 60_000)
  expect(await statusOf(tryIn(at(shop, '192.0.2.1'), OWNER.email, OWNER.password))).toBe(302)
})

test('after 60 logins to an account in 15 minutes, the shop refuses the next one, but no login to another account [S-382]', async () => {
  const shop = await open()
  const known = at(shop, '203.0.113.5')
  known.cookies.set('known', (await shop.customer()).cookies.get('known')!)
  await shop.customer('bea@mail.test')
  for (let tries = 0; tries < 9; tries++) {
    expect(await statusOf(tryIn(shop.visitor(), 'ann@mail.test'))).toBe(401)
  }
  for (let tries = 0; tries < 60; tries++) {
    expect(await statusOf(tryIn(shop.visitor(), 'ann@mail.test', PASSWORD))).toBe(302)
  }
  for (const device of [known, at(shop, '203.0.113.6')]) {
    const refused = await tryIn(device, 'ann@mail.test', PASSWORD)
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('Please wait 15 minutes and try again.')
  }
  expect(await statusOf(tryIn(shop.visitor(), 'bea@mail.test', PASSWORD))).toBe(302)
})

test('an account stays blocked even after 10,001 failed logins to addresses without an account [S-238]', async () => {
  const shop = await open()
  for (let tries = 0; tries < 50; tries++) await tryIn(at(shop, `198.51.100.${tries}`), OWNER.email)
  const { rateLimits } = shop.shop
  const count = vi.spyOn(rateLimits, 'secondsToWait')
  await tryIn(at(shop, '192.0.2.1'), 'nobody@mail.test')
  const counted = count.mock.calls.map(([what]) => what)
  count.mockRestore()
  // Counts each further failed login directly, because 10,001 logins would take too long.
  for (let nobody = 0; nobody < 10_001; nobody++) {
    for (const what of counted) {
      await rateLimits.secondsToWait(what, { account: `${nobody}@mail.test`, address: `${nobody}` })
    }
  }
  expect(counted).toContain('sign-in')
  expect(await statusOf(tryIn(at(shop, '192.0.2.2'), OWNER.email))).toBe(429)
})

test('the device cookie names no user, is hidden from JavaScript, and has entries for at most five accounts [S-238]', async () => {
  const shop = await openTestShop()
  const device = shop.visitor()
  const lines: string[] = []
  for (const email of [
    'a@mail.test',
    'b@mail.test',
    'c@mail.test',
    'd@mail.test',
    'e@mail.test',
    'f@mail.test',
    'a@mail.test',
  ]) {
    const response = await device.post('/login/', {
      intent: lines.length < 6 ? 'register' : 'login',
      email,
      password: PASSWORD,
    })
    lines.push(response.headers.getSetCookie().find((line) => line.startsWith('known='))!)
    await device.post('/logout', {})
  }
  for (const line of lines) {
    expect(line).toMatch(/; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
  }
  expect(lines.at(-1)!.split(';')[0]!.split('~')).toHaveLength(5)
  expect(lines.join()).not.toContain('mail.test')
  const guest = await shop.visitor().post('/login/', { intent: 'guest' })
  expect(guest.headers.getSetCookie().join()).not.toContain('known=')
})

test('a signed-in user can prove her password at most 60 times in 15 minutes, even if the password is correct [S-427]', async () => {
  const shop = await open()
  const ann = await shop.customer('ann@mail.test')
  const check = async () =>
    (await ann.act('/account/unlink', { provider: 'none', password: PASSWORD })).status
  for (let tries = 0; tries < 60; tries++) expect(await check()).toBe(409)
  expect(await check()).toBe(429)
})

test('registrations from one IP address cause at most 20 confirmation emails in an hour, but the user of a further account can request her email [S-426]', async () => {
  const shop = await open()
  const emails = async () => (await shop.db.selectFrom('outbox').select('id').execute()).length
  const device = at(shop, '203.0.113.5')
  for (let tries = 0; tries < 21; tries++) {
    const credentials = { intent: 'register', email: `new${tries}@mail.test`, password: PASSWORD }
    expect(await statusOf(device.post('/login/', credentials))).toBe(302)
    if (tries < 20) await device.post('/logout', {})
  }
  expect(await emails()).toBe(20)
  expect((await device.act('/account/verification', {})).status).toBe(200)
  expect(await emails()).toBe(21)
})

test('too many registrations and guest logins from one IP address are refused with a message [S-237]', async () => {
  const shop = await open()
  const attacker = at(shop, '203.0.113.5')
  const statuses: Record<string, number[]> = { register: [], guest: [] }
  for (let tries = 0; tries < 61; tries++) {
    // An attempt to register an existing email address counts as well, because the refusal reveals
    // that the account exists.
    statuses.register!.push(
      await statusOf(
        attacker.post('/login/', { intent: 'register', email: OWNER.email, password: PASSWORD }),
      ),
    )
    statuses.guest!.push(
      await statusOf(at(shop, '203.0.113.5').post('/login/', { intent: 'guest' })),
    )
  }
  expect(new Set(statuses.register!.slice(0, 60))).toEqual(new Set([422]))
  expect(statuses.register!.at(-1)).toBe(429)
  expect(new Set(statuses.guest!.slice(0, 60))).toEqual(new Set([302]))
  expect(statuses.guest!.at(-1)).toBe(429)
  const page = pageOf(await (await attacker.post('/login/', { intent: 'guest' })).text())
  const alert = page.getByText('Too many tries. Please wait 10 minutes and try again.')
  expect(alert.getAttribute('role')).toBe('alert')
  expect(await statusOf(at(shop, '203.0.113.6').post('/login/', { intent: 'guest' }))).toBe(302)
})
