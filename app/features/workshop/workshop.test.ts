import { expect, test } from 'vitest'
import { openTestShop, NOON } from '#test/open-test-shop.ts'
import { sectionOf, sections } from './sections.ts'

const children = ['', ...sections.map(([, to]) => to.replace('/manage/', ''))].map((path) => `/manage/${path}`)

test('ADMIN-SHELL-01 the admin navigation leads to the six sections, to the testimonials (S-039), to the mail, to the history and to the settings', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/')

  const names = ['Categories', 'Colors', 'Merchandise', 'Messages', 'Sales', 'Testimonials', 'Discounts', 'Mail', 'History', 'Settings']
  const links = [...html.matchAll(/<li><a [^>]*href="(\/manage\/[^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, , name]) => name)
  expect(links).toEqual([...names, ...names])
})

test('ADMIN-SHELL-02 ADMIN-SHELL-03 the folded navigation shows the name of the current section', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/sales/')

  expect(html).toMatch(/<details[^>]*><summary[^>]*>Sales</)
  expect(['/manage/', '/manage/item/abc', '/manage/discount', '/manage/messages/x'].map(sectionOf)).toEqual([
    'Manage Website',
    'Merchandise',
    'Discounts',
    'Messages',
  ])
})

const shown = {
  'NAV-06': ['/manage/category/', 'Categories'],
  'NAV-07': ['/manage/colors/', 'Colors'],
  'NAV-08': ['/manage/item/', 'Merchandise'],
  'NAV-09': ['/manage/messages/', 'Messages'],
  'NAV-10': ['/manage/sales/', 'Sales'],
  'NAV-11': ['/manage/discount/', 'Discounts'],
}
test.for(Object.entries(shown))('%s the address of the section shows it to the owner, inside the shell', async ([, [path, title]]) => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page(path!)
  expect(/<h1[^>]*>([^<]*)/.exec(html)?.[1]).toBe(title)
  expect(html).toMatch(/<nav[^>]*>[\s\S]*href="\/manage\/category\/"/)
  expect(html).toMatch(new RegExp(`<a[^>]*aria-current="page"[^>]*href="${path}"`))
})

test.for(children)('NAV-05 ROLES-08 ROLES-10 ROLES-15 nobody but the owner opens %s', async (path) => {
  const shop = await openTestShop()
  for (const somebody of [shop.visitor(), await shop.guest(), await shop.customer()]) {
    expect((await somebody.get(path)).headers.get('location')).toBe('/')
    expect((await somebody.post(path, {})).headers.get('location')).toBe('/')
  }
})

test('NAV-04 S-090 the owner is welcomed with what waits', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  expect(await owner.page('/manage/')).toContain('All is quiet.')
  const stamps = { createdAt: NOON, firstCreatedAt: NOON }
  const order = { userEmail: '', userPhotoURL: '', isClosed: 0, fromContactPage: 0, lastSeq: 2, ...stamps } as const
  await shop.db
    .insertInto('orders')
    .values([
      { id: 'a', userName: 'Ann Waiting', ...order },
      { id: 'b', userName: 'Bea Read', ...order },
      { id: 'c', userName: 'Cleo Answered', ...order },
    ])
    .execute()
  for (const orderId of ['a', 'b', 'c'])
    for (const [seq, sender] of [
      [1, orderId],
      [2, orderId === 'c' ? 'owner' : orderId],
    ] as const)
      await shop.db
        .insertInto('messages')
        .values({ orderId, seq, id: `m${seq}`, message: 'Hello', sender, createdAt: NOON })
        .execute()
  await shop.db
    .insertInto('readMarks')
    .values([
      { orderId: 'b', reader: 'owner', seq: 2 },
      { orderId: 'c', reader: 'owner', seq: 1 },
    ])
    .execute()
  await shop.db
    .insertInto('colors')
    .values([
      { id: 'c', name: 'Old_Rose', isLowOnStock: 1, isAvailable: 1, ...stamps },
      { id: 'd', name: 'Sage', isLowOnStock: 0, isAvailable: 1, ...stamps },
    ])
    .execute()
  await shop.db
    .insertInto('sales')
    .values({
      id: 's',
      buyerId: 'u',
      buyerName: 'Cleo',
      buyerEmail: '',
      buyerPhotoURL: '',
      itemId: 'i',
      itemName: 'Plant hanger',
      salePriceCents: 4250,
      createdAt: NOON,
    })
    .execute()

  const html = await owner.page('/manage/')

  expect(html).toContain('Welcome, Ona')
  expect(html).toContain('Ann Waiting')
  expect(html).not.toMatch(/Bea Read|Cleo Answered/)
  expect(html).toContain('Old Rose')
  expect(html).not.toContain('>Sage<')
  expect(html).toMatch(/Plant hanger[\s\S]*Cleo[\s\S]*\$42\.50/)
})
