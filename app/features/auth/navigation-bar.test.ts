import { expect, test } from 'vitest'
import { sections } from '#app/features/admin/dashboard/admin-layout.tsx'
import { say, unreadOf } from '#test/fixtures/accounts.ts'
import { openTestShop, openShopWithAnn, openShopWithOwner } from '#test/fixtures/test-shop.ts'

const header = (html: string) => /<header[\s\S]*?<\/header>/.exec(html)?.[0] ?? ''
/** Returns the names and URLs of the links in the navigation bar. */
const linksOf = (html: string) =>
  [...header(html).matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].map(
    ([, to, text]) => [text!.replace(/<[^>]+>/g, ''), to],
  )

const photoOf = (html: string) =>
  /<button[^>]*aria-label="Your account"[^>]*><img src="([^"]*)"/.exec(html)?.[1]

const pages = [
  '/',
  '/gallery/',
  '/about/',
  '/contact/',
  '/testimonials/',
  '/login/',
  '/writetestimonials/none',
  '/item/none/',
]

test.for(pages)('the navigation bar is shown above %s [NAV-21]', async (path) => {
  const shop = await openTestShop()
  expect(linksOf(await shop.visitor().page(path))).toContainEqual(['Gallery', '/gallery/'])
})

test('the navigation bar is shown above every page of the admin area [NAV-21]', async () => {
  const { owner } = await openShopWithOwner()
  for (const to of ['/manage/', ...sections.map(([, path]) => path)])
    expect([to, linksOf(await owner.page(to))]).toEqual([
      to,
      expect.arrayContaining([['Gallery', '/gallery/']]),
    ])
})

test('the navigation bar of a visitor has the brand and five links [NAV-23] [NAV-24] [NAV-25] [NAV-26] [NAV-27] [NAV-29]', async () => {
  const shop = await openTestShop()
  expect(linksOf(await shop.visitor().page('/about/'))).toEqual([
    ['Knots &amp; Love', '/'],
    ['Gallery', '/gallery/'],
    ['Testimonials', '/testimonials/'],
    ['Contact', '/contact/'],
    ['About', '/about/'],
    ['Login | Register', '/login/'],
  ])
})

test('the server renders the navigation bar of a customer without a login link, and of a visitor without a bell [NAV-20, NAV-30, LOGIN-40, LOGIN-41, S-008]', async () => {
  const shop = await openTestShop()
  const customer = await shop.customer()

  const [asCustomer, asVisitor] = [
    header(await customer.page('/about/')),
    header(await shop.visitor().page('/about/')),
  ]

  expect(asCustomer).not.toContain('Login | Register')
  expect(asCustomer).toContain('Your account')
  expect(asVisitor).not.toContain('Your account')
  expect(asVisitor).not.toContain('unread')
})

test('a customer’s menu greets her by first name, shows her photo, and contains "Messages" but not "Manage Website" [NAV-31, NAV-33, NAV-36, NAV-37, DATA-013]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await shop.db
    .updateTable('user')
    .set({ name: 'Ann Maria Knott', image: '/pictures/people/ann.webp' })
    .where('id', '=', ann.id)
    .execute()

  const html = header(await ann.page('/gallery/?sort=new'))

  expect(html).toContain('Hello, Ann<')
  expect(photoOf(html)).toBe('/pictures/people/ann.webp')
  expect(linksOf(html)).toContainEqual(['Messages', '/gallery/?sort=new&amp;messages='])
  expect(html).not.toContain('Manage Website')
  expect(html).not.toContain('Guests lose')
  expect(html).toContain('Logout')
})

test('a guest’s menu greets her as "Guest", warns her before a logout, and does not contain "Messages" [NAV-34, NAV-39, NAV-40, NAV-42, NAV-43, S-003]', async () => {
  const shop = await openTestShop()
  const html = header(await (await shop.guest()).page('/about/'))

  expect(html).toContain('Hello, Guest<')
  expect(html).toContain('Guests lose all their data on logout')
  expect(photoOf(html)).toBe('/placeholder-photo.svg')
  expect(html).toContain('Logout')
  expect(linksOf(html).map(([name]) => name)).not.toContain('Messages')
  expect(html).not.toContain('Manage Website')
})

test('the owner’s menu contains "Manage Website" but not "Messages", and her bell leads to her messages [NAV-35, NAV-38, NAV-45]', async () => {
  const shop = await openTestShop()
  const html = header(await (await shop.owner()).page('/about/'))

  expect(linksOf(html)).toContainEqual(['Manage Website', '/manage/'])
  expect(linksOf(html).map(([name]) => name)).not.toContain('Messages')
  expect(html).toMatch(
    /href="\/manage\/messages\/"[^>]*aria-label="No unread messages"|aria-label="No unread messages"[^>]*href="\/manage\/messages\/"/,
  )
})

test('the bell of a customer or guest opens her own conversation on the current page [NAV-47] [S-007]', async () => {
  const shop = await openTestShop()
  for (const client of [await shop.customer(), await shop.guest()])
    expect(header(await client.page('/about/'))).toMatch(
      /<a [^>]*unread messages"[^>]*href="\/about\/\?messages="/,
    )
})

test('the theme is dark at first, can be switched without JavaScript, and is stored in a cookie for a year [NAV-28, THEME-01, THEME-02, THEME-03, THEME-04, S-027]', async () => {
  const shop = await openTestShop()
  const visitor = shop.visitor()
  const first = await visitor.page('/about/')
  expect(first).toMatch(/<html[^>]*data-theme="dark"/)
  expect(header(first)).toMatch(/<input type="checkbox"[^>]*checked=""/)

  const switched = await visitor.post('/theme', { theme: 'light', back: '/about/' })
  const light = await visitor.page('/about/')
  await visitor.post('/theme', { theme: 'dark', back: '/about/' })

  expect(switched.headers.get('location')).toBe('/about/')
  expect(switched.headers.get('set-cookie')).toMatch(/theme=light;.*Max-Age=31536000/)
  expect(light).toMatch(/<html[^>]*data-theme="light"/)
  expect(header(light)).not.toContain('checked=""')
  expect(await visitor.page('/about/')).toMatch(/<html[^>]*data-theme="dark"/)
})

test('a visitor who only reads pages gets no cookie', async () => {
  const shop = await openTestShop()
  for (const path of pages)
    expect((await shop.visitor().get(path)).headers.getSetCookie()).toEqual([])
})

test('the owner’s bell counts all unread messages, and a customer’s bell only the messages of her own conversation [NAV-44] [NAV-46] [NAV-48] [S-008]', async () => {
  const shop = await openTestShop()
  const [ann, bea, owner] = [
    await shop.customer('ann@mail.test'),
    await shop.customer('bea@mail.test'),
    await shop.owner(),
  ]
  for (const customer of [ann, bea]) {
    await say(customer, 'Hello')
    for (const message of ['One', 'Two'])
      await owner.act(`/manage/messages/${customer.id}`, { intent: 'send', message, messageId: '' })
  }
  await bea.act('/messages', { intent: 'read', seq: '2' })
  await owner.act(`/manage/messages/${ann.id}`, { intent: 'read', seq: '3' })
  await owner.act(`/manage/messages/${bea.id}`, { intent: 'read', seq: '3' })
  for (const customer of [ann, await shop.customer('cleo@mail.test')]) await say(customer, 'Three')

  expect(await unreadOf(owner)).toBe('2 unread messages')
  expect(await unreadOf(ann)).toBe('2 unread messages')
  expect(await unreadOf(bea)).toBe('1 unread message')
})
