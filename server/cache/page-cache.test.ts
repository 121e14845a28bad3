import { expect, test } from 'vitest'
import { openReadyServer, type Got } from '#test/fixtures/shop-server.ts'

const PAGES = [
  '/',
  '/gallery/',
  '/gallery/walls',
  '/item/moon',
  '/about/',
  '/testimonials/',
  '/contact/',
  '/login/',
]
const dataOf = (path: string) => (path.endsWith('/') ? `${path}_.data` : `${path}.data`)

test('renders each public page and its data only once for each theme', async () => {
  const { get, countMade, ready } = await openReadyServer()
  const paths = [
    ...PAGES,
    '/gallery',
    '/item/moon/',
    '/?colors=all',
    '/gallery/?page=1&sort=name',
    '/item/moon?picture=1',
  ]
  const addresses = paths.flatMap((path) => {
    const [page = '', query] = path.split('?')
    return [path, dataOf(page) + (query === undefined ? '' : `?${query}`)]
  })
  const asks = addresses.flatMap((path) => [
    { path, cookie: '' },
    { path, cookie: 'theme=light' },
    // Dark is the default theme of this shop, so the page without a cookie is also dark.
    { path, cookie: 'theme=dark' },
  ])
  const first: Got[] = []
  for (const { path, cookie } of asks) first.push(await get(path, { cookie }))
  const made = await countMade(async () => {
    for (const [at, { path, cookie }] of asks.entries()) {
      const again = await get(path, { cookie })
      expect(again.status, path).toBe(200)
      expect(again.headers.etag, path).toEqual(first[at]!.headers.etag)
      expect(again.text).toBe(first[at]!.text)
      if (!path.includes('.data')) {
        expect(again.text).toContain(`data-theme="${cookie === 'theme=light' ? 'light' : 'dark'}"`)
      }
    }
  })
  expect(made).toBe(0)
  expect(ready.stats().pages).toBe(asks.length)
})

test('each compression of a page has its own ETag, and the response is 304 if the browser has this ETag', async () => {
  const { get } = await openReadyServer()
  // Even the first response of a page has Brotli compression.
  expect(
    (await get('/gallery/', { 'accept-encoding': 'gzip, deflate, br, zstd' })).headers[
      'content-encoding'
    ],
  ).toBe('br')
  const [br, gzip, plain] = await Promise.all(
    ['gzip, deflate, br, zstd', 'gzip', 'identity'].map((taken) =>
      get('/gallery/', { 'accept-encoding': taken }),
    ),
  )
  expect([br, gzip, plain].map((got) => got!.headers['content-encoding'])).toEqual([
    'br',
    'gzip',
    undefined,
  ])
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
    for (const known of [
      got.headers.etag!,
      `"x", ${got.headers.etag}`,
      `W/${got.headers.etag}`,
      '*',
    ]) {
      const same = await get('/gallery/', { 'accept-encoding': taken, 'if-none-match': known })
      expect(same.status).toBe(304)
      expect(same.bytes.length).toBe(0)
      expect(same.headers.etag).toEqual(got.headers.etag)
      expect(same.headers.vary).toEqual(got.headers.vary)
      expect(same.headers['content-security-policy']).toBe(got.headers['content-security-policy'])
    }
    expect(
      (await get('/gallery/', { 'accept-encoding': taken, 'if-none-match': '"other"' })).status,
    ).toBe(200)
    const head = await get('/gallery/', { 'accept-encoding': taken }, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.bytes.length).toBe(0)
    expect(head.headers.etag).toEqual(got.headers.etag)
  }
  for (const refused of [
    'br;q=0, gzip;q=0',
    '*;q=0',
    'zstd',
    '',
    'nonsense;;;q=9',
    'identity;q=0',
  ]) {
    expect((await get('/gallery/', { 'accept-encoding': refused })).text, refused).toBe(plain!.text)
  }
  expect(
    (await get('/gallery/', { 'accept-encoding': 'br;q=0, *' })).headers['content-encoding'],
  ).toBe('gzip')
})

test('renders the contact form with a new timestamp each second', async () => {
  const shop = await openReadyServer()
  const stampOf = async () =>
    /name="stamp" value="([^"]+)"/.exec((await shop.get('/contact/')).text)![1]
  const first = await stampOf()
  shop.clock.now += 999
  shop.elapsed.now += 999
  expect(await stampOf()).toBe(first)
  shop.clock.now += 1
  shop.elapsed.now += 1
  expect(await stampOf()).not.toBe(first)
})

test('shows a manual change in the database after at most five minutes', async () => {
  const shop = await openReadyServer()
  await shop.get('/gallery/')
  await shop.db.updateTable('items').set({ name: 'By hand' }).where('id', '=', 'moon').execute()
  shop.elapsed.now += 300_000
  expect((await shop.get('/gallery/')).text).toContain('By hand')
})

test('limits the memory of the page cache by dropping the page that was requested longest ago', async () => {
  const shop = await openReadyServer({ mostBytes: 200_000 })
  for (let page = 1; page <= 25; page++) {
    await shop.get(`/gallery/?page=${page}`)
    await shop.get('/about/')
    expect(shop.ready.stats().bytes).toBeLessThanOrEqual(200_000)
  }
  expect(shop.ready.stats().pages).toBeLessThan(25)
  expect(await shop.countMade(() => shop.get('/about/'))).toBe(0)
})
