/**
 * Tests the rate limits against an attacker who tries many passwords or codes, or requests many
 * emails.
 */
import { expect, test } from 'vitest'
import { createClientAddress } from '#lib/http/client-address.server.ts'
import { emailTo, openTotpApp, turnOnSecondFactor } from '#test/fixtures/accounts.ts'
import {
  openTestShop,
  ORIGIN,
  OWNER,
  person,
  type Person,
  type TestShop,
  openShopWithAnn,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'

const PASSWORD = 'a-good-password'
const NEW = 'another-good-password'
const WRONG = 'wrong-password'
const at = (shop: TestShop, address: string) => person(shop.app, ORIGIN, address)
const login = async (who: Person, email: string, password: string) =>
  (await who.post('/login/', { intent: 'login', email, password })).status
async function collect(count: number, ask: (at: number) => Promise<number>) {
  const statuses: number[] = []
  for (let number = 0; number < count; number++) statuses.push(await ask(number))
  return statuses
}

test.each<
  [
    way: string,
    setting: string,
    remote: (tries: number) => string,
    header?: (tries: number) => string,
  ]
>([
  ['without a proxy', 'none', () => '203.0.113.5', (tries) => `198.51.100.${tries}`],
  [
    'past the local proxy',
    'loopback',
    () => '203.0.113.6',
    (tries) => `198.51.100.${tries}, 127.0.0.1`,
  ],
  [
    'through the local proxy',
    'loopback',
    () => '127.0.0.1',
    (tries) => `198.51.100.${tries}, 203.0.113.7`,
  ],
  [
    'through two named proxies',
    '10.0.0.0/8',
    () => '10.0.0.1',
    (tries) => `198.51.100.${tries}, 203.0.113.8, 10.0.0.2`,
  ],
  ['from one IPv6 network', 'none', (tries) => `2001:db8:1:2:${tries + 1}::${tries + 1}`],
])(
  'the shop limits a client’s password guesses by its real address: %s [S-239, S-238]',
  async (_way, setting, remote, header) => {
    const shop = await openTestShop({ rateLimits: true })
    const statuses = await collect(11, (tries) =>
      login(
        at(shop, createClientAddress(setting)(remote(tries), header?.(tries))),
        OWNER.email,
        WRONG,
      ),
    )
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  },
)

test('of a hundred concurrent attempts, the shop accepts as many as the limit allows [S-237]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const [ann, bea] = [await shop.customer(), await shop.customer('bea@mail.test')]
  const taken = async (
    many: number,
    seconds: number,
    who: Person,
    path: string,
    form: Record<string, string>,
  ) => {
    const asked = { method: 'POST', headers: { origin: ORIGIN } }
    const answers = await Promise.all(
      Array.from({ length: many }, () =>
        who.send(`${path}.data`, { ...asked, body: new URLSearchParams(form) }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toSatisfy(
        (wait) => wait > seconds - 60 && wait <= seconds,
      )
    }
    return many - refused.length
  }
  const [hour, quarter, tenMinutes] = [3600, 900, 600]
  expect(
    await taken(25, quarter, shop.visitor(), '/login', {
      intent: 'login',
      email: OWNER.email,
      password: WRONG,
    }),
  ).toBe(10)
  expect(
    await taken(40, hour, shop.visitor(), '/reset-password', {
      intent: 'ask',
      email: 'unknown@mail.test',
    }),
  ).toBe(30)
  expect(
    await taken(40, tenMinutes, shop.visitor(), '/reset-password', {
      intent: 'choose',
      password: WRONG,
      code: 'x',
    }),
  ).toBe(30)
  expect(await taken(10, hour, ann, '/account/verification', {})).toBe(5)
  expect(await taken(110, quarter, ann, '/account/delete', { password: WRONG })).toBe(10)
  expect(
    await taken(10, hour, bea, '/account/email', { email: 'new@mail.test', password: WRONG }),
  ).toBe(5)
  expect(
    (await bea.act('/account/password', { password: PASSWORD, newPassword: NEW })).status,
  ).toBe(200)
})

test('if twelve wrong two-factor codes are sent at the same time for one login, the shop checks at most five [S-233]', async () => {
  const shop = await openTestShop()
  const app = openTotpApp()
  await turnOnSecondFactor(await shop.owner(), app, OWNER.password)
  const thief = shop.visitor()
  await login(thief, OWNER.email, OWNER.password)
  const right = app.next()
  const codes = Array.from({ length: 12 }, (_, index) => String(100_000 + index)).filter(
    (code) => code !== right,
  )
  const pages = await Promise.all(
    codes.map(async (code) => (await thief.post('/login/code/', { code })).text()),
  )
  expect(pages.filter((text) => text.includes('Code is Invalid')).length).toBeLessThanOrEqual(5)
  expect((await thief.get('/manage/')).status).toBe(302)
})

test('a device that logged in with the old password gets no extra attempts to guess the new password [S-238]', async () => {
  const { shop, ann } = await openShopWithAnn({ rateLimits: true })
  const known: string[] = []
  for (let many = 0; many < 6; many++) {
    const device = at(shop, '192.0.2.9')
    await login(device, 'ann@mail.test', PASSWORD)
    known.push(device.cookies.get('known')!)
  }
  await ann.act('/account/password', { password: PASSWORD, newPassword: NEW })
  const statuses = await collect(60, (tries) => {
    const guesser = at(shop, `198.51.100.${tries}`)
    guesser.cookies.set('known', known[Math.floor(tries / 10)]!)
    return login(guesser, 'ann@mail.test', WRONG)
  })
  expect(statuses.filter((status) => status === 401)).toHaveLength(50)
  expect(statuses.slice(-10)).toEqual(Array(10).fill(429))
  // The shop still recognizes the device on which the customer changed her password.
  await ann.post('/logout', {})
  expect(await login(ann, 'ann@mail.test', NEW)).toBe(302)
})

test('while attackers guess her password, a customer can still log in on a new device by a password reset [S-238]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  await shop.customer()
  await collect(50, (tries) => login(at(shop, `198.51.100.${tries}`), 'ann@mail.test', WRONG))
  const phone = at(shop, '192.0.2.1')
  expect(await login(phone, 'ann@mail.test', PASSWORD)).toBe(429)
  await phone.post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const { code } = await emailTo(shop, 'ann@mail.test')
  await phone.post('/reset-password/', { intent: 'choose', code, password: NEW })
  expect(await login(phone, 'ann@mail.test', NEW)).toBe(302)
  expect(await login(at(shop, '192.0.2.2'), 'ann@mail.test', NEW)).toBe(429)
})

test('an email address whose account is created and deleted again and again gets a limited number of emails [S-237]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  let emails = 0
  const { post } = shop.shop.outbox
  shop.shop.outbox.post = async (tx, email, now) => {
    if (email.to === 'victim@mail.test') emails++
    return post(tx, email, now)
  }
  for (let round = 0; round < 14; round++) {
    const bully = at(shop, `198.51.100.${round}`)
    const made = await bully.post('/login/', {
      intent: 'register',
      email: 'victim@mail.test',
      password: PASSWORD,
    })
    expect(made.status).toBe(302)
    await bully.post('/account/delete', { password: PASSWORD })
  }
  expect(emails).toBe(10)
  const bully = at(shop, '198.51.100.99')
  await bully.post('/login/', { intent: 'register', email: 'bully@mail.test', password: PASSWORD })
  const refused = await bully.act('/account/email', {
    email: 'Victim@mail.test',
    password: PASSWORD,
  })
  expect(refused.status).toBe(429)
  expect(refused.text.includes('Too many tries')).toBe(true)
  expect(emails).toBe(10)
})

test('after ten wrong passwords in a stolen session of the owner, the shop refuses even the right password [S-015]', async () => {
  const { owner } = await openShopWithOwner({ rateLimits: true })
  const ask = async (password: string) =>
    (await owner.post('/manage/documents.json', { password })).status
  expect(await collect(10, (number) => ask(`wrong-password-${number}`))).toEqual(
    Array(10).fill(403),
  )
  expect(await ask(OWNER.password)).toBe(429)
})
