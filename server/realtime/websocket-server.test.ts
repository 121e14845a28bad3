import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { serverOptions } from '../http/load-shedding.ts'
import { canSubscribe, createWebSocketServer } from './websocket-server.ts'
import type { User } from '#services/context.ts'
import { openTestShop, ORIGIN, type Person } from '#test/fixtures/test-shop.ts'

type Heard = { version?: string; changed?: string[]; beat?: boolean; within?: number }

/**
 * Opens the WebSocket server on a real port. The returned functions connect clients to this server.
 */
async function openChannel(
  limits: Parameters<typeof createWebSocketServer>[2] = {},
  publicUrl: string | null = ORIGIN,
) {
  const shop = await openTestShop()
  const server: Server = createServer(serverOptions, (_, response) => response.end('a page'))
  const live = createWebSocketServer(
    server,
    { ...shop.shop, publicUrl },
    { heartbeatMs: 3_600_000, ...limits },
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/live`
  onTestFinished(async () => {
    live.close()
    server.closeAllConnections()
    server.close()
  })

  function connect(
    person?: Person,
    { origin = ORIGIN, path = address, headers = {} as Record<string, string> } = {},
  ) {
    const cookie = person
      ? [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      : ''
    const socket = new WebSocket(path, { origin, headers: { cookie, ...headers } })
    const heard: Heard[] = []
    const waiting: (() => void)[] = []
    socket.on('message', (text) => {
      heard.push(JSON.parse(String(text)))
      waiting.splice(0).forEach((wake) => wake())
    })
    socket.on('error', () => {})
    return {
      socket,
      heard,
      async hears(isIt: (message: Heard) => boolean) {
        while (!heard.some(isIt)) await new Promise<void>((wake) => waiting.push(wake))
      },
      closed: once(socket, 'close').then(([code]) => code as number),
      refused: once(socket, 'unexpected-response').then(
        ([, answer]) => (answer as { statusCode: number }).statusCode,
      ),
    }
  }
  /** Connects a client and waits for its first message, so that it receives every later change. */
  async function listen(person?: Person, headers: Record<string, string> = {}) {
    const listener = connect(person, { headers })
    await listener.hears((message) => message.version !== undefined)
    return listener
  }
  const topicsOf = (listener: { heard: Heard[] }) =>
    listener.heard.flatMap((message) => message.changed ?? [])
  return { shop, server, live, address, connect, listen, topicsOf }
}

test('sends changes of the catalog to every tab, changes of a conversation only to its customer, and all changes to the owner', async () => {
  const { shop, listen, topicsOf } = await openChannel()
  const [ann, bea, guest] = [
    await shop.customer('ann@mail.test'),
    await shop.customer('bea@mail.test'),
    await shop.guest(),
  ]
  const [visits, annHears, beaHears, guestHears, ownerHears] = await Promise.all([
    listen(),
    listen(ann),
    listen(bea),
    listen(guest),
    listen(await shop.owner()),
  ])

  shop.live.changed('orders', `order:${ann.id}`, 'sales')
  shop.live.changed(`user:${bea.id}`, `order:${guest.id}`)
  shop.live.changed('catalog')
  const all = [visits, annHears, beaHears, guestHears, ownerHears]
  await Promise.all(
    all.map((one) => one.hears((message) => message.changed?.includes('catalog') ?? false)),
  )

  expect(all.map(topicsOf)).toEqual([
    ['catalog'],
    [`order:${ann.id}`, 'catalog'],
    [`user:${bea.id}`, 'catalog'],
    [`order:${guest.id}`, 'catalog'],
    ['orders', `order:${ann.id}`, 'sales', `user:${bea.id}`, `order:${guest.id}`, 'catalog'],
  ])
})

test('with more than a hundred tabs, the shop tells visitors to spread their requests over half a millisecond per tab, and the owner to load immediately', async () => {
  const { shop, listen } = await openChannel()
  const owner = await listen(await shop.owner())
  const visitors = await Promise.all(Array.from({ length: 99 }, () => listen()))
  const isChange = (message: Heard) => message.changed !== undefined
  const spreads = (listener: { heard: Heard[] }) =>
    listener.heard.filter(isChange).map(({ within }) => within)

  shop.live.changed('catalog')
  await Promise.all([owner, ...visitors].map((one) => one.hears(isChange)))
  expect(spreads(visitors[0]!)).toEqual([undefined])

  visitors.push(...(await Promise.all([listen(), listen()])))
  shop.live.changed('settings')
  await Promise.all(
    [owner, ...visitors].map((one) =>
      one.hears((message) => message.changed?.includes('settings') ?? false),
    ),
  )
  expect(visitors.map((visitor) => spreads(visitor).at(-1))).toEqual(visitors.map(() => 51))
  expect(spreads(owner)).toEqual([undefined, undefined])
})

test('a customer cannot receive a topic whose name only resembles one of the customer’s topics', () => {
  const ann: User = {
    id: 'ann',
    name: '',
    email: '',
    image: null,
    role: 'customer',
    sessionId: 's',
  }
  expect(canSubscribe(ann, 'order:ann')).toBe(true)
  for (const topic of [
    'order:ann2',
    'order:',
    'order:xann',
    'orders',
    'sales',
    'user:bea',
  ] as const) {
    expect(canSubscribe(ann, topic), topic).toBe(false)
  }
  expect(canSubscribe(null, 'order:')).toBe(false)
})

test('closes the connections of a session that logs out, and no other connection', async () => {
  const { shop, listen, live } = await openChannel()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const [tab1, tab2, other] = [await listen(ann), await listen(ann), await listen(bea)]

  await ann.post('/logout', {})

  expect(await Promise.all([tab1.closed, tab2.closed])).toEqual([4001, 4001])
  await live.heartbeat()
  await other.hears((message) => message.beat === true)
  expect(other.socket.readyState).toBe(WebSocket.OPEN)
})

test('tells the browser whether a session was ended or has expired, so that expiry keeps drafts [S-486]', async () => {
  const { shop, listen } = await openChannel()
  const ann = await shop.customer()
  const daysAgo = (days: number) => {
    const date = new Date(shop.clock.now - days * 86_400_000)
    return shop.dialect === 'sqlite' ? date.toISOString() : date
  }
  const dates = { createdAt: daysAgo(181), updatedAt: daysAgo(2) }
  await shop.db.updateTable('session').set(dates).where('userId', '=', ann.id).execute()
  const tab = await listen(ann)
  const { id } = await shop.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', ann.id)
    .executeTakeFirstOrThrow()

  shop.live.sessionEnded(id)

  expect(await tab.closed).toBe(4002)
})

test('a connection does not renew the session, because the browser would not receive the renewed cookie', async () => {
  const { shop, listen } = await openChannel()
  const ann = await shop.customer()
  await shop.db
    .updateTable('session')
    .set({ expiresAt: new Date(Date.now() + 20 * 86_400_000) })
    .execute()
  await listen(ann)
  expect((await ann.get('/about/')).headers.getSetCookie().join()).toContain('session_token')
})

test('closes the connection of an expired or deleted session at the next heartbeat', async () => {
  const { shop, listen, live } = await openChannel()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const [annHears, beaHears, visits] = [await listen(ann), await listen(bea), await listen()]
  await shop.db.deleteFrom('session').where('userId', '=', ann.id).execute()
  const past = new Date(shop.clock.now - 1000)
  await shop.db
    .updateTable('session')
    .set({ expiresAt: shop.dialect === 'sqlite' ? past.toISOString() : past })
    .where('userId', '=', bea.id)
    .execute()

  await live.heartbeat()

  expect(await Promise.all([annHears.closed, beaHears.closed])).toEqual([4001, 4001])
  await visits.hears((message) => message.beat === true)
  expect(visits.socket.readyState).toBe(WebSocket.OPEN)
})

test('refuses a connection from another site or without an origin, even with the session of the owner', async () => {
  const { shop, connect, address } = await openChannel()
  const owner = await shop.owner()
  for (const origin of [
    'https://evil.test',
    'null',
    'http://shop.test:81',
    `${ORIGIN}, https://evil.test`,
  ]) {
    expect(await connect(owner, { origin }).refused, origin).toBe(403)
  }
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const nameless = new WebSocket(address, { headers: { cookie } })
  nameless.on('error', () => {})
  const [, answer] = await once(nameless, 'unexpected-response')
  expect((answer as { statusCode: number }).statusCode).toBe(403)
  expect(await connect(owner, { path: address.replace('/live', '//live') }).refused).toBe(403)
})

test('a client with an invented URL, an invented cookie or an ended session receives only public topics [S-001]', async () => {
  const { shop, connect, listen, topicsOf, address } = await openChannel()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const asks = connect(bea, {
    path: `${address}?topic=orders&topic=order:${ann.id}&user=${ann.id}&role=admin`,
  })
  const forged = shop.visitor()
  for (const [name, value] of ann.cookies) {
    forged.cookies.set(name, name.includes('session') ? `${value.slice(0, -4)}AAAA` : value)
  }
  const ended = shop.visitor()
  const second = shop.visitor()
  await second.post('/login/', {
    intent: 'login',
    email: 'ann@mail.test',
    password: 'a-good-password',
  })
  for (const [name, value] of second.cookies) ended.cookies.set(name, value)
  await second.post('/logout', {})
  await asks.hears((message) => message.version !== undefined)
  const all = [asks, await listen(forged), await listen(ended)]

  shop.live.changed('orders', `order:${ann.id}`, `user:${ann.id}`, 'sales', 'mail')
  shop.live.changed('catalog')
  await Promise.all(
    all.map((one) => one.hears((message) => message.changed?.includes('catalog') ?? false)),
  )

  expect(all.map(topicsOf)).toEqual([['catalog'], ['catalog'], ['catalog']])
})

test('without PUBLIC_URL, accepts only connections whose origin has the host of the request', async () => {
  const { connect, address } = await openChannel({}, null)
  const { host, port } = new URL(address)
  await once(connect(undefined, { origin: `http://${host}` }).socket, 'open')
  expect(await connect(undefined, { origin: `http://127.0.0.1:${Number(port) + 1}` }).refused).toBe(
    403,
  )
})

test('a request with an unknown Upgrade header gets its page', async () => {
  const { address } = await openChannel()
  const url = new URL(address.replace('ws:', 'http:'))
  const headers = { connection: 'Upgrade', upgrade: 'h2c' }
  const [response] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  expect(await text(response)).toBe('a page')
})

test('limits the number of open connections of one address', async () => {
  const { listen, connect, live } = await openChannel({ perAddress: 3 })
  const first = [await listen(), await listen(), await listen()]
  expect(await connect().refused).toBe(429)
  await listen(undefined, { 'x-forwarded-for': '203.0.113.9' })
  // The proxy adds the client's real address at the end of X-Forwarded-For. The shop ignores
  // earlier addresses, which the client may have invented. [S-239]
  for (const forged of ['198.51.100.1', '198.51.100.2']) {
    await listen(undefined, { 'x-forwarded-for': `${forged}, 203.0.113.9` })
  }
  expect(
    await connect(undefined, { headers: { 'x-forwarded-for': '198.51.100.3, 203.0.113.9' } })
      .refused,
  ).toBe(429)
  first[0]!.socket.close()
  await first[0]!.closed
  await expect.poll(live.count).toBe(5)
  await listen()
  expect(live.count()).toBe(6)
})

test('limits the number of open connections of all addresses, so that browsers can still load pages [S-423]', async () => {
  const { listen, connect, live } = await openChannel({ maxOpen: 2 })
  const from = (who: number) => ({ 'x-forwarded-for': `203.0.113.${who}` })
  const [first] = [await listen(undefined, from(1)), await listen(undefined, from(2))]
  expect(await connect(undefined, { headers: from(3) }).refused).toBe(429)
  first.socket.close()
  await first.closed
  await expect.poll(live.count).toBe(1)
  await listen(undefined, from(3))
})

test('closes the connection of a client that does not read, before unsent messages fill the memory', async () => {
  const { shop, listen, live } = await openChannel({ maxUnsent: 10_000 })
  const [sleeper, awake] = [await listen(await shop.owner()), await listen()]
  sleeper.socket.pause()
  const topic = `order:${'x'.repeat(100_000)}` as const
  for (let signal = 0; signal < 400 && live.count() === 2; signal += 1) {
    shop.live.changed(topic)
    await new Promise(setImmediate)
  }
  expect(live.count()).toBe(1)
  expect(awake.socket.readyState).toBe(WebSocket.OPEN)
})

test('closes a connection that does not answer a heartbeat', async () => {
  const { listen, live } = await openChannel()
  const [dead, alive] = [await listen(), await listen()]
  dead.socket.pong = () => {}
  ;(dead.socket as unknown as { _autoPong: boolean })._autoPong = false
  const pinged = once(alive.socket, 'ping')
  await live.heartbeat()
  await pinged
  await live.heartbeat()
  expect(await dead.closed).toBe(1006)
})

test('when a connection opens, the server sends a version that depends on the user and on the data that the user sees [S-017]', async () => {
  const { shop, listen } = await openChannel()
  const [ann, ben] = [await shop.customer(), await shop.customer('ben@mail.test')]
  const greeted = async (person?: Person) => (await listen(person)).heard[0]!.version
  const [visitor, customer] = [await greeted(), await greeted(ann)]
  expect(new Set([visitor, customer, await greeted(ben)]).size).toBe(3)
  expect(await shop.visitor().page('/')).toContain(visitor)
  expect(await ann.page('/')).toContain(customer)

  shop.live.changed('orders')
  expect((await greeted()) === visitor).toBe(true)
  expect((await greeted(ann)) === customer).toBe(false)
  shop.live.changed('catalog')
  expect((await greeted()) === visitor).toBe(false)
})

test('notifies browsers when the shop stops, and disconnects browsers that do not close their connection', async () => {
  const { listen, connect, live, server } = await openChannel()
  const [polite, silent] = [await listen(), await listen()]
  silent.socket.pause()
  live.close()
  expect(await polite.closed).toBe(1001)
  expect(await connect().refused).toBe(503)
  const gone = new Promise((done) => server.close(done))
  await gone
  silent.socket.resume()
  expect([1001, 1006]).toContain(await silent.closed)
})
