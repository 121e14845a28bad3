/** Attacks with bytes that no browser sends: a real server, and a socket of one's own. */
import { expect, test } from 'vitest'
import { openRawServer } from './open-raw-server.ts'
import { OWNER } from './open-test-shop.ts'

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const headerOf = (answer: string, name: string) =>
  new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(answer.split('\r\n\r\n')[0]!)?.[1] ?? null
/** What only the loader of the sales says. */
const LOADED = /"(receipts|takings|months|isFiltered|page)"/
const answersIn = (answer: string) => answer.match(/HTTP\/1\.1 \d/g)?.length ?? 0

test('a body whose length can be read in two ways is read in none, and nothing in it becomes a request of its own', async () => {
  const { raw, origin, host } = await openRawServer()
  const post = `POST /theme HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\n`
  const hidden = 'GET /health HTTP/1.1\r\nHost: shop\r\n\r\n'
  const twoLengths = [
    `Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${hidden}`,
    `X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `X: a\r\n folded: b\r\n\r\n${hidden}`,
    `Content-Length: +0\r\n\r\n${hidden}`,
    `Content-Length: 0x0\r\n\r\n${hidden}`,
    `Content-Length: 0, 5\r\n\r\n${hidden}`,
    `Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding: chunked\r\n\r\n5;a="\n"\r\nhello\r\n0\r\n\r\n${hidden}`,
  ]
  for (const rest of twoLengths) {
    const answer = await raw(post + rest)
    expect([rest.split('\r\n')[0], statusOf(answer), answersIn(answer)]).toEqual([rest.split('\r\n')[0], 400, 1])
  }
  // What a refused form, or a look, carries along is its body: the next answer is to the next request.
  for (const head of [
    `POST /theme HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://evil.test\r\n`,
    `GET /about/ HTTP/1.1\r\nHost: ${host}\r\n`,
  ]) {
    const next = `GET /robots.txt HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const answer = await raw(`${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}${next}`)
    expect([answersIn(answer), answer.includes('Disallow: '), answer.endsWith('\r\n\r\nok')]).toEqual([2, true, false])
  }
})

test('a request names one host: none in its first line that its head does not name, no user, and not two', async () => {
  for (const publicUrl of [null, 'https://knots.test']) {
    const { raw, get, host, logged } = await openRawServer(publicUrl)
    const named = [
      'http://evil.test/',
      'https://evil.test/robots.txt',
      'http://evil.test/manage/',
      `http://me:pw@${host}/`,
      `http://me@${host}/`,
    ]
    for (const target of [...named, 'javascript:alert(1)', 'data:text/html,x', '*', '?x', '/a b', '/\\evil.test/'])
      expect([target, statusOf(await get(target))]).toEqual([target, 400])
    for (const two of [`Host: ${host}\r\nHost: evil.test`, `Host: evil.test\r\nhost: ${host}`, `Host: ${host}\r\nHost: ${host}`])
      expect([two, statusOf(await raw(`GET /robots.txt HTTP/1.1\r\n${two}\r\nConnection: close\r\n\r\n`))]).toEqual([two, 400])
    // A proxy may say the same twice.
    const same = await get(`http://${host}/robots.txt`)
    expect([statusOf(same), same.includes(`Sitemap: ${publicUrl ?? `http://${host}`}/sitemap.xml`)]).toEqual([200, true])
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  }
})

test('no way of writing an address leads past a gate or out of the shop', async () => {
  for (const publicUrl of [null, 'https://knots.test']) {
    const { get, origin, logged } = await openRawServer(publicUrl)
    const written = ['/manage/', '//manage/', '/manage//', '/manage//sales', '/x/../manage/', '/%2e%2e/manage/sales', '/./manage/sales']
    const odd = [
      '/%6danage/sales',
      '/MANAGE/SALES',
      '/manage;x=1/sales',
      '/manage./sales',
      '/manage%2fsales',
      '/manage%252fsales',
      '/manage/sales;x',
    ]
    const away = [
      '//evil.test/manage/',
      '/.//evil.test',
      '/http://evil.test',
      '/assets/../manage/sales',
      '/manage/sales%20',
      '/manage/sales.csv',
    ]
    for (const path of [...written, ...odd, ...away])
      expect([path, statusOf(await get(path)), headerOf(await get(path), 'location')]).toEqual([path, 302, '/'])
    const account = ['/account/', '//account/', '/ACCOUNT/', '/%61ccount/', '/account/;x']
    for (const path of account) expect([path, headerOf(await get(path), 'location')]).toEqual([path, expect.stringMatching(/^\/(login)?$/)])
    const sales = encodeURIComponent('routes/manage/sales')
    const asData = ['/manage/sales.data', '/MANAGE/sales.data', '/x/../manage/sales.data', '/manage/sales/_.data', '/%6danage/sales.data']
    for (const path of asData)
      for (const query of [
        '',
        `?_routes=${sales}`,
        `?_routes=root&_routes=${sales}`,
        `?_routes=root,${sales}`,
        `?index&_routes=${sales}`,
      ]) {
        const answer = await get(path + query)
        expect([path, query, statusOf(answer), answer.includes('"redirect"')]).toEqual([path, query, 202, true])
        expect(answer).not.toMatch(LOADED)
      }
    // A page that anybody may see is no way to the data of one that nobody may.
    for (const path of ['/_root.data', '/gallery.data', '/.data', '/about/_.data', '//manage/sales.data'])
      expect(await get(`${path}?_routes=${sales},routes%2Fmanage%2Fgate`)).not.toMatch(LOADED)
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
    // And the owner does get what is looked for here, where her cookies are those of this shop.
    if (publicUrl !== null) continue
    const login = await fetch(`${origin}/login`, {
      method: 'POST',
      body: new URLSearchParams({ intent: 'login', ...OWNER }),
      headers: { origin: publicUrl ?? origin },
      redirect: 'manual',
    })
    const cookie = login.headers.getSetCookie().map((line) => line.split(';')[0])
    expect(await get(`/manage/sales.data?_routes=${sales}`, `Cookie: ${cookie.join('; ')}\r\n`)).toMatch(LOADED)
  }
})

test('what may be kept by caches on the way is the same for everybody, whatever a request says of itself', async () => {
  const poison = [
    'X-Forwarded-Host: evil.test',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Prefix: /evil.test',
    'X-Original-URL: /manage/',
    'X-Rewrite-URL: /manage/',
    'X-HTTP-Method-Override: POST',
    'Forwarded: host=evil.test;proto=https',
    'X-React-Router-SPA-Mode: yes',
    'X-React-Router-Prerender-Data: evil.test',
    'X-Remix-Reload-Document: true',
    'X-Remix-Response: yes',
    'Origin: https://evil.test',
    'Accept-Language: evil.test',
    'User-Agent: evil.test\xff\x80<script>',
    'Cookie: theme=light; flash=%5B%22evil.test%22%5D; provider-failed=google.failed; shop.session_token=evil.test; known=evil.test',
  ].join('\r\n')
  const { get } = await openRawServer()
  const paths = [
    '/robots.txt',
    '/sitemap.xml',
    '/manifest.webmanifest',
    '/share/shop.jpg',
    '/long.txt',
    '/',
    '/gallery/',
    '/_root.data',
    '/login/',
  ]
  for (const path of paths) {
    const [plain, poisoned] = [await get(path), await get(path, `${poison}\r\n`)]
    const caching = headerOf(poisoned, 'cache-control')!
    expect([path, statusOf(poisoned), caching.includes('public')]).toEqual([
      path,
      statusOf(plain),
      !/^\/(gallery\/|_root.data|login\/)?$/.test(path),
    ])
    if (!caching.includes('public')) {
      expect([path, caching]).toEqual([path, 'private, no-store'])
      // A text in a cookie is one's own: shown once, as a text, and to nobody else.
      expect(poisoned.replace(/\[&quot;evil.test&quot;\]|evil\.test(?=<|\\")/g, '')).not.toMatch(/https?:\/\/evil|evil\.test"/)
      continue
    }
    expect([path, poisoned.split('\r\n\r\n')[1]]).toEqual([path, plain.split('\r\n\r\n')[1]])
    expect([path, headerOf(poisoned, 'set-cookie'), poisoned.includes('evil')]).toEqual([path, null, false])
  }
  for (const path of ['/sitemap.xml', '/long.txt', '/robots.txt']) {
    const packed = await get(path, 'Accept-Encoding: gzip\r\n')
    if (headerOf(packed, 'content-encoding')) expect([path, headerOf(packed, 'vary')]).toEqual([path, 'Accept-Encoding'])
  }
})
