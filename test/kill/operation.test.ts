/** The built shop as those who run it meet it: what it refuses in public, what it says of itself, and Caddy before it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../free-port.ts'
import { openEndpoint } from '../open-endpoint.ts'
import { newDataDir, openProcess } from '../open-process.ts'
import { programOf } from '../programs.ts'

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

const caddy = programOf('caddy')
test.runIf(caddy)(
  'behind the Caddy of deploy/: pages over HTTP/2, forms and cookies over https, the live channel, and visitors with addresses of their own',
  async () => {
    const port = await freePort()
    const folder = await newDataDir()
    const publicUrl = `https://localhost:${port}`
    const inside = await freePort()
    const opened = openProcess({
      DATA_DIR: folder,
      PUBLIC_URL: publicUrl,
      PORT: String(inside),
      ACCESS_LOG: '1',
      OWNER_PASSWORD: 'owner-password',
    })
    // It says its public address, which nobody answers yet.
    opened.opened.catch(() => {})
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${inside}/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)

    const config = (await readFile('deploy/Caddyfile', 'utf8'))
      .replace('shop.example {', `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n${publicUrl} {\n\ttls internal`)
      .replace('127.0.0.1:3000', `127.0.0.1:${inside}`)
    await mkdir(join(folder, 'caddy'))
    await writeFile(join(folder, 'caddy', 'Caddyfile'), config)
    const proxy = spawn(caddy!, ['run', '--config', join(folder, 'caddy', 'Caddyfile'), '--adapter', 'caddyfile'], {
      env: { ...process.env, XDG_DATA_HOME: join(folder, 'caddy'), XDG_CONFIG_HOME: join(folder, 'caddy'), HOME: folder },
      stdio: 'ignore',
    })
    onTestFinished(async () => {
      proxy.kill('SIGKILL')
      await once(proxy, 'close')
    })

    const ask = (
      path: string,
      { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
    ) =>
      new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>((done, fail) => {
        const sent = request({ host: 'localhost', port, path, method, headers, rejectUnauthorized: false }, async (response) => {
          const text = (await response.toArray()).join('')
          done({ status: response.statusCode!, headers: response.headers, text })
        })
        sent.on('error', fail)
        sent.end(body)
      })
    await expect
      .poll(() =>
        ask('/ready').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)

    const http2 = connect(publicUrl, { rejectUnauthorized: false })
    const page = http2.request({ ':path': '/about/' })
    const [head] = await once(page, 'response')
    expect(head[':status']).toBe(200)
    page.close()
    http2.close()

    // For others than programs on this machine there are no figures, and this one came through a proxy.
    expect((await ask('/metrics')).status).toBe(404)
    const body = new URLSearchParams({ intent: 'login', email: 'owner@example.com', password: 'owner-password' }).toString()
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
    const signedIn = await ask('/login', { method: 'POST', headers: { ...form, origin: publicUrl }, body })
    expect(signedIn.status).toBe(302)
    const cookies = (signedIn.headers['set-cookie'] as string[]).map((line) => line.split(';')[0]!)
    expect(cookies.some((cookie) => cookie.startsWith('__Host-'))).toBe(true)
    expect((await ask('/manage/', { headers: { cookie: cookies.join('; ') } })).status).toBe(200)
    expect((await ask('/login', { method: 'POST', headers: { ...form, origin: 'https://evil.test' }, body })).status).toBe(403)

    const socket = new WebSocket(`wss://localhost:${port}/live`, { origin: publicUrl, rejectUnauthorized: false })
    const [greeting] = await once(socket, 'message')
    expect(String(greeting)).toContain('version')
    socket.terminate()

    // Caddy's id is the shop's; a visitor's own is not believed.
    const { headers } = await ask('/account/', { headers: { 'x-request-id': 'a-visitors-own-idea', 'x-forwarded-for': '203.0.113.9' } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    await expect.poll(() => opened.output()).toContain(`"requestId":"${String(headers['x-request-id'])}"`)
    expect(opened.output()).not.toContain('is not believed')

    const large = Buffer.alloc(35 * 1024 * 1024)
    const refused = await ask('/manage/tables', {
      method: 'POST',
      headers: { 'content-length': String(large.length), origin: publicUrl, 'content-type': 'multipart/form-data; boundary=x' },
      body: large,
    }).then(
      ({ status }) => status,
      () => 413,
    )
    expect(refused).toBe(413)
  },
)
