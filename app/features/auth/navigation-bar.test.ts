import { describe, expect, test } from 'vitest'
import { sections } from '#admin/dashboard/admin-layout.tsx'
import { say, unreadOf } from '#test/fixtures/accounts.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, openShopWithAnn, type Person } from '#test/fixtures/test-shop.ts'

const readBar = async (person: Person, path = '/about/') =>
  within(pageOf(await person.page(path)).getByRole('navigation', { name: 'Shop' }))
type Bar = Awaited<ReturnType<typeof readBar>>

/** Returns the names and URLs of the links in the navigation bar. */
const linksOf = (bar: Bar) =>
  bar.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

const photoOf = (bar: Bar) =>
  bar.getByRole('button', { name: 'Your account' }).querySelector('img')!.getAttribute('src')

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

describe('the navigation bar', () => {
  const shop = shared((onCleanup) => openTestShop({ onCleanup }))

  test.for(pages)('the navigation bar is shown above %s [NAV-21]', async (path) => {
    const bar = await readBar(shop().visitor(), path)
    expect(linksOf(bar)).toContainEqual(['Gallery', '/gallery/'])
  })

  test('the navigation bar is shown above every page of the admin area [NAV-21]', async () => {
    const owner = await shop().owner()
    for (const path of ['/manage/', ...sections.map(([path]) => path)]) {
      expect(linksOf(await readBar(owner, path)), path).toContainEqual(['Gallery', '/gallery/'])
    }
  })

  test('the navigation bar of a visitor has the brand and five links [NAV-23] [NAV-24] [NAV-25] [NAV-26] [NAV-27] [NAV-29]', async () => {
    expect(linksOf(await readBar(shop().visitor()))).toEqual([
      ['Knots & Love', '/'],
      ['Gallery', '/gallery/'],
      ['Testimonials', '/testimonials/'],
      ['Contact', '/contact/'],
      ['About', '/about/'],
      ['Login | Register', '/login/'],
    ])
  })

  test('the navigation bar has no login link for a customer, and no bell or account button for a visitor [NAV-20, NAV-30, LOGIN-40, LOGIN-41, S-008]', async () => {
    const asCustomer = await readBar(await shop().customer())
    const asVisitor = await readBar(shop().visitor())

    expect(asCustomer.queryByText('Login | Register')).toBeNull()
    expect(asCustomer.getByRole('button', { name: 'Your account' })).toBeTruthy()
    expect(asVisitor.queryByRole('button', { name: 'Your account' })).toBeNull()
    expect(asVisitor.queryByLabelText(/unread/)).toBeNull()
    expect(asVisitor.queryByText(/unread/)).toBeNull()
  })
})

test('a customer’s menu greets her by first name, shows her photo, and contains "Messages" but not "Manage Website" [NAV-31, NAV-33, NAV-36, NAV-37, DATA-013]', async () => {
  const { shop, ann } = await openShopWithAnn()
  await shop.db
    .updateTable('user')
    .set({ name: 'Ann Maria Knott', image: '/pictures/people/ann.webp' })
    .where('id', '=', ann.id)
    .execute()

  const bar = await readBar(ann, '/gallery/?sort=new')

  expect(bar.getByText('Hello, Ann')).toBeTruthy()
  expect(photoOf(bar)).toBe('/pictures/people/ann.webp')
  expect(linksOf(bar)).toContainEqual(['Messages', '/gallery/?sort=new&messages='])
  expect(bar.queryByText('Manage Website')).toBeNull()
  expect(bar.queryByText(/Guests lose/)).toBeNull()
  expect(bar.getByRole('button', { name: 'Logout' })).toBeTruthy()
})

test('a guest’s menu greets her as "Guest", warns her before a logout, and does not contain "Messages" [NAV-34, NAV-39, NAV-40, NAV-42, NAV-43, S-003]', async () => {
  const shop = await openTestShop()
  const bar = await readBar(await shop.guest())

  expect(bar.getByText('Hello, Guest')).toBeTruthy()
  expect(bar.getByText(/^Guests lose all their data on logout/)).toBeTruthy()
  expect(photoOf(bar)).toBe('/placeholder-photo.svg')
  expect(bar.getByRole('button', { name: 'Logout' })).toBeTruthy()
  expect(bar.queryByText('Messages')).toBeNull()
  expect(bar.queryByText('Manage Website')).toBeNull()
})

test('the owner’s menu contains "Manage Website" but not "Messages", and her bell leads to her messages [NAV-35, NAV-38, NAV-45]', async () => {
  const shop = await openTestShop()
  const bar = await readBar(await shop.owner())

  expect(linksOf(bar)).toContainEqual(['Manage Website', '/manage/'])
  expect(bar.queryByText('Messages')).toBeNull()
  const bell = bar.getByRole('link', { name: 'No unread messages' })
  expect(bell.getAttribute('href')).toBe('/manage/messages/')
})

test('the bell of a customer or guest opens her own conversation on the current page [NAV-47] [S-007]', async () => {
  const shop = await openTestShop()
  for (const client of [await shop.customer(), await shop.guest()]) {
    const bell = (await readBar(client)).getByRole('link', { name: /unread messages$/ })
    expect(bell.getAttribute('href')).toBe('/about/?messages=')
  }
})

test('the theme is dark at first, can be switched without JavaScript, and is stored in a cookie for a year [NAV-28, THEME-01, THEME-02, THEME-03, THEME-04, S-027]', async () => {
  const shop = await openTestShop()
  const visitor = shop.visitor()
  const expectTheme = async (theme: string) => {
    const control = (await readBar(visitor)).getByRole('checkbox', { name: 'Dark theme' })
    expect(control.closest('html')!.dataset.theme).toBe(theme)
    expect(control.hasAttribute('checked')).toBe(theme === 'dark')
  }
  await expectTheme('dark')

  const answer = await visitor.post('/theme', { theme: 'light', back: '/about/' })
  expect(answer.headers.get('location')).toBe('/about/')
  expect(answer.headers.get('set-cookie')).toMatch(/theme=light;.*Max-Age=31536000/)
  await expectTheme('light')
  await visitor.post('/theme', { theme: 'dark', back: '/about/' })
  await expectTheme('dark')
})

test('a visitor who only reads pages gets no cookie', async () => {
  const shop = await openTestShop()
  for (const path of pages) {
    expect((await shop.visitor().get(path)).headers.getSetCookie()).toEqual([])
  }
})

test('the owner’s bell counts all unread messages, and a customer’s bell only the messages of her own conversation [NAV-44] [NAV-46] [NAV-48] [S-008]', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  const bea = await shop.customer('bea@mail.test')
  const owner = await shop.owner()
  for (const customer of [ann, bea]) {
    await say(customer, 'Hello')
    for (const message of ['One', 'Two']) {
      await owner.act(`/manage/messages/${customer.id}`, { intent: 'send', message, messageId: '' })
    }
  }
  await bea.act('/messages', { intent: 'read', seq: '2' })
  await owner.act(`/manage/messages/${ann.id}`, { intent: 'read', seq: '3' })
  await owner.act(`/manage/messages/${bea.id}`, { intent: 'read', seq: '3' })
  for (const customer of [ann, await shop.customer('cleo@mail.test')]) await say(customer, 'Three')

  expect(await unreadOf(owner)).toBe('2 unread messages')
  expect(await unreadOf(ann)).toBe('2 unread messages')
  expect(await unreadOf(bea)).toBe('1 unread message')
})
