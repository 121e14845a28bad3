import { expect, test } from 'vitest'
import { sections } from '#app/features/admin/dashboard/manage-shell.tsx'
import { NOON, openTestShop } from '#test/open-test-shop.ts'

const header = (html: string) => /<header[\s\S]*?<\/header>/.exec(html)?.[0] ?? ''
/** Names and addresses of the links in the bar. */
const linksOf = (html: string) =>
  [...header(html).matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].map(([, to, text]) => [text!.replace(/<[^>]+>/g, ''), to])

/** What the bar itself shows, not its popup. */
const photoOf = (html: string) => /<button[^>]*aria-label="Your account"[^>]*><img src="([^"]*)"/.exec(html)?.[1]

const pages = ['/', '/gallery/', '/about/', '/contact/', '/testimonials/', '/login/', '/writetestimonials/none', '/item/none/']

test.for(pages)('NAV-21 the navigation bar stands above %s', async (path) => {
  const shop = await openTestShop()
  expect(linksOf(await shop.visitor().page(path))).toContainEqual(['Gallery', '/gallery/'])
})

test('NAV-21 the navigation bar stands above what only those who are signed in see', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  for (const to of ['/manage/', ...sections.map(([, path]) => path)])
    expect([to, linksOf(await owner.page(to))]).toEqual([to, expect.arrayContaining([['Gallery', '/gallery/']])])
})

test('NAV-23 NAV-24 NAV-25 NAV-26 NAV-27 NAV-29 a visitor sees the brand, the links and the login', async () => {
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

test('NAV-20 NAV-30 LOGIN-40 LOGIN-41 S-008 the first HTML already knows who asks: no login when signed in, no bell when signed out', async () => {
  const shop = await openTestShop()
  const customer = await shop.customer()

  const [asCustomer, asVisitor] = [header(await customer.page('/about/')), header(await shop.visitor().page('/about/'))]

  expect(asCustomer).not.toContain('Login | Register')
  expect(asCustomer).toContain('Your account')
  expect(asVisitor).not.toContain('Your account')
  expect(asVisitor).not.toContain('unread')
})

test('NAV-31 NAV-33 NAV-36 NAV-37 a customer is greeted by first name, with Messages and without Manage Website', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  await shop.db.updateTable('user').set({ name: 'Ann Maria Knott', image: '/pictures/people/ann.webp' }).where('id', '=', ann.id).execute()

  const html = header(await ann.page('/gallery/?sort=new'))

  expect(html).toContain('Hello, Ann<')
  expect(photoOf(html)).toBe('/pictures/people/ann.webp')
  expect(linksOf(html)).toContainEqual(['Messages', '/gallery/?sort=new&amp;messages='])
  expect(html).not.toContain('Manage Website')
  expect(html).not.toContain('Guests lose')
  expect(html).toContain('Logout')
})

test('NAV-33 S-009 without a name the part of the e-mail before @ is the greeting', async () => {
  const shop = await openTestShop()
  expect(header(await (await shop.customer('bea.b@mail.test')).page('/about/'))).toContain('Hello, bea.b<')
})

test('NAV-34 NAV-36 NAV-39 NAV-40 NAV-42 NAV-43 S-003 a guest is "Guest" with a placeholder photo, a warning, no Messages', async () => {
  const shop = await openTestShop()
  const html = header(await (await shop.guest()).page('/about/'))

  expect(html).toContain('Hello, Guest<')
  expect(photoOf(html)).toBe('/placeholder-photo.svg')
  expect(html).toContain('Guests lose all their data on logout')
  expect(html).toContain('Logout')
  expect(linksOf(html).map(([name]) => name)).not.toContain('Messages')
  expect(html).not.toContain('Manage Website')
})

test('NAV-35 NAV-38 NAV-45 the owner finds Manage Website, no Messages, and her bell leads to the messages', async () => {
  const shop = await openTestShop()
  const html = header(await (await shop.owner()).page('/about/'))

  expect(linksOf(html)).toContainEqual(['Manage Website', '/manage/'])
  expect(linksOf(html).map(([name]) => name)).not.toContain('Messages')
  expect(html).toMatch(
    /href="\/manage\/messages\/"[^>]*aria-label="No unread messages"|aria-label="No unread messages"[^>]*href="\/manage\/messages\/"/,
  )
})

test('NAV-47 S-007 the bell of a customer and of a guest opens their own panel on the page where they are', async () => {
  const shop = await openTestShop()
  for (const somebody of [await shop.customer(), await shop.guest()])
    expect(header(await somebody.page('/about/'))).toMatch(/<a [^>]*unread messages"[^>]*href="\/about\/\?messages="/)
})

test('NAV-28 THEME-01 THEME-02 THEME-03 the switch starts checked, and checked is dark', async () => {
  const shop = await openTestShop()
  const html = await shop.visitor().page('/about/')

  expect(html).toMatch(/<html[^>]*data-theme="dark"/)
  expect(header(html)).toMatch(/<input type="checkbox"[^>]*checked=""/)
})

test('THEME-04 S-027 the switch changes the theme, also without script, and the device remembers it', async () => {
  const shop = await openTestShop()
  const visitor = shop.visitor()

  const switched = await visitor.post('/theme', { theme: 'light', back: '/about/' })
  const light = await visitor.page('/about/')
  await visitor.post('/theme', { theme: 'dark', back: '/about/' })

  expect(switched.headers.get('location')).toBe('/about/')
  expect(switched.headers.get('set-cookie')).toMatch(/theme=light;.*Max-Age=31536000/)
  expect(light).toMatch(/<html[^>]*data-theme="light"/)
  expect(header(light)).not.toContain('checked=""')
  expect(await visitor.page('/about/')).toMatch(/<html[^>]*data-theme="dark"/)
})

test('a visitor who only looks gets no cookie', async () => {
  const shop = await openTestShop()
  for (const path of pages) expect((await shop.visitor().get(path)).headers.getSetCookie()).toEqual([])
})

test('NAV-44 NAV-46 NAV-48 S-008 the bell counts: for the owner in all orders, for a customer in her own conversation', async () => {
  const shop = await openTestShop()
  const [ann, bea, owner] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test'), await shop.owner()]
  for (const { id } of [ann, bea]) {
    const stamps = { createdAt: NOON, firstCreatedAt: NOON }
    const order = { id, userId: id, userName: '', userEmail: '', userPhotoURL: '', isClosed: 0, fromContactPage: 0, lastSeq: 3 } as const
    await shop.db
      .insertInto('orders')
      .values({ ...order, ...stamps })
      .execute()
    for (const [at, sender] of [id, 'owner', 'owner'].entries())
      await shop.db
        .insertInto('messages')
        .values({ orderId: id, seq: at + 1, id: `m${at}`, message: 'Hello', sender, createdAt: NOON })
        .execute()
  }
  await shop.db.insertInto('readMarks').values({ orderId: bea.id, reader: bea.id, seq: 2 }).execute()

  const says = async (who: typeof owner) => /aria-label="([^"]*unread message[^"]*)"/.exec(header(await who.page('/about/')))?.[1]

  expect([await says(owner), await says(ann), await says(bea)]).toEqual(['2 unread messages', '2 unread messages', '1 unread message'])
})
