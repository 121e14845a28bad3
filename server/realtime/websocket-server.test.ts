import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { connect as connectTo, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { canSubscribe, createWebSocketServer, revalidationJitter } from '#server/realtime/websocket-server.ts'
import type { User } from '#app/platform/context.ts'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'

type Heard = { version?: string; changed?: string[]; beat?: boolean }

/** The channel on a real port, and browsers that listen to it. */
async function openChannel(limits: Parameters<typeof createWebSocketServer>[2] = {}) {
  const shop = await openTestShop()
  const server: Server = createServer()
  const live = createWebSocketServer(server, shop.shop, { heartbeatMs: 3_600_000, ...limits })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/live`
  onTestFinished(async () => {
    live.close()
    server.closeAllConnections()
    server.close()
  })

  function connect(person?: Person, { origin = ORIGIN, path = address, headers = {} as Record<string, string> } = {}) {
    const cookie = person ? [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') : ''
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
      /** until something of this kind came */
      async hears(isIt: (told: Heard) => boolean) {
        while (!heard.some(isIt)) await new Promise<void>((wake) => waiting.push(wake))
      },
      closed: once(socket, 'close').then(([code]) => code as number),
      refused: once(socket, 'unexpected-response').then(([, answer]) => (answer as { statusCode: number }).statusCode),
    }
  }
  /** Connected and greeted, so that whatever is signalled from now on reaches it. */
  async function listen(person?: Person, headers: Record<string, string> = {}) {
    const listener = connect(person, { headers })
    await listener.hears((told) => told.version !== undefined)
    return listener
  }
  const topicsOf = (listener: { heard: Heard[] }) => listener.heard.flatMap((told) => told.changed ?? [])
  return { shop, server, live, address, connect, listen, topicsOf }
}

test('everybody hears of the catalogue, a customer of her own conversation, the owner of everything, nobody of another one', async () => {
  const { shop, listen, topicsOf } = await openChannel()
  const [ann, bea, guest] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test'), await shop.guest()]
  const [visits, annHears, beaHears, guestHears, ownerHears] = await Promise.all([
    listen(),
    listen(ann),
    listen(bea),
    listen(guest),
    listen(await shop.owner()),
  ])

  shop.live.changed('orders', `order:${ann.id}`, 'sales')
  shop.live.changed(`user:${bea.id}`, `order:${guest.id}`)
  shop.live.changed('catalogue')
  const all = [visits, annHears, beaHears, guestHears, ownerHears]
  await Promise.all(all.map((one) => one.hears((told) => told.changed?.includes('catalogue') ?? false)))

  expect(all.map(topicsOf)).toEqual([
    ['catalogue'],
    [`order:${ann.id}`, 'catalogue'],
    [`user:${bea.id}`, 'catalogue'],
    [`order:${guest.id}`, 'catalogue'],
    ['orders', `order:${ann.id}`, 'sales', `user:${bea.id}`, `order:${guest.id}`, 'catalogue'],
  ])
})

test('a topic that merely begins or ends like one of hers is not hers', () => {
  const ann: User = { id: 'ann', name: '', email: '', image: null, role: 'customer', sessionId: 's' }
  expect(canSubscribe(ann, 'order:ann')).toBe(true)
  for (const topic of ['order:ann2', 'order:', 'order:xann', 'orders', 'sales', 'user:bea'] as const)
    expect(canSubscribe(ann, topic), topic).toBe(false)
  expect(canSubscribe(null, 'order:')).toBe(false)
})

test('logging out in another tab ends the connections of this session, and of no other', async () => {
  const { shop, listen, live } = await openChannel()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const [tab1, tab2, other] = [await listen(ann), await listen(ann), await listen(bea)]

  await ann.post('/logout', {})

  expect(await Promise.all([tab1.closed, tab2.closed])).toEqual([4001, 4001])
  await live.heartbeat()
  await other.hears((told) => told.beat === true)
  expect(other.socket.readyState).toBe(WebSocket.OPEN)
})

test('a session that expired, or that was deleted in the database, ends at the next heartbeat', async () => {
  const { shop, listen, live } = await openChannel()
  const [ann, bea, cleo] = [
    await shop.customer('ann@mail.test'),
    await shop.customer('bea@mail.test'),
    await shop.customer('cleo@mail.test'),
  ]
  const [annHears, beaHears, cleoHears, visits] = [await listen(ann), await listen(bea), await listen(cleo), await listen()]
  await shop.db.deleteFrom('session').where('userId', '=', ann.id).execute()
  const past = new Date(shop.clock.now - 1000)
  await shop.db
    .updateTable('session')
    .set({ expiresAt: shop.dialect === 'sqlite' ? past.toISOString() : past })
    .where('userId', '=', bea.id)
    .execute()

  await live.heartbeat()

  expect(await Promise.all([annHears.closed, beaHears.closed])).toEqual([4001, 4001])
  await Promise.all([cleoHears, visits].map((one) => one.hears((told) => told.beat === true)))
  expect([cleoHears.socket.readyState, visits.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN])
})

test('only pages of the shop may connect, and only to the channel', async () => {
  const { connect, address } = await openChannel()
  for (const origin of ['https://evil.test', 'null', 'https://shop.test', 'http://shop.test:81', 'http://shop.test.evil.test', ''])
    expect([await connect(undefined, { origin }).refused, origin]).toEqual([403, origin])
  expect(await connect(undefined, { path: address.replace('/live', '/lives') }).refused).toBe(403)
})

test('a session does not help a page of another site, nor a program that names no page: nobody hears the owner through it', async () => {
  const { shop, connect, address } = await openChannel()
  const owner = await shop.owner()
  for (const origin of ['https://evil.test', 'null', 'http://shop.test:81', `${ORIGIN}, https://evil.test`])
    expect([await connect(owner, { origin }).refused, origin]).toEqual([403, origin])
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const nameless = new WebSocket(address, { headers: { cookie } })
  nameless.on('error', () => {})
  const [, answer] = await once(nameless, 'unexpected-response')
  expect((answer as { statusCode: number }).statusCode).toBe(403)
  expect(await connect(owner, { path: address.replace('/live', '//live') }).refused).toBe(403)
})

test('S-001 what is asked for in the address, or with a cookie that is made up, reaches no topic of anybody else', async () => {
  const { shop, connect, listen, topicsOf, address } = await openChannel()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const asks = connect(bea, { path: `${address}?topic=orders&topic=order:${ann.id}&user=${ann.id}&role=admin` })
  const forged = shop.visitor()
  for (const [name, value] of ann.cookies) forged.cookies.set(name, name.includes('session') ? `${value.slice(0, -4)}AAAA` : value)
  const ended = shop.visitor()
  const second = shop.visitor()
  await second.post('/login/', { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' })
  for (const [name, value] of second.cookies) ended.cookies.set(name, value)
  await second.post('/logout', {})
  await asks.hears((told) => told.version !== undefined)
  const all = [asks, await listen(forged), await listen(ended)]

  shop.live.changed('orders', `order:${ann.id}`, `user:${ann.id}`, 'sales', 'mail')
  shop.live.changed('catalogue')
  await Promise.all(all.map((one) => one.hears((told) => told.changed?.includes('catalogue') ?? false)))

  expect(all.map(topicsOf)).toEqual([['catalogue'], ['catalogue'], ['catalogue']])
})

test('without PUBLIC_URL the page must come from the host that is asked', async () => {
  const shop = await openTestShop()
  const server = createServer()
  const live = createWebSocketServer(server, { ...shop.shop, publicUrl: null })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    live.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const own = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin: `http://127.0.0.1:${port}` })
  await once(own, 'open')
  const foreign = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin: `http://127.0.0.1:${port + 1}` })
  foreign.on('error', () => {})
  const [, answer] = await once(foreign, 'unexpected-response')
  expect((answer as { statusCode: number }).statusCode).toBe(403)
})

test('whoever speaks is shown out: text, garbage, a megabyte', async () => {
  const { listen, live } = await openChannel()
  const [text, binary, large] = [await listen(), await listen(), await listen()]
  text.socket.send('{"changed":["sales"]}')
  binary.socket.send(new Uint8Array([0, 255, 254]))
  large.socket.send('x'.repeat(1_000_000))
  expect(await Promise.all([text.closed, binary.closed, large.closed])).toEqual([1008, 1008, 1009])
  const broken = await listen()
  ;(broken.socket as unknown as { _socket: { write: (bytes: Buffer) => void } })._socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
  expect(await broken.closed).toBe(1002)
  expect(live.count()).toBe(0)
})

test('one address has so many connections and no more; one that ends makes room', async () => {
  const { listen, connect, live } = await openChannel({ perAddress: 3 })
  const first = [await listen(), await listen(), await listen()]
  expect(await connect().refused).toBe(429)
  await listen(undefined, { 'x-forwarded-for': '203.0.113.9' })
  // What she writes in front of it herself is not believed (S-239).
  await listen(undefined, { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })
  await listen(undefined, { 'x-forwarded-for': '198.51.100.2, 203.0.113.9' })
  expect(await connect(undefined, { headers: { 'x-forwarded-for': '198.51.100.3, 203.0.113.9' } }).refused).toBe(429)
  first[0]!.socket.close()
  await first[0]!.closed
  // Its own end of the line hears of that a moment later or sooner.
  await expect.poll(live.count).toBe(5)
  await listen()
  expect(live.count()).toBe(6)
})

test('who does not read is cut off before the waiting signals fill the memory', async () => {
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

test('who does not answer a heartbeat is gone at the next', async () => {
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

test('the greeting tells whether something changed since the page was made', async () => {
  const { shop, listen } = await openChannel()
  const ann = await shop.customer()
  const greeted = async (person?: Person) => (await listen(person)).heard[0]!.version
  const [visitor, customer] = [await greeted(), await greeted(ann)]
  expect(await shop.visitor().page('/')).toContain(visitor)
  expect(await ann.page('/')).toContain(customer)

  shop.live.changed('orders')
  expect([(await greeted()) === visitor, (await greeted(ann)) === customer]).toEqual([true, false])
  shop.live.changed('catalogue')
  expect((await greeted()) === visitor).toBe(false)
})

test('S-017 the greeting of another person, or of nobody, is another one, though nothing else has changed', async () => {
  const { shop, listen } = await openChannel()
  const [ann, ben] = [await shop.customer(), await shop.customer('ben@mail.test')]
  const greetings = [await listen(), await listen(ann), await listen(ben)].map(({ heard }) => heard[0]!.version)
  expect(new Set(greetings).size).toBe(3)
})

test('when the shop stops, everybody is told, and who does not say goodbye is cut off', async () => {
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

test('047 whoever is refused and keeps the line half open holds nothing of the shop', async () => {
  const { server, address } = await openChannel()
  const countOf = () => new Promise((done) => server.getConnections((_error, count) => done(count)))
  const lines = ['/live', '/'].map((path) => {
    const line = connectTo({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void line.destroy())
    line.write(`GET ${path} HTTP/1.1\r\nHost: shop\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`)
    return line
  })
  for (const answer of await Promise.all(lines.map((line) => once(line, 'data')))) expect(String(answer[0])).toMatch(/^HTTP\/1\.1 403 /)
  await expect.poll(countOf).toBe(0)
})

test('few browsers revalidate immediately after a change, a crowd within two seconds', () => {
  expect([0, 3, 100, 1000, 5000, 50_000].map(revalidationJitter)).toEqual([0, 0, 0, 500, 2000, 2000])
})
