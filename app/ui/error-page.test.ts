import { expect, test } from 'vitest'
import { pageOf, readHead, within } from '#test/fixtures/html.ts'
import {
  openTestShop,
  type TestShop,
  openShopWithAnn,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'

type Table = 'testimonies' | 'categories' | 'settings' | 'session' | 'favorites'
const lose = (shop: TestShop, table: Table) =>
  shop.db.schema.alterTable(table).renameTo(`${table}Away`).execute()
const linksIn = (part: HTMLElement) =>
  within(part)
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const themeOf = (page: ReturnType<typeof pageOf>) =>
  page.getByRole('main').closest('html')!.dataset.theme
const shopLinks = ['Knots & Love', 'Gallery', 'Testimonials', 'Contact', 'About']
/** Matches internal details of an error, which neither the page nor its data may contain. */
const inside = /no such table|does not exist|relation "|sqlite|select \*|Away"/i

test('when a page cannot be loaded, the error page keeps the navigation bar, the theme and the open message panel [ERR-01, ERR-07, NAV-21, NAV-22]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await ann.post('/theme', { theme: 'light', back: '/' })
  await lose(shop, 'testimonies')

  const response = await ann.get('/testimonials/?messages')
  const html = await response.text()
  const page = pageOf(html)

  expect(response.status).toBe(500)
  expect(themeOf(page)).toBe('light')
  expect(linksIn(page.getAllByRole('banner')[0]!)).toEqual(expect.arrayContaining(shopLinks))
  expect(page.getByText('Hello, ann')).toBeTruthy()
  expect(page.getByRole('complementary', { name: 'Messages' })).toBeTruthy()
  const main = page.getByRole('main')
  expect(main.textContent).toContain('could not fetch data')
  expect(linksIn(main)).toEqual(['Back to the shop', 'Try again'])
  expect(html).not.toMatch(inside)
  expect((await ann.get('/about/')).status).toBe(200)
})

test('when a page of the admin area cannot be loaded, the error page keeps the navigation links of this area', async () => {
  const { shop, owner } = await openShopWithOwner()
  await lose(shop, 'categories')

  const response = await owner.get('/manage/category/')
  const html = await response.text()

  expect(response.status).toBe(500)
  const [bar] = pageOf(html).getAllByRole('navigation', { name: 'Manage Website' })
  expect(linksIn(bar!)).toEqual(expect.arrayContaining(['Messages', 'Sales']))
  expect(linksIn(pageOf(html).getByRole('main'))).toContain('Back to the shop')
  expect(html).not.toMatch(inside)
})

test('when the settings cannot be read, the error page has a simple navigation bar in the chosen theme [ERR-01]', async () => {
  const shop = await openTestShop()
  await lose(shop, 'settings')
  for (const theme of ['dark', 'light']) {
    const response = await shop.visitor().send('/about/', { headers: { cookie: `theme=${theme}` } })
    const html = await response.text()
    const page = pageOf(html)
    expect(response.status).toBe(500)
    expect(themeOf(page)).toBe(theme)
    expect(readHead(html).meta('color-scheme')).toBe(theme)
    // If the settings cannot be read, the server does not look up the user. So the page shows
    // neither a login link nor a user menu.
    expect(linksIn(page.getByRole('banner'))).toEqual(shopLinks)
    expect(linksIn(page.getByRole('main'))).toContain('Back to the shop')
    expect(html).not.toMatch(inside)
  }
})

test('when the session cannot be read, the error page has navigation links and the chosen theme', async () => {
  const { shop, ann } = await openShopWithAnn()
  await lose(shop, 'session')
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await ann.send('/about/', { headers: { cookie: `${cookie}; theme=light` } })
  const html = await response.text()
  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html).toContain('background:#faf5ec')
  const links = pageOf(html).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual([...shopLinks, 'Back to the shop'])
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
  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(pageOf(html).getByRole('link', { name: 'Back to the shop' })).toBeTruthy()
  expect(html).not.toContain('secret')
})
