import { expect, test } from 'vitest'
import { openRawServer } from '#test/fixtures/shop-server.ts'

test('serves static files with security headers and their own caching headers', async () => {
  const { origin } = await openRawServer()
  const [asset, icon, missing] = await Promise.all(
    ['/assets/knot-abc.js', '/favicon.svg', '/assets/gone.js'].map((path) =>
      fetch(origin + path, { redirect: 'manual' }),
    ),
  )
  expect(asset!.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(icon!.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(missing!.status).toBe(404)
  for (const { headers } of [asset!, icon!, missing!]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
  expect(
    (await fetch(`${origin}/favicon.svg`, { method: 'PUT', headers: { origin } })).status,
  ).toBe(405)
})

test('serves no file outside of the folder of static files', async () => {
  const { get } = await openRawServer()
  for (const path of [
    '/assets/../../outbox',
    '/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cetc',
    '//etc/passwd',
  ]) {
    const answer = await get(path)
    expect(answer, path).toMatch(/^HTTP\/1\.1 (30[12]|4\d\d) /)
    expect(answer).not.toMatch(/root:|knots-and-love/)
  }
})

test('responds to malformed requests with a 4xx status and without a stack trace', async () => {
  const { raw, host: name } = await openRawServer()
  const host = `Host: ${name}\r\nConnection: close\r\n`
  const requests = [
    `GET / HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: shop:99999\r\nConnection: close\r\n\r\n`,
    `GET http://%zz/ HTTP/1.1\r\n${host}\r\n`,
    `GET /%E0%A4%A HTTP/1.1\r\n${host}\r\n`,
    `GET /item/%00 HTTP/1.1\r\n${host}\r\n`,
    `TRACE / HTTP/1.1\r\n${host}\r\n`,
    `CONNECT shop:80 HTTP/1.1\r\n${host}\r\n`,
    `BREW / HTTP/1.1\r\n${host}\r\n`,
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `POST /login HTTP/1.1\r\n${host}Origin: http://${name}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    `POST /login HTTP/1.1\r\n${host}Origin: http://${name}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ]
  for (const request of requests) {
    const answer = await raw(request)
    const line = request.split('\r\n')[0]!.slice(0, 60)
    if (line.startsWith('CONNECT')) expect(answer, line).toBe('')
    else expect(answer.split('\r\n')[0], line).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toMatch(/ at .*\.(ts|js|mjs):|node_modules|TypeError/)
  }
})

test('/health responds while the process runs, and /ready reports whether the shop accepts requests', async () => {
  const { origin, health } = await openRawServer()
  const headersOf = async (path: string) => {
    const response = await fetch(origin + path)
    return [response.status, await response.text(), response.headers.get('cache-control')]
  }
  expect(await headersOf('/health')).toEqual([200, 'ok', 'private, no-store'])
  expect(await headersOf('/ready')).toEqual([200, 'ready', 'private, no-store'])
  health.isReady = false
  expect(await headersOf('/health')).toEqual([200, 'ok', 'private, no-store'])
  expect(await headersOf('/ready')).toEqual([503, 'not now', 'private, no-store'])
})
