/** Beyond what the shop can do: who is refused, who is not, and what is told. On a real port, with a listener that answers when the test says so. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDoorWait } from './door-wait.ts'
import { closed, openDoor } from '#test/open-door.ts'

test('047 as long as the shop keeps up nobody is refused; when it does not, visitors who only look are first, and are told when to come back', async () => {
  const { state, held, ask, customer, underWay, overload } = await openDoor()
  for (let who = 0; who < 100; who++) ask(who)
  await underWay(100)
  expect(overload.refused()).toBe(0)

  state.wait = 500
  const refused = await ask(200).answer
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
  expect(refused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(refused.headers.get('cache-control')).toContain('no-store')
  const page = await refused.text()
  expect(page).toContain('So many people are in the shop that it cannot keep up.')
  // Asks for the very address again, in the colors that this visitor has chosen; a form would come back empty.
  expect(page).toContain('<a href="">Try again</a>')
  expect(page).toContain('background:#1d1815')
  const light = await (await ask(200, { headers: { cookie: 'theme=light' } }).answer).text()
  expect(light).toContain('background:#faf5ec')
  state.wait = 5000
  expect(await (await ask(200, { method: 'POST', body: 'a=b' }).answer).text()).not.toContain('Try again')
  state.wait = 500
  expect((await ask(200, { method: 'HEAD' }).answer).status).toBe(503)
  // Who is signed in, what writes, and what tells of the shop itself.
  ask(201, customer)
  ask(202, { method: 'POST', body: 'a=b' })
  await underWay(102)
  expect((await ask(203, {}, '/health').answer).status).toBe(200)

  // When even they would wait for seconds, they are told as well.
  state.wait = 2500
  expect((await ask(201, customer).answer).status).toBe(503)
  expect((await ask(203, {}, '/health').answer).status).toBe(200)

  // It recovers as soon as nobody waits any more.
  state.wait = 0
  for (const response of held.splice(0)) response.end()
  await underWay(0)
  ask(204)
  await underWay(1)
  expect(overload.refused()).toBe(5)
})

test('047 one address cannot take the room of all: others get in while it is refused', async () => {
  const { ask, customer, underWay } = await openDoor()
  for (let count = 0; count < 400; count++) ask(1, customer)
  await underWay(400)
  expect((await ask(1, customer).answer).status).toBe(503)
  ask(2, customer)
  await underWay(401)
})

test('047 forms that come slowly hold no more memory than there is: beyond 256 MB announced, a form is refused and its line closed', async () => {
  const { port, underWay, overload } = await openDoor()
  const head = (length: number) =>
    `POST /messages HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 203.0.113.${length % 200}\r\nContent-Length: ${length}\r\n\r\n`
  const sockets = Array.from({ length: 25 }, (_, number) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(head(10_000_000 + number))
    return socket
  })
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  await underWay(25)
  const last = connect(port, '127.0.0.1')
  last.write(head(30_000_000))
  let answer = ''
  last.on('data', (text) => (answer += text))
  await closed(last)
  expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i)
  for (const socket of sockets) socket.destroy()
  await underWay(0)
  expect(overload.refused()).toBe(1)
})

test('047 a form that does not say how long it is counts as much as may come of it', async () => {
  const { port, overload } = await openDoor()
  const announce = (who: number, cookie: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /messages HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 203.0.113.${who}\r\nCookie: ${cookie}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    onTestFinished(() => void socket.destroy())
  }
  const met = () => overload.underWay() + overload.refused()
  for (let count = 0; count < 40; count++) announce(1, 'a=b')
  await expect.poll(met).toBe(40)
  expect(overload.underWay()).toBe(32)
  // Whoever is signed in may send pictures: 64 MB are five of 12.
  for (let count = 0; count < 40; count++) announce(2, 'shop.session_token=x')
  await expect.poll(met).toBe(80)
  expect(overload.underWay()).toBe(37)
})

test('047 who leaves before the answer makes room', async () => {
  const { ask, underWay } = await openDoor()
  const visits = Array.from({ length: 10 }, (_, who) => ask(who))
  await underWay(10)
  for (const { leave } of visits) leave()
  await underWay(0)
})

test('047 slow, silent and half-open connections are closed: heads that never end, forms that stop, answers that nobody reads, nothing said at all', async () => {
  const { port, held, ask } = await openDoor({ patience: { head: 150, request: 400, silence: 300 } })
  const speak = (text: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    if (text) socket.write(text)
    return socket
  }
  const slow = [
    speak('GET / HTTP/1.1\r\nHost: shop\r\nX-Slow: '),
    speak('POST /messages HTTP/1.1\r\nHost: shop\r\nContent-Length: 1000\r\n\r\nabc'),
    speak(''),
    speak('GET /export HTTP/1.1\r\nHost: shop\r\n\r\n'),
  ]
  const drips = setInterval(() => slow[0]!.writable && slow[0]!.write('a'), 20)
  onTestFinished(() => clearInterval(drips))
  const unread = slow[3]!.pause()
  await expect.poll(() => held.length).toBe(2)
  held[1]!.end(Buffer.alloc(50_000_000))
  const ends = slow.slice(0, 3).map((socket) => closed(socket.resume()))
  await Promise.all(ends)
  await expect.poll(() => held[1]!.socket?.destroyed ?? true).toBe(true)
  unread.destroy()
  // Who is neither is served.
  const visit = ask(9)
  await expect.poll(() => held.length).toBe(3)
  held[2]!.end('a page')
  expect(await (await visit.answer).text()).toBe('a page')
})

test('047 a line that is idle stays longer here than at the proxies: none sends a form into one that is just being closed', async () => {
  const { ask } = await openDoor()
  const { headers } = await ask(1, {}, '/health').answer
  const seconds = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])
  for (const file of ['deploy/Caddyfile', 'deploy/nginx.conf']) {
    const [, told] = /\bkeepalive(?:_timeout)? (\d+)s/.exec(readFileSync(file, 'utf8')) ?? []
    expect(Number(told), file).toBeLessThanOrEqual(seconds - 10)
  }
  expect(seconds).toBeGreaterThanOrEqual(70)
})

test('047 a hundred thousand headers are refused, and the next visitor is served', async () => {
  const { port, held, ask } = await openDoor()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (text) => (answer += text))
  socket.write(`GET / HTTP/1.1\r\nHost: shop\r\n${'a: b\r\n'.repeat(100_000)}\r\n`)
  await new Promise((done) => socket.once('close', done))
  // The answer may be lost with the line, which is cut while the rest is still on its way.
  expect(answer).toMatch(/^(HTTP\/1\.1 431 |$)/)
  expect(held).toEqual([])
  expect((await ask(1, {}, '/health').answer).status).toBe(200)
})

test('047 one stranger whose forms never come takes the room of nobody: text forms always have some, and large ones of others too', async () => {
  const { port, ask, underWay, overload } = await openDoor()
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  /** A form that is announced and never comes. */
  function announce(who: number, length: number) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST /login HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 203.0.113.${who}\r\nContent-Length: ${length}\r\n\r\n`)
    sockets.push(socket)
  }
  // The most that is taken from somebody who is not signed in: of one address a quarter of all.
  for (let count = 0; count < 128; count++) announce(1, 2 * 1024 * 1024)
  await expect.poll(() => overload.underWay() + overload.refused()).toBe(128)
  expect(overload.underWay()).toBe(32)
  announce(2, 10_000_000)
  await underWay(33)
  // Nor may many strangers together keep a text from being sent.
  for (let who = 3; who < 9; who++) for (let count = 0; count < 6; count++) announce(who, 10_000_000)
  await expect.poll(() => overload.underWay() + overload.refused()).toBe(128 + 1 + 36)
  expect(overload.refused()).toBeGreaterThan(96)
  const before = overload.underWay()
  ask(1, { method: 'POST', body: 'a=b' })
  ask(20, { method: 'POST', body: 'a'.repeat(60_000) })
  await underWay(before + 2)
})

test('047 one address cannot take all connections; proxies that are trusted may have any number', async () => {
  const { port } = await openDoor({ perRemote: 10, isTrusted: (remote) => remote.endsWith('127.0.0.1') })
  const of = async (from: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    let isClosed = false
    socket.on('close', () => (isClosed = true))
    await once(socket, 'connect')
    return { socket, isClosed: () => isClosed }
  }
  const first = await Promise.all(Array.from({ length: 10 }, () => of('127.0.0.2')))
  const beyond = await of('127.0.0.2')
  await expect.poll(beyond.isClosed).toBe(true)
  expect(first.some(({ isClosed }) => isClosed())).toBe(false)
  const proxies = await Promise.all(Array.from({ length: 30 }, () => of('127.0.0.1')))
  const other = await of('127.0.0.3')
  for (const { socket } of first) socket.destroy()
  const isServed = async () => {
    const { socket } = await of('127.0.0.2')
    socket.write('GET /health HTTP/1.1\r\nHost: shop\r\n\r\n')
    return new Promise((done) => socket.once('data', () => done(true)).once('close', () => done(false)))
  }
  await expect.poll(isServed).toBe(true)
  for (const { socket, isClosed } of [...proxies, other]) {
    expect(isClosed()).toBe(false)
    socket.destroy()
  }
})

test('047 how long one waits at the door is found out by asking there', async () => {
  const work = { milliseconds: 0 }
  const server = createServer((_request, response) => {
    const until = performance.now() + work.milliseconds
    while (performance.now() < until);
    response.end('ok')
  })
  const door = openDoorWait(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  let isOver = false
  onTestFinished(() => {
    isOver = true
    door.close()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(door.wait()).toBe(0)
  work.milliseconds = 60
  const visits = Array.from({ length: 12 }, async () => {
    while (!isOver) await (await fetch(origin)).text()
  })
  await expect.poll(door.wait, { interval: 10 }).toBeGreaterThan(100)
  isOver = true
  await Promise.all(visits)
  await expect.poll(door.wait).toBe(0)
})
