import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEndpoint } from '#test/fixtures/network.ts'
import { newDataDir, openProcess, startAndFail } from '#test/fixtures/processes.ts'

const PUBLIC = { PUBLIC_URL: 'https://shop.example' }

test('a public shop refuses to start with trial settings, prints a line for each of these settings, and creates nothing [S-269]', async () => {
  const dataDir = join(await newDataDir(), 'shop')
  const { code, lines } = await startAndFail({
    ...PUBLIC,
    DATA_DIR: dataDir,
    DEMO: '',
    OWNER_PASSWORD: 'owner-password',
  })
  expect(code).toBe(1)
  expect(lines.map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual(
    ['OWNER_EMAIL', 'OWNER_PASSWORD', 'DEMO'].map((name) => `The shop cannot start: ${name}`),
  )
  expect(existsSync(dataDir)).toBe(false)
})

test('a public shop refuses to start while its owner has the password of a trial shop [S-269]', async () => {
  const dataDir = await newDataDir()
  const trial = openProcess({ DATA_DIR: dataDir, OWNER_PASSWORD: 'owner-password' })
  await trial.opened()
  await trial.stop()
  const { code, lines } = await startAndFail({
    ...PUBLIC,
    DATA_DIR: dataDir,
    OWNER_EMAIL: 'ona@knots.shop',
  })
  expect([code, lines]).toEqual([
    1,
    [
      expect.stringMatching(
        /^The shop cannot start: The owner has a password that everyone knows: /,
      ),
    ],
  ])
})

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Record<string, unknown> }[]
}
type Traces = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

const attributeOf = (span: Span, key: string) =>
  Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0]

test('the shop sends traces of requests, loaders and queries to a collector, without any text that a user typed', async () => {
  const collector = await openEndpoint()
  collector.manner = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const telemetry = {
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_SERVICE_NAME: 'our-shop',
  }
  const shop = openProcess({ DATA_DIR: await newDataDir(), ...telemetry })
  const url = await shop.opened()
  const cookie = { cookie: 'theme=light; shop.session_token=unknown' }
  const answer = await fetch(`${url}/item/marked-piece?q=marked`, { headers: cookie })
  const form = new URLSearchParams({
    intent: 'login',
    email: 'marked@mail.test',
    password: 'marked-password',
  })
  await fetch(`${url}/login`, {
    method: 'POST',
    body: form,
    headers: { origin: url },
    redirect: 'manual',
  })
  expect((await shop.stop()).code).toBe(0)

  expect(new Set(collector.arrived.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
  const text = collector.arrived.map(({ body }) => body).join('\n')
  expect(text).not.toContain('marked')
  expect(text).toContain('our-shop')
  const spans = collector.arrived
    .flatMap(({ body }) => (JSON.parse(body) as Traces).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const request = spans.find(({ name }) => name === 'GET /item/:itemid')!
  expect(attributeOf(request, 'http.response.status_code')).toBe(404)
  expect(attributeOf(request, 'shop.request_id')).toBe(answer.headers.get('x-request-id'))
  const loader = spans.find(
    ({ name, parentSpanId }) =>
      name === 'loader routes/store/item' && parentSpanId === request.spanId,
  )!
  const query = spans.find(
    ({ parentSpanId, name }) => parentSpanId === loader.spanId && name === 'SELECT',
  )!
  expect(attributeOf(query, 'db.query.text')).toMatch(/^select .* where .*\?/)
  expect(spans.map(({ name }) => name)).toContain('POST /login')
})
