import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { countPendingWork } from '#admin/status/status.server.ts'
import { createRequestHandler } from '../request-handler.ts'
import { createClientAddress } from '#lib/http/client-address.server.ts'
import { createLog } from '#lib/telemetry/log.server.ts'
import { createTestApp } from '#test/fixtures/shop-server.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { canReadMetrics, createTelemetry } from './index.ts'
import { listen } from '#test/fixtures/network.ts'

const TOKEN = 'a-token-for-the-figures'

async function openServer({
  metricsToken = null as string | null,
  accessLog = false,
  trustedProxies = 'loopback',
} = {}) {
  const { shop, folder } = await openTestShop()
  const lines: Record<string, unknown>[] = []
  const log = createLog({ write: (line) => lines.push(JSON.parse(line)) })
  const watched = { ...shop, log, publicUrl: null }
  const telemetry = await createTelemetry({
    env: { trustedProxies, watch: { logLevel: 'info', accessLog, metricsToken } },
    services: watched,
    sources: {
      liveConnections: () => 3,
      work: () => countPendingWork(shop.db),
      caches: { pages: () => ({ bytes: 12 }) },
    },
  })
  const handler = createRequestHandler(watched)
  const clientAddressOf = createClientAddress(trustedProxies)
  const server = createServer(
    createTestApp({
      handler,
      clientFolder: folder,
      services: watched,
      clientAddressOf,
      telemetry,
    }),
  )
  const port = await listen(server)
  /** Sends a request without fetch, which cannot set the Host header. */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const sent = ask({ port, path, method, headers })
    sent.end()
    const [response] = await once(sent, 'response')
    return {
      status: response.statusCode as number,
      headers: response.headers,
      text: (await response.toArray()).join('') as string,
    }
  }
  return { get, lines, shop }
}

test('adds a request id to each response, and accepts an id only from a trusted proxy', async () => {
  const { get } = await openServer()
  const id = async (headers: Record<string, string>) =>
    (await get('/about', headers)).headers['x-request-id']
  const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
  expect(await id({})).toMatch(made)
  expect(await id({ 'x-request-id': '4bf92f3577b34da6a3ce929d0e0e4736' })).toBe(
    '4bf92f3577b34da6a3ce929d0e0e4736',
  )
  for (const odd of [
    'short',
    'x'.repeat(65),
    'ann@mail.test',
    'a b c d e f g h',
    '"quoted-and-long"',
    '{"json":true}',
  ]) {
    expect(await id({ 'x-request-id': odd }), odd).toMatch(made)
  }
  const { get: untrusted } = await openServer({ trustedProxies: '10.0.0.0/8' })
  expect(
    (await untrusted('/about', { 'x-request-id': '4bf92f3577b34da6a3ce929d0e0e4736' })).headers[
      'x-request-id'
    ],
  ).toMatch(made)
})

test('only programs on this machine can read metrics; if METRICS_TOKEN is set, only clients with this token can', async () => {
  const open = await openServer()
  expect((await open.get('/metrics', { host: 'localhost' })).status).toBe(200)
  expect((await open.get('/metrics', { host: '127.0.0.1:3000' })).status).toBe(200)
  // The shop refuses requests through a proxy on this machine, and requests of a web page whose
  // host name resolves to this machine.
  for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto']) {
    expect(
      (await open.get('/metrics', { host: 'localhost', [header]: '1.2.3.4' })).status,
      header,
    ).toBe(404)
  }
  expect((await open.get('/metrics', { host: 'evil.test' })).status).toBe(404)

  const closed = await openServer({ metricsToken: TOKEN })
  expect((await closed.get('/metrics', { host: 'localhost' })).status).toBe(404)
  for (const authorization of [
    TOKEN,
    `Bearer ${TOKEN}x`,
    `Bearer `,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN.slice(0, -1)}`,
  ]) {
    expect((await closed.get('/metrics', { authorization })).status, authorization).toBe(404)
  }
  const metrics = await closed.get('/metrics', {
    authorization: `Bearer ${TOKEN}`,
    'x-forwarded-for': '1.2.3.4',
    host: 'shop.test',
  })
  expect(metrics.status).toBe(200)
  expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
})

test('counts requests by route, not by URL', async () => {
  const { get, shop } = await openServer({ metricsToken: TOKEN })
  await shop.storage.put('people/secret.webp', new Uint8Array(1))
  for (const path of [
    '/pictures/people/secret.webp',
    '/item/secret-one',
    '/item/secret-two.data',
    '/',
    '/writetestimonials/secret-ticket',
    '/health',
    '/nowhere/secret',
  ]) {
    await get(path)
  }
  await get('/about', {}, 'DELETE')
  const { text } = await get('/metrics', { authorization: `Bearer ${TOKEN}` })
  const counts = Object.fromEntries(
    [
      ...text.matchAll(
        /^shop_http_requests_total\{method="(\w+)",route="([^"]*)",status="(\d+)"\} (\d+)$/gm,
      ),
    ].map(([, method, route, status, count]) => [`${method} ${route} ${status}`, Number(count)]),
  )
  expect(counts).toEqual({
    'GET /item/:itemid 404': 2,
    'GET /pictures/* 200': 1,
    'GET / 200': 1,
    'GET /writetestimonials/:testimonyid 404': 1,
    'GET /health 200': 1,
    'GET /* 302': 1,
    'other refused 405': 1,
  })
  expect(text).not.toContain('secret')
  expect(text).toMatch(
    /^shop_http_request_duration_seconds_count\{method="GET",route="\/item\/:itemid"\} 2$/m,
  )
  for (const line of [
    'shop_live_connections 3',
    'shop_emails_waiting 0',
    'shop_images_waiting 0',
    'shop_cache{cache="pages",figure="bytes"} 12',
    'shop_database_up 1',
  ]) {
    expect(text).toContain(`${line}\n`)
  }
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
})

test('the metrics count the emails in the database, and report when the database is down', async () => {
  const { get, shop } = await openServer()
  const email = { kind: 'contact', to: 'ann@mail.test', subject: 'Hello', text: 'Hello' }
  await shop.outbox.post(shop.db, { id: 'waits', ...email }, shop.now())
  await shop.outbox.post(shop.db, { id: 'failed', ...email }, shop.now())
  await shop.db.updateTable('outbox').set({ failedAt: 1 }).where('id', '=', 'failed').execute()
  const figures = async () => (await get('/metrics', { host: 'localhost' })).text
  expect(await figures()).toMatch(/^shop_emails_waiting 1$[\s\S]*^shop_emails_undelivered 1$/m)
  await shop.db.schema.alterTable('outbox').renameTo('away').execute()
  expect(await figures()).toMatch(/^shop_database_up 0$/m)
})

test('the access log contains the route, status and id of a request, but no personal data', async () => {
  const { get, lines } = await openServer({ accessLog: true })
  const { headers } = await get('/item/secret?q=ann@mail.test', {
    'x-forwarded-for': '203.0.113.9',
    'user-agent': 'Ann’s phone'.replace('’', ''),
  })
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toEqual({
    level: 'info',
    at: expect.any(String),
    method: 'GET',
    route: '/item/:itemid',
    status: 404,
    seconds: expect.any(Number),
    requestId: headers['x-request-id'],
    message: 'answered',
  })
})

test('shows no metrics to a client with HTTP/1.0, because the client may be a proxy', () => {
  const asked = (httpVersion: string) =>
    ({
      headers: { host: '127.0.0.1:3000', connection: 'close' },
      socket: { remoteAddress: '127.0.0.1' },
      httpVersion,
    }) as IncomingMessage
  expect(canReadMetrics(asked('1.0'), null)).toBe(false)
  expect(canReadMetrics(asked('1.1'), null)).toBe(true)
})
