/** The production server on a real port: static files, senseless requests, and its stop are what Request objects cannot show. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRequestHandler } from '#server/request-handler.ts'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { createHttpApp } from './app.ts'
import { listen } from '#test/listen.ts'

async function openServer() {
  const { shop, folder } = await openTestShop()
  const client = join(folder, 'client')
  await mkdir(join(client, 'assets'), { recursive: true })
  await writeFile(join(client, 'assets', 'knot-abc.js'), 'export {}')
  await writeFile(join(client, 'favicon.svg'), '<svg/>')
  const health = { isWell: true }
  const own = { ...shop, publicUrl: null }
  const server = createServer(
    createHttpApp({
      handler: createRequestHandler(own),
      clientFolder: client,
      shop: own,
      clientAddressOf: openClientAddress(),
      isReady: async () => health.isWell,
    }),
  )
  const port = await listen(server)
  /** The bytes as they are, and the first answer's head and body. */
  async function raw(text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(text)
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    await once(socket, 'close')
    return answer
  }
  return { origin: `http://127.0.0.1:${port}`, port, raw, health }
}

test('static files carry the security headers and their own time to live', async () => {
  const { origin } = await openServer()
  const [asset, icon, missing] = await Promise.all(
    ['/assets/knot-abc.js', '/favicon.svg', '/assets/gone.js'].map((path) => fetch(origin + path, { redirect: 'manual' })),
  )
  expect(asset!.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(icon!.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(missing!.status).toBe(404)
  for (const { headers } of [asset!, icon!, missing!]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
  expect((await fetch(`${origin}/favicon.svg`, { method: 'PUT', headers: { origin } })).status).toBe(405)
})

test('no path leads out of the folder of static files', async () => {
  const { raw, port } = await openServer()
  for (const path of [
    '/assets/../../outbox',
    '/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cetc',
    '//etc/passwd',
  ]) {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    expect(answer, path).toMatch(/^HTTP\/1\.1 (30[12]|4\d\d) /)
    expect(answer).not.toMatch(/root:|knots-and-love/)
  }
})

test('senseless requests get a 4xx and no stack', async () => {
  const { raw, port } = await openServer()
  const host = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`
  const requests = [
    `GET / HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: evil/x?y\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: shop:99999\r\nConnection: close\r\n\r\n`,
    `GET http://%zz/ HTTP/1.1\r\n${host}\r\n`,
    `GET /%E0%A4%A HTTP/1.1\r\n${host}\r\n`,
    `GET /item/%00 HTTP/1.1\r\n${host}\r\n`,
    `GET /gallery/%FF%FE/%c0%ae HTTP/1.1\r\n${host}\r\n`,
    `TRACE / HTTP/1.1\r\n${host}\r\n`,
    `CONNECT shop:80 HTTP/1.1\r\n${host}\r\n`,
    `BREW / HTTP/1.1\r\n${host}\r\n`,
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `POST /login HTTP/1.1\r\n${host}Origin: http://127.0.0.1:${port}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    `POST /login HTTP/1.1\r\n${host}Origin: http://127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ]
  for (const request of requests) {
    const answer = await raw(request)
    const line = request.split('\r\n')[0]!.slice(0, 60)
    if (line.startsWith('CONNECT')) expect(answer, line).toBe('')
    else expect(answer.split('\r\n')[0], line).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toMatch(/ at .*\.(ts|js|mjs):|node_modules|TypeError/)
  }
})

test('a body that never says its length is cut off where it becomes too long', async () => {
  const { port } = await openServer()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  socket.write(
    `POST /login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
  while (answer === '' && !socket.destroyed) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'data'), once(socket, 'close')]).catch(() => {})
  }
  socket.destroy()
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large')
})

test('/health tells that the process answers, /ready whether it should be asked', async () => {
  const { origin, health } = await openServer()
  const told = async (path: string) => {
    const response = await fetch(origin + path)
    return [response.status, await response.text(), response.headers.get('cache-control')]
  }
  expect(await told('/health')).toEqual([200, 'ok', 'private, no-store'])
  expect(await told('/ready')).toEqual([200, 'ready', 'private, no-store'])
  health.isWell = false
  expect(await told('/health')).toEqual([200, 'ok', 'private, no-store'])
  expect(await told('/ready')).toEqual([503, 'not now', 'private, no-store'])
})
