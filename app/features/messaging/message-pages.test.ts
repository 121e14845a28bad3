import { expect, test } from 'vitest'
import type { MessagePage } from '#app/features/orders/order.ts'
import { OWNER, openTestShop } from '#test/open-test-shop.ts'
import { PAGE, countUnread, readConversation } from './conversations.server.ts'

const bodyOf = async (response: Response) => ((await response.json()) as MessagePage | null)!

/** Ann's conversation with as many messages, hers and the owner's in turn. */
async function openShopWithMessages(count: number) {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await ann.act('/messages', { intent: 'send', message: 'text 1' })
  const rows = Array.from({ length: count - 1 }, (_, i) => i + 2).map((seq) => ({
    orderId: ann.id,
    seq,
    id: `id${seq}`,
    message: `text ${seq}`,
    sender: seq % 2 ? ann.id : 'owner',
    createdAt: seq,
  }))
  await shop.db.insertInto('messages').values(rows).execute()
  await shop.db.updateTable('orders').set({ lastSeq: count }).execute()
  return { shop, ann }
}

test('S-164 from the newest to the first page by page, every message once and in order', async () => {
  const { shop, ann } = await openShopWithMessages(2 * PAGE + 7)
  const owner = await shop.owner()
  for (const reader of [ann, owner]) {
    let page: MessagePage = (await readConversation(shop.db, ann.id, ann.id))!
    const sizes = [page.messages.length]
    let all = page.messages
    while (page.hasEarlier) {
      page = await bodyOf(await reader.get(`/messages/earlier/${ann.id}?before=${all[0]!.seq}`))
      sizes.push(page.messages.length)
      all = [...page.messages, ...all]
    }
    expect(sizes).toEqual([PAGE, PAGE, 7])
    expect(all.map(({ seq, message }) => [seq, message])).toEqual(Array.from({ length: 2 * PAGE + 7 }, (_, i) => [i + 1, `text ${i + 1}`]))
  }
})

test('S-164 a page that is just full has nothing before it', async () => {
  const { shop, ann } = await openShopWithMessages(PAGE)
  expect(await readConversation(shop.db, ann.id, ann.id)).toMatchObject({ hasEarlier: false, hasLater: false, lastSeq: PAGE })
})

test('CHAT-09 S-076 S-164 what is unread is counted also where it is not shown, and read up to the newest shown', async () => {
  const { shop, ann } = await openShopWithMessages(3 * PAGE)
  expect((await readConversation(shop.db, ann.id, ann.id))!.unread).toBe(1.5 * PAGE)

  await ann.act('/messages', { intent: 'read', seq: String(PAGE) })

  expect((await readConversation(shop.db, ann.id, ann.id))!.unread).toBe(PAGE)
  expect(await countUnread(shop.db, { id: ann.id, role: 'customer' })).toBe(PAGE)
  // The sender of the other half counts the other half.
  expect((await readConversation(shop.db, ann.id, 'owner'))!.unread).toBe(1.5 * PAGE)
})

test('ROLES-13 S-164 earlier messages are for the two of the conversation alone', async () => {
  const { shop, ann } = await openShopWithMessages(3)
  const path = `/messages/earlier/${ann.id}?before=3`
  for (const stranger of [shop.visitor(), await shop.guest(), await shop.customer('ben@mail.test')]) {
    const response = await stranger.get(path)
    expect([response.status, await response.text()]).toEqual([404, 'null'])
  }
  const own = await ann.get(path)
  expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect((await bodyOf(own)).messages.map(({ message }) => message)).toEqual(['text 1', 'text 2'])
})

test('S-164 a sequence that is none is no error: nothing earlier, and the page from its end', async () => {
  const { ann } = await openShopWithMessages(3)
  for (const before of ['', '0', '-1', '1.5', 'x', 'Infinity', '9999999999', '1e3x', '%00']) {
    expect((await ann.get(`/messages/earlier/${ann.id}?before=${before}`)).status).toBe(404)
    expect(await ann.page(`/about?messages=&before=${before}`)).toContain('text 3')
  }
})

test('DATA-018 a document holds the whole conversation', async () => {
  const { shop } = await openShopWithMessages(2 * PAGE)
  const { orders } = (await (await (await shop.owner()).post('/manage/documents.json', { password: OWNER.password })).json()) as {
    orders: { messages: unknown[] }[]
  }
  expect(orders.map(({ messages }) => messages)).toMatchObject([{ length: 2 * PAGE }])
})
