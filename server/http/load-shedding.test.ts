import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closed, openDoor } from '#test/fixtures/shop-server.ts'

function speak(port: number, text: string, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  socket.write(text)
  onTestFinished(() => void socket.destroy())
  return socket
}
const headOf = (headers = '', method = 'GET') =>
  `${method} /gallery/ HTTP/1.1\r\nHost: shop\r\n${headers}\r\n`
const from = (who: number) => `X-Forwarded-For: 203.0.113.${who}\r\n`

test('serves all requests under low load, and refuses page requests of visitors with Retry-After under high load', async () => {
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
  expect(page).toContain('The shop is very busy at the moment.')
  // The error page has the visitor's theme and a link that reloads the page. After a sent form, the
  // link is missing, because a reload would lose the form.
  expect(page).toContain('<a href="">Try again</a>')
  expect(page).toContain('background:#1d1815')
  const light = await (await ask(200, { headers: { cookie: 'theme=light' } }).answer).text()
  expect(light).toContain('background:#faf5ec')
  state.delay = 5000
  expect(await (await ask(200, { method: 'POST', body: 'a=b' }).answer).text()).not.toContain(
    'Try again',
  )
  state.delay = 500
  expect((await ask(200, { method: 'HEAD' }).answer).status).toBe(503)
  ask(201, customer)
  ask(202, { method: 'POST', body: 'a=b' })
  await underWay(102)
  expect((await ask(203, {}, '/health').answer).status).toBe(200)

  // If the delay is even longer, customers are refused, too.
  state.delay = 2500
  expect((await ask(201, customer).answer).status).toBe(503)
  expect((await ask(203, {}, '/health').answer).status).toBe(200)

  // The server accepts requests again as soon as the delay ends.
  state.delay = 0
  for (const response of held.splice(0)) response.end()
  await underWay(0)
  ask(204)
  await underWay(1)
  expect(count()).toBe(5)
})

test('limits how many pending requests one address can have', async () => {
  const { ask, customer, underWay, refused } = await openDoor()
  const asked = Array.from({ length: 400 }, () => ask(1, customer))
  await underWay(200)
  await expect.poll(refused).toBe(200)
  expect((await ask(1, customer).answer).status).toBe(503)
  expect(asked).toHaveLength(400)
  ask(2, customer)
  await underWay(201)
})

test('closes connections that send slowly, send nothing or are half open', async () => {
  const { port, held, ask } = await openDoor({
    timeouts: { headers: 150, request: 400, silence: 300 },
  })
  const slow = [
    speak(port, 'GET / HTTP/1.1\r\nHost: shop\r\nX-Slow: '),
    speak(port, 'POST /messages HTTP/1.1\r\nHost: shop\r\nContent-Length: 1000\r\n\r\nabc'),
    speak(port, ''),
    speak(port, headOf()),
  ]
  const ends = slow.slice(0, 3).map((socket) => closed(socket.resume()))
  const drips = setInterval(() => slow[0]!.writable && slow[0]!.write('a'), 20)
  onTestFinished(() => clearInterval(drips))
  const unread = slow[3]!.pause()
  await expect.poll(() => held.length).toBe(2)
  held[1]!.end(Buffer.alloc(50_000_000))
  await Promise.all(ends)
  await expect.poll(() => held[1]!.socket?.destroyed ?? true).toBe(true)
  unread.destroy()
  const visit = ask(9)
  await expect.poll(() => held.length).toBe(3)
  held[2]!.end('a page')
  expect(await (await visit.answer).text()).toBe('a page')
})

test('closes a connection whose body arrives too slowly, but neither a steady upload nor a request that waits for the shop', async () => {
  const { port, held, underWay } = await openDoor({ timeouts: { bodyPause: 150 } })
  const post = (header: string, body: string) =>
    speak(port, `POST /messages HTTP/1.1\r\nHost: shop\r\n${header}\r\n\r\n${body}`)
  const length = (bytes: number) => `Content-Length: ${bytes}`
  post(length(1000), 'a'.repeat(1000))
  post(length(10_000_000), 'a'.repeat(200_000))
  const steady = post(length(10_000_000), 'a')
  const slow = ['Transfer-Encoding: chunked', length(1000), length(10_000_000)].map((header) =>
    post(header, '1\r\na\r\n'),
  )
  await underWay(6)
  const drips = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('1\r\na\r\n')
    steady.write('a'.repeat(1000))
  }, 20)
  onTestFinished(() => clearInterval(drips))
  await Promise.all(slow.map((socket) => closed(socket.resume())))
  await underWay(3)
  expect(held.filter(({ socket }) => socket && !socket.destroyed)).toHaveLength(3)
})

test('closes idle connections later than the proxies in the documentation do', async () => {
  const { ask } = await openDoor()
  const { headers } = await ask(1, {}, '/health').answer
  const seconds = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])
  for (const file of ['deploy/Caddyfile', 'deploy/nginx.conf']) {
    const [, header] = /\bkeepalive(?:_timeout)? (\d+)s/.exec(readFileSync(file, 'utf8')) ?? []
    expect(Number(header), file).toBeLessThanOrEqual(seconds - 10)
  }
  expect(seconds).toBeGreaterThanOrEqual(70)
})

test('counts requests whose body never arrives against the limit of their address', async () => {
  const { port, ask, underWay, refused } = await openDoor()
  const announce = (who: number, headers: string) =>
    speak(port, `POST /messages HTTP/1.1\r\nHost: shop\r\n${from(who)}${headers}\r\n\r\n`)
  const forms = ['Content-Length: 10000000', 'Transfer-Encoding: chunked']
  const announced = Array.from({ length: 200 }, (_, at) => announce(1, forms[at % 2]!))
  await underWay(200)
  const last = announce(1, 'Content-Length: 30000000')
  let answer = ''
  last.on('data', (text) => (answer += text))
  await closed(last)
  expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i)
  for (let who = 2; who < 27; who++) announced.push(announce(who, forms[who % 2]!))
  for (let count = 0; count < 40; count++) {
    announced.push(announce(2, `Cookie: shop.session_token=x\r\n${forms[1]}`))
  }
  await underWay(200 + 25 + 40)
  ask(30, { method: 'POST', body: 'a=b' })
  ask(2, { method: 'POST', body: 'a'.repeat(60_000) })
  await underWay(267)
  expect(refused()).toBe(1)
  for (const socket of announced) socket.destroy()
  await underWay(2)
})

test('while ten addresses send only halves of forms, the shop still answers another address [S-422]', async () => {
  const { port, ask, held, underWay, refused } = await openDoor()
  const half = (who: number) =>
    speak(port, `POST /messages HTTP/1.1\r\nHost: shop\r\n${from(who)}Content-Length: 9\r\n\r\n`)
  for (let who = 1; who <= 10; who++) for (let count = 0; count < 200; count++) half(who)
  // The first 1,500 places are for anybody; then an address that has 20 gets no more.
  await expect.poll(refused).toBeGreaterThan(0)
  await expect.poll(async () => held.length + refused()).toBe(2000)
  expect(held.length).toBeLessThanOrEqual(1500 + 10 * 20)
  await underWay(held.length)
  const { answer } = ask(11)
  const count = held.length
  await expect.poll(() => held.length).toBe(count + 1)
  held.at(-1)!.end('a page')
  expect(await (await answer).text()).toBe('a page')
}, 60_000)

test('while one address opens many connections, other addresses can still connect [S-410]', async () => {
  const { port } = await openDoor({ maxOpen: 40, perRemote: 100, isTrusted: () => false })
  const all = Array.from({ length: 40 }, () => speak(port, '', '127.0.0.2').resume())
  await expect.poll(() => all.filter((socket) => socket.destroyed).length).toBe(10)
  for (let who = 3; who < 13; who++) {
    const [answer] = await once(
      speak(port, 'GET /health HTTP/1.1\r\nHost: shop\r\n\r\n', `127.0.0.${who}`),
      'data',
    )
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200/)
  }
})

test('limits the number of connections per address, but does not limit a trusted proxy', async () => {
  const { port } = await openDoor({
    perRemote: 10,
    isTrusted: (remote: string) => remote.endsWith('127.0.0.1'),
  })
  const of = async (localAddress: string) => {
    const socket = speak(port, '', localAddress)
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
    return new Promise((done) =>
      socket.once('data', () => done(true)).once('close', () => done(false)),
    )
  }
  await expect.poll(isServed).toBe(true)
  for (const { socket, isClosed } of [...proxies, other]) {
    expect(isClosed()).toBe(false)
    socket.destroy()
  }
})

test('stops counting the pipelined requests of a connection when this connection breaks', async () => {
  const { port, held, underWay } = await openDoor()
  for (const method of ['GET', 'HEAD']) {
    const socket = speak(port, headOf('', method).repeat(10))
    await underWay(10)
    const gone = held.splice(0)
    const isClosed = Promise.all([once(gone[0]!, 'close'), once(socket, 'close')])
    socket.destroy()
    await isClosed
    await underWay(0)
    expect(gone).toHaveLength(10)
  }
})

test('closes a connection on which a client has sent a thousand pipelined requests', async () => {
  const { port, held, refused, underWay } = await openDoor()
  const socket = speak(port, headOf().repeat(1000))
  await once(socket, 'close')
  await underWay(0)
  expect(held.splice(0)).toHaveLength(16)
  expect(refused()).toBe(1)

  const patient = speak(port, '')
  for (let count = 0; count < 18; count++) {
    patient.write(headOf())
    await underWay(1)
    held.pop()!.end('a page')
    await once(patient, 'data')
  }
})

test('counts responses that a client does not read against the limit of its address', async () => {
  const { port, held, ask, underWay } = await openDoor()
  const body = Buffer.alloc(30_000_000)
  const unread = Array.from({ length: 20 }, () => speak(port, headOf(from(1)).repeat(10)).pause())
  await underWay(200)
  // Node writes the first response of each connection. The other nine responses wait until the
  // client has read the first one.
  for (const answer of held) answer.end(body)
  await new Promise(setImmediate)
  expect((await ask(1).answer).status).toBe(503)
  ask(2)
  await underWay(201)
  for (const socket of unread) socket.destroy()
  await underWay(1)
})
