import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readEnv } from '#app/lib/config/env.server.ts'
import { openEndpoint } from '#test/fixtures/network.ts'
import { openReadyServer } from '#test/fixtures/shop-server.ts'

async function openBehindCdn(kind: 'cloudflare' | 'fastly' = 'cloudflare') {
  const endpoint = await openEndpoint()
  const api = endpoint.url.replace('/session', '')
  const shop = await openReadyServer({
    publicUrl: 'https://knots.test',
    cdn: { kind, zone: 'zone1', token: 'a-secret-token', api },
  })
  const cachingOf = async (path: string, cookie?: string) => {
    const headers = { 'accept-encoding': 'gzip', ...(cookie !== undefined && { cookie }) }
    await shop.get(path, headers)
    return (await shop.get(path, headers)).headers
  }
  return {
    ...shop,
    endpoint,
    cachingOf,
    isSettled: () => expect.poll(() => shop.cdn!.isSettled()).toBe(true),
  }
}
const MAY = 'public, max-age=0, s-maxage=300, stale-while-revalidate=30'

test('lets a CDN cache public pages for visitors without cookies, and no other response', async () => {
  const shop = await openBehindCdn()
  await shop.isSettled()
  const ann = await shop.customer()
  for (const path of ['/', '/gallery/', '/about/_.data', '/testimonials/'])
    expect(await shop.cachingOf(path), path).toMatchObject({
      'cache-control': MAY,
      'cache-tag': 'shop-pages',
    })
  // An item page is cached for a shorter time, because orders change its popular items without purging the CDN.
  expect((await shop.cachingOf('/item/moon'))['cache-control']).toBe(
    'public, max-age=0, s-maxage=60, stale-while-revalidate=30',
  )
  const session = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const [path, cookie] of [
    ['/contact/', undefined],
    ['/gallery/', 'theme=light'],
    ['/gallery/', 'flash=x'],
    ['/gallery/', session],
    ['/gallery/?q=moon', undefined],
    ['/login/?back=x', undefined],
  ] as const) {
    const { 'cache-control': caching, 'cache-tag': tag } = await shop.cachingOf(path, cookie)
    expect([path, cookie?.slice(0, 8), caching?.startsWith('private, no-'), tag]).toEqual([
      path,
      cookie?.slice(0, 8),
      true,
      undefined,
    ])
  }
  const { etag } = await shop.cachingOf('/gallery/')
  const unchanged = await shop.get('/gallery/', {
    'accept-encoding': 'gzip',
    'if-none-match': etag,
  })
  expect([
    unchanged.status,
    unchanged.headers['cache-control'],
    unchanged.headers['cache-tag'],
  ]).toEqual([304, MAY, 'shop-pages'])
})

test('after a change, the CDN may not cache pages until the shop has purged the CDN twice', async () => {
  const shop = await openBehindCdn()
  await shop.isSettled()
  const purge = {
    method: 'POST',
    path: '/zones/zone1/purge_cache',
    token: 'a-secret-token',
    body: '{"tags":["shop-pages"]}',
  }
  expect(shop.endpoint.arrived).toEqual([purge, purge])
  let isDown = true
  shop.endpoint.manner = (_request, response) =>
    void response.writeHead(isDown ? 503 : 200).end('{}')
  await shop.cachingOf('/gallery/')
  shop.live.changed('catalog')
  expect((await shop.cachingOf('/gallery/'))['cache-control']).toBe('private, no-cache')
  await expect.poll(() => shop.endpoint.arrived.length).toBeGreaterThan(4)
  expect((await shop.cachingOf('/gallery/'))['cache-control']).toBe('private, no-cache')
  isDown = false
  const before = shop.endpoint.arrived.length
  await shop.isSettled()
  expect(shop.endpoint.arrived.length - before).toBeGreaterThanOrEqual(2)
  expect((await shop.cachingOf('/gallery/'))['cache-control']).toBe(MAY)
  shop.live.changed('orders', 'sales', 'user:x')
  expect(shop.cdn!.isSettled()).toBe(true)
})

test('sends Fastly a purge request with the URL and the token header that Fastly requires', async () => {
  const shop = await openBehindCdn('fastly')
  const tokens: unknown[] = []
  shop.endpoint.manner = (request, response) => {
    tokens.push(request.headers['fastly-key'])
    response.writeHead(200).end('{}')
  }
  await shop.isSettled()
  shop.live.changed('catalog')
  await shop.isSettled()
  expect(shop.endpoint.arrived.at(-1)).toMatchObject({
    method: 'POST',
    path: '/service/zone1/purge/shop-pages',
    body: '',
  })
  expect(tokens.at(-1)).toBe('a-secret-token')
  expect((await shop.cachingOf('/about/'))['surrogate-key']).toBe('shop-pages')
})

test('refuses CDN settings that are incomplete or that lack PUBLIC_URL', () => {
  const valid = {
    CDN_PURGE: 'cloudflare:abc123',
    CDN_PURGE_TOKEN: 'a-secret-token',
    PUBLIC_URL: 'https://knots.test',
  }
  expect(readEnv(valid).cdn).toMatchObject({
    kind: 'cloudflare',
    zone: 'abc123',
    api: 'https://api.cloudflare.com/client/v4',
  })
  expect(readEnv({ ...valid, CDN_PURGE: 'fastly:abc' }).cdn).toMatchObject({
    kind: 'fastly',
    zone: 'abc',
    api: 'https://api.fastly.com',
  })
  expect(readEnv({}).cdn).toBeNull()
  for (const name of Object.keys(valid))
    expect(() => readEnv({ ...valid, [name]: '' }), name).toThrow(`${name} must be set along with`)
  for (const wrong of ['akamai:x', 'cloudflare:', 'fastly:a/b', 'https://x'])
    expect(() => readEnv({ ...valid, CDN_PURGE: wrong })).toThrow(
      'CDN_PURGE must be cloudflare:{zone} or fastly:{service}',
    )
  expect(() => readEnv({ ...valid, PAGE_CACHE_MB: '0' })).toThrow(
    'PAGE_CACHE_MB must be at least 1',
  )
})

test('the documented Fastly configuration removes cookies only from requests of public pages', async () => {
  const text = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8')
  const unset = text.split('\n').filter((line) => line.includes('unset req.http.Cookie'))
  expect(unset).toHaveLength(1)
  const [, path = ''] = /req\.method == "GET" && req\.url\.path ~ "([^"]+)"/.exec(unset[0]!) ?? []
  const loses = (address: string) => new RegExp(path).test(address)
  for (const address of ['/', '/_.data', '/gallery/walls', '/item/moon', '/testimonials/'])
    expect(loses(address), address).toBe(true)
  for (const address of ['/login/code', '/messages/', '/account/', '/manage/', '/assets/a.js'])
    expect(loses(address), address).toBe(false)
})
