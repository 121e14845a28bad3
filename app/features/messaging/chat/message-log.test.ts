import { expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import type { MessagePage } from '#conversation/message.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { MESSAGES_PAGE_SIZE, readConversation } from '../messages.server.ts'
import { countUnread } from '#conversation/read-receipts.server.ts'

const logOf = (html: string) => within(pageOf(html).getByRole('log'))
const linesOf = (html: string) =>
  logOf(html)
    .getAllByRole('listitem')
    .map((line) => {
      const state = within(line)
        .queryByLabelText(/^(Read|Sent)$/)
        ?.getAttribute('aria-label')
      const text = line.textContent + (state ? `(${state})` : '')
      return `${line.dataset.sender ?? '-'} ${text}`
    })

/**
 * Adds the messages 2, 3, … to a conversation that has a single message. The owner and the customer
 * take turns as senders.
 */
async function addMessages({ db }: TestShop, orderId: string, count: number) {
  const rows = Array.from({ length: count }, (_, index) => index + 2).map((seq) => ({
    orderId,
    seq,
    id: `id${seq}`,
    message: `text ${seq}.`,
    sender: seq % 2 ? orderId : 'owner',
    createdAt: seq,
  }))
  await db.insertInto('messages').values(rows).execute()
  await db
    .updateTable('orders')
    .set({ lastSeq: count + 1 })
    .execute()
}

async function openShopWithMessages(count: number) {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await ann.act('/messages', { intent: 'send', message: 'text 1.' })
  await addMessages(shop, ann.id, count - 1)
  return { shop, ann }
}

async function openShopWithAnn(timeZone = 'America/New_York') {
  const shop = await openTestShop({ now: Date.UTC(2026, 2, 5, 4, 59), timeZone })
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  return {
    shop,
    ann,
    owner,
    say: (message: string) => ann.act('/messages', { intent: 'send', message }),
    reply: (message: string) =>
      owner.act(`/manage/messages/${ann.id}`, { intent: 'send', message }),
    panel: (search = '') => ann.page(`/about?messages=${search}`),
    view: (search = '') => owner.page(`/manage/messages/${ann.id}${search}`),
  }
}

test('the message log shows which messages were read, and shows times in the time zone of the shop [S-108, S-167]', async () => {
  const { shop, ann, owner, say, reply, panel, view } = await openShopWithAnn()
  await say('late')
  shop.clock.now += 60_000
  await say('past midnight')
  await owner.act(`/manage/messages/${ann.id}`, { intent: 'read', seq: '1' })
  expect(linesOf(await panel())).toEqual([
    '- March 04, 2026',
    'own You: late11:59 PM(Read)',
    '- March 05, 2026',
    'own You: past midnight12:00 AM(Sent)',
  ])

  await reply('one')
  await reply('two')
  await ann.act('/messages', { intent: 'read', seq: '3' })

  // Ann's earlier messages count as read, because the owner has replied to them.
  expect(linesOf(await panel()).slice(3)).toEqual([
    'own You: past midnight12:00 AM(Read)',
    'other Knots & Love: one12:00 AM',
    '- New',
    'other Knots & Love: two12:00 AM',
  ])
  expect(linesOf(await view())).toEqual([
    '- March 04, 2026',
    'other ann: late11:59 PM',
    '- March 05, 2026',
    '- New',
    'other ann: past midnight12:00 AM',
    'own You: one12:00 AM(Read)',
    'own You: two12:00 AM(Sent)',
  ])
  expect(
    (await shop.db.selectFrom('readReceipts').selectAll().execute())
      .map(({ seq }) => seq)
      .toSorted(),
  ).toEqual([1, 3])
})

test('the message log turns URLs and email addresses in a message into links, and escapes all other text [S-165]', async () => {
  const { say, panel, view } = await openShopWithAnn()
  await say(
    'See https://example.com/?a=1&b="><img src=x onerror=alert(1)> or javascript:alert(1), or ann@mail.test',
  )

  for (const log of [logOf(await panel()), logOf(await view())]) {
    const links = log.getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['https://example.com/?a=1&b=', 'https://example.com/?a=1&b='],
      ['ann@mail.test', 'mailto:ann@mail.test'],
    ])
    for (const link of links) {
      expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
    }
    expect(links[0]!.parentElement!.textContent).toContain(
      '"><img src=x onerror=alert(1)> or javascript:alert(1), or ',
    )
    expect(links[0]!.parentElement!.querySelector('img')).toBeNull()
  }
})

test('without JavaScript, a reader can open page after page of earlier messages [S-164]', async () => {
  const { shop, ann, say, panel, view } = await openShopWithAnn()
  const count = 2 * MESSAGES_PAGE_SIZE + 3
  await say('text 1.')
  await addMessages(shop, ann.id, count - 1)
  for (const page of [panel, (search?: string) => view(search?.replace('&', '?'))]) {
    const newest = pageOf(await page())
    const link = newest.getByRole('link', { name: 'Earlier messages' })
    expect(link.getAttribute('href')).toMatch(/before=54$/)
    expect(newest.queryByText(/Newest messages/)).toBeNull()
    expect(newest.getByRole('textbox', { name: 'Message' })).toBeTruthy()

    const earlier = pageOf(await page('&before=54'))
    expect(earlier.getByText('text 4.')).toBeTruthy()
    expect(earlier.getByText('text 53.')).toBeTruthy()
    expect(earlier.queryByText('text 54.')).toBeNull()
    // A page without the newest message has no message field, because a new message would not be
    // shown on it.
    expect(earlier.queryByLabelText('Message')).toBeNull()

    const first = pageOf(await page('&before=4'))
    expect(first.getByText('text 1.')).toBeTruthy()
    expect(first.queryByText('Earlier messages')).toBeNull()
  }
  const link = pageOf(await panel('&before=54')).getByRole('link', { name: 'Newest messages' })
  expect(link.getAttribute('href')).toMatch(/^\/about\/?\?messages=?$/)
})

test.each([
  { count: MESSAGES_PAGE_SIZE, pages: [MESSAGES_PAGE_SIZE] },
  { count: 2 * MESSAGES_PAGE_SIZE + 7, pages: [MESSAGES_PAGE_SIZE, MESSAGES_PAGE_SIZE, 7] },
])(
  'the pages of a conversation contain each of its $count messages once and in order [S-164]',
  async ({ count, pages }) => {
    const { shop, ann } = await openShopWithMessages(count)
    for (const reader of [ann, await shop.owner()]) {
      let page: MessagePage = (await readConversation(shop.db, ann.id, ann.id))!
      const sizes = [page.messages.length]
      let all = page.messages
      while (page.hasEarlier) {
        const response = await reader.get(`/messages/earlier/${ann.id}?before=${all[0]!.seq}`)
        expect(response.status).toBe(200)
        expect(response.headers.get('cache-control')).toBe('private, no-store')
        page = (await response.json()) as MessagePage
        sizes.push(page.messages.length)
        all = [...page.messages, ...all]
      }
      expect(sizes).toEqual(pages)
      expect(all.map(({ seq, message }) => [seq, message])).toEqual(
        Array.from({ length: count }, (_, i) => [i + 1, `text ${i + 1}.`]),
      )
    }
  },
)

test('the number of unread messages includes messages that the page does not show, and falls when messages are read [CHAT-09, S-076, S-164]', async () => {
  const { shop, ann } = await openShopWithMessages(3 * MESSAGES_PAGE_SIZE)
  expect((await readConversation(shop.db, ann.id, ann.id))!.unread).toBe(1.5 * MESSAGES_PAGE_SIZE)

  await ann.act('/messages', { intent: 'read', seq: String(MESSAGES_PAGE_SIZE) })

  expect((await readConversation(shop.db, ann.id, ann.id))!.unread).toBe(MESSAGES_PAGE_SIZE)
  expect(await countUnread(shop.db, { id: ann.id, role: 'customer' })).toBe(MESSAGES_PAGE_SIZE)
  expect((await readConversation(shop.db, ann.id, 'owner'))!.unread).toBe(1.5 * MESSAGES_PAGE_SIZE)
})
