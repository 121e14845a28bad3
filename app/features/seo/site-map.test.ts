import { expect, test } from 'vitest'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { drawSiteMap } from './site-map.server.ts'

const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address!.replaceAll('&#38;', '&'))

async function openShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags')
  await addCategory(shop.db, 'walls & more')
  await addItem(shop.db, 'tote', 'bags', { pictures: [{}, {}], createdAt: Date.UTC(2026, 1, 3, 4, 5, 6) })
  await addItem(shop.db, 'sack', 'bags', { pictures: [] })
  await addItem(shop.db, 'a&b<c>', 'walls & more', { pictures: [] })
  return shop
}

test('the map holds every page that is to be found, once, and nothing else; each of them answers', async () => {
  const { visitor } = await openShop()
  const response = await visitor().get('/sitemap.xml')
  const xml = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
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
    expect([address, page.status]).toEqual([address, 200])
    expect(html).toContain(`<link rel="canonical" href="${address}"/>`)
    expect(html).not.toContain('noindex')
  }
})

test('an item stands there with its pictures and the time of its last change', async () => {
  const { visitor } = await openShop()
  const xml = await visitor().page('/sitemap.xml')
  const tote = xml.split('<url>').find((url) => url.includes('/item/tote<'))!
  expect(tote).toContain('<lastmod>2026-02-03T04:05:06.000Z</lastmod>')
  expect([...tote.matchAll(/<image:loc>([^<]*)</g)].map(([, address]) => address)).toEqual([
    `${ORIGIN}/pictures/items/tote-0.webp`,
    `${ORIGIN}/pictures/items/tote-1.webp`,
  ])
  expect(xml).toContain('xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"')
  // A category changes with its newest item.
  expect(xml.split('<url>').find((url) => url.includes('/gallery/bags<'))).toContain('2026-02-03')
  expect(xml.split('<url>').find((url) => url.includes('/about/<'))).not.toContain('lastmod')
})

test('what is gone from the shop is gone from the map, and an empty shop has one, too', async () => {
  const { db, visitor } = await openShop()
  await db.deleteFrom('items').where('id', '=', 'sack').execute()
  expect(await visitor().page('/sitemap.xml')).not.toContain('/item/sack')
  const empty = await openTestShop()
  expect(addressesIn(await empty.visitor().page('/sitemap.xml'))).toHaveLength(5)
})

test('more addresses than one file may hold stand in several, which the map lists', async () => {
  const { db, visitor } = await openShop()
  const parts = addressesIn(String(await drawSiteMap(db, ORIGIN, null, 4)))
  expect(parts).toEqual([1, 2, 3].map((part) => `${ORIGIN}/sitemap.xml?part=${part}`))
  const all = await Promise.all(['1', '2', '3'].map(async (part) => addressesIn(String(await drawSiteMap(db, ORIGIN, part, 4)))))
  expect(all.map((addresses) => addresses.length)).toEqual([4, 4, 2])
  expect(all.flat()).toEqual(addressesIn(String(await drawSiteMap(db, ORIGIN, null))))
  for (const part of ['0', '4', '-1', 'x', '1e9', '']) expect(await drawSiteMap(db, ORIGIN, part, 4), part).toBeNull()
  expect((await visitor().get('/sitemap.xml?part=2')).status).toBe(404)
})

test('robots are told where the map is and what to leave alone; nothing that is to be found is among it', async () => {
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
  const closed = [...text.matchAll(/Disallow: (.*)/g)].map(([, path]) => path!)
  const paths = [
    ...addressesIn(await visitor().page('/sitemap.xml')).map((address) => new URL(address).pathname),
    '/share/shop.jpg',
    '/pictures/x',
  ]
  for (const path of paths)
    expect(
      closed.filter((start) => path.startsWith(start)),
      path,
    ).toEqual([])
})
