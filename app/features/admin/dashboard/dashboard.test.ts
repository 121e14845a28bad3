import { expect, test } from 'vitest'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { addColor, insert } from '#test/fixtures/catalog.ts'
import { wordsOf } from '#test/fixtures/html.ts'
import { addSale, addTestimonyTicket, placeOrder } from '#test/fixtures/orders.ts'
import { openTestShop, NOON, type TestShop } from '#test/fixtures/test-shop.ts'
import { sectionOf } from './admin-layout.tsx'

test('the admin navigation has links to all sections, including the reports and the testimonials [ADMIN-SHELL-01] [S-105] [S-039]', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/')

  const sections = [
    'Categories',
    'Colors',
    'Merchandise',
    'Messages',
    'Sales',
    'Reports',
    'Testimonials',
    'Discounts',
  ]
  const names = [
    ...sections,
    'Mail',
    'History',
    'To make',
    'Import and export',
    'Replies and alerts',
    'Home page',
    'About page',
    'Settings',
  ]
  const links = [...html.matchAll(/<li><a [^>]*href="(\/manage\/[^"]+)"[^>]*>([^<]+)<\/a>/g)].map(
    ([, , name]) => name,
  )
  expect(links.toSorted()).toEqual([...names, ...names].toSorted())
})

test('on a phone, the navigation shows the current section’s name; on a wide screen, it marks the section’s link [ADMIN-SHELL-02] [ADMIN-SHELL-03]', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/sales/')

  expect(html).toMatch(/<details[^>]*><summary[^>]*>Sales</)
  expect(
    [
      '/manage/',
      '/manage/item/abc',
      '/manage/discount',
      '/manage/messages/x',
      '/manage/moved/',
      '/manage/offer/x',
      '/manage/arrange/',
    ].map(sectionOf),
  ).toEqual([
    'Manage Website',
    'Merchandise',
    'Discounts',
    'Messages',
    'Import and export',
    'Messages',
    'Merchandise',
  ])
  const marked = async (path: string) =>
    [
      ...(await (await shop.owner()).page(path)).matchAll(
        /<a [^>]*aria-current="(\w+)"[^>]*href="(\/manage\/[^"]+)"/g,
      ),
    ].map(([, how, to]) => `${how} ${to}`)
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
test.for(Object.entries(shown))(
  'shows the owner each section at its URL, inside the admin layout [%s]',
  async ([, [path, title]]) => {
    const shop = await openTestShop()
    const html = await (await shop.owner()).page(path!)
    expect(/<h1[^>]*>([^<]*)/.exec(html)?.[1]).toBe(title)
    expect(html).toMatch(/<nav[^>]*>[\s\S]*href="\/manage\/category\/"/)
    expect(html).toMatch(new RegExp(`<a[^>]*aria-current="page"[^>]*href="${path}"`))
  },
)

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

/** Adds a conversation. `mark` is the number of the last message that the owner has read. `sold` has an entry for each requested item: 1 if it is sold, and otherwise 0. */
async function addConversation(
  { db }: TestShop,
  {
    id,
    name,
    at = NOON,
    isClosed = 0,
    fromContactPage = 0,
    senders = [],
    mark,
    sold = [],
  }: Conversation,
) {
  const lines = sold.map((isSold, index) => ({
    itemId: `i${index}`,
    priceCents: 2050,
    shownPriceCents: index === 2 ? 1550 : null,
    isSold,
  }))
  const times = { createdAt: at, firstCreatedAt: at }
  await placeOrder(db, lines, {
    id,
    userName: name,
    isClosed,
    fromContactPage,
    lastSeq: senders.length,
    ...times,
  })
  for (const [index, sender] of senders.entries())
    await db
      .insertInto('messages')
      .values({
        orderId: id,
        seq: index + 1,
        id: `m${index}`,
        message: `Words ${index + 1} of ${name}`,
        sender,
        createdAt: at,
      })
      .execute()
  if (mark !== undefined)
    await db
      .insertInto('readReceipts')
      .values({ orderId: id, reader: ADMIN_ID, seq: mark })
      .execute()
}

const cardOf = (html: string, title: string) =>
  new RegExp(`<h2[^>]*>${title}</h2>(.*?)</section>`).exec(html)?.[1] ?? ''
const wordsIn = (card: string) => wordsOf(card).trim()
const badgesOf = (html: string) =>
  [
    ...html.matchAll(
      /<li><a[^>]*>([^<]+)<\/a><span[^>]*><span aria-hidden="true">([^<]+)<\/span><span class="visually-hidden">([^<]+)</g,
    ),
  ].map(([, ...texts]) => texts.join(': '))

test('when the owner has no open tasks, the dashboard shows links to frequent tasks [NAV-04, S-090]', async () => {
  const shop = await openTestShop()
  const html = await (await shop.owner()).page('/manage/')
  expect(html).toContain('Welcome, Ona')
  const main = /<main.*<\/main>/s
    .exec(html)![0]
    .replace(/<section.*Make it yours.*?<\/section>/s, '')
  expect([...main.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
    '/manage/item/',
    '/manage/messages/',
    '/manage/discount/',
    '/manage/reports/',
  ])
  expect(main).not.toContain('<h2')
  expect(badgesOf(html)).toEqual([])
})

test('the dashboard lists the conversations with messages that the owner has not read, newest first, and marks the owner’s own last message [NAV-04, S-090]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, { id: 'a', name: 'Ann Waiting', senders: ['a', 'a'], at: NOON - 2 })
  await addConversation(shop, { id: 'b', name: 'Bea Read', senders: ['b', 'b'], mark: 2 })
  await addConversation(shop, { id: 'c', name: 'Cleo Answered', senders: ['c', ADMIN_ID], mark: 1 })
  await addConversation(shop, {
    id: 'd',
    name: 'Dora Half',
    senders: ['d', 'd', ADMIN_ID],
    mark: 1,
    at: NOON - 1,
  })
  await addConversation(shop, { id: 'e', name: 'Eve Silent' })

  const html = await (await shop.owner()).page('/manage/')
  expect(wordsIn(cardOf(html, 'Unread conversations'))).toBe(
    'Dora Half March 04, 2026 You: Words 3 of Dora Half Ann Waiting March 04, 2026 Words 2 of Ann Waiting All messages',
  )
  expect(cardOf(html, 'Unread conversations')).toMatch(
    /href="\/manage\/messages\/d".*<bdi>You:<\/bdi>/,
  )
  expect(badgesOf(html)).toEqual(['Messages: 3: 3 unread', 'Messages: 3: 3 unread'])
})

test('for each open conversation with unsold items, the dashboard shows the number of pieces and the total of the agreed prices, or of the prices that the customer was shown [NAV-04, S-090]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, { id: 'a', name: 'Ann', sold: [0, 1, 0] })
  await addConversation(shop, { id: 'b', name: 'Bea Closed', sold: [0], isClosed: 1 })
  await addConversation(shop, { id: 'c', name: 'Cleo Sold', sold: [1] })
  await addConversation(shop, { id: 'd', name: 'Dora Contact', fromContactPage: 1, sold: [0] })
  await addConversation(shop, { id: 'e', name: 'Eve Talks' })
  await addConversation(shop, { id: 'f', name: 'Fay', sold: [0], at: NOON + 1 })
  await shop.db
    .updateTable('orderItems')
    .set({ quantity: 3, agreedCents: 5000 })
    .where('orderId', '=', 'f')
    .execute()

  const card = cardOf(await (await shop.owner()).page('/manage/'), 'Open requests')
  expect(wordsIn(card)).toBe(
    'Fay March 04, 2026 3 pieces, $50.00 Ann March 04, 2026 2 pieces, $36.00 All requests',
  )
  expect(card).toContain('href="/manage/messages/a"')
})

test('the dashboard lists new testimonies, colors low on stock and recent sales, and counts failed emails and open tasks [NAV-04, S-090, ADMIN-SHELL-01, OWN-72]', async () => {
  const shop = await openTestShop()
  await addColor(shop.db, 'rose', { name: 'Old_Rose', isLowOnStock: 1 })
  await addColor(shop.db, 'sage', { name: 'Sage' })
  await addColor(shop.db, 'sea', { name: 'Deep_Sea', isAvailable: 0 })
  await addColor(shop.db, 'plum', { name: 'Plum', isLowOnStock: 1 })
  for (let index = 0; index < 5; index++)
    await addSale(shop.db, {
      buyerName: 'Cleo',
      itemName: `Hanger ${index}`,
      salePriceCents: 4250 + index,
      createdAt: NOON + index,
    })
  for (let index = 0; index < 6; index++) {
    const state = {
      isAvailable: 0,
      isValidated: index < 5 ? 0 : 1,
      writtenAt: NOON + index,
    } as const
    await addTestimonyTicket(shop.db, `t${index}`, {
      writerName: index === 4 ? '' : `Writer ${index}`,
      testimony: 'Lovely',
      ...state,
    })
  }
  const email = {
    kind: 'contact',
    toAddress: 'a@b.test',
    subject: '',
    text: '',
    createdAt: NOON,
    attempts: 1,
    nextAttemptAt: NOON,
  }
  for (const [id, failedAt] of [
    ['l1', NOON],
    ['l2', null],
  ] as const)
    await insert(shop.db, 'outbox', { id, ...email, failedAt, lastError: 'refused' })

  const html = await (await shop.owner()).page('/manage/')
  expect(wordsIn(cardOf(html, 'Colors running low'))).toBe(
    'Low on stock Old Rose, Plum Not available Deep Sea All colors',
  )
  expect(wordsIn(cardOf(html, 'Last sales'))).toMatch(
    /^Hanger 4 \$42\.54 for Cleo Hanger 3 .* Hanger 1 \$42\.51 for Cleo All sales$/,
  )
  expect(wordsIn(cardOf(html, 'New testimonials'))).toMatch(
    /^ann .*Writer 1 March 04, 2026 All testimonials \(1 more\)$/,
  )
  expect(html).toContain('1 email could not be delivered.')
  expect(badgesOf(html).slice(0, 2)).toEqual([
    'Testimonials: 5: 5 to review',
    'Mail: 2: 2 not delivered',
  ])
})
