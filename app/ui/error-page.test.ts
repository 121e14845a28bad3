import { expect, test } from 'vitest'
import {
  openTestShop,
  type TestShop,
  openShopWithAnn,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'

type Table = 'testimonies' | 'categories' | 'settings' | 'session' | 'favorites'
const lose = (shop: TestShop, table: Table) =>
  shop.db.schema.alterTable(table).renameTo(`${table}Away`).execute()
const partOf = (html: string, tag: string) =>
  new RegExp(`<${tag}[\\s\\S]*</${tag}>`).exec(html)?.[0] ?? ''
const namesIn = (part: string) =>
  [...part.matchAll(/<a [^>]*>([\s\S]*?)<\/a>/g)].map(([, text]) => text!.replace(/<[^>]+>/g, ''))
const themeOf = (html: string) => /<html[^>]*data-theme="(\w+)"/.exec(html)?.[1]
/** Matches internal details of an error, which neither the page nor its data may contain. */
const inside = /no such table|does not exist|relation "|sqlite|select \*|Away"/i

test('when a page cannot be loaded, the error page keeps the navigation bar, the theme and the open message panel [ERR-01, ERR-07, NAV-21, NAV-22]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await ann.post('/theme', { theme: 'light', back: '/' })
  await lose(shop, 'testimonies')

  const response = await ann.get('/testimonials/?messages')
  const html = await response.text()

  expect([response.status, themeOf(html)]).toEqual([500, 'light'])
  expect(namesIn(partOf(html, 'header'))).toEqual(
    expect.arrayContaining(['Knots &amp; Love', 'Gallery', 'Testimonials', 'Contact', 'About']),
  )
  expect(html).toContain('Hello, ann<')
  expect(html).toContain('id="messages-title"')
  expect(partOf(html, 'main')).toContain('could not fetch data')
  expect(namesIn(partOf(html, 'main'))).toEqual(['Back to the shop', 'Try again'])
  expect(html).not.toMatch(inside)
  expect(await (await ann.get('/about/')).text()).toContain('<main')
})

test('when a page of the admin area cannot be loaded, the error page keeps the navigation links of this area', async () => {
  const { shop, owner } = await openShopWithOwner()
  await lose(shop, 'categories')

  const response = await owner.get('/manage/category/')
  const html = await response.text()

  expect(response.status).toBe(500)
  expect(html).toContain('aria-label="Manage Website"')
  expect(namesIn(html)).toEqual(expect.arrayContaining(['Messages', 'Sales', 'Back to the shop']))
  expect(html.match(/<main/g)).toHaveLength(1)
  expect(html).not.toMatch(inside)
})

test('when the settings cannot be read, the error page has a simple navigation bar in the chosen theme [ERR-01]', async () => {
  const shop = await openTestShop()
  await lose(shop, 'settings')
  for (const theme of ['dark', 'light']) {
    const response = await shop.visitor().send('/about/', { headers: { cookie: `theme=${theme}` } })
    const html = await response.text()
    expect([response.status, themeOf(html)]).toEqual([500, theme])
    expect(html).toContain(`<meta name="color-scheme" content="${theme}"/>`)
    // If the settings cannot be read, the server does not look up the user. So the page shows neither a login link nor a user menu.
    expect(namesIn(partOf(html, 'header'))).toEqual([
      'Knots &amp; Love',
      'Gallery',
      'Testimonials',
      'Contact',
      'About',
    ])
    expect(partOf(html, 'main')).toContain('Back to the shop')
    expect(html).not.toMatch(inside)
  }
})

test('when the session cannot be read, the error page has navigation links and the chosen theme', async () => {
  const { shop, ann } = await openShopWithAnn()
  await lose(shop, 'session')
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await ann.send('/about/', { headers: { cookie: `${cookie}; theme=light` } })
  const html = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    500,
    'text/html; charset=utf-8',
  ])
  expect(html).toContain('background:#faf5ec')
  expect(namesIn(html)).toEqual([
    'Knots &amp; Love',
    'Gallery',
    'Testimonials',
    'Contact',
    'About',
    'Back to the shop',
  ])
  expect(html).not.toMatch(inside)
})

test('a browser without JavaScript gets an error page when the action of a form throws an error', async () => {
  const { shop, ann } = await openShopWithAnn()
  shop.shop.rateLimits.secondsToWait = () => Promise.reject(new Error('a secret of the inside'))
  const response = await ann.post('/messages', {
    intent: 'send',
    message: 'Hello',
    back: '/about/',
  })
  const html = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    500,
    'text/html; charset=utf-8',
  ])
  expect(namesIn(html)).toContain('Back to the shop')
  expect(html).not.toContain('secret')
})
