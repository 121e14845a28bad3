/** The built shop as those who run it meet it: what it refuses in public, and what it says of itself. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEndpoint } from '../open-endpoint.ts'
import { newDataDir, openProcess } from '../open-process.ts'

test('S-269 in public nothing starts that everybody knows: one line for each, before anything is made', async () => {
  const dataDir = await newDataDir()
  const shop = openProcess({
    DATA_DIR: join(dataDir, 'shop'),
    PUBLIC_URL: 'https://shop.example',
    DEMO: '',
    OWNER_PASSWORD: 'owner-password',
  })
  shop.opened.catch(() => {})
  expect((await shop.ended).code).toBe(1)
  const lines = shop.output().trim().split('\n')
  expect(lines.map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual(
    ['OWNER_EMAIL', 'OWNER_PASSWORD', 'DEMO'].map((name) => `The shop cannot start: ${name}`),
  )
  await expect(readFile(join(dataDir, 'shop', 'shop.db'))).rejects.toThrow('ENOENT')

  // At home the same shop opens; in public its password would be known.
  const home = openProcess({ DATA_DIR: dataDir, OWNER_PASSWORD: 'owner-password' })
  await home.opened
  home.kill('SIGTERM')
  await home.ended
  const moved = openProcess({ DATA_DIR: dataDir, PUBLIC_URL: 'https://shop.example', OWNER_EMAIL: 'ona@knots.shop' })
  moved.opened.catch(() => {})
  expect((await moved.ended).code).toBe(1)
  expect(moved.output().trim()).toMatch(/^The shop cannot start: The owner has a password that everybody knows: [^\n]+$/)
})

test('a process with a token counts from the start, and whatever it logs is JSON', async () => {
  const shop = openProcess({ DATA_DIR: await newDataDir(), LOG_LEVEL: 'info', ACCESS_LOG: '1', METRICS_TOKEN: 'a-token-for-the-figures' })
  const url = await shop.opened
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  const figures = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer a-token-for-the-figures' } })
  expect(await figures.text()).toContain('shop_http_requests_total{method="GET",route="/ready",status="200"} 1\n')
  await expect.poll(() => shop.output()).toContain('"route":"/ready"')
  shop.kill('SIGTERM')
  expect((await shop.ended).code).toBe(0)
  for (const line of shop
    .output()
    .split('\n')
    .filter((one) => one.startsWith('{')))
    expect(() => JSON.parse(line) as unknown).not.toThrow()
})

type Sent = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

test('traces reach a collector: the request, its loaders and their queries in it, and nothing that somebody asked or typed', async () => {
  const collector = await openEndpoint()
  collector.manner = (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const shop = openProcess({
    DATA_DIR: await newDataDir(),
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_SERVICE_NAME: 'our-shop',
  })
  const url = await shop.opened
  const cookie = { cookie: 'theme=light; shop.session_token=nobody' }
  const answer = await fetch(`${url}/item/marked-piece?q=marked`, { headers: cookie })
  const form = new URLSearchParams({ intent: 'login', email: 'marked@mail.test', password: 'marked-password' })
  await fetch(`${url}/login`, { method: 'POST', body: form, headers: { origin: url }, redirect: 'manual' })
  shop.kill('SIGTERM')
  expect((await shop.ended).code).toBe(0)

  expect(new Set(collector.arrived.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
  const told = collector.arrived.map(({ body }) => body).join('\n')
  expect(told).not.toContain('marked')
  expect(told).toContain('our-shop')
  const spans = collector.arrived.flatMap(({ body }) =>
    (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
  const attributeOf = (span: Sent, key: string) => Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0]
  const request = spans.find(({ name }) => name === 'GET /item/:itemid')!
  expect([attributeOf(request, 'http.response.status_code'), attributeOf(request, 'shop.request_id')]).toEqual([
    404,
    answer.headers.get('x-request-id'),
  ])
  const loader = spans.find(({ name, parentSpanId }) => name === 'loader routes/store/item' && parentSpanId === request.spanId)!
  const query = spans.find(({ parentSpanId, name }) => parentSpanId === loader.spanId && name === 'SELECT')!
  expect(attributeOf(query, 'db.query.text')).toMatch(/^select .* where .*\?/)
  expect(spans.some(({ name }) => name === 'POST /login')).toBe(true)
  expect(spans.every(({ traceId }) => /^[0-9a-f]{32}$/.test(traceId))).toBe(true)
})
