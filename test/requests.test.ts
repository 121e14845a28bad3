/** What the front door refuses before any route is asked. */
import { expect, test } from 'vitest'
import { createRequestHandler } from '#server/request-handler.ts'
import { MAX_FORM_BYTES, MAX_TABLE_FORM_BYTES } from '#server/http/request-validation.ts'
import { openTestShop, ORIGIN } from './open-test-shop.ts'
import { dataOf, fill, walkedRoutes } from './routes.ts'

const takingForms = walkedRoutes.filter(({ hasAction }) => hasAction)

test('a form from another site reaches no action, whichever it is', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  expect(takingForms.length).toBeGreaterThan(3)
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://shop.test:8080' },
    { origin: 'https://shop.test' },
    { origin: 'http://shop.test.evil.test' },
    { origin: '' },
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
  ]
  for (const { path } of takingForms)
    for (const address of [fill(path, 'x'), dataOf(fill(path, 'x'))])
      for (const headers of foreign) {
        const response = await owner.send(address, { method: 'POST', body: new URLSearchParams({ confirm: 'Yes' }), headers })
        expect([response.status, address, headers]).toEqual([403, address, headers])
      }
})

test('a form of the shop itself is taken, by its Origin or, where a browser sends none, by Sec-Fetch-Site', async () => {
  const shop = await openTestShop()
  const own: Record<string, string>[] = [{ origin: ORIGIN }, { 'sec-fetch-site': 'same-origin' }]
  for (const headers of own) {
    const response = await shop
      .visitor()
      .send('/theme', { method: 'POST', body: new URLSearchParams({ theme: 'light', back: '/' }), headers })
    expect(response.status).toBe(303)
  }
})

test('behind a proxy PUBLIC_URL is the origin that counts, not the address inside', async () => {
  const { shop } = await openTestShop()
  const app = createRequestHandler({ ...shop, publicUrl: 'https://knots.test' })
  const send = (origin: string) =>
    app(
      new Request('http://127.0.0.1:3000/theme', {
        method: 'POST',
        body: new URLSearchParams({ theme: 'light', back: '/about' }),
        headers: { origin, host: '127.0.0.1:3000' },
      }),
    )
  expect((await send('https://knots.test')).status).toBe(303)
  for (const origin of ['http://knots.test', 'http://127.0.0.1:3000', 'https://knots.test:8443'])
    expect([(await send(origin)).status, origin]).toEqual([403, origin])
})

test('behind a proxy a path that names another host stays a path', async () => {
  const { shop } = await openTestShop()
  const app = createRequestHandler({ ...shop, publicUrl: 'https://knots.test' })
  // A browser shows its own address: the page of another one under it would be a disguise, and a path that is no host would break.
  for (const path of ['//evil.test/gallery/', '//evil.test:99999/', '//[', '//evil.test/manage/']) {
    const response = await app(new Request(`http://127.0.0.1:3000${path}`))
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/'])
  }
})

test.for(['%00', '%FF'])('a path that cannot be decoded (%s) is refused in words', async (id) => {
  const response = await (await openTestShop()).visitor().get(`/writetestimonials/${id}`)
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('This address could not be read.')])
})

test('a zero byte in a search is left out, however it is written', async () => {
  const shop = await openTestShop()
  for (const [typed, read] of [
    ['a%00b', 'ab'],
    ['%%0000', '%00'],
    ['%%%000000', '%%0000'],
  ]) {
    const response = await shop.visitor().get(`/gallery/?q=${typed}&color=${typed}&page=${typed}`)
    expect([response.status, (await response.text()).includes(`value="${read}"`)]).toEqual([200, true])
  }
})

test('methods other than GET, HEAD and POST are not done', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  for (const { path } of walkedRoutes)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      const response = await owner.send(fill(path, 'x'), { method, headers: { origin: ORIGIN } })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    }
})

test('a body that is too large is refused, whether it says its length or not', async () => {
  const shop = await openTestShop()
  const said = await shop.visitor().send('/login/', {
    method: 'POST',
    body: 'x',
    headers: { origin: ORIGIN, 'content-length': String(MAX_FORM_BYTES + 1), 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(said.status).toBe(413)

  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(97))
    },
  })
  const unsaid = await shop.visitor().send('/login/', {
    method: 'POST',
    body: endless,
    duplex: 'half',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
  } as RequestInit)
  expect(unsaid.status).toBe(413)
  expect(sent).toBeLessThan(MAX_FORM_BYTES + 300_000)
})

test('every kind of answer carries the security headers', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const answers = await Promise.all([
    owner.get('/'),
    owner.get('/about/.data'),
    owner.get('/nowhere'),
    owner.get('/pictures/none.jpg'),
    owner.get('/%E0%A4%A'),
    owner.send('/', { method: 'DELETE' }),
    owner.send('/login/', { method: 'POST', body: 'x', headers: { origin: 'https://evil.test' } }),
    owner.get('/manage/documents.json'),
    owner.get('/__manifest'),
    shop.visitor().send('/login/', { method: 'POST', body: '{', headers: { origin: ORIGIN, 'content-type': 'multipart/form-data' } }),
  ])
  for (const { headers, url } of answers) {
    expect([headers.get('x-content-type-options'), headers.get('x-frame-options'), url]).toEqual(['nosniff', 'DENY', url])
    expect(headers.get('content-security-policy')).toMatch(/default-src '(self|none)'.*frame-ancestors 'none'/)
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  }
})

test('with https every answer asks for https from now on (HSTS), for a year; without it none does', async () => {
  const { shop } = await openTestShop()
  for (const [publicUrl, expected] of [
    ['https://knots.test', 'max-age=31536000'],
    ['http://knots.test', null],
  ] as const) {
    const app = createRequestHandler({ ...shop, publicUrl })
    for (const init of [{}, { method: 'DELETE' }, { method: 'POST', body: 'x', headers: { origin: 'https://evil.test' } }])
      for (const path of ['/', '/about/.data', '/nowhere', '/pictures/none.jpg', '/%E0%A4%A']) {
        const { headers } = await app(new Request(`http://127.0.0.1:3000${path}`, init))
        expect([path, headers.get('strict-transport-security')]).toEqual([path, expected])
      }
  }
})

test('no answer lets another site read it, whatever origin asks', async () => {
  const owner = await (await openTestShop()).owner()
  for (const path of ['/', '/account/', '/manage/documents.json', '/pictures/none.jpg', '/health', '/about/.data', '/theme'])
    for (const origin of ['https://evil.test', 'null']) {
      const { headers } = await owner.send(path, { headers: { origin } })
      expect([path, [...headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([path, []])
    }
})

test('DATA-001 a page may speak to the shop alone, and runs only scripts that carry the nonce of this answer', async () => {
  const shop = await openTestShop()
  const first = await shop.visitor().get('/')
  const policy = first.headers.get('content-security-policy')!
  const html = await first.text()

  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
  const nonce = /'nonce-([^']+)'/.exec(policy)![1]
  // What search engines read is data: it never runs, and needs no leave to.
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => tag !== '<script type="application/ld+json">')
  expect(scripts.length).toBeGreaterThan(0)
  for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`)
  expect([...html.matchAll(/(?:src|href|action)="(?:https?:)?\/\/[^"]*"/g)].map(([link]) => link)).toEqual([`href="${ORIGIN}/"`])
  expect((await shop.visitor().get('/')).headers.get('content-security-policy')).not.toContain(nonce)
})

test('a form with a table may be of 33 MB, on the page of tables only', async () => {
  const { app } = await openTestShop()
  const knock = async (path: string, length: number) => {
    const headers = { origin: ORIGIN, 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(length) }
    return (await app(new Request(ORIGIN + path, { method: 'POST', headers, body: '--x--' }))).status
  }
  for (const path of ['/manage/tables', '/manage/tables/', '/manage/tables.data', '/manage/tables/_.data?check=x']) {
    expect(await knock(path, MAX_TABLE_FORM_BYTES), path).toBeLessThan(400)
    expect(await knock(path, MAX_TABLE_FORM_BYTES + 1), path).toBe(413)
  }
  for (const path of ['/manage/item/', '/manage/tablesx', '/tables/']) expect(await knock(path, MAX_TABLE_FORM_BYTES), path).toBe(413)
})
