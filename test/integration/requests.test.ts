/**
 * Tests which requests the shop refuses before any route runs, and which headers every response
 * has.
 */
import { expect, test } from 'vitest'
import { createRequestHandler } from '#server/request-handler.ts'
import { MAX_TABLE_FORM_BYTES } from '#server/http/request-validation.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'

const FOREIGN = 'https://evil.test'
const postTheme = (origin: Record<string, string>, back = '/') => ({
  method: 'POST',
  body: new URLSearchParams({ theme: 'light', back }),
  headers: origin,
})

async function openBehindProxy(publicUrl: string) {
  const { shop } = await openTestShop()
  const app = createRequestHandler({ ...shop, publicUrl })
  return (path: string, init?: RequestInit) =>
    app(new Request(`http://127.0.0.1:3000${path}`, init))
}

test.each<Record<string, string>>([
  { origin: FOREIGN },
  { origin: 'null' },
  { origin: 'http://shop.test:8080' },
  { origin: 'https://shop.test' },
  { origin: 'http://shop.test.evil.test' },
  { origin: '' },
  {},
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: FOREIGN, 'sec-fetch-site': 'same-origin' },
])('the shop refuses a form from another site with the headers %j', async (headers) => {
  const owner = await (await openTestShop()).owner()
  for (const path of ['/theme', '/theme.data', '/manage/settings/']) {
    const { status } = await owner.send(path, postTheme(headers))
    expect(status, path).toBe(403)
  }
})

test('the shop accepts a form if the header Origin or Sec-Fetch-Site shows that it comes from a page of the shop', async () => {
  const { visitor } = await openTestShop()
  for (const headers of [{ origin: ORIGIN }, { 'sec-fetch-site': 'same-origin' }] as Record<
    string,
    string
  >[]) {
    expect((await visitor().send('/theme', postTheme(headers))).status).toBe(303)
  }
})

test('behind a proxy, the shop accepts only forms from PUBLIC_URL, and none from the internal address of the shop', async () => {
  const send = await openBehindProxy('https://knots.test')
  for (const [origin, expected] of [
    ['https://knots.test', 303],
    ['http://knots.test', 403],
    ['http://127.0.0.1:3000', 403],
    ['https://knots.test:8443', 403],
  ] as const) {
    expect((await send('/theme', postTheme({ origin }))).status, origin).toEqual(expected)
  }
})

test.each(['%00', '%FF'])('the shop refuses a path that cannot be decoded: %s', async (id) => {
  const response = await (await openTestShop()).visitor().get(`/writetestimonials/${id}`)
  expect(response.status).toBe(400)
  expect(await response.text()).toEqual(expect.stringContaining('This address is not valid.'))
})

test.each([
  ['a%00b', 'ab'],
  ['%%0000', '%00'],
  ['%%%000000', '%%0000'],
])('the shop removes NUL characters from the text of a search: %s', async (typed, read) => {
  const response = await (
    await openTestShop()
  )
    .visitor()
    .get(`/gallery/?q=${typed}&color=${typed}&page=${typed}`)
  expect(response.status).toBe(200)
  expect(await response.text()).toEqual(expect.stringContaining(`value="${read}"`))
})

test('the shop accepts a form of 33 MB only on the CSV import page', async () => {
  const { app } = await openTestShop()
  const send = async (path: string, length: number) => {
    const headers = {
      origin: ORIGIN,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(length),
    }
    return (await app(new Request(ORIGIN + path, { method: 'POST', headers, body: '--x--' })))
      .status
  }
  for (const path of [
    '/manage/import-export',
    '/manage/import-export/',
    '/manage/import-export.data',
    '/manage/import-export/_.data?check=x',
  ]) {
    expect(await send(path, MAX_TABLE_FORM_BYTES), path).toBe(path.includes('.data') ? 202 : 302)
    expect(await send(path, MAX_TABLE_FORM_BYTES + 1), path).toBe(413)
  }
  for (const path of ['/manage/item/', '/manage/import-exportx', '/tables/']) {
    expect(await send(path, MAX_TABLE_FORM_BYTES), path).toBe(413)
  }
})

test.each<[path: string, init?: RequestInit]>([
  ['/'],
  ['/about/.data'],
  ['/nowhere'],
  ['/pictures/none.jpg'],
  ['/%E0%A4%A'],
  ['/', { method: 'DELETE' }],
  ['/login/', { method: 'POST', body: 'x', headers: { origin: FOREIGN } }],
  [
    '/login/',
    {
      method: 'POST',
      body: '{',
      headers: { origin: ORIGIN, 'content-type': 'multipart/form-data' },
    },
  ],
  ['/manage/documents.json'],
  ['/__manifest'],
])('every kind of response has the security headers: %s %j', async (path, init) => {
  const { headers } = await (await (await openTestShop()).owner()).send(path, init)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('content-security-policy')).toMatch(
    /default-src '(self|none)'.*frame-ancestors 'none'/,
  )
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
})

test.each([
  ['https://knots.test', 'max-age=31536000'],
  ['http://knots.test', null],
])(
  'responses have an HSTS header of one year if PUBLIC_URL begins with https: %s',
  async (publicUrl, expected) => {
    const send = await openBehindProxy(publicUrl)
    for (const init of [
      {},
      { method: 'DELETE' },
      { method: 'POST', body: 'x', headers: { origin: FOREIGN } },
    ]) {
      for (const path of ['/', '/about/.data', '/nowhere', '/pictures/none.jpg', '/%E0%A4%A']) {
        const { headers } = await send(path, init)
        expect(headers.get('strict-transport-security'), path).toEqual(expected)
      }
    }
  },
)

test.each([FOREIGN, 'null'])('no other site can read a response: %s', async (origin) => {
  const owner = await (await openTestShop()).owner()
  for (const path of [
    '/',
    '/account/',
    '/manage/documents.json',
    '/pictures/none.jpg',
    '/health',
    '/about/.data',
    '/theme',
  ]) {
    const { headers } = await owner.send(path, { headers: { origin } })
    expect(
      [...headers.keys()].filter((name) => name.startsWith('access-control')),
      path,
    ).toEqual([])
  }
})

test('a page may connect only to the shop, and run only scripts with the nonce of its response [DATA-001]', async () => {
  const shop = await openTestShop()
  const first = await shop.visitor().get('/')
  const policy = first.headers.get('content-security-policy')!
  const html = await first.text()

  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
  const nonce = /'nonce-([^']+)'/.exec(policy)![1]
  // Leaves out the script element with structured data for search engines, because browsers do not
  // run it.
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag !== '<script type="application/ld+json">')
  expect(scripts.length).toBeGreaterThan(0)
  for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`)
  expect(
    [...html.matchAll(/(?:src|href|action)="(?:https?:)?\/\/[^"]*"/g)].map(([link]) => link),
  ).toEqual([`href="${ORIGIN}/"`])
  expect((await shop.visitor().get('/')).headers.get('content-security-policy')).not.toContain(
    nonce,
  )
})
