import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { GALLERY_PAGE_SIZE } from '#catalog/gallery.server.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'
import { readHead } from '#test/fixtures/html.ts'
import { walkedRoutes } from '#test/fixtures/access.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import {
  clip,
  metaDescription,
  MAX_DESCRIPTION_LENGTH,
  MIN_DESCRIPTION_LENGTH,
} from './plain-pages.ts'

const HOSTILE = `</script><script>alert(1)</script>"><img src=x onerror=alert(2)> \u2028\u2029 &amp; '\\ 🧶`
const publicPages = walkedRoutes.filter(
  ({ hasPage, path }) =>
    hasPage &&
    !/^\/(manage|account|login\/code|link-guest|reset-password|confirm-email)/.test(path),
)

async function openShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addItem(shop.db, 'tote', 'bags', { name: 'Market Tote' })
  return Object.assign(shop, {
    head: async (path: string) => readHead(await shop.visitor().page(path)),
  })
}

test('pages that a logged-in customer opens have a canonical URL, but no tags for share previews and no structured data', async () => {
  const shop = await openShop()
  const html = await (await shop.customer()).page('/item/tote?utm_source=newsletter')
  const head = readHead(html)
  expect(head.title).toBe('Market Tote — Knots & Love')
  expect(head.link('canonical')).toBe(`${ORIGIN}/item/tote`)
  expect(html).not.toMatch(/property="og:|name="twitter:|ld\+json/)
})

test.for(publicPages)(
  'the page $path has a title, a description, a canonical URL and a share image',
  async ({ path }) => {
    const shop = await openShop()
    const value = path.startsWith('/gallery') ? 'bags' : 'tote'
    for (const address of new Set(
      [path.replace(/:\w+\??/, value), path.replace(/:\w+\?$/, '')].filter(
        (address) => !address.includes(':'),
      ),
    )) {
      const head = await shop.head(`${address}?utm_source=newsletter&fbclid=1`)
      expect(head.title, address).toMatch(/\S/)
      expect(head.title).toContain('Knots & Love')
      expect(head.meta('description').length, head.meta('description')).toBeGreaterThanOrEqual(50)
      expect(head.meta('description').length, head.meta('description')).toBeLessThanOrEqual(160)
      const plain = new URL(head.link('canonical'))
      expect(plain.href.replace(/\/$/, '')).toBe(`${ORIGIN}${address}`.replace(/\/$/, ''))
      expect(head.meta('og:url')).toBe(plain.href)
      expect(head.meta('og:site_name')).toBe('Knots & Love')
      expect(head.meta('twitter:card')).toBe('summary_large_image')
      expect(head.meta('og:type')).toBe(path.startsWith('/item') ? 'product' : 'website')
      expect(head.meta('og:title')).not.toBe('')
      expect(head.meta('og:description')).toBe(head.meta('description'))
      expect(head.meta('og:image:alt')).not.toBe('')

      const image = await shop.visitor().get(head.meta('og:image'))
      expect(image.status).toBe(200)
      expect(image.headers.get('content-type')).toBe('image/jpeg')
      const { width, height, format } = await sharp(await image.arrayBuffer()).metadata()
      expect(format).toBe('jpeg')
      expect(String(width)).toEqual(head.meta('og:image:width'))
      expect(String(height)).toEqual(head.meta('og:image:height'))
    }
  },
)

test('no two public pages have the same title or description', async () => {
  const { head, db } = await openShop()
  await addItem(db, 'sack', 'bags', { name: 'Net Sack' })
  const heads = await Promise.all(
    [
      '/',
      '/gallery/',
      '/gallery/bags',
      '/item/tote',
      '/item/sack',
      '/about/',
      '/contact/',
      '/testimonials/',
    ].map(head),
  )
  expect(new Set(heads.map(({ title }) => title)).size).toBe(8)
  expect(new Set(heads.map(({ meta }) => meta('description'))).size).toBe(8)
  expect(heads.map(({ meta }) => meta('robots'))).toEqual(Array(8).fill(''))
})

test('the shop tells crawlers not to index search results, private pages and unknown pages [S-053, S-058]', async () => {
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
  ]) {
    expect((await head(path)).meta('robots'), path).toBe('noindex, follow')
  }
  const signedIn = await owner()
  expect((await signedIn.get('/account/')).headers.get('x-robots-tag')).toBe('noindex')
  expect((await signedIn.get('/manage/')).headers.get('x-robots-tag')).toBe('noindex')
  expect((await signedIn.get('/manage/sales/')).headers.get('x-robots-tag')).toBe('noindex')
})

test('the canonical URL of a gallery page contains the page number and no other parameter', async () => {
  const { head, db } = await openShop()
  for (let at = 0; at < GALLERY_PAGE_SIZE; at++) {
    await addItem(db, `net-${at}`, 'bags', { images: [] })
  }
  const addresses = {
    '/gallery/?page=2': '/gallery/?page=2',
    '/gallery/bags?page=3': '/gallery/bags?page=2',
    '/gallery/bags?page=1': '/gallery/bags',
    '/gallery/?page=2%22%3E': '/gallery/',
    '/gallery/bags/?q=net': '/gallery/bags',
    '/?category=bags&colors=all': '/',
    '/item/tote?picture=2': '/item/tote',
  }
  for (const [path, canonical] of Object.entries(addresses)) {
    expect((await head(path)).link('canonical'), path).toBe(`${ORIGIN}${canonical}`)
  }
  expect((await head('/gallery/?page=2')).title).toBe('Everything Handmade, page 2 — Knots & Love')
})

test('the URLs in a page’s tags begin with PUBLIC_URL, even if the HTTP request names another host [S-115]', async () => {
  const { app } = await openShop()
  const response = await app(
    new Request('http://evil.test/item/tote', { headers: { host: 'evil.test' } }),
  )
  const html = await response.text()
  expect(readHead(html).link('canonical')).toBe(`${ORIGIN}/item/tote`)
  expect(html).not.toContain('evil.test')
})

test('names that contain markup are escaped in page titles, link previews and structured data', async () => {
  const { db, head, visitor } = await openShop()
  await addCategory(db, 'odd', { title: HOSTILE })
  await addColor(db, 'c', { name: HOSTILE })
  await addItem(db, 'odd', 'odd', {
    name: HOSTILE,
    description: HOSTILE,
    size: HOSTILE,
    images: [{ colors: ['c'] }],
  })
  await saveSettings(db, { name: HOSTILE, city: HOSTILE, phone: HOSTILE }, 1)

  for (const path of ['/', '/contact/', '/gallery/odd', '/item/odd']) {
    const html = await visitor().page(path)
    expect(html.match(/<script>alert/g), path).toBeNull()
    expect(html.match(/<img src=x/g), path).toBeNull()
    const documents = [
      ...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
    ].map(([, json]) => json)
    expect(documents.length, path).toBeGreaterThan(0)
    expect(documents.join(''), path).not.toMatch(/[<>&\u2028\u2029]/)
  }
  const { data, meta } = await head('/item/odd')
  expect(data.Product?.name).toBe(HOSTILE)
  expect(meta('og:title')).toBe(HOSTILE)
  expect((await head('/')).data.LocalBusiness).toMatchObject({ name: HOSTILE, telephone: HOSTILE })
  expect((await visitor().get(meta('og:image'))).status).toBe(200)
})

test('a page description has 50 to 160 characters, and shortening it never splits a character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 4 }),
      (sentences) => {
        const text = metaDescription(
          ...sentences,
          'Macrame, knotted by hand, in every color that the workshop has.',
        )
        expect(text.length).toBeGreaterThanOrEqual(MIN_DESCRIPTION_LENGTH)
        expect(text.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH)
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/\p{Cc}|^\s|\s$/u)
      },
    ),
  )
  expect(clip('one two three', 9)).toBe('one two…')
  expect(clip('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`)
  expect(metaDescription('A tote.', 'By the shop.', 'In many colors.')).toBe(
    'A tote. By the shop. In many colors.',
  )
  expect(metaDescription('x '.repeat(40), 'y '.repeat(60))).toBe('x '.repeat(40).trim())
})

test('the shop can be installed as an app under its own name, with icons in all sizes [S-029]', async () => {
  const { db, visitor } = await openTestShop()
  await saveSettings(db, { name: 'The Very Long Workshop' }, 1)
  const response = await visitor().get('/manifest.webmanifest')
  const manifest = (await response.json()) as Record<string, unknown> & {
    icons: { src: string; sizes: string; type: string; purpose: string }[]
    shortcuts: { url: string }[]
  }
  expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  expect(manifest).toMatchObject({
    name: 'The Very Long Workshop',
    short_name: 'The',
    start_url: '/',
    scope: '/',
    display: 'standalone',
  })
  for (const { src, sizes, type } of manifest.icons) {
    const { width, height, format } = await sharp(`public${src}`).metadata()
    expect(`${width}x${height}`).toEqual(sizes)
    expect(`image/${format}`).toEqual(type)
  }
  expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`).toSorted()).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 192x192',
    'maskable 512x512',
  ])
  for (const { url } of manifest.shortcuts) expect((await visitor().get(url)).status).toBe(200)
  const head = readHead(await visitor().page('/'))
  expect(head.link('manifest')).toBe('/manifest.webmanifest')
  expect(head.link('icon')).toBe('/favicon.svg')
  expect(head.link('apple-touch-icon')).toBe('/apple-touch-icon.png')
  const touch = await sharp(`public${head.link('apple-touch-icon')}`).metadata()
  expect(touch.width).toBe(180)
  expect(touch.height).toBe(180)
})
