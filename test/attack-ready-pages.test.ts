/** Attacks on what is kept ready for visitors: to get something into the page of others, somebody else's page, or the memory full (039). */
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openLive } from '#app/platform/live.server.ts'
import { createPageCache } from '#server/cache/page-cache.ts'
import { policyWithHashes } from '#server/cache/encoded-response.ts'
import { createHttpApp } from '#server/http/app.ts'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import { openReadyServer } from './open-ready-server.ts'
import { openTestShop } from './open-test-shop.ts'
import { send as sendPicture, upload, idOf } from './chat-pictures.ts'

type Server = Awaited<ReturnType<typeof openReadyServer>>
const cookieOf = (person: { cookies: Map<string, string> }) => [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** The bytes as they are; all that comes back. */
async function raw({ port }: Server, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  socket.write(text)
  await once(socket, 'close')
  return answer
}

test('nothing that a request brings along gets into the page that is kept: it is made of address, name and theme alone', async () => {
  const evil = 'evil-mark'
  const brought: OutgoingHttpHeaders[] = [
    { 'x-forwarded-host': `${evil}.test`, 'x-forwarded-proto': 'https', 'x-forwarded-port': '444', forwarded: `host=${evil}.test` },
    { 'x-original-url': `/${evil}`, 'x-rewrite-url': `/${evil}`, 'x-forwarded-prefix': `/${evil}`, 'x-http-method-override': 'POST' },
    { origin: `https://${evil}.test`, referer: `https://${evil}.test/`, 'sec-fetch-site': 'cross-site' },
    { cookie: `other=${evil}; theme=${evil}; __Host-theme=dark; Theme=light; xtheme=light` },
    { 'accept-language': evil, accept: `text/${evil}`, 'user-agent': `<script>${evil}</script>`, 'save-data': 'on' },
    { 'x-react-router-prerender-data': evil, 'x-remix-redirect': evil, purpose: 'prefetch', 'sec-purpose': 'prefetch' },
    { 'x-forwarded-for': `${evil}, 1.2.3.4`, via: `1.1 ${evil}`, 'cache-control': 'max-age=999', pragma: evil, range: 'bytes=0-3' },
    { 'if-none-match': `"${evil}"`, 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT', 'if-match': `"${evil}"` },
    { 'accept-encoding': `${evil};q=1, br` },
  ]
  for (const path of ['/', '/gallery/_.data', '/item/moon']) {
    const plain = await (await openReadyServer({ publicUrl: 'http://shop.test' })).get(path)
    for (const headers of brought) {
      const shop = await openReadyServer({ publicUrl: 'http://shop.test' })
      for (const got of [await shop.get(path, headers), await shop.get(path)]) {
        const label = [path, JSON.stringify(headers)]
        expect([...label, got.status, got.text.includes(evil), JSON.stringify(got.headers).includes(evil)]).toEqual([
          ...label,
          200,
          false,
          false,
        ])
        expect(got.headers.vary).toBe('Accept-Encoding, Cookie')
      }
      const same = (text: string) => text.replaceAll(/[0-9a-f-]{36}\.\d/g, '').replaceAll(/ nonce="[^"]*"/g, '')
      expect(same((await shop.get(path)).text), JSON.stringify(headers)).toBe(same(plain.text))
      expect([...(shop.made[0]?.headers ?? [])]).toEqual([])
    }
  }
})

test('without PUBLIC_URL each name of the shop has pages of its own, and a name that is none has nothing kept', async () => {
  const shop = await openReadyServer()
  const linkOf = (text: string) => /rel="canonical" href="([^"]+)"/.exec(text)?.[1]
  for (const host of ['one.test', 'two.test:81', '[::1]:3000', 'one.test']) {
    expect(linkOf((await shop.get('/about/', { host })).text)).toBe(`http://${host}/about/`)
    expect(linkOf((await shop.get('/about/', { host })).text)).toBe(`http://${host}/about/`)
  }
  expect(shop.ready.stats().pages).toBe(3)
  for (const host of [
    'ONE.test',
    'a b',
    'evil/x?y',
    'one.test:0',
    'one..test',
    'user@one.test',
    '%65vil',
    'one.test:99999',
    'x'.repeat(3000),
  ])
    expect((await shop.get('/about/', { host })).status, host).toBeLessThan(500)
  expect(shop.ready.stats().pages).toBe(3)
  const twice = await raw(shop, 'GET /about/ HTTP/1.1\r\nHost: one.test\r\nHost: two.test\r\nConnection: close\r\n\r\n')
  expect(twice.split('\r\n')[0]).toMatch(/ 400 /)
  const absolute = await raw(shop, 'GET http://two.test/about/ HTTP/1.1\r\nHost: one.test\r\nConnection: close\r\n\r\n')
  expect(absolute.split('\r\n')[0]).toMatch(/ 400 /)
})

test('behind PUBLIC_URL no Host makes a page of its own, or gets into one', async () => {
  const shop = await openReadyServer({ publicUrl: 'https://knots.test' })
  const first = await shop.get('/about/', { host: 'evil.test' })
  expect(first.text).toContain('https://knots.test/about/')
  expect(first.text).not.toContain('evil')
  expect(first.headers['strict-transport-security']).toBe('max-age=31536000')
  expect(await shop.countMade(() => shop.get('/about/', { host: 'other.test' }))).toBe(0)
  // The theme by the name that cookies have with https.
  expect((await shop.get('/about/', { cookie: '__Host-theme=light' })).text).toContain('data-theme="light"')
})

test('no other spelling of an address is kept, however it is written, and each is answered as the shop itself does', async () => {
  const shop = await openReadyServer()
  for (const path of [
    ...['//', '//gallery/', '/gallery//', '/./gallery/', '/x/../gallery/', '/GALLERY/', '/%67allery/', '/gallery/%77alls', '/item/%6doon'],
    ...[
      '/gallery/?',
      '/gallery/?page',
      '/gallery/?page=',
      '/gallery/?page=0',
      '/gallery/?page=01',
      '/gallery/?page=1&page=2',
      '/gallery/?page=1&',
    ],
    ...[
      '/gallery/?q=moon',
      '/gallery/?from=1',
      '/gallery/?utm_source=x',
      '/gallery/?sort=evil',
      '/gallery/?sort=name&x=y',
      '/gallery/?favorites',
    ],
    ...[
      '/gallery/?color=%72ust',
      '/gallery/?color=a+b',
      '/gallery/?page=1=2',
      '/gallery/?constructor=1',
      '/gallery/?__proto__=1',
      '/?messages',
    ],
    ...[
      '/gallery/_.data?_routes=root',
      '/gallery.data.data',
      '/gallery/_.data/_.data',
      '/_root.data',
      '/.data',
      '/item/moon.DATA',
      '/item/moon;a=b',
    ],
    ...[
      '/item/moon%00',
      '/item/moon#x',
      '/item/moon\\x',
      `/item/${'x'.repeat(65)}`,
      `/gallery/?color=${'x'.repeat(300)}`,
      '/manage/',
      '/account/',
    ],
    ...[
      '/writetestimonials/t',
      '/reset-password/?code=x',
      '/confirm-email/?code=x',
      '/contact/card.vcf',
      '/link-guest/',
      '/theme',
      '/robots.txt',
    ],
  ]) {
    const got = await shop.get(path)
    expect([path, got.status >= 500, got.headers['cache-control'] === 'private, no-cache']).toEqual([path, false, false])
    expect([path, shop.ready.stats().pages]).toEqual([path, 0])
  }
})

test('what is not there is not kept, and neither is what broke', async () => {
  const shop = await openReadyServer()
  expect((await shop.get('/item/gone')).status).toBe(404)
  await shop.db.schema.alterTable('colors').renameTo('elsewhere').execute()
  expect((await shop.get('/gallery/')).status).toBe(500)
  expect(shop.ready.stats().pages).toBe(0)
  await shop.db.schema.alterTable('elsewhere').renameTo('colors').execute()
  expect((await shop.get('/gallery/')).status).toBe(200)
  expect(shop.logged.some(({ level }) => level === 'error')).toBe(true)
})

test('whoever has a session gets pages of their own, before and after visitors, and nobody gets theirs', async () => {
  const shop = await openReadyServer()
  const [ann, owner, guest] = [await shop.customer('ann@mail.test'), await shop.owner(), await shop.guest()]
  await ann.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await ann.post('/order-request', { itemId: 'moon', message: 'A private thought' })
  for (const path of ['/', '/gallery/', '/item/moon', '/item/moon.data', '/about/_.data', '/contact/', '/testimonials/']) {
    const before = await shop.get(path)
    for (const person of [ann, owner, guest]) {
      const own = await shop.get(path, { cookie: cookieOf(person) })
      expect([path, own.status, own.headers['cache-control']]).toEqual([path, 200, 'private, no-store'])
      expect(own.headers['content-security-policy']).not.toContain('sha256')
    }
    const after = await shop.get(path)
    expect([path, after.text === before.text || path === '/contact/', /ann@mail|private thought|Log ?out/i.test(after.text)]).toEqual([
      path,
      true,
      false,
    ])
    expect(after.headers['set-cookie']).toBeUndefined()
  }
  // Not even with the ETag of a visitor's page does somebody who is signed in get "nothing has changed".
  const etag = (await shop.get('/gallery/', { 'accept-encoding': 'gzip' })).headers.etag
  expect((await shop.get('/gallery/', { 'accept-encoding': 'gzip', 'if-none-match': etag, cookie: cookieOf(ann) })).status).toBe(200)
  for (const cookie of ['shop.session_token=x', 'a=b; __Host-shop.session_token=', 'theme=light;shop.session_token=x.y']) {
    expect(await shop.countMade(() => shop.get('/gallery/', { cookie }))).toBe(1)
  }
})

test('words that are shown once are shown to the one whom they are for, and to nobody else', async () => {
  const shop = await openReadyServer()
  await shop.get('/about/')
  const told = { cookie: `flash=${encodeURIComponent('["Only for you"]')}` }
  const own = await shop.get('/about/', told)
  expect([own.text.includes('Only for you'), own.headers['set-cookie']?.[0]?.startsWith('flash=;')]).toEqual([true, true])
  expect((await shop.get('/about/')).text).not.toContain('Only for you')
  const failed = await shop.get('/login/', { cookie: 'provider-failed=google.failed' })
  expect(failed.headers['cache-control']).toBe('private, no-store')
})

test('HEAD first, a body, or another protocol: the page that is kept is whole all the same', async () => {
  const shop = await openReadyServer()
  const head = await shop.get('/gallery/', { 'accept-encoding': 'gzip' }, 'HEAD')
  const page = await shop.get('/gallery/', { 'accept-encoding': 'gzip' })
  expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, page.headers.etag])
  expect(page.text).toContain('</html>')
  expect(shop.made.map(({ method }) => method)).toEqual(['GET'])
  for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PROPFIND']) expect((await shop.get('/gallery/', {}, method)).status, method).toBe(405)
  const host = `Host: 127.0.0.1:${shop.port}\r\nConnection: close\r\n`
  const before = shop.ready.stats().hits
  const withBody = await raw(shop, `GET /gallery/ HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`)
  const chunked = await raw(shop, `GET /gallery/ HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
  expect([withBody, chunked].map((answer) => answer.split('\r\n')[0])).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])
  expect(shop.ready.stats().hits).toBe(before)
  const old = await raw(shop, `GET /gallery/ HTTP/1.0\r\n${host}\r\n`)
  expect(old).toContain('</html>')
})

test('a script that came into a page otherwise than by the shop is not allowed by the policy of the kept page', async () => {
  const shop = await openReadyServer()
  const words = '<script>alert(1)</script><script nonce="x">alert(2)</script></script>'
  await shop.db.updateTable('items').set({ name: words, description: words }).where('id', '=', 'moon').execute()
  const nonce = 'AbCdEfGhIjKlMnOpQrStUv=='
  const policy = `script-src 'self' 'nonce-${nonce}'`
  const own = `<p></p><script nonce="${nonce}">own()</script><script nonce="${nonce}" src="/a.js"></script>`
  const allowed = policyWithHashes(own, policy)!
  expect(policyWithHashes(`${own}<script>evil()</script><script nonce="guess">evil()</script>`, policy)).toBe(allowed)
  expect(allowed.match(/sha256-/g)).toHaveLength(1)
  expect(allowed).not.toContain('nonce')
  // The nonce as text allows nothing.
  expect(policyWithHashes(`${own}<p>${nonce}</p>`, policy)).toBe(allowed)
  // A page without a nonce is none of ours, and is shared with nobody.
  expect(policyWithHashes(own, "script-src 'self'")).toBeNull()
  const { text, headers } = await shop.get('/item/moon')
  expect(text).not.toContain('<script>alert')
  expect(headers['content-security-policy']).not.toContain('nonce')
})

test('a chat picture and other answers for one person pass by, whoever asks first', async () => {
  const shop = await openReadyServer()
  const ann = await shop.customer('ann@mail.test')
  const picture = await upload(ann)
  expect((await sendPicture(ann, { messageId: idOf('a'), pictures: picture.id })).status).toBe(200)
  const path = new URL(picture.url, 'http://shop.test').pathname
  expect((await shop.get(path, { cookie: cookieOf(ann) })).status).toBe(200)
  expect((await shop.get(path)).status).toBe(404)
  expect(shop.ready.stats().pages).toBe(0)
})

test('043 what was begun before a change is not kept, also where the version comes back to what it was', async () => {
  const live = { ...openLive(), version: () => 'the same' }
  const gate = Promise.withResolvers<void>()
  let made = 0
  const app = async () => {
    const page = `page ${++made}`
    if (made === 1) await gate.promise
    return new Response(page)
  }
  const log = { info: () => {}, error: () => {} }
  const shop = { ...(await openTestShop()).shop, live, publicUrl: 'http://shop.test', log }
  const ready = createPageCache({ handler: app, shop, maxBytes: 1_000_000 })
  const clientFolder = shop.machine.dataDir
  const server = createServer(
    createHttpApp({ handler: app, clientFolder, shop, clientAddressOf: openClientAddress(), isReady: async () => true, pageCache: ready }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    ready.close()
  })
  const look = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/about/`).then((answer) => answer.text())
  const early = look()
  await expect.poll(() => made).toBe(1)
  live.changed('catalogue')
  gate.resolve()
  expect(await early).toBe('page 1')
  expect([await look(), await look()]).toEqual(['page 2', 'page 2'])
})
