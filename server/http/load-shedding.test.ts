/** Beyond what the process can do: who is refused, who is not, and what the refusal says. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closed, openDoor } from '#test/open-door.ts'
import { eventLoopDelay } from './load-shedding.ts'

test('047 as long as the shop keeps up nobody is refused; when it does not, visitors who only look are first, and are told when to come back', async () => {
  const { state, held, ask, customer, underWay, refused: count } = await openDoor()
  for (let who = 0; who < 100; who++) ask(who)
  await underWay(100)
  expect(count()).toBe(0)

  state.delay = 500
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
  state.delay = 5000
  expect(await (await ask(200, { method: 'POST', body: 'a=b' }).answer).text()).not.toContain('Try again')
  state.delay = 500
  expect((await ask(200, { method: 'HEAD' }).answer).status).toBe(503)
  // Who is signed in, what writes, and what tells of the shop itself.
  ask(201, customer)
  ask(202, { method: 'POST', body: 'a=b' })
  await underWay(102)
  expect((await ask(203, {}, '/health').answer).status).toBe(200)

  // When even they would wait for seconds, they are told as well.
  state.delay = 2500
  expect((await ask(201, customer).answer).status).toBe(503)
  expect((await ask(203, {}, '/health').answer).status).toBe(200)

  // It recovers as soon as nobody waits any more.
  state.delay = 0
  for (const response of held.splice(0)) response.end()
  await underWay(0)
  ask(204)
  await underWay(1)
  expect(count()).toBe(5)
})

test('047 one address cannot take the room of all: others get in while it is refused', async () => {
  const { ask, customer, underWay, refused } = await openDoor()
  const asked = Array.from({ length: 400 }, () => ask(1, customer))
  await underWay(200)
  await expect.poll(refused).toBe(200)
  expect((await ask(1, customer).answer).status).toBe(503)
  expect(asked).toHaveLength(400)
  ask(2, customer)
  await underWay(201)
})

test('047 who leaves before the answer makes room', async () => {
  const { ask, held, underWay } = await openDoor()
  const visits = Array.from({ length: 10 }, (_, who) => ask(who))
  await underWay(10)
  for (const { leave } of visits) leave()
  await underWay(0)
  expect(held).toHaveLength(10)
})

test('047 slow, silent and half-open connections are closed: heads that never end, forms that stop, answers that nobody reads, nothing said at all', async () => {
  const { port, held, ask } = await openDoor({ timeouts: { headers: 150, request: 400, silence: 300 } })
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

test('047 forms that are announced and never come count as requests under way: of one address no more than its share, and others are served', async () => {
  const { port, ask, underWay, refused } = await openDoor()
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  function announce(who: number, headers: string) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST /messages HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 203.0.113.${who}\r\n${headers}\r\n\r\n`)
    sockets.push(socket)
    return socket
  }
  const large = 'Content-Length: 10000000'
  const chunked = 'Transfer-Encoding: chunked'
  for (let count = 0; count < 128; count++) announce(1, 'Content-Length: 2097152')
  for (let count = 0; count < 72; count++) announce(1, count % 2 === 0 ? large : chunked)
  await underWay(200)
  const last = announce(1, 'Content-Length: 30000000')
  let answer = ''
  last.on('data', (text) => (answer += text))
  await closed(last)
  expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i)
  for (let count = 0; count < 40; count++) announce(1, count % 2 === 0 ? large : chunked)
  await expect.poll(refused).toBe(41)
  // Strangers, and somebody signed in, whose forms never come either.
  for (let who = 2; who < 27; who++) announce(who, `Content-Length: ${10_000_000 + who}`)
  for (let who = 2; who < 9; who++) for (let count = 0; count < 6; count++) announce(who, large)
  for (let count = 0; count < 40; count++) announce(2, `Cookie: shop.session_token=x\r\n${chunked}`)
  await underWay(200 + 25 + 42 + 40)
  ask(30, { method: 'POST', body: 'a=b' })
  ask(2, { method: 'POST', body: 'a'.repeat(60_000) })
  await underWay(309)
  expect(refused()).toBe(41)
  for (const socket of sockets) socket.destroy()
  await underWay(2)
})

test('047 one address cannot take all connections; proxies that are trusted may have any number', async () => {
  const { port } = await openDoor({ perRemote: 10, isTrusted: (remote: string) => remote.endsWith('127.0.0.1') })
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

test('047 requests that are sent one behind the other on one line, which then breaks, leave no count behind', async () => {
  const { port, held, underWay } = await openDoor()
  for (const method of ['GET', 'HEAD']) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${method} /gallery/ HTTP/1.1\r\nHost: shop\r\n\r\n`.repeat(10))
    await underWay(10)
    const gone = held.splice(0)
    const isClosed = Promise.all([once(gone[0]!, 'close'), once(socket, 'close')])
    socket.destroy()
    await isClosed
    await underWay(0)
    expect(gone).toHaveLength(10)
  }
})

test('047 a thousand requests on one line are not a thousand answers: it is cut off, and nothing is made for it; one after the other any number is', async () => {
  const { port, held, refused, underWay } = await openDoor()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /gallery/ HTTP/1.1\r\nHost: shop\r\n\r\n'.repeat(1000))
  await once(socket, 'close')
  await underWay(0)
  expect(held.splice(0)).toHaveLength(16)
  expect(refused()).toBe(1)

  const patient = connect(port, '127.0.0.1')
  onTestFinished(() => void patient.destroy())
  for (let count = 0; count < 18; count++) {
    patient.write('GET /gallery/ HTTP/1.1\r\nHost: shop\r\n\r\n')
    await underWay(1)
    held.pop()!.end('a page')
    await once(patient, 'data')
  }
})

test('047 responses that are rendered and not read stay counted, so one address can leave only its share lying', async () => {
  const { port, held, ask, underWay } = await openDoor()
  const body = Buffer.alloc(30_000_000)
  const unread = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('GET /pictures/moon.webp HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n'.repeat(10))
    return socket
  })
  onTestFinished(() => unread.forEach((socket) => socket.destroy()))
  await underWay(200)
  // Of each connection the first response is written, and the others wait behind it.
  for (const answer of held) answer.end(body)
  await new Promise(setImmediate)
  expect((await ask(1).answer).status).toBe(503)
  held.length = 0
  const others = [2, 2, 3, 3, 4, 4, 5, 6, 7, 9].map((who) => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write(`GET /pictures/moon.webp HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 203.0.113.${who}\r\n\r\n`)
    return socket
  })
  await underWay(210)
  for (const answer of held) answer.end(body)
  await new Promise(setImmediate)
  await underWay(210)
  for (const socket of [...unread, ...others]) socket.destroy()
  await underWay(0)
})

test('047 the delay of the event loop is measured while it is blocked, and is gone soon after', async () => {
  const delay = eventLoopDelay()
  const block = () => {
    const until = performance.now() + 400
    while (performance.now() < until);
  }
  const blocking = setInterval(block, 1)
  onTestFinished(() => clearInterval(blocking))
  await expect.poll(delay, { interval: 10 }).toBeGreaterThan(300)
  clearInterval(blocking)
  await expect.poll(delay).toBeLessThan(80)
})
