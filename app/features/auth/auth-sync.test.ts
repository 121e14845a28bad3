import { jwtVerify } from 'jose'
import { expect, test, vi } from 'vitest'
import { deleteAccount } from '#app/features/account/delete-account/delete-account.server.ts'
import { clara, move } from '#test/guest-moves.ts'
import { openEndpoint, type Arrived } from '#test/open-endpoint.ts'
import { NOON, openTestShop, ORIGIN, OWNER, type TestShop } from '#test/open-test-shop.ts'
import { MOST_CALLS, openAuthSync } from '#app/platform/auth-sync.server.ts'
import { openLive } from '#app/platform/live.server.ts'

const secret = 'a-secret-of-at-least-32-characters'

async function shopAndService(ofTry = 20_000) {
  const service = await openEndpoint()
  const shop = await openTestShop({ authSync: { url: service.url, secret, ofTry } })
  return { service, shop }
}

/** What the other service does with each call. */
const read = async ({ token }: Arrived, audience: string, at = NOON) =>
  (await jwtVerify(token, new TextEncoder().encode(secret), { audience, issuer: ORIGIN, algorithms: ['HS256'], currentDate: new Date(at) }))
    .payload

/** So many calls arrive, and no more once nothing is under way. The last that a test asks for: nobody is called afterwards. */
async function expectArrived({ service, shop }: Awaited<ReturnType<typeof shopAndService>>, count: number) {
  await expect.poll(() => service.arrived).toHaveLength(count)
  await shop.authSync.close()
  expect(service.arrived).toHaveLength(count)
}

const failures = (shop: TestShop) => shop.logged.filter(({ message }) => message.startsWith('the sync of sign-ins'))
const sessionOf = async (shop: TestShop, userId: string) =>
  (await shop.db.selectFrom('session').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()).id

test('LOGIN-25 CONST-07 S-016 S-206 whoever comes in is told with a POST and a signed token that counts for 300 seconds and says no more than who it is', async () => {
  const { service, shop } = await shopAndService()
  const ann = await shop.customer()
  const guest = await shop.guest()
  await shop.owner()
  await expectArrived({ service, shop }, 3)

  const told = new Map((await Promise.all(service.arrived.map((call) => read(call, service.url)))).map((claims) => [claims.sub, claims]))
  for (const [id, role] of [
    [ann.id, 'customer'],
    [guest.id, 'guest'],
    ['owner', 'admin'],
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
    expect(told.get(id)).toEqual({ ...said, jti: expect.any(String) })
  }
  expect(service.arrived.map(({ method, path, body }) => [method, path, body])).toEqual(Array(3).fill(['POST', '/session', '']))
  await expect(read(service.arrived[0]!, service.url, NOON + 301_000)).rejects.toThrow(/exp/)
})

test('LOGIN-26 S-016 whoever goes is told with a DELETE for the same session, and a guest with another for the account', async () => {
  const customer = (shop: TestShop) => shop.customer()
  const guest = (shop: TestShop) => shop.guest()
  for (const [come, goes] of [
    [customer, 1],
    [guest, 2],
  ] as const) {
    const { service, shop } = await shopAndService()
    const somebody = await come(shop)
    const session = await sessionOf(shop, somebody.id)
    await somebody.post('/logout', { from: '/', confirm: 'Yes' })
    const ends = () => service.arrived.filter(({ method }) => method === 'DELETE')
    await expect.poll(ends).toHaveLength(goes)
    const [said, gone] = (await Promise.all(ends().map((call) => read(call, service.url)))).sort((one) => (one.sid ? -1 : 1))
    if (gone) expect([gone.event, gone.sub]).toEqual(['account-deleted', somebody.id])
    const at = NOON / 1000
    expect(said).toEqual({
      event: 'signed-out',
      sid: session,
      iss: ORIGIN,
      aud: service.url,
      iat: at,
      exp: at + 300,
      jti: expect.any(String),
    })
    // Once is enough.
    await shop.authSync.close()
    expect(ends()).toHaveLength(goes)
  }
})

test('LOGIN-26 S-016 an account that is gone is told by its uid', async () => {
  const { service, shop } = await shopAndService()
  const ann = await shop.customer()
  const session = await sessionOf(shop, ann.id)
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({ ok: true })
  await expectArrived({ service, shop }, 3)
  const ends = await Promise.all(service.arrived.filter(({ method }) => method === 'DELETE').map((call) => read(call, service.url)))
  expect(ends.map(({ event, sub, sid }) => [event, sub ?? sid]).sort()).toEqual([
    ['account-deleted', ann.id],
    ['signed-out', session],
  ])
})

test('LOGIN-26 S-016 a guest who has moved into an account is gone, and whoever she is now has come in', async () => {
  const { service, shop } = await shopAndService()
  const [ann, guest] = [await shop.customer(clara.email), await shop.guest()]
  // Those of one session keep their order, those of two do not.
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

test('S-016 nothing is told of a try that fails, nor of a logout that fails', async () => {
  const { service, shop } = await shopAndService()
  const ann = await shop.customer()
  await expect.poll(() => service.arrived).toHaveLength(1)
  await shop.visitor().post('/login/', { intent: 'login', email: 'ann@mail.test', password: 'wrong-password' })
  await shop.visitor().post('/login/', { intent: 'register', email: 'ann@mail.test', password: 'a-good-password' })
  const { handler } = shop.auth
  shop.auth.handler = async () => new Response(null, { status: 500 })
  await ann.post('/logout', { from: '/' })
  shop.auth.handler = handler

  const { id } = await shop.customer('bea@mail.test')
  await expectArrived({ service, shop }, 2)
  expect((await read(service.arrived[1]!, service.url)).sub).toBe(id)
  expect(service.arrived.map(({ method }) => method)).toEqual(['POST', 'POST'])
})

test('LOGIN-27 S-016 without a setting nobody is called', async () => {
  const called = vi.spyOn(globalThis, 'fetch')
  const shop = await openTestShop()
  const ann = await shop.customer()
  await ann.post('/logout', { from: '/' })
  await shop.guest()
  await shop.authSync.close()

  expect(called).not.toHaveBeenCalled()
  called.mockRestore()
})

test('S-016 a service that does not answer keeps nobody waiting; it is given up after a while, and logged', async () => {
  const { service, shop } = await shopAndService(50)
  service.manner = () => {}
  const owner = shop.visitor()
  const entered = await owner.post('/login/', { intent: 'login', ...OWNER })
  expect([entered.status, entered.headers.get('location')]).toEqual([302, '/'])
  expect((await owner.get('/manage/')).status).toBe(200)

  await expect.poll(() => failures(shop)).toHaveLength(3)
  // A try that is given up early may never have arrived.
  expect(new Set(service.arrived.map(({ method }) => method))).toEqual(new Set(['POST']))
})

test('S-016 CONST-07 a service in trouble is asked again, each time with a new token, and hears the end after the beginning', async () => {
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
  for (const [at, call] of service.arrived.entries()) expect((await read(call, service.url, NOON + at * 400_000)).sid).toBe(session)
  expect(new Set(service.arrived.map(({ token }) => token)).size).toBe(4)
  expect(failures(shop)).toHaveLength(2)
})

test('S-016 a service that refuses is not asked again, and one that leads elsewhere leads the token nowhere', async () => {
  const { service, shop } = await shopAndService()
  const other = await openEndpoint()
  for (const status of [401, 403, 404]) {
    service.manner = (_request, response) => void response.writeHead(status).end()
    await shop.owner()
  }
  service.manner = (_request, response) => void response.writeHead(307, { location: other.url }).end()
  await shop.owner()
  await expect.poll(() => failures(shop)).toHaveLength(4)

  await shop.authSync.close()
  expect([service.arrived.length, other.arrived.length]).toEqual([4, 0])
})

test('S-016 a service that is gone is logged, without the token', async () => {
  const { service, shop } = await shopAndService()
  await service.close()
  expect((await (await shop.customer()).get('/about/')).status).toBe(200)
  await expect.poll(() => failures(shop)).toHaveLength(3)
  expect(
    failures(shop)
      .map(({ error }) => String(error))
      .join(),
  ).not.toMatch(/eyJ/)
})

test('S-016 a service that hangs while many come in holds a bounded number of calls, and none after the shop has closed', async () => {
  const service = await openEndpoint()
  service.manner = () => {}
  const told: string[] = []
  const log = { info() {}, error: (message: string) => void told.push(message) }
  const patience = { ofTry: 60_000, ofClose: 10 }
  const sync = openAuthSync({ live: openLive(), target: { url: service.url, secret }, issuer: null, now: () => NOON, log, patience })
  for (let at = 0; at < MOST_CALLS + 5; at++) sync.signedIn({ id: `u${at}`, sessionId: 'one', role: 'customer' })

  expect(told).toEqual(Array(5).fill('the sync of sign-ins is behind'))
  await sync.close()
  await expect.poll(() => told).toHaveLength(6)
})
