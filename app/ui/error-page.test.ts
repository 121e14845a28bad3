/** What a person sees when a page breaks: what is around it stays, in her theme, and nothing of the inside is told. */
import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'

type Table = 'testimonies' | 'categories' | 'settings' | 'session' | 'favourites'
const lose = (shop: TestShop, table: Table) => shop.db.schema.alterTable(table).renameTo(`${table}Away`).execute()
const partOf = (html: string, tag: string) => new RegExp(`<${tag}[\\s\\S]*</${tag}>`).exec(html)?.[0] ?? ''
const namesIn = (part: string) => [...part.matchAll(/<a [^>]*>([\s\S]*?)<\/a>/g)].map(([, text]) => text!.replace(/<[^>]+>/g, ''))
const themeOf = (html: string) => /<html[^>]*data-theme="(\w+)"/.exec(html)?.[1]
/** Nothing of the cause, neither in what is shown nor in what the script reads. */
const inside = /no such table|does not exist|relation "|sqlite|select \*|Away"/i

test('ERR-01 ERR-07 NAV-21 NAV-22 a page whose read fails keeps the bar with whoever is signed in, the theme, her messages and the ways on', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
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

test("a section of the owner's area that breaks keeps the way to the other sections", async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await lose(shop, 'categories')

  const response = await owner.get('/manage/category/')
  const html = await response.text()

  expect(response.status).toBe(500)
  expect(html).toContain('aria-label="Manage Website"')
  expect(namesIn(html)).toEqual(expect.arrayContaining(['Messages', 'Sales', 'Back to the shop']))
  expect(html.match(/<main/g)).toHaveLength(1)
  expect(html).not.toMatch(inside)
})

test('ERR-01 when not even the settings can be read, a plain bar stays, in the theme of the device', async () => {
  const shop = await openTestShop()
  await lose(shop, 'settings')
  for (const theme of ['dark', 'light']) {
    const response = await shop.visitor().send('/about/', { headers: { cookie: `theme=${theme}` } })
    const html = await response.text()
    expect([response.status, themeOf(html)]).toEqual([500, theme])
    expect(html).toContain(`<meta name="color-scheme" content="${theme}"/>`)
    // Who asks is not known, so neither the login nor a menu is offered.
    expect(namesIn(partOf(html, 'header'))).toEqual(['Knots &amp; Love', 'Gallery', 'Testimonials', 'Contact', 'About'])
    expect(partOf(html, 'main')).toContain('Back to the shop')
    expect(html).not.toMatch(inside)
  }
})

test('what breaks before any page has the same ways on and the same theme', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  await lose(shop, 'session')
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const [theme, ground] of [
    ['dark', '#1d1815'],
    ['light', '#faf5ec'],
  ] as const) {
    const response = await ann.send('/about/', { headers: { cookie: `${cookie}; theme=${theme}` } })
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(html).toContain(`background:${ground}`)
    expect(namesIn(html)).toEqual(['Knots &amp; Love', 'Gallery', 'Testimonials', 'Contact', 'About', 'Back to the shop'])
    expect(html).not.toMatch(inside)
  }
})

test('a form without script whose address breaks is answered by a page too', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  shop.shop.limits.secondsToWait = () => Promise.reject(new Error('a secret of the inside'))
  const response = await ann.post('/messages', { intent: 'send', message: 'Hello', back: '/about/' })
  const html = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
  expect(namesIn(html)).toContain('Back to the shop')
  expect(html).not.toContain('secret')
})
