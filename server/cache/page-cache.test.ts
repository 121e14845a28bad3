/** What is kept ready for visitors: that it is what the shop would answer, as long as it is, and gone at the commit that changes it (039). */
import { expect, test } from 'vitest'
import { openReadyServer, type Got } from '#test/open-ready-server.ts'
import { encodeResponse } from './encoded-response.ts'

const PAGES = ['/', '/gallery/', '/gallery/walls', '/item/moon', '/about/', '/testimonials/', '/contact/', '/login/']
const dataOf = (path: string) => (path.endsWith('/') ? `${path}_.data` : `${path}.data`)
const withoutNonce = (html: string) => html.replaceAll(/ nonce="[^"]*"/g, '')

test('a public page is made once, and then kept: page and data, both themes, with and without a slash at its end', async () => {
  const { get, countMade, ready } = await openReadyServer()
  const addresses = [...PAGES, '/gallery', '/item/moon/', '/?colors=all', '/gallery/?page=1&sort=name', '/item/moon?picture=1'].flatMap(
    (path) => {
      const [page = '', query] = path.split('?')
      return [path, dataOf(page) + (query === undefined ? '' : `?${query}`)]
    },
  )
  const asks = addresses.flatMap((path) => [
    { path, cookie: '' },
    { path, cookie: 'theme=light' },
  ])
  const first: Got[] = []
  for (const { path, cookie } of asks) first.push(await get(path, { cookie }))
  const made = await countMade(async () => {
    for (const [at, { path, cookie }] of asks.entries()) {
      const again = await get(path, { cookie })
      expect([path, again.status, again.headers.etag]).toEqual([path, 200, first[at]!.headers.etag])
      expect(again.text).toBe(first[at]!.text)
      if (!path.includes('.data')) expect(again.text).toContain(`data-theme="${cookie === '' ? 'dark' : 'light'}"`)
    }
  })
  expect(made).toBe(0)
  expect(ready.stats().pages).toBe(asks.length)
})

test('it is what the shop itself answers, without the nonce', async () => {
  const { get, app, port } = await openReadyServer()
  const { stamp } = { stamp: /stamp[^A-Za-z]+value[^A-Za-z]+[\w.-]+|"stamp","[^"]+"|\\"stamp\\",\\"[^"]+"/g }
  for (const path of [...PAGES, ...PAGES.map(dataOf)]) {
    const own = await (await app(new Request(`http://127.0.0.1:${port}${path}`))).text()
    const same = (text: string) => withoutNonce(text).replaceAll(stamp, '').replaceAll(`http://127.0.0.1:${port}`, 'http://shop.test')
    expect(same((await get(path)).text), path).toBe(same(own))
  }
})

test('brotli, gzip or neither, as the browser takes it; each form has an ETag of its own, a 304, and says what it depends on', async () => {
  const { get } = await openReadyServer()
  // The first who asks gets it as small as all others.
  expect((await get('/gallery/', { 'accept-encoding': 'gzip, deflate, br, zstd' })).headers['content-encoding']).toBe('br')
  const [br, gzip, plain] = await Promise.all(
    ['gzip, deflate, br, zstd', 'gzip', 'identity'].map((taken) => get('/gallery/', { 'accept-encoding': taken })),
  )
  expect([br, gzip, plain].map((got) => got!.headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
  expect(br!.text).toBe(plain!.text)
  expect(gzip!.text).toBe(plain!.text)
  expect(br!.bytes.length).toBeLessThan(gzip!.bytes.length)
  expect(new Set([br, gzip, plain].map((got) => got!.headers.etag)).size).toBe(3)
  for (const [got, taken] of [
    [br!, 'br'],
    [gzip!, 'gzip'],
    [plain!, 'identity'],
  ] as const) {
    expect(got.headers).toMatchObject({
      vary: 'Accept-Encoding, Cookie',
      'cache-control': 'private, no-cache',
      'content-length': String(got.bytes.length),
    })
    expect(got.headers.etag).toMatch(/^"[\w-]{27}"$/)
    for (const known of [got.headers.etag!, `"x", ${got.headers.etag}`, `W/${got.headers.etag}`, '*']) {
      const same = await get('/gallery/', { 'accept-encoding': taken, 'if-none-match': known })
      expect([same.status, same.bytes.length, same.headers.etag, same.headers.vary]).toEqual([304, 0, got.headers.etag, got.headers.vary])
      expect(same.headers['content-security-policy']).toBe(got.headers['content-security-policy'])
    }
    expect((await get('/gallery/', { 'accept-encoding': taken, 'if-none-match': '"other"' })).status).toBe(200)
    const head = await get('/gallery/', { 'accept-encoding': taken }, 'HEAD')
    expect([head.status, head.bytes.length, head.headers.etag, head.headers['content-length']]).toEqual([
      200,
      0,
      got.headers.etag,
      String(got.bytes.length),
    ])
  }
  for (const refused of ['br;q=0, gzip;q=0', '*;q=0', 'zstd', '', 'nonsense;;;q=9', 'identity;q=0'])
    expect((await get('/gallery/', { 'accept-encoding': refused })).text, refused).toBe(plain!.text)
  expect((await get('/gallery/', { 'accept-encoding': 'br;q=0, *' })).headers['content-encoding']).toBe('gzip')
  // Nobody needs a part of a page.
  const part = await get('/gallery/', { 'accept-encoding': 'gzip', range: 'bytes=0-9', 'if-range': gzip!.headers.etag })
  expect([part.status, part.bytes.length]).toEqual([200, gzip!.bytes.length])
})

test('a page that many get names its scripts by what they say; one that came into it otherwise is not among them', async () => {
  const { get } = await openReadyServer()
  const { text, headers } = await get('/item/moon')
  const policy = headers['content-security-policy'] as string
  expect(policy).not.toMatch(/nonce-|unsafe-inline.*style-src|script-src[^;]*unsafe/)
  const allowed = new Set([...policy.matchAll(/'sha256-[^']+'/g)].map(([hash]) => hash))
  const { createHash } = await import('node:crypto')
  const inline = [...text.matchAll(/<script(?![^>]*(?:\ssrc=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g)]
  expect(inline.length).toBeGreaterThan(2)
  for (const [, said = ''] of inline) expect(allowed).toContain(`'sha256-${createHash('sha256').update(said).digest('base64')}'`)
  expect(allowed.size).toBe(new Set(inline.map(([, said]) => said)).size)
})

test('the form for letters is handed out anew each second, so that programs that answer at once are still told from people', async () => {
  const shop = await openReadyServer()
  const stampOf = async () => /name="stamp" value="([^"]+)"/.exec((await shop.get('/contact/')).text)![1]
  const first = await stampOf()
  shop.clock.now += 999
  shop.elapsed.now += 999
  expect(await stampOf()).toBe(first)
  shop.clock.now += 1
  shop.elapsed.now += 1
  expect(await stampOf()).not.toBe(first)
})

test('what somebody does to the database by hand is seen after five minutes at most', async () => {
  const shop = await openReadyServer()
  await shop.get('/gallery/')
  await shop.db.updateTable('items').set({ name: 'By hand' }).where('id', '=', 'moon').execute()
  shop.elapsed.now += 300_000
  expect((await shop.get('/gallery/')).text).toContain('By hand')
})

test('the memory is bounded, whatever is asked for; what was not asked for longest goes', async () => {
  const shop = await openReadyServer({ mostBytes: 200_000 })
  for (let page = 1; page <= 25; page++) {
    await shop.get(`/gallery/?page=${page}`)
    await shop.get('/about/')
    expect(shop.ready.stats().bytes).toBeLessThanOrEqual(200_000)
  }
  expect(shop.ready.stats().pages).toBeLessThan(25)
  expect(await shop.countMade(() => shop.get('/about/'))).toBe(0)
})

test('what is kept of a page holds no more memory than its bytes, packed or not', async () => {
  const headers = { 'content-type': 'text/x-script' }
  const page = (await encodeResponse(new Response('{"small": true} '.repeat(100), { headers }), {
    cacheControl: 'no-cache',
    vary: 'Cookie',
  }))!
  const forms = Object.values(page.variants)
  expect(forms).toHaveLength(3)
  for (const { body } of forms) expect(body.buffer.byteLength).toBe(body.length)
  expect(forms.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(page.bytes)
})
