import { expect, test } from 'vitest'
import { hiddenValueOf, hrefOf, pageOf } from '#test/fixtures/html.ts'
import type { OrderTable } from '#db/schema.ts'
import { placeOrder } from '#test/fixtures/orders.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { listPendingItems } from '#admin/dashboard/pending-items.server.ts'
import { CONVERSATIONS_PAGE_SIZE, listConversations } from './conversation-list.server.ts'
import { conversationQuery, parseConversationSearch } from './conversation-search.ts'
import { countUnread } from '#conversation/read-receipts.server.ts'
import { markRead } from '../messages.server.ts'

const owner = {
  id: 'owner',
  role: 'owner',
  name: '',
  email: '',
  image: null,
  sessionId: '',
} as const
const read = (query: string) => parseConversationSearch(new URLSearchParams(query))
const list = (shop: TestShop, query = '') => listConversations(shop, read(query))
const ids = async (shop: TestShop, query = '') =>
  (await list(shop, query)).lines.map(({ id }) => id)

type Said = { by: 'owner' | 'customer'; read?: boolean }[]

/**
 * Adds a conversation with the messages `said`. The owner has read every message up to the last
 * message whose `read` is true.
 */
async function addConversation(
  shop: TestShop,
  id: string,
  given: Partial<OrderTable> = {},
  said: Said = [],
  pieces: string[] = [],
) {
  const receiptTag = given.isClosed ? null : `TAG-${id}`
  const lines = pieces.map((name, index) => ({ itemId: `${id}-${index}`, name }))
  await placeOrder(shop.db, lines, {
    id,
    userName: id,
    userEmail: `${id}@mail.test`,
    receiptTag,
    lastSeq: said.length,
    ...given,
  })
  for (const [index, { by }] of said.entries()) {
    await shop.db
      .insertInto('messages')
      .values({
        orderId: id,
        seq: index + 1,
        id: `m${index}`,
        message: `${id} ${index}`,
        sender: by === 'owner' ? 'owner' : id,
        createdAt: index,
      })
      .execute()
  }
  const mark = said.findLastIndex(({ read }) => read) + 1
  if (mark > 0) {
    await shop.db
      .insertInto('readReceipts')
      .values({ orderId: id, reader: 'owner', seq: mark })
      .execute()
  }
}
const [hers, mine] = [{ by: 'customer' }, { by: 'owner' }] as const

test('the pages of the conversation list contain each conversation once, sorted by its newest message [S-177, S-081, MSG-01]', async () => {
  const shop = await openTestShop()
  const count = 2 * CONVERSATIONS_PAGE_SIZE + 5
  // Each group of seven conversations has the same time, so a page can end inside a group.
  for (let n = 0; n < count; n++) {
    await addConversation(shop, `c${String((n * 17) % count).padStart(3, '0')}`, {
      createdAt: Math.floor(n / 7),
    })
  }

  const parts = [await list(shop)]
  while (parts.at(-1)!.older) {
    parts.push(
      await list(shop, conversationQuery({ ...parts.at(-1)!.search, behind: parts.at(-1)!.older })),
    )
  }

  expect(parts.map(({ lines }) => lines.length)).toEqual([
    CONVERSATIONS_PAGE_SIZE,
    CONVERSATIONS_PAGE_SIZE,
    5,
  ])
  const seen = parts.flatMap(({ lines }) => lines)
  const sorted = seen.toSorted(
    (a, b) => b.lastMessageAt - a.lastMessageAt || (a.id < b.id ? -1 : 1),
  )
  expect(seen.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
  expect(new Set(seen.map(({ id }) => id)).size).toBe(count)
  expect(parts.map(({ counts }) => counts.all)).toEqual([count, count, count])
})

test('the conversation list filters unread conversations and order requests, with the same counts as the dashboard [S-177, MSG-02]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, 'unread', {}, [{ ...hers, read: true }, mine, hers, hers])
  await addConversation(shop, 'answered', {}, [{ ...hers, read: true }, mine, mine])
  await addConversation(shop, 'unmarked', {}, [hers, mine])
  await addConversation(shop, 'asks', {}, [{ ...hers, read: true }], ['Moon wall', 'Sun wall'])
  await addConversation(shop, 'closed', { isClosed: true }, [], ['Moon wall'])
  await addConversation(shop, 'contact', { fromContactPage: true }, [hers])
  await addConversation(shop, 'empty')
  await addConversation(shop, 'sold', {}, [], ['Moon wall'])
  await shop.db
    .updateTable('orderItems')
    .set({ isSold: true })
    .where('orderId', '=', 'sold')
    .execute()
  await shop.db
    .updateTable('orderItems')
    .set({ quantity: 3 })
    .where('itemId', '=', 'asks-1')
    .execute()

  const { lines, counts } = await list(shop)

  expect(counts).toEqual({ all: 8, unread: 3, requests: 1 })
  expect(
    Object.fromEntries(
      lines.filter(({ unread }) => unread > 0).map(({ id, unread }) => [id, unread]),
    ),
  ).toEqual({
    unread: 2,
    unmarked: 1,
    contact: 1,
  })
  expect((await ids(shop, 'show=unread')).toSorted()).toEqual(['contact', 'unmarked', 'unread'])
  expect(await ids(shop, 'show=requests')).toEqual(['asks'])
  expect(lines.filter(({ pieces }) => pieces > 0).map(({ id, pieces }) => [id, pieces])).toEqual([
    ['asks', 4],
  ])
  expect(await countUnread(shop.db, owner)).toBe(4)
  const waiting = await listPendingItems(shop)
  expect(waiting.unread.count).toEqual(counts.unread)
  expect(waiting.requests.count).toEqual(counts.requests)
})

test('the owner finds conversations by name, email, receipt tag and item, regardless of case and accents [S-177]', async () => {
  const shop = await openTestShop()
  await addConversation(
    shop,
    'a',
    { userName: 'Zoë Müller', userEmail: 'Z.Mueller@Mail.test' },
    [],
    ['Étoile 100% cotton'],
  )
  await addConversation(
    shop,
    'b',
    { userName: '', userEmail: 'bo_b@mail.test', receiptTag: 'Q7xK2m9P' },
    [],
    ['Moon wall'],
  )
  await addConversation(shop, 'c', { userName: 'Кира', userEmail: 'bozb@mail.test' })

  const found = async (text: string) =>
    (await ids(shop, `q=${encodeURIComponent(text)}`)).toSorted().join('')

  const expected = {
    a: ['zoe', 'MULLER', 'müller zoe', 'z.mueller@', 'etoile', '%'],
    b: ['q7xk', 'moon', 'bo_b'],
    c: ['кИРА'],
    abc: [' '],
    '': ['zoe moon', '\\'],
  }
  for (const [conversations, texts] of Object.entries(expected)) {
    for (const text of texts) expect([text, await found(text)]).toEqual([text, conversations])
  }
  expect((await list(shop, 'q=zoe')).counts.all).toBe(3)
})

test('the list of conversations shows the search text and the filter that the URL contains [S-177]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, 'ann', {}, [hers])
  const client = await shop.owner()
  const search = pageOf(await client.page('/manage/messages/ann?q=nothing'))
  expect(search.getByText(/Nothing found for “nothing”/)).toBeTruthy()
  expect(search.getByRole('log')).toBeTruthy()
  const unread = pageOf(await client.page('/manage/messages/?show=unread'))
  expect(unread.getByRole('link', { name: /^Unread/, current: true })).toBeTruthy()
  expect(hrefOf(unread, /^ann/)).toBe('/manage/messages/ann?show=unread')
})

test('the owner’s reply marks as read only the messages that she has seen, not messages that arrived later [S-178, OWN-70]', async () => {
  const shop = await openTestShop()
  const [ann, page] = [await shop.customer(), await shop.owner()]
  const say = (message: string) => ann.act('/messages', { intent: 'send', message })
  const reply = (seen: number) =>
    page.act(`/manage/messages/${ann.id}`, {
      intent: 'send',
      message: 'r',
      messageId: '',
      seen: String(seen),
    })
  const unread = async () => (await list(shop)).lines[0]!.unread
  await say('one')
  await say('two')
  expect(hiddenValueOf(await page.page(`/manage/messages/${ann.id}`), 'seen')).toBe('2')

  await reply(2)
  expect(await unread()).toBe(0)

  await say('four')
  await say('five')
  await reply(4)
  expect(await unread()).toBe(1)
  // An invalid `seen` never moves the read receipt beyond the newest message.
  for (const seen of [-1, Number.NaN, 99]) await reply(seen)
  expect(await unread()).toBe(0)
  expect(await markOf(shop)).toBe(9)
})

const markOf = async (shop: TestShop) =>
  (
    await shop.db
      .selectFrom('readReceipts')
      .select('seq')
      .where('reader', '=', 'owner')
      .executeTakeFirst()
  )?.seq

test('a conversation moves to the top of the list when a message arrives, not when the owner reads it [S-081, OWN-71]', async () => {
  const shop = await openTestShop()
  const people = [
    await shop.customer('first@mail.test'),
    await shop.customer('second@mail.test'),
  ] as const
  for (const person of people) {
    shop.clock.now += 1000
    await person.act('/messages', { intent: 'send', message: 'Hello' })
  }
  const ids = async () => (await list(shop)).lines.map(({ id }) => id)
  shop.clock.now += 1000
  await markRead(shop.shop, owner, people[0].id, 1)
  expect(await ids()).toEqual([people[1].id, people[0].id])

  await people[0].act('/messages', { intent: 'send', message: 'Still there?' })
  expect(await ids()).toEqual([people[0].id, people[1].id])
})
