import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openReadyServer } from '#test/fixtures/shop-server.ts'

const SHARED = 'public, max-age=0, must-revalidate, s-maxage=60'

/** Reads each page twice, because only the second response comes from the page cache. */
async function openPublicShop(publicUrl: string | null = 'https://knots.test') {
  const shop = await openReadyServer({ publicUrl })
  const cachingOf = async (path: string, cookie?: string) => {
    const headers = { 'accept-encoding': 'gzip', ...(cookie !== undefined && { cookie }) }
    await shop.get(path, headers)
    return (await shop.get(path, headers)).headers
  }
  return { ...shop, cachingOf }
}

test('lets a CDN cache only public pages for visitors without cookies, for a minute', async () => {
  const shop = await openPublicShop()
  const ann = await shop.customer()
  for (const path of ['/', '/gallery/', '/about/', '/testimonials/', '/item/moon']) {
    expect(await shop.cachingOf(path), path).toMatchObject({
      'cache-control': SHARED,
      vary: 'Accept-Encoding, Cookie',
    })
  }
  const session = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const [path, cookie] of [
    ['/contact/', undefined],
    ['/gallery/', 'theme=light'],
    ['/gallery/', 'flash=x'],
    ['/gallery/', session],
    ['/gallery/?q=moon', undefined],
    ['/login/?back=x', undefined],
  ] as const) {
    const { 'cache-control': caching } = await shop.cachingOf(path, cookie)
    expect(cookie?.slice(0, 8), path).toEqual(cookie?.slice(0, 8))
    expect(caching, path).toEqual(expect.stringMatching(/^private, no-/))
  }
  const { etag } = await shop.cachingOf('/gallery/')
  const unchanged = await shop.get('/gallery/', {
    'accept-encoding': 'gzip',
    'if-none-match': etag,
  })
  expect(unchanged.status).toBe(304)
  expect(unchanged.headers['cache-control']).toEqual(SHARED)
})

test('lets no CDN cache the data that an open page loads after a change', async () => {
  const shop = await openPublicShop()
  for (const path of ['/_.data', '/gallery/_.data', '/about.data', '/item/moon.data']) {
    expect((await shop.cachingOf(path))['cache-control'], path).toBe('private, no-cache')
  }
})

test('lets no CDN cache pages of a shop that has no public address', async () => {
  const shop = await openPublicShop(null)
  expect((await shop.cachingOf('/gallery/'))['cache-control']).toBe('private, no-cache')
})

test('the documented Fastly configuration removes cookies only from requests of public pages', async () => {
  const text = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8')
  const unset = text.split('\n').filter((line) => line.includes('unset req.http.Cookie'))
  expect(unset).toHaveLength(1)
  const [, path = ''] = /req\.method == "GET" && req\.url\.path ~ "([^"]+)"/.exec(unset[0]!) ?? []
  const loses = (address: string) => new RegExp(path).test(address)
  for (const address of ['/', '/_.data', '/gallery/walls', '/item/moon', '/testimonials/']) {
    expect(loses(address), address).toBe(true)
  }
  for (const address of ['/login/code', '/messages/', '/account/', '/manage/', '/assets/a.js']) {
    expect(loses(address), address).toBe(false)
  }
})
