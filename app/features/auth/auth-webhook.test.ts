import { jwtVerify } from 'jose'
import { expect, test, vi } from 'vitest'
import { clara, move } from '#test/fixtures/accounts.ts'
import { openEndpoint, type Arrived } from '#test/fixtures/network.ts'
import {
  NOON,
  openTestShop,
  ORIGIN,
  OWNER,
  type TestShop,
  openShopWithAnn,
} from '#test/fixtures/test-shop.ts'

const secret = 'a-secret-of-at-least-32-characters'

async function shopAndService(attemptMs = 20_000) {
  const service = await openEndpoint()
  const shop = await openTestShop({ authWebhookTarget: { url: service.url, secret, attemptMs } })
  return { service, shop }
}

const read = async ({ token }: Arrived, audience: string, at = NOON) =>
  (
    await jwtVerify(token, new TextEncoder().encode(secret), {
      audience,
      issuer: ORIGIN,
      algorithms: ['HS256'],
      currentDate: new Date(at),
    })
  ).payload

/** Waits for `count` calls and then closes the webhook, so a test must call this function last. */
async function expectArrived(
  { service, shop }: Awaited<ReturnType<typeof shopAndService>>,
  count: number,
) {
  await expect.poll(() => service.arrived).toHaveLength(count)
  await shop.authWebhook.close()
  expect(service.arrived).toHaveLength(count)
}

const failures = (shop: TestShop) =>
  shop.logged.filter(({ message }) => /auth webhook/.test(message))
const sessionOf = async (shop: TestShop, userId: string) =>
  (
    await shop.db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
  ).id

test('a login calls the auth webhook with a signed token, valid for 300 seconds, with only the user’s id, session and role [LOGIN-25, CONST-07, S-016, S-206]', async () => {
  const { service, shop } = await shopAndService()
  const ann = await shop.customer()
  const guest = await shop.guest()
  await shop.owner()
  await expectArrived({ service, shop }, 3)

  const received = new Map(
    (await Promise.all(service.arrived.map((call) => read(call, service.url)))).map((claims) => [
      claims.sub,
      claims,
    ]),
  )
  for (const [id, role] of [
    [ann.id, 'customer'],
    [guest.id, 'guest'],
    ['owner', 'owner'],
  ] as const) {
    const at = NOON / 1000
    const said = {
      sub: id,
      role,
      event: 'signed-in',
      sid: await sessionOf(shop, id),
      iss: ORIGIN,
      aud: service.url,
      iat: at,
      exp: at + 300,
    }
    expect(received.get(id)).toEqual({ ...said, jti: expect.any(String) })
  }
  expect(service.arrived.map(({ method, path, body }) => [method, path, body])).toEqual(
    Array(3).fill(['POST', '/session', '']),
  )
  await expect(read(service.arrived[0]!, service.url, NOON + 301_000)).rejects.toThrow(/exp/)
})

test.each([
  ['a customer', ['signed-out']],
  ['a guest', ['account-deleted', 'signed-out']],
])('a logout of %s reports the events %j to the service [LOGIN-26, S-016]', async (who, events) => {
  const { service, shop } = await shopAndService()
  const client = who === 'a guest' ? await shop.guest() : await shop.customer()
  const session = await sessionOf(shop, client.id)
  await client.post('/logout', { from: '/', confirm: 'Yes' })
  await expectArrived({ service, shop }, 1 + events.length)

  const ends = await Promise.all(
    service.arrived
      .filter(({ method }) => method === 'DELETE')
      .map((call) => read(call, service.url)),
  )
  expect(ends.map(({ event }) => event).toSorted()).toEqual(events)
  const claims = {
    iss: ORIGIN,
    aud: service.url,
    iat: NOON / 1000,
    exp: NOON / 1000 + 300,
    jti: expect.any(String),
  }
  expect(ends).toContainEqual({ event: 'signed-out', sid: session, ...claims })
  for (const { event, sub } of ends) if (event === 'account-deleted') expect(sub).toBe(client.id)
})

test('when a guest’s data moves into an account, the shop reports the guest as deleted and the account as signed in [LOGIN-26, S-016]', async () => {
  const { service, shop } = await shopAndService()
  const ann = await shop.customer(clara.email)
  const guest = await shop.guest()
  // Waits for the calls of both logins, because only calls about the same session arrive in order.
  await expect.poll(() => service.arrived).toHaveLength(2)
  expect((await move(guest)).status).toBe(202)
  await expectArrived({ service, shop }, 5)
  const said = await Promise.all(service.arrived.slice(2).map((call) => read(call, service.url)))
  expect(said.map(({ event, sub }) => [event, sub ?? '']).sort()).toEqual([
    ['account-deleted', guest.id],
    ['signed-in', ann.id],
    ['signed-out', ''],
  ])
})

test('the shop does not report logins, registrations or logouts to the service if they failed [S-016]', async () => {
  const { service, shop } = await shopAndService()
  const ann = await shop.customer()
  await expect.poll(() => service.arrived).toHaveLength(1)
  await shop
    .visitor()
    .post('/login/', { intent: 'login', email: 'ann@mail.test', password: 'wrong-password' })
  await shop
    .visitor()
    .post('/login/', { intent: 'register', email: 'ann@mail.test', password: 'a-good-password' })
  const { handler } = shop.auth
  shop.auth.handler = async () => new Response(null, { status: 500 })
  await ann.post('/logout', { from: '/' })
  shop.auth.handler = handler

  const { id } = await shop.customer('bea@mail.test')
  await expectArrived({ service, shop }, 2)
  expect((await read(service.arrived[1]!, service.url)).sub).toBe(id)
  expect(service.arrived.map(({ method }) => method)).toEqual(['POST', 'POST'])
})

test('the shop calls no service when AUTH_WEBHOOK_URL is not set [LOGIN-27, S-016]', async () => {
  const called = vi.spyOn(globalThis, 'fetch')
  const { shop, ann } = await openShopWithAnn()
  await ann.post('/logout', { from: '/' })
  await shop.guest()
  await shop.authWebhook.close()

  expect(called).not.toHaveBeenCalled()
  called.mockRestore()
})

test('when the service does not respond, logins are not delayed, and the log contains no token [S-016]', async () => {
  const { service, shop } = await shopAndService(50)
  service.manner = () => {}
  const owner = shop.visitor()
  const entered = await owner.post('/login/', { intent: 'login', ...OWNER })
  expect(entered.status).toBe(302)
  expect(entered.headers.get('location')).toBe('/manage/')
  expect((await owner.get('/manage/')).status).toBe(200)

  await expect.poll(() => failures(shop)).toHaveLength(3)
  expect(
    failures(shop)
      .map(({ error }) => String(error))
      .join(),
  ).not.toMatch(/eyJ/)
  // The number of calls varies, because a call that timed out may not have reached the service.
  expect(new Set(service.arrived.map(({ method }) => method))).toEqual(new Set(['POST']))
})

test('the shop repeats a failed call with a new token, and reports a logout only after the login [S-016, CONST-07]', async () => {
  const { service, shop } = await shopAndService()
  let tries = 0
  service.manner = (_request, response) => {
    shop.clock.now += 400_000
    void response.writeHead(++tries < 3 ? 503 : 200).end('noted')
  }
  const ann = await shop.customer()
  const session = await sessionOf(shop, ann.id)
  await ann.post('/logout', { from: '/' })
  await expectArrived({ service, shop }, 4)

  expect(service.arrived.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'DELETE'])
  for (const [at, call] of service.arrived.entries()) {
    expect((await read(call, service.url, NOON + at * 400_000)).sid).toBe(session)
  }
  expect(new Set(service.arrived.map(({ token }) => token)).size).toBe(4)
  expect(failures(shop)).toHaveLength(2)
})

test('the shop does not repeat a call that the service refused, and follows no redirect of the service [S-016]', async () => {
  const { service, shop } = await shopAndService()
  const other = await openEndpoint()
  for (const status of [401, 403, 404]) {
    service.manner = (_request, response) => void response.writeHead(status).end()
    await shop.owner()
  }
  service.manner = (_request, response) =>
    void response.writeHead(307, { location: other.url }).end()
  await shop.owner()
  await expect.poll(() => failures(shop)).toHaveLength(4)

  await shop.authWebhook.close()
  expect(service.arrived.length).toBe(4)
  expect(other.arrived.length).toBe(0)
})
