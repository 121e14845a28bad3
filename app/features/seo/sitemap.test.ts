import { expect, test } from 'vitest'
import { readHead } from '#test/fixtures/html.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'
import { recordQueries, type Recorded } from '#test/fixtures/database.ts'
import type { Db } from '#db/schema.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { cacheControl, renderSitemap } from './sitemap.server.ts'

const addressesIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address!.replaceAll('&#38;', '&'))

async function openShop(wrapDb = (db: Db) => db) {
  const shop = await openTestShop({ wrapDb })
  await addCategory(shop.db, 'bags')
  await addCategory(shop.db, 'walls & more')
  await addItem(shop.db, 'tote', 'bags', {
    images: [{}, {}],
    createdAt: Date.UTC(2026, 1, 3, 4, 5, 6),
  })
  await addItem(shop.db, 'sack', 'bags', { images: [] })
  await addItem(shop.db, 'a&b<c>', 'walls & more', { images: [] })
  return shop
}

test('without PUBLIC_URL, shared caches do not store the sitemap and robots.txt', async () => {
  expect(cacheControl({ publicUrl: null }, 300)).toBe('private, no-store')
  const { visitor } = await openShop()
  for (const path of ['/sitemap.xml', '/robots.txt']) {
    const { headers } = await visitor().get(path)
    expect(headers.get('cache-control'), path).toContain('public')
  }
})

test('the sitemap lists every public page once, and each listed URL returns a page', async () => {
  const { visitor } = await openShop()
  const response = await visitor().get('/sitemap.xml')
  const xml = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(addressesIn(xml).toSorted()).toEqual(
    [
      '/',
      '/gallery/',
      '/about/',
      '/contact/',
      '/testimonials/',
      '/gallery/bags',
      '/gallery/walls%20%26%20more',
      '/item/tote',
      '/item/sack',
      '/item/a%26b%3Cc%3E',
    ]
      .map((path) => ORIGIN + path)
      .toSorted(),
  )
  for (const address of addressesIn(xml)) {
    const page = await visitor().get(address)
    const html = await page.text()
    expect(page.status, address).toBe(200)
    expect(readHead(html).link('canonical')).toBe(address)
    expect(html).not.toContain('noindex')
  }
})

test('for each item, the sitemap contains the time of the last change and the URLs of the images', async () => {
  const { visitor } = await openShop()
  const xml = await visitor().page('/sitemap.xml')
  const entryOf = (path: string) =>
    xml.split(/<\/?url>/).find((entry) => entry.startsWith(`<loc>${ORIGIN}${path}</loc>`))
  const images = [0, 1].map(
    (at) =>
      `<image:image><image:loc>${ORIGIN}/pictures/items/tote-${at}.webp</image:loc></image:image>`,
  )
  expect(entryOf('/item/tote')).toBe(
    `<loc>${ORIGIN}/item/tote</loc><lastmod>2026-02-03T04:05:06.000Z</lastmod>${images.join('')}`,
  )
  expect(entryOf('/item/sack')).not.toContain('image')
})

test('two requests for the sitemap read the items once, and the sitemap follows a change of an item [S-391]', async () => {
  const seen: Recorded[] = []
  const shop = await openShop((db) => recordQueries(db, seen))
  const load = () => shop.visitor().page('/sitemap.xml')
  await load()
  const count = () => seen.filter(({ sql }) => /from "(items|itemImages)"/.test(sql)).length
  const before = count()
  await load()
  expect(before).toBeGreaterThan(0)
  expect(count()).toBe(before)
  await addItem(shop.db, 'new', 'bags')
  shop.live.changed('catalog')
  expect(await load()).toContain('/item/new')
})

test('a sitemap with too many URLs is split into several files', async () => {
  const { shop, visitor } = await openShop()
  const parts = addressesIn(String(await renderSitemap(shop, ORIGIN, null, 4)))
  expect(parts).toEqual([1, 2, 3].map((part) => `${ORIGIN}/sitemap.xml?part=${part}`))
  const all = await Promise.all(
    ['1', '2', '3'].map(async (part) =>
      addressesIn(String(await renderSitemap(shop, ORIGIN, part, 4))),
    ),
  )
  expect(all.map((addresses) => addresses.length)).toEqual([4, 4, 2])
  expect(all.flat()).toEqual(addressesIn(String(await renderSitemap(shop, ORIGIN, null))))
  for (const part of ['0', '4', '-1', 'x', '1e9', '']) {
    expect(await renderSitemap(shop, ORIGIN, part, 4), part).toBeNull()
  }
  expect((await visitor().get('/sitemap.xml?part=2')).status).toBe(404)
})

test('robots.txt contains the disallowed paths and the URL of the sitemap', async () => {
  const { visitor } = await openShop()
  const response = await visitor().get('/robots.txt')
  const text = await response.text()
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toBe(`User-agent: *
Disallow: /manage
Disallow: /account
Disallow: /logout
Disallow: /link-guest
Disallow: /theme
Disallow: /favourite
Disallow: /messages
Disallow: /order-request

Sitemap: http://shop.test/sitemap.xml
`)
})
