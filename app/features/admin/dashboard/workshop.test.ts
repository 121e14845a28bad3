import { expect, test } from 'vitest'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { openTestShop, NOON, type TestShop } from '#test/open-test-shop.ts'
import { sectionOf, sections } from './manage-shell.tsx'

const children = ['', ...sections.map(([, to]) => to.replace('/manage/', ''))].map((path) => `/manage/${path}`)

test('ADMIN-SHELL-01 the admin navigation leads to the six sections, to the reports (S-105), to the testimonials (S-039), to the mail, to the history and to the settings', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/')

  const names = [
    'Categories',
    'Colors',
    'Merchandise',
    'Messages',
    'Sales',
    'Reports',
    'Testimonials',
    'Discounts',
    'Mail',
    'History',
    'Import and export',
    'Replies and alerts',
    'Settings',
  ]
  const links = [...html.matchAll(/<li><a [^>]*href="(\/manage\/[^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, , name]) => name)
  expect(links.toSorted()).toEqual([...names, ...names].toSorted())
})

test('ADMIN-SHELL-02 ADMIN-SHELL-03 the folded navigation shows the name of the current section', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/sales/')

  expect(html).toMatch(/<details[^>]*><summary[^>]*>Sales</)
  expect(['/manage/', '/manage/item/abc', '/manage/discount', '/manage/messages/x', '/manage/moved/'].map(sectionOf)).toEqual([
    'Manage Website',
    'Merchandise',
    'Discounts',
    'Messages',
    'Import and export',
  ])
  // On a wide screen it is marked, also for a page that only belongs to it.
  const marked = async (path: string) =>
    [...(await (await shop.owner()).page(path)).matchAll(/<a [^>]*aria-current="(\w+)"[^>]*href="(\/manage\/[^"]+)"/g)].map(
      ([, how, to]) => `${how} ${to}`,
    )
  expect(new Set(await marked('/manage/item/'))).toEqual(new Set(['page /manage/item/']))
  expect(new Set(await marked('/manage/backups/'))).toEqual(new Set(['true /manage/settings/']))
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

const stamps = { createdAt: NOON, firstCreatedAt: NOON }
type Conversation = {
  id: string
  name: string
  at?: number
  isClosed?: 0 | 1
  fromContactPage?: 0 | 1
  senders?: string[]
  mark?: number
  sold?: (0 | 1)[]
}

/** `senders`: of its messages, in order; `mark`: the owner's; `sold`: one for each piece of 20.50. */
async function addConversation(
  { db }: TestShop,
  { id, name, at = NOON, isClosed = 0, fromContactPage = 0, senders = [], mark, sold = [] }: Conversation,
) {
  const writer = { userName: name, userEmail: '', userPhotoURL: '' }
  await db
    .insertInto('orders')
    .values({ id, ...writer, isClosed, fromContactPage, lastSeq: senders.length, createdAt: at, firstCreatedAt: at })
    .execute()
  for (const [index, sender] of senders.entries())
    await db
      .insertInto('messages')
      .values({ orderId: id, seq: index + 1, id: `m${index}`, message: `Words ${index + 1} of ${name}`, sender, createdAt: at })
      .execute()
  if (mark !== undefined) await db.insertInto('readMarks').values({ orderId: id, reader: ADMIN_ID, seq: mark }).execute()
  for (const [index, isSold] of sold.entries())
    await db
      .insertInto('orderItems')
      .values({ orderId: id, itemId: `i${index}`, name: 'Hanger', priceCents: 2050, isSold, position: index })
      .execute()
}

/** The page in the order in which it is read: the texts of one card, without tags. */
const cardOf = (html: string, title: string) =>
  new RegExp(`<h2[^>]*>${title}</h2>(.*?)</section>`).exec(html)?.[1]?.replaceAll('<!-- -->', '') ?? null
const wordsOf = (html: string | null) =>
  html
    ?.replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const badgesOf = (html: string) =>
  [...html.matchAll(/<li><a[^>]*>([^<]+)<\/a><span[^>]*><span aria-hidden="true">([^<]+)<\/span><span class="unseen">([^<]+)</g)].map(
    ([, ...told]) => told.join(': '),
  )

test('NAV-04 S-090 the owner of a quiet shop is welcomed with what she does most, and with nothing else', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/')
  expect(html).toContain('Welcome, Ona')
  expect(html).toContain('All is quiet. Nothing waits for you.')
  const main = /<main.*<\/main>/s.exec(html)![0]
  expect([...main.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
    '/manage/item/',
    '/manage/messages/',
    '/manage/discount/',
    '/manage/reports/',
  ])
  expect(main).not.toContain('<h2')
  expect(badgesOf(html)).toEqual([])
})

test('NAV-04 S-090 unread conversations are those with a message of somebody else after her mark, the newest first', async () => {
  const shop = await openTestShop()
  await addConversation(shop, { id: 'a', name: 'Ann Waiting', senders: ['a', 'a'], at: NOON - 2 })
  await addConversation(shop, { id: 'b', name: 'Bea Read', senders: ['b', 'b'], mark: 2 })
  await addConversation(shop, { id: 'c', name: 'Cleo Answered', senders: ['c', ADMIN_ID], mark: 1 })
  await addConversation(shop, { id: 'd', name: 'Dora Half', senders: ['d', 'd', ADMIN_ID], mark: 1, at: NOON - 1 })
  await addConversation(shop, { id: 'e', name: 'Eve Silent' })

  const html = await (await shop.owner()).page('/manage/')
  expect(wordsOf(cardOf(html, 'Unread conversations'))).toBe(
    'Dora Half March 04, 2026 Words 3 of Dora Half Ann Waiting March 04, 2026 Words 2 of Ann Waiting All messages',
  )
  expect(cardOf(html, 'Unread conversations')).toContain('href="/manage/messages/d"')
  expect(badgesOf(html)).toEqual(['Messages: 3: 3 unread', 'Messages: 3: 3 unread'])
})

test('NAV-04 S-090 open requests are open conversations with unsold pieces, with how many and for how much', async () => {
  const shop = await openTestShop()
  await addConversation(shop, { id: 'a', name: 'Ann', sold: [0, 1, 0] })
  await addConversation(shop, { id: 'b', name: 'Bea Closed', sold: [0], isClosed: 1 })
  await addConversation(shop, { id: 'c', name: 'Cleo Sold', sold: [1] })
  await addConversation(shop, { id: 'd', name: 'Dora Contact', fromContactPage: 1, sold: [0] })
  await addConversation(shop, { id: 'e', name: 'Eve Talks' })
  await addConversation(shop, { id: 'f', name: 'Fay', sold: [0], at: NOON + 1 })

  const card = cardOf(await (await shop.owner()).page('/manage/'), 'Open requests')
  expect(wordsOf(card)).toBe('Fay March 04, 2026 1 piece, $20.50 Ann March 04, 2026 2 pieces, $41.00 All requests')
  expect(card).toContain('href="/manage/messages/a"')
})

test('NAV-04 S-090 of many she sees four of each and how many more there are', async () => {
  const shop = await openTestShop()
  for (let index = 0; index < 7; index++)
    await addConversation(shop, { id: `c${index}`, name: `Customer ${index}`, at: NOON + index, senders: ['x'], sold: [0] })
  const html = await (await shop.owner()).page('/manage/')
  for (const [title, all] of [
    ['Unread conversations', 'All messages (3 more)'],
    ['Open requests', 'All requests (3 more)'],
  ]) {
    const words = wordsOf(cardOf(html, title!))
    expect(words).toMatch(/^Customer 6 .*Customer 5 .*Customer 4 .*Customer 3 /)
    expect(words).not.toContain('Customer 2')
    expect(words?.endsWith(all!), words).toBe(true)
  }
})

test('NAV-04 S-090 ADMIN-SHELL-01 testimonies, letters, colors and sales stand there too, and numbers beside their sections', async () => {
  const shop = await openTestShop()
  const colors: [string, 0 | 1, 0 | 1][] = [
    ['Old_Rose', 1, 1],
    ['Sage', 0, 1],
    ['Deep_Sea', 0, 0],
    ['Plum', 1, 1],
  ]
  for (const [name, isLowOnStock, isAvailable] of colors)
    await shop.db
      .insertInto('colors')
      .values({ id: name, name, isLowOnStock, isAvailable, ...stamps })
      .execute()
  const buyer = { buyerId: 'u', buyerName: 'Cleo', buyerEmail: '', buyerPhotoURL: '' }
  for (let index = 0; index < 5; index++)
    await shop.db
      .insertInto('sales')
      .values({
        id: `s${index}`,
        ...buyer,
        itemId: 'i',
        itemName: `Hanger ${index}`,
        salePriceCents: 4250 + index,
        createdAt: NOON + index,
      })
      .execute()
  const writer = { writerEmail: '', writerPhotoURL: '', testimony: 'Lovely', showOnPage: 0, createdAt: NOON } as const
  for (let index = 0; index < 6; index++)
    await shop.db
      .insertInto('testimonies')
      .values({
        id: `t${index}`,
        writerId: 'w',
        writerName: `Writer ${index}`,
        ...writer,
        isAvailable: 0,
        isValidated: index < 5 ? 0 : 1,
        writtenAt: NOON + index,
      })
      .execute()
  const letter = { kind: 'contact', toAddress: 'a@b.test', subject: '', text: '', createdAt: NOON, attempts: 1, nextAttemptAt: NOON }
  for (const [id, failedAt] of [
    ['l1', NOON],
    ['l2', null],
  ] as const)
    await shop.db
      .insertInto('outbox')
      .values({ id, ...letter, failedAt, lastError: 'refused' })
      .execute()

  const html = await (await shop.owner()).page('/manage/')
  expect(wordsOf(cardOf(html, 'Colors running low'))).toBe('Low on stock Old Rose, Plum Not available Deep Sea All colors')
  expect(wordsOf(cardOf(html, 'Last sales'))).toMatch(/^Hanger 4 \$42\.54 for Cleo Hanger 3 .* Hanger 1 \$42\.51 for Cleo All sales$/)
  expect(wordsOf(cardOf(html, 'New testimonials'))).toMatch(/^Writer 4 .*Writer 1 March 04, 2026 All testimonials \(1 more\)$/)
  expect(html).toContain('1 letter could not be delivered.')
  expect(badgesOf(html).slice(0, 2)).toEqual(['Testimonials: 5: 5 to look at', 'Mail: 2: 2 not delivered'])
})

test('what cannot be counted is logged and keeps nobody out of a section', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await shop.db.schema.dropTable('outbox').execute()
  expect((await owner.get('/manage/colors/')).status).toBe(200)
  expect(shop.logged.map(({ message }) => message)).toEqual(['what waits could not be counted'])
})
