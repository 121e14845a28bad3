import { expect, test } from 'vitest'
import type { OrderTable } from '#db/schema.ts'
import { placeOrder } from '#test/fixtures/orders.ts'
import { openTestShop, type TestShop, openShopWithAnn } from '#test/fixtures/test-shop.ts'
import { listPendingItems } from '#app/features/admin/dashboard/pending-items.server.ts'
import { PAGE_SIZE, listConversations } from './conversation-list.server.ts'
import { conversationQuery, parseConversationSearch } from './conversation-search.ts'
import { countUnread, markRead, sendMessage } from './conversations.server.ts'

const owner = { id: 'owner', role: 'admin', name: '', email: '', image: null, sessionId: '' } as const
const read = (query: string) => parseConversationSearch(new URLSearchParams(query))
const list = (shop: TestShop, query = '') => listConversations(shop.db, read(query))
const ids = async (shop: TestShop, query = '') => (await list(shop, query)).lines.map(({ id }) => id)

type Said = { by: 'owner' | 'customer'; read?: boolean }[]

/** A conversation with these messages; `read`: the owner has read as far as here. */
async function addConversation(shop: TestShop, id: string, given: Partial<OrderTable> = {}, said: Said = [], pieces: string[] = []) {
  const receiptTag = given.isClosed ? null : `TAG-${id}`
  const lines = pieces.map((name, at) => ({ itemId: `${id}-${at}`, name }))
  await placeOrder(shop.db, lines, { id, userName: id, userEmail: `${id}@mail.test`, receiptTag, lastSeq: said.length, ...given })
  for (const [at, { by }] of said.entries())
    await shop.db
      .insertInto('messages')
      .values({ orderId: id, seq: at + 1, id: `m${at}`, message: `${id} ${at}`, sender: by === 'owner' ? 'owner' : id, createdAt: at })
      .execute()
  const mark = said.findLastIndex((one) => one.read) + 1
  if (mark > 0) await shop.db.insertInto('readReceipts').values({ orderId: id, reader: 'owner', seq: mark }).execute()
}
const [hers, mine] = [{ by: 'customer' }, { by: 'owner' }] as const

test('lists every conversation once over several pages, the one with the newest change first [S-177, S-081, MSG-01]', async () => {
  const shop = await openTestShop()
  const count = 2 * PAGE_SIZE + 5
  // Groups of seven in one millisecond, some of them across the end of a part.
  for (let n = 0; n < count; n++)
    await addConversation(shop, `c${String((n * 17) % count).padStart(3, '0')}`, { createdAt: Math.floor(n / 7) })

  const parts = [await list(shop)]
  while (parts.at(-1)!.older) parts.push(await list(shop, conversationQuery({ ...parts.at(-1)!.search, behind: parts.at(-1)!.older })))

  expect(parts.map(({ lines }) => lines.length)).toEqual([PAGE_SIZE, PAGE_SIZE, 5])
  const seen = parts.flatMap(({ lines }) => lines)
  const sorted = seen.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  expect(seen.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
  expect(new Set(seen.map(({ id }) => id)).size).toBe(count)
  expect(parts.map(({ counts }) => counts.all)).toEqual([count, count, count])
})

test('the filters and counts of unread conversations and requests agree with the bell and the dashboard [S-177, MSG-02]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, 'unread', {}, [{ ...hers, read: true }, mine, hers, hers])
  await addConversation(shop, 'answered', {}, [{ ...hers, read: true }, mine, mine])
  await addConversation(shop, 'unmarked', {}, [hers, mine])
  await addConversation(shop, 'asks', {}, [{ ...hers, read: true }], ['Moon wall', 'Sun wall'])
  await addConversation(shop, 'closed', { isClosed: 1 }, [], ['Moon wall'])
  await addConversation(shop, 'contact', { fromContactPage: 1 }, [hers])
  await addConversation(shop, 'empty')
  await addConversation(shop, 'sold', {}, [], ['Moon wall'])
  await shop.db.updateTable('orderItems').set({ isSold: 1 }).where('orderId', '=', 'sold').execute()

  const { lines, counts } = await list(shop)

  expect(counts).toEqual({ all: 8, unread: 3, requests: 1 })
  expect(Object.fromEntries(lines.filter(({ unread }) => unread > 0).map(({ id, unread }) => [id, unread]))).toEqual({
    unread: 2,
    unmarked: 1,
    contact: 1,
  })
  expect((await ids(shop, 'show=unread')).toSorted()).toEqual(['contact', 'unmarked', 'unread'])
  expect(await ids(shop, 'show=requests')).toEqual(['asks'])
  expect(lines.filter(({ pieces }) => pieces > 0).map(({ id, pieces }) => [id, pieces])).toEqual([['asks', 2]])
  expect(await countUnread(shop.db, owner)).toBe(4)
  const waiting = await listPendingItems(shop.db)
  expect([waiting.unread.count, waiting.requests.count]).toEqual([counts.unread, counts.requests])
})

test('finds conversations by name, email, receipt tag and item, ignoring case and accents [S-177]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, 'a', { userName: 'Zoë Müller', userEmail: 'Z.Mueller@Mail.test' }, [], ['Étoile 100% cotton'])
  await addConversation(shop, 'b', { userName: '', userEmail: 'bo_b@mail.test', receiptTag: 'Q7xK2m9P' }, [], ['Moon wall'])
  await addConversation(shop, 'c', { userName: 'Кира', userEmail: 'bozb@mail.test' })

  const found = async (text: string) => (await ids(shop, `q=${encodeURIComponent(text)}`)).toSorted().join('')

  const expected = {
    a: ['zoe', 'MULLER', 'müller zoe', 'z.mueller@', 'etoile', '%'],
    b: ['q7xk', 'moon', 'bo_b'],
    c: ['кИРА'],
    abc: [' '],
    '': ['zoe moon', '\\'],
  }
  for (const [conversations, texts] of Object.entries(expected))
    for (const text of texts) expect([text, await found(text)]).toEqual([text, conversations])
  expect((await list(shop, 'q=zoe')).counts.all).toBe(3)
})

test('shows the search and the filter that the URL contains [S-177]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, 'ann', {}, [hers])
  const page = await shop.owner()
  expect(await page.page('/manage/messages/ann?q=nothing')).toMatch(/Nothing found for “nothing”.*role="log"/s)
  expect(await page.page('/manage/messages/?show=unread')).toMatch(
    /aria-current="true"[^>]*>Unread.*href="\/manage\/messages\/ann\?show=unread"/s,
  )
})

test('the owner’s own reply counts as read only if she had read every message before it [S-076, S-178]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const markOf = async () =>
    (await shop.db.selectFrom('readReceipts').select('seq').where('reader', '=', 'owner').executeTakeFirst())?.seq ?? 0
  const say = (message: string) => ann.act('/messages', { intent: 'send', message })
  const reply = () => sendMessage(shop.shop, owner, ann.id, { message: 'r', messageId: '' })
  await say('one')
  await reply()
  expect([await markOf(), (await list(shop)).counts.unread]).toEqual([0, 1])

  await markRead(shop.shop, owner, ann.id, 2)
  await reply()
  expect([await markOf(), (await list(shop)).counts.unread]).toEqual([3, 0])

  await say('four')
  await reply()
  expect([await markOf(), (await list(shop)).lines[0]!.unread]).toEqual([3, 1])
})
