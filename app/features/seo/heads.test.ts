import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PAGE_SIZE } from '#app/features/catalog/gallery.server.ts'
import { saveSettings } from '#app/features/settings/settings.server.ts'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import { readHead } from '#test/page-head.ts'
import { walkedRoutes } from '#test/routes.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'

const HOSTILE = `</script><script>alert(1)</script>"><img src=x onerror=alert(2)> \u2028\u2029 &amp; '\\ 🧶`
const publicPages = walkedRoutes.filter(
  ({ hasPage, path }) => hasPage && !/^\/(manage|account|login\/code|link-guest|reset-password|confirm-email)/.test(path),
)

async function openShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addItem(shop.db, 'tote', 'bags', { name: 'Market Tote' })
  return Object.assign(shop, { head: async (path: string) => readHead(await shop.visitor().page(path)) })
}

test('the walk meets the pages of the shop window', () => {
  expect(publicPages.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/', '/gallery/:categoryid?', '/item/:itemid', '/about', '/contact', '/testimonials', '/login']),
  )
})

test('who is signed in gets the title and the address of a page, and no tags for crawlers', async () => {
  const shop = await openShop()
  const html = await (await shop.customer()).page('/item/tote?utm_source=letter')
  const head = readHead(html)
  expect([head.title, head.link('canonical')]).toEqual(['Market Tote — Knots & Love', `${ORIGIN}/item/tote`])
  expect(html).not.toMatch(/property="og:|name="twitter:|ld\+json/)
})

test.for(publicPages)('$path tells its title, a description, one address, and a picture that is there in its size', async ({ path }) => {
  const shop = await openShop()
  const value = path.startsWith('/gallery') ? 'bags' : 'tote'
  for (const address of new Set([path.replace(/:\w+\??/, value), path.replace(/:\w+\?$/, '')].filter((one) => !one.includes(':')))) {
    const head = await shop.head(`${address}?utm_source=letter&fbclid=1`)
    expect(head.title, address).toMatch(/\S/)
    expect(head.title).toContain('Knots & Love')
    expect(head.meta('description').length, head.meta('description')).toBeGreaterThanOrEqual(50)
    expect(head.meta('description').length, head.meta('description')).toBeLessThanOrEqual(160)
    const plain = new URL(head.link('canonical'))
    expect([plain.origin, plain.pathname.replace(/\/$/, ''), plain.search]).toEqual([ORIGIN, address.replace(/\/$/, ''), ''])
    expect(head.meta('og:url')).toBe(plain.href)
    expect([head.meta('og:site_name'), head.meta('twitter:card')]).toEqual(['Knots & Love', 'summary_large_image'])
    expect(head.meta('og:type')).toBe(path.startsWith('/item') ? 'product' : 'website')
    expect(head.meta('og:title')).not.toBe('')
    expect(head.meta('og:description')).toBe(head.meta('description'))
    expect(head.meta('og:image:alt')).not.toBe('')

    const picture = await shop.visitor().get(head.meta('og:image'))
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const { width, height, format } = await sharp(await picture.arrayBuffer()).metadata()
    expect([format, String(width), String(height)]).toEqual(['jpeg', head.meta('og:image:width'), head.meta('og:image:height')])
  }
})

test('no two pages that are to be found have the same title or description', async () => {
  const { head, db } = await openShop()
  await addItem(db, 'sack', 'bags', { name: 'Net Sack' })
  const heads = await Promise.all(
    ['/', '/gallery/', '/gallery/bags', '/item/tote', '/item/sack', '/about/', '/contact/', '/testimonials/'].map(head),
  )
  expect(new Set(heads.map(({ title }) => title)).size).toBe(8)
  expect(new Set(heads.map(({ meta }) => meta('description'))).size).toBe(8)
  expect(heads.map(({ meta }) => meta('robots'))).toEqual(Array(8).fill(''))
})

test('S-053 S-058 selections, private pages and what is not there ask to be left out of the results', async () => {
  const { head, owner } = await openShop()
  for (const path of [
    '/gallery/?q=bag',
    '/gallery/bags?from=1&to=9',
    '/gallery/?color=rust',
    '/gallery/bags?sale=on',
    '/gallery/?available=on',
    '/gallery/?sort=name&page=2',
    '/gallery/no-such',
    '/item/no-such',
    '/login/',
    '/writetestimonials/no-such',
  ])
    expect((await head(path)).meta('robots'), path).toBe('noindex, follow')
  const signedIn = await owner()
  expect((await signedIn.get('/account/')).headers.get('x-robots-tag')).toBe('noindex')
  expect((await signedIn.get('/manage/')).headers.get('x-robots-tag')).toBe('noindex')
  expect((await signedIn.get('/manage/sales/')).headers.get('x-robots-tag')).toBe('noindex')
})

test('the number of a page of the gallery belongs to its address; what else hangs on an address does not', async () => {
  const { head, db } = await openShop()
  for (let at = 0; at < PAGE_SIZE; at++) await addItem(db, `net-${at}`, 'bags', { pictures: [] })
  const addresses = {
    '/gallery/?page=2': '/gallery/?page=2',
    '/gallery/bags?page=2&utm_medium=x': '/gallery/bags?page=2',
    '/gallery/bags?page=3': '/gallery/bags?page=2',
    '/gallery/none?page=99999': '/gallery/none',
    '/gallery/bags?page=1': '/gallery/bags',
    '/gallery/?page=-1': '/gallery/',
    '/gallery/?page=2%22%3E': '/gallery/',
    '/gallery/bags/?q=net': '/gallery/bags',
    '/?category=bags&colors=all': '/',
    '/contact?tab=form': '/contact/',
    '/item/tote?picture=2': '/item/tote',
    '/testimonials?at=2': '/testimonials/',
  }
  for (const [path, canonical] of Object.entries(addresses))
    expect((await head(path)).link('canonical'), path).toBe(`${ORIGIN}${canonical}`)
  expect((await head('/gallery/?page=2')).title).toBe('Everything Handmade, page 2 — Knots & Love')
})

test('FAV-04 S-055 the favourites are called so', async () => {
  const shop = await openShop()
  const ann = await shop.customer()
  expect(readHead(await ann.page('/gallery/?favorites')).title).toBe('Your Favorites — Knots & Love')
})

test('S-115 addresses are those of PUBLIC_URL, whatever the request says of itself', async () => {
  const { app } = await openShop()
  const response = await app(new Request('http://evil.test/item/tote', { headers: { host: 'evil.test' } }))
  const html = await response.text()
  expect(readHead(html).link('canonical')).toBe(`${ORIGIN}/item/tote`)
  expect(html).not.toContain('evil.test')
})

test('hostile names stay words: in the title, in the cards, in the data', async () => {
  const { db, head, visitor } = await openShop()
  await addCategory(db, 'odd', { title: HOSTILE })
  await addColor(db, 'c', { name: HOSTILE })
  await addItem(db, 'odd', 'odd', { name: HOSTILE, description: HOSTILE, size: HOSTILE, pictures: [{ colors: ['c'] }] })
  await saveSettings(db, { name: HOSTILE, city: HOSTILE, phone: HOSTILE }, 1)

  for (const path of ['/', '/contact/', '/gallery/odd', '/item/odd']) {
    const html = await visitor().page(path)
    expect(html.match(/<script>alert/g), path).toBeNull()
    expect(html.match(/<img src=x/g), path).toBeNull()
    const documents = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) => json)
    expect(documents.length, path).toBeGreaterThan(0)
    expect(documents.join(''), path).not.toMatch(/[<>&\u2028\u2029]/)
  }
  const { data, meta } = await head('/item/odd')
  expect(data.Product?.name).toBe(HOSTILE)
  expect(meta('og:title')).toBe(HOSTILE)
  expect((await head('/')).data.LocalBusiness).toMatchObject({ name: HOSTILE, telephone: HOSTILE })
  expect((await visitor().get(meta('og:image'))).status).toBe(200)
})

test('an error page is none to be found, and a head that cannot be read does not take the page with it', async () => {
  const { db, visitor } = await openShop()
  await db.schema.alterTable('items').renameTo('gone').execute()
  const response = await visitor().get('/about/')
  const { title, meta } = readHead(await response.text())
  expect([response.status, title, meta('robots')]).toEqual([200, 'Knots & Love', 'noindex'])
  await db.schema.alterTable('gone').renameTo('items').execute()
})
