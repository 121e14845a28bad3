import { describe, expect, test } from 'vitest'
import { OWNER_ID } from '#services/owner-id.ts'
import { addColor, insert } from '#test/fixtures/catalog.ts'
import { hrefsIn, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { addSale, addTestimonyTicket, placeOrder } from '#test/fixtures/orders.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openShopWithOwner, openTestShop, NOON, type TestShop } from '#test/fixtures/test-shop.ts'
import { sectionOf } from './admin-layout.tsx'

/**
 * The links to the sections in the admin navigation, which a page contains twice: for wide screens
 * and for phones.
 */
const adminLinks = (page: ReturnType<typeof pageOf>) =>
  page
    .getAllByRole('navigation', { name: 'Manage Website' })
    .flatMap((navigation) => within(navigation).getAllByRole('link'))
    .filter((link) => link.closest('li'))

test('the admin navigation has links to all sections, including the reports and the testimonials [ADMIN-SHELL-01] [S-105] [S-039]', async () => {
  const shop = await openTestShop()
  const page = pageOf(await (await shop.owner()).page('/manage/'))

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
  const links = adminLinks(page).map(({ textContent }) => textContent)
  expect(links.toSorted()).toEqual([...names, ...names].toSorted())
})

test('on a phone, the navigation shows the current section’s name; on a wide screen, it marks the section’s link [ADMIN-SHELL-02] [ADMIN-SHELL-03]', async () => {
  const { owner } = await openShopWithOwner()
  const sales = pageOf(await owner.page('/manage/sales/'))
  expect(sales.getByText('Sales', { selector: 'summary' })).toBeTruthy()
  expect(
    [
      '/manage/',
      '/manage/item/abc',
      '/manage/discount',
      '/manage/messages/x',
      '/manage/firestore-import/',
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
  const marks = async (path: string) =>
    adminLinks(pageOf(await owner.page(path)))
      .filter((link) => link.hasAttribute('aria-current'))
      .map((link) => `${link.getAttribute('aria-current')} ${link.getAttribute('href')}`)
  expect(new Set(await marks('/manage/item/'))).toEqual(new Set(['page /manage/item/']))
  expect(new Set(await marks('/manage/backups/'))).toEqual(new Set(['true /manage/settings/']))
})

const sections = {
  'NAV-06': ['/manage/category/', 'Categories'],
  'NAV-07': ['/manage/colors/', 'Colors'],
  'NAV-08': ['/manage/item/', 'Merchandise'],
  'NAV-09': ['/manage/messages/', 'Messages'],
  'NAV-10': ['/manage/sales/', 'Sales'],
  'NAV-11': ['/manage/discount/', 'Discounts'],
}
describe('the admin area', () => {
  const shop = shared((onCleanup) => openShopWithOwner({ onCleanup }))

  test.for(Object.entries(sections))(
    'the owner can open each section of the admin area at its URL, inside the admin layout [%s]',
    async ([, [path, title]]) => {
      const page = pageOf(await shop().owner.page(path!))
      expect(page.getByRole('heading', { level: 1 }).textContent).toBe(title)
      const links = adminLinks(page)
      expect(links.map((link) => link.getAttribute('href'))).toContain('/manage/category/')
      const [current] = links.filter((link) => link.getAttribute('aria-current') === 'page')
      expect(current!.getAttribute('href')).toBe(path)
    },
  )
})

type Conversation = {
  id: string
  name: string
  at?: number
  isClosed?: boolean
  fromContactPage?: boolean
  senders?: string[]
  mark?: number
  sold?: boolean[]
}

/**
 * Adds a conversation. `mark` is the number of the last message that the owner has read. `sold` has
 * an entry for each requested item: 1 if it is sold, and otherwise 0.
 */
async function addConversation(
  { db }: TestShop,
  {
    id,
    name,
    at = NOON,
    isClosed = false,
    fromContactPage = false,
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
  for (const [index, sender] of senders.entries()) {
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
  }
  if (mark !== undefined) {
    await db
      .insertInto('readReceipts')
      .values({ orderId: id, reader: OWNER_ID, seq: mark })
      .execute()
  }
}

const readDashboard = async (shop: TestShop) => pageOf(await (await shop.owner()).page('/manage/'))
type Dashboard = Awaited<ReturnType<typeof readDashboard>>

const cardOf = (page: Dashboard, name: string) => page.getByRole('region', { name })
/** The words of a card below its heading. */
const wordsIn = (page: Dashboard, name: string) =>
  wordsOf(cardOf(page, name).innerHTML)
    .trim()
    .slice(name.length + 1)
/** Texts such as “Messages: 3 unread”. A screen reader does not read the number before it. */
const badgesOf = (page: Dashboard) =>
  adminLinks(page).flatMap((link) => {
    if (!link.nextElementSibling) return []
    const [number, text] = link.nextElementSibling.children
    expect(number!.getAttribute('aria-hidden')).toBe('true')
    return `${link.textContent}: ${number!.textContent}: ${text!.textContent}`
  })

test('when the owner has no open tasks, the dashboard shows links to frequent tasks [NAV-04, S-090]', async () => {
  const shop = await openTestShop()
  const page = await readDashboard(shop)
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ona')
  expect(badgesOf(page)).toEqual([])
  cardOf(page, 'Make it yours').remove()
  const main = within(page.getByRole('main'))
  expect(hrefsIn(main)).toEqual([
    '/manage/item/',
    '/manage/messages/',
    '/manage/discount/',
    '/manage/reports/',
  ])
  expect(main.queryByRole('heading', { level: 2 })).toBeNull()
})

test('the dashboard lists the conversations with messages that the owner has not read, newest first, and writes “You:” before a last message of the owner [NAV-04, S-090]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, { id: 'a', name: 'Ann Waiting', senders: ['a', 'a'], at: NOON - 2 })
  await addConversation(shop, { id: 'b', name: 'Bea Read', senders: ['b', 'b'], mark: 2 })
  await addConversation(shop, { id: 'c', name: 'Cleo Answered', senders: ['c', OWNER_ID], mark: 1 })
  await addConversation(shop, {
    id: 'd',
    name: 'Dora Half',
    senders: ['d', 'd', OWNER_ID],
    mark: 1,
    at: NOON - 1,
  })
  await addConversation(shop, { id: 'e', name: 'Eve Silent' })

  const page = await readDashboard(shop)
  expect(wordsIn(page, 'Unread conversations')).toBe(
    'Dora Half March 04, 2026 You: Words 3 of Dora Half Ann Waiting March 04, 2026 Words 2 of Ann Waiting All messages',
  )
  const sender = within(cardOf(page, 'Unread conversations')).getByText('You:', { selector: 'bdi' })
  expect(sender.closest('a')!.getAttribute('href')).toBe('/manage/messages/d')
  expect(badgesOf(page)).toEqual(['Messages: 3: 3 unread', 'Messages: 3: 3 unread'])
})

test('for each open conversation with unsold items, the dashboard shows the number of pieces and the total of the agreed prices, or of the prices that the customer was shown [NAV-04, S-090]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, { id: 'a', name: 'Ann', sold: [false, true, false] })
  await addConversation(shop, { id: 'b', name: 'Bea Closed', sold: [false], isClosed: true })
  await addConversation(shop, { id: 'c', name: 'Cleo Sold', sold: [true] })
  await addConversation(shop, {
    id: 'd',
    name: 'Dora Contact',
    fromContactPage: true,
    sold: [false],
  })
  await addConversation(shop, { id: 'e', name: 'Eve Talks' })
  await addConversation(shop, { id: 'f', name: 'Fay', sold: [false], at: NOON + 1 })
  await shop.db
    .updateTable('orderItems')
    .set({ quantity: 3, agreedCents: 5000 })
    .where('orderId', '=', 'f')
    .execute()

  const page = await readDashboard(shop)
  expect(wordsIn(page, 'Open requests')).toBe(
    'Fay March 04, 2026 3 pieces, $50.00 Ann March 04, 2026 2 pieces, $36.00 All requests',
  )
  const link = within(cardOf(page, 'Open requests')).getByRole('link', { name: /^Ann/ })
  expect(link.getAttribute('href')).toBe('/manage/messages/a')
})

test('the dashboard lists new testimonies, colors low on stock and recent sales, and counts failed emails and open tasks [NAV-04, S-090, ADMIN-SHELL-01, OWN-72]', async () => {
  const shop = await openTestShop()
  await addColor(shop.db, 'rose', { name: 'Old_Rose', isLowOnStock: true })
  await addColor(shop.db, 'sage', { name: 'Sage' })
  await addColor(shop.db, 'sea', { name: 'Deep_Sea', isAvailable: false })
  await addColor(shop.db, 'plum', { name: 'Plum', isLowOnStock: true })
  for (let index = 0; index < 5; index++) {
    await addSale(shop.db, {
      buyerName: 'Cleo',
      itemName: `Hanger ${index}`,
      salePriceCents: 4250 + index,
      createdAt: NOON + index,
    })
  }
  for (let index = 0; index < 6; index++) {
    const state = {
      isAvailable: false,
      isValidated: index >= 5,
      createdAt: NOON + index,
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
  ] as const) {
    await insert(shop.db, 'outbox', { id, ...email, failedAt, lastError: 'refused' })
  }

  const page = await readDashboard(shop)
  expect(wordsIn(page, 'Colors running low')).toBe(
    'Low on stock Old Rose, Plum Not available Deep Sea All colors',
  )
  expect(wordsIn(page, 'Last sales')).toMatch(
    /^Hanger 4 \$42\.54 for Cleo Hanger 3 .* Hanger 1 \$42\.51 for Cleo All sales$/,
  )
  expect(wordsIn(page, 'New testimonials')).toMatch(
    /^ann .*Writer 1 March 04, 2026 All testimonials \(1 more\)$/,
  )
  expect(page.getByText(/^1 email could not be delivered\./)).toBeTruthy()
  expect(badgesOf(page).slice(0, 2)).toEqual([
    'Testimonials: 5: 5 to review',
    'Mail: 2: 2 not delivered',
  ])
})
