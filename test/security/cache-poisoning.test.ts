/**
 * Attacks the page cache: each test tries to change or read another user's page, or to fill the
 * memory (decision 050).
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { policyWithHashes } from '#server/cache/encoded-response.ts'
import { listed } from '#test/fixtures/fuzz.ts'
import { openRawServer, openReadyServer, sendRaw } from '#test/fixtures/shop-server.ts'
import { openShopWithAnn } from '#test/fixtures/test-shop.ts'

const cookieOf = (person: { cookies: Map<string, string> }) =>
  [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const firstLine = (answer: string) => answer.split('\r\n')[0]
const headerOf = (answer: string, name: string) =>
  new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(answer.split('\r\n\r\n')[0]!)?.[1] ?? null
const EVIL = 'evil-mark'

test.each<OutgoingHttpHeaders>([
  {
    'x-forwarded-host': `${EVIL}.test`,
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '444',
    forwarded: `host=${EVIL}.test`,
  },
  {
    'x-original-url': `/${EVIL}`,
    'x-rewrite-url': `/${EVIL}`,
    'x-forwarded-prefix': `/${EVIL}`,
    'x-http-method-override': 'POST',
  },
  {
    origin: `https://${EVIL}.test`,
    referer: `https://${EVIL}.test/`,
    'sec-fetch-site': 'cross-site',
  },
  { cookie: `other=${EVIL}; theme=${EVIL}; __Host-Theme=light; Theme=light; xtheme=light` },
  {
    'accept-language': EVIL,
    accept: `text/${EVIL}`,
    'user-agent': `<script>${EVIL}</script>`,
    'save-data': 'on',
  },
  {
    'x-react-router-prerender-data': EVIL,
    'x-remix-redirect': EVIL,
    purpose: 'prefetch',
    'sec-purpose': 'prefetch',
  },
  {
    'x-forwarded-for': `${EVIL}, 1.2.3.4`,
    via: `1.1 ${EVIL}`,
    'cache-control': 'max-age=999',
    pragma: EVIL,
    range: 'bytes=0-3',
  },
  {
    'if-none-match': `"${EVIL}"`,
    'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT',
    'if-match': `"${EVIL}"`,
  },
  { 'accept-encoding': `${EVIL};q=1, br` },
])(
  'a cached page depends only on URL, host name and theme, and not on the headers %j',
  async (headers) => {
    const same = (text: string) =>
      text.replaceAll(/[0-9a-f-]{36}\.\d/g, '').replaceAll(/ nonce="[^"]*"/g, '')
    for (const path of ['/', '/gallery/_.data', '/item/moon']) {
      const plain = await (await openReadyServer({ publicUrl: 'http://shop.test' })).get(path)
      const shop = await openReadyServer({ publicUrl: 'http://shop.test' })
      for (const got of [await shop.get(path, headers), await shop.get(path)]) {
        expect(got.status, path).toBe(200)
        expect(got.text.includes(EVIL), path).toBe(false)
        expect(JSON.stringify(got.headers).includes(EVIL), path).toBe(false)
        expect(got.headers.vary).toBe('Accept-Encoding, Cookie')
      }
      expect(same((await shop.get(path)).text)).toBe(same(plain.text))
      expect([...(shop.made[0]?.headers ?? [])]).toEqual([])
    }
  },
)

test('without PUBLIC_URL, the shop caches pages separately for each valid host name', async () => {
  const shop = await openReadyServer()
  const about = (host: string) => shop.get('/about/', { host })
  for (const host of [
    'one.test',
    'one.test',
    'two.test:81',
    'two.test:81',
    '[::1]:3000',
    '[::1]:3000',
    'one.test',
    'one.test',
  ]) {
    expect((await about(host)).text).toContain(`rel="canonical" href="http://${host}/about/"`)
  }
  for (const host of [
    'a b',
    ...listed`ONE.test evil/x?y one.test:0 one..test user@one.test %65vil one.test:99999`,
    'x'.repeat(3000),
  ]) {
    expect((await about(host)).status, host).toBeLessThan(500)
  }
  expect(shop.ready.stats().pages).toBe(3)
})

test('when PUBLIC_URL is set, the Host header of a request has no effect on the cached page', async () => {
  const shop = await openReadyServer({ publicUrl: 'https://knots.test' })
  const first = await shop.get('/about/', { host: 'evil.test' })
  expect(first.text).toContain('https://knots.test/about/')
  expect(first.text).not.toContain('evil')
  expect(first.headers['strict-transport-security']).toBe('max-age=31536000')
  expect(await shop.countMade(() => shop.get('/about/', { host: 'other.test' }))).toBe(0)
  // If PUBLIC_URL begins with https, the name of the theme cookie begins with `__Host-`.
  expect((await shop.get('/about/', { cookie: '__Host-theme=light' })).text).toContain(
    'data-theme="light"',
  )
})

test('the shop caches a page only under the usual spelling of its URL', async () => {
  const shop = await openReadyServer()
  const spellings = listed`
    // //gallery/ /gallery// /./gallery/ /x/../gallery/ /GALLERY/ /%67allery/ /gallery/%77alls
    // /item/%6doon
    /gallery/? /gallery/?page /gallery/?page= /gallery/?page=0 /gallery/?page=01 /gallery/?page=1&page=2 /gallery/?page=1&
    /gallery/?q=moon /gallery/?from=1 /gallery/?utm_source=x /gallery/?sort=evil /gallery/?sort=name&x=y /gallery/?favorites
    /gallery/?color=%72ust /gallery/?color=a+b /gallery/?page=1=2 /gallery/?constructor=1 /gallery/?__proto__=1 /?messages
    /gallery/_.data?_routes=root /gallery.data.data /gallery/_.data/_.data /_root.data /.data /item/moon.DATA /item/moon;a=b
    /item/moon%00 /item/moon#x /item/moon\x /manage/ /account/ /writetestimonials/t /reset-password/?code=x /confirm-email/?code=x
    /contact/card.vcf /link-guest/ /theme /robots.txt`
  for (const path of [
    ...spellings,
    `/item/${'x'.repeat(65)}`,
    `/gallery/?color=${'x'.repeat(300)}`,
  ]) {
    const got = await shop.get(path)
    const isCacheable = got.headers['cache-control'] === 'private, no-cache'
    expect(got.status >= 500, path).toBe(false)
    expect(isCacheable, path).toBe(false)
    expect(shop.ready.stats().pages, path).toBe(0)
  }
})

test('the shop caches neither a "not found" page nor a page that could not be rendered', async () => {
  const shop = await openReadyServer()
  expect((await shop.get('/item/gone')).status).toBe(404)
  await shop.db.schema.alterTable('colors').renameTo('elsewhere').execute()
  expect((await shop.get('/gallery/')).status).toBe(500)
  expect(shop.ready.stats().pages).toBe(0)
  await shop.db.schema.alterTable('elsewhere').renameTo('colors').execute()
  expect((await shop.get('/gallery/')).status).toBe(200)
  expect(shop.logged.some(({ level }) => level === 'error')).toBe(true)
})

test('a logged-in user gets her own pages, and no other user gets these pages', async () => {
  const shop = await openReadyServer()
  const [ann, owner, guest] = [
    await shop.customer('ann@mail.test'),
    await shop.owner(),
    await shop.guest(),
  ]
  await ann.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await ann.post('/order-request', { itemId: 'moon', message: 'A private thought' })
  for (const path of [
    '/',
    '/gallery/',
    '/item/moon',
    '/item/moon.data',
    '/about/_.data',
    '/contact/',
    '/testimonials/',
  ]) {
    const before = await shop.get(path)
    for (const person of [ann, owner, guest]) {
      const { status, headers } = await shop.get(path, { cookie: cookieOf(person) })
      expect(status, path).toBe(200)
      expect(headers['cache-control'], path).toBe('private, no-store')
      expect(headers['content-security-policy']).not.toContain('sha256')
    }
    const after = await shop.get(path)
    expect(after.text === before.text || path === '/contact/', path).toBe(true)
    expect(after.text).not.toMatch(/ann@mail|private thought|Log ?out/i)
    expect(after.headers['set-cookie']).toBeUndefined()
  }
  // A signed-in user gets her own page and no 304, even if she sends the ETag of the visitors'
  // page.
  const { etag } = (await shop.get('/gallery/', { 'accept-encoding': 'gzip' })).headers
  expect(
    (
      await shop.get('/gallery/', {
        'accept-encoding': 'gzip',
        'if-none-match': etag,
        cookie: cookieOf(ann),
      })
    ).status,
  ).toBe(200)
  for (const cookie of [
    'shop.session_token=x',
    'a=b; __Host-shop.session_token=',
    'theme=light;shop.session_token=x.y',
  ]) {
    expect(await shop.countMade(() => shop.get('/gallery/', { cookie }))).toBe(1)
  }
})

test('a one-time message appears only on the page of the user who caused it', async () => {
  const shop = await openReadyServer()
  await shop.get('/about/')
  const own = await shop.get('/about/', {
    cookie: `flash=${encodeURIComponent('["Only for you"]')}`,
  })
  expect(own.text.includes('Only for you')).toBe(true)
  expect(own.headers['set-cookie']?.[0]?.startsWith('flash=;')).toBe(true)
  expect((await shop.get('/about/')).text).not.toContain('Only for you')
  const failed = await shop.get('/login/', { cookie: 'provider-failed=google.failed' })
  expect(failed.headers['cache-control']).toBe('private, no-store')
})

test('a HEAD request, a request with a body or HTTP/1.0 never leads to an incomplete cached page', async () => {
  const shop = await openReadyServer()
  const head = await shop.get('/gallery/', { 'accept-encoding': 'gzip' }, 'HEAD')
  const page = await shop.get('/gallery/', { 'accept-encoding': 'gzip' })
  expect(head.status).toBe(200)
  expect(head.bytes.length).toBe(0)
  expect(head.headers.etag).toEqual(page.headers.etag)
  expect(page.text).toContain('</html>')
  expect(shop.made.map(({ method }) => method)).toEqual(['GET'])
  for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PROPFIND']) {
    expect((await shop.get('/gallery/', {}, method)).status, method).toBe(405)
  }
  const host = `Host: 127.0.0.1:${shop.port}\r\nConnection: close\r\n`
  const before = shop.ready.stats().hits
  for (const body of [
    'Content-Length: 5\r\n\r\nhello',
    'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    expect(firstLine(await sendRaw(shop.port, `GET /gallery/ HTTP/1.1\r\n${host}${body}`))).toBe(
      'HTTP/1.1 200 OK',
    )
  }
  expect(shop.ready.stats().hits).toBe(before)
  expect(await sendRaw(shop.port, `GET /gallery/ HTTP/1.0\r\n${host}\r\n`)).toContain('</html>')
})

test('the Content-Security-Policy of a cached page allows only the shop’s own scripts', async () => {
  const shop = await openReadyServer()
  const words = '<script>alert(1)</script><script nonce="x">alert(2)</script></script>'
  await shop.db
    .updateTable('items')
    .set({ name: words, description: words })
    .where('id', '=', 'moon')
    .execute()
  const nonce = 'AbCdEfGhIjKlMnOpQrStUv=='
  const policy = `script-src 'self' 'nonce-${nonce}'`
  const own = `<p></p><script nonce="${nonce}">own()</script><script nonce="${nonce}" src="/a.js"></script>`
  const allowed = policyWithHashes(own, policy)!
  for (const foreign of [
    '<script>evil()</script><script nonce="guess">evil()</script>',
    `<p>${nonce}</p>`,
  ]) {
    expect(policyWithHashes(own + foreign, policy)).toBe(allowed)
  }
  expect(allowed.match(/sha256-/g)).toHaveLength(1)
  expect(allowed).not.toContain('nonce')
  // A page without a nonce is not cached, because the shop recognizes its own scripts by their
  // nonce.
  expect(policyWithHashes(own, "script-src 'self'")).toBeNull()
  const { text, headers } = await shop.get('/item/moon')
  expect(text).not.toContain('<script>alert')
  expect(headers['content-security-policy']).not.toContain('nonce')
})

test('a response that depends on request headers forbids proxies to cache it', async () => {
  const poison = `X-Forwarded-Host: evil.test
X-Forwarded-Proto: https
X-Forwarded-Prefix: /evil.test
X-Original-URL: /manage/
X-Rewrite-URL: /manage/
X-HTTP-Method-Override: POST
Forwarded: host=evil.test;proto=https
X-React-Router-SPA-Mode: yes
X-React-Router-Prerender-Data: evil.test
X-Remix-Reload-Document: true
X-Remix-Response: yes
Origin: https://evil.test
Accept-Language: evil.test
User-Agent: evil.test\xff\x80<script>
Cookie: theme=light; flash=%5B%22evil.test%22%5D; provider-failed=google.failed; shop.session_token=evil.test; known=evil.test
`.replaceAll('\n', '\r\n')
  const { get } = await openRawServer()
  for (const [path, cacheControl] of [
    // The shop has no PUBLIC_URL, and these two contain the host of the request.
    ['/robots.txt', 'private'],
    ['/sitemap.xml', 'private'],
    ['/manifest.webmanifest', 'public'],
    ['/share/shop.jpg', 'public'],
    ['/long.txt', 'public'],
  ] as const) {
    const [plain, poisoned] = [await get(path), await get(path, poison)]
    expect(headerOf(poisoned, 'cache-control'), path).toContain(cacheControl)
    expect(firstLine(poisoned), path).toEqual(firstLine(plain))
    expect(poisoned.split('\r\n\r\n')[1], path).toEqual(plain.split('\r\n\r\n')[1])
    expect(headerOf(poisoned, 'set-cookie'), path).toBe(null)
    expect(poisoned.includes('evil'), path).toBe(false)
  }
})

test('a response that renews a session forbids proxies to cache it', async () => {
  const { shop, ann } = await openShopWithAnn()
  const expiresAt = new Date(Date.now() + 14 * 24 * 60 * 60_000) as never
  for (const path of listed`/robots.txt /sitemap.xml /manifest.webmanifest /share/shop.jpg /contact/card.vcf /`) {
    await shop.db.updateTable('session').set({ expiresAt }).where('userId', '=', ann.id).execute()
    const { headers } = await ann.get(path)
    const isRenewed = headers.getSetCookie().some((line) => line.includes('session_token'))
    expect(isRenewed, path).toBe(true)
    expect(headers.get('cache-control'), path).toEqual(expect.stringContaining('private'))
    expect((await shop.visitor().get(path)).headers.getSetCookie(), path).toEqual([])
  }
  expect((await shop.visitor().get('/share/shop.jpg')).headers.get('cache-control')).toContain(
    'public',
  )
})
