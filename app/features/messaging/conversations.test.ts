import { expect, test } from 'vitest'
import type { User } from '#app/platform/context.ts'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { refuseWrites } from '#test/refuse-writes.ts'
import { countUnread, markRead, readConversation, sendMessage } from './conversations.server.ts'
import { closeOrder } from '#app/features/orders/owner-actions.server.ts'
import { listConversations } from './conversation-list.server.ts'
import { readersOf } from '#app/features/orders/order-documents.server.ts'
import { MAX_MESSAGE } from '#app/features/orders/order.ts'

const id15 = (letter: string) => letter.repeat(15)
const asUser = (id: string, role: User['role'] = 'customer'): User => ({ id, role, name: '', email: '', image: null, sessionId: '' })
const owner = asUser('owner', 'admin')

async function openShopWithAnn() {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const say = (message: string, messageId = '') => ann.act('/messages', { intent: 'send', message, messageId })
  const reply = (message: string) => sendMessage(shop.shop, owner, ann.id, { message, messageId: '' })
  const read = async (viewerId = ann.id) => (await readConversation(shop.db, ann.id, viewerId))!
  return { shop, ann, say, reply, read }
}
const texts = (order: { messages: { message: string }[] }) => order.messages.map((message) => message.message)
const unreadOf = (shop: TestShop, user: User) => countUnread(shop.db, user)

test('CHAT-01 CHAT-08 ROLES-13 S-075 the first message makes the conversation under the uid, the next ones join it', async () => {
  const { shop, ann, say, read } = await openShopWithAnn()

  expect((await say('Hello', id15('a'))).status).toBe(200)
  shop.clock.now += 1000
  await say('Are you there?')

  expect(await read()).toMatchObject({
    id: ann.id,
    user: { id: ann.id, email: 'ann@mail.test' },
    messages: [
      { id: id15('a'), message: 'Hello', sender: ann.id },
      { message: 'Are you there?', sender: ann.id },
    ],
    createdAt: shop.now(),
  })
  expect(shop.heard).toEqual(expect.arrayContaining(['orders', `order:${ann.id}`]))
})

test('CHAT-07 an empty text is sent as it is', async () => {
  const { say, read } = await openShopWithAnn()
  await say('')
  expect(texts(await read())).toEqual([''])
})

test('S-133 a text of 10,000 characters is kept whole, one more is refused with a clear error', async () => {
  const { say, read } = await openShopWithAnn()
  const longest = '<b>ü</b>'.padEnd(MAX_MESSAGE, 'x')
  expect((await say(longest)).status).toBe(200)

  const refused = await say(`${longest}!`)

  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('at most 10,000 characters')])
  expect(texts(await read())).toEqual([longest])
})

test('ROLES-26 the sender is who is signed in: forged fields change nothing', async () => {
  const { shop, ann, read } = await openShopWithAnn()
  const ben = await shop.customer('ben@mail.test')
  await ben.act('/messages', { intent: 'send', message: 'mine' })

  await ann.act('/messages', {
    intent: 'send',
    message: 'x',
    sender: 'owner',
    orderId: ben.id,
    id: ben.id,
    createdAt: '1',
    seq: '99',
    role: 'admin',
  })

  expect((await read()).messages).toMatchObject([{ sender: ann.id, createdAt: shop.now(), seq: 1 }])
  expect(texts((await readConversation(shop.db, ben.id, ben.id))!)).toEqual(['mine'])
})

test('ROLES-13 nobody but the owner reaches the conversation of another', async () => {
  const { shop, ann, say, read } = await openShopWithAnn()
  await say('private')
  const ben = await shop.customer('ben@mail.test')

  expect(await sendMessage(shop.shop, asUser(ben.id), ann.id, { message: 'x', messageId: '' })).toEqual({ ok: false, refusal: 'not-found' })
  await markRead(shop.shop, asUser(ben.id), ann.id, 1)

  expect(await read()).toMatchObject({ messages: [{ message: 'private' }], readMarks: [] })
  expect(await ben.page('/?messages=')).not.toContain('private')
  expect((await ben.get(`/manage/messages/${ann.id}`)).headers.get('location')).toBe('/')
  expect((await shop.visitor().act('/messages', { intent: 'send', message: 'x' })).status).toBe(403)
})

test('CHAT-09 NAV-48 S-076 messages of the other side are unread, own ones never', async () => {
  const { shop, ann, say, reply } = await openShopWithAnn()
  await say('one')
  await reply('two')
  await reply('three')

  expect(await unreadOf(shop, asUser(ann.id))).toBe(2)
  expect(await unreadOf(shop, owner)).toBe(1)
})

test('NAV-46 the owner counts across all orders, a customer only her own', async () => {
  const { shop, ann, say, reply } = await openShopWithAnn()
  const ben = await shop.customer('ben@mail.test')
  await say('a')
  await say('b')
  await ben.act('/messages', { intent: 'send', message: 'c' })
  await reply('to Ann')

  expect(await Promise.all([owner, asUser(ann.id), asUser(ben.id)].map((user) => unreadOf(shop, user)))).toEqual([3, 1, 0])
})

test('CHAT-10 CHAT-11 CHAT-12 CHAT-13 DATA-038 marking as read adds the reader to every message once', async () => {
  const { shop, ann, say, reply, read } = await openShopWithAnn()
  await say('one')
  await reply('two')
  await markRead(shop.shop, owner, ann.id, 1)
  shop.clock.now += 5000

  for (let time = 0; time < 2; time++) await ann.act('/messages', { intent: 'read', seq: '2' })

  const order = await read()
  expect(order.messages.map((message) => readersOf(message, order.readMarks))).toEqual([
    [ann.id, 'owner'],
    ['owner', ann.id],
  ])
  expect(order.createdAt).toBe(shop.now())
  expect(order.unread).toBe(0)
})

test('a read mark never goes back nor beyond the newest message, and a mark that changes nothing writes nothing', async () => {
  const { shop, ann, say, reply, read } = await openShopWithAnn()
  await say('one')
  await reply('two')
  for (const seq of ['99999', '1', '-5', 'NaN', '1.5', '']) await ann.act('/messages', { intent: 'read', seq })
  expect((await read()).readMarks).toEqual([{ reader: ann.id, seq: 2 }])

  await reply('three')
  expect(await unreadOf(shop, asUser(ann.id))).toBe(1)
  const { createdAt } = await read()
  shop.clock.now += 1000
  shop.heard.length = 0
  await ann.act('/messages', { intent: 'read', seq: '2' })

  expect([(await read()).createdAt, shop.heard]).toEqual([createdAt, []])
})

test('DATA-033 every write stamps the order', async () => {
  const { shop, ann, say, reply, read } = await openShopWithAnn()
  await addCategory(shop.db, 'walls').then(() => addItem(shop.db, 'moon', 'walls'))
  const stamps: number[] = []
  const writes = [
    () => ann.act('/order-request', { itemId: 'moon', message: 'One of these', messageId: id15('r') }),
    () => ann.act('/order-request', { itemId: 'moon', message: 'Two of these', messageId: id15('s') }),
    async () => (await shop.owner()).act(`/manage/messages/${ann.id}`, { intent: 'remove', itemId: 'moon', confirm: 'Yes' }),
    () => say('a'),
    () => reply('b'),
    () => ann.act('/messages', { intent: 'read', seq: '4' }),
    () => closeOrder(shop.shop, owner, ann.id),
  ]
  for (const write of writes) {
    shop.clock.now += 1000
    await write()
    stamps.push((await read()).createdAt - shop.now())
  }
  expect(stamps).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('S-077 the same message id again, and twenty messages of both sides at once, lose and double nothing', async () => {
  const { ann, shop, say, reply, read } = await openShopWithAnn()
  await Promise.all([say('once', id15('a')), say('once', id15('a'))])
  await say('once', id15('a'))
  const numbers = Array.from({ length: 10 }, (_, i) => i)

  await Promise.all(numbers.flatMap((i) => [say(`a${i}`), reply(`o${i}`)]))

  const order = await read()
  expect(order.messages.map((message) => message.seq)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1))
  expect(texts(order).toSorted()).toEqual(['once', ...numbers.flatMap((i) => [`a${i}`, `o${i}`])].toSorted())
  expect(await unreadOf(shop, asUser(ann.id))).toBe(10)
})

test('an id that the other side has used does not swallow the message', async () => {
  const { shop, ann, say, read } = await openShopWithAnn()
  await say('hers', id15('a'))
  await sendMessage(shop.shop, owner, ann.id, { message: 'mine', messageId: id15('a') })
  expect(texts(await read())).toEqual(['hers', 'mine'])
})

test('S-078 sending while the order closes: the message is in before it, or refused', async () => {
  const { shop, ann, say, read } = await openShopWithAnn()
  await say('first')

  const [, ...sent] = await Promise.all([closeOrder(shop.shop, owner, ann.id), ...['a', 'b', 'c'].map((text) => say(text))])

  expect((await read()).isClosed).toBe(true)
  expect((await read()).messages).toHaveLength(1 + sent.filter((one) => one.status === 200).length)
  expect(sent.every((one) => one.status === 200 || (one.status === 409 && one.text.includes('Order is Closed')))).toBe(true)
  expect((await say('late')).status).toBe(409)
})

test('S-078 MSG-12 a closed order takes no message of either side; a retry of one that had arrived is no error', async () => {
  const { shop, ann, say, reply, read } = await openShopWithAnn()
  await say('first', id15('a'))
  await closeOrder(shop.shop, owner, ann.id)

  expect((await say('second')).status).toBe(409)
  expect(await reply('third')).toEqual({ ok: false, refusal: 'closed' })
  expect((await say('first', id15('a'))).status).toBe(200)
  expect(texts(await read())).toEqual(['first'])
})

test('CHAT-14 a failed sending is logged and raises no toast', async () => {
  const { shop, say } = await openShopWithAnn()
  await refuseWrites(shop.db, shop.dialect, 'messages', 'insert')

  const failed = await say('Hello')

  expect(failed.status).toBe(500)
  expect(failed.text).not.toContain('toasts')
  expect(shop.logged.map((line) => line.message)).toEqual(['a message could not be sent'])
})

test('S-081 MSG-01 MSG-02 the list has every conversation, newest change first, with its unread counter', async () => {
  const { shop, ann, say, reply } = await openShopWithAnn()
  const ben = await shop.customer('ben@mail.test')
  await say('a')
  shop.clock.now += 1000
  await ben.act('/messages', { intent: 'send', message: 'x'.repeat(500) })
  await ben.act('/messages', { intent: 'send', message: 'c' })
  expect((await listConversations(shop.db)).lines.map(({ id, unread, lastMessage }) => [id, unread, lastMessage])).toEqual([
    [ben.id, 2, 'c'],
    [ann.id, 1, 'a'],
  ])

  shop.clock.now += 1000
  await reply('to Ann')
  await markRead(shop.shop, owner, ann.id, 2)

  expect((await listConversations(shop.db)).lines.map(({ id, unread }) => [id, unread])).toEqual([
    [ann.id, 0],
    [ben.id, 2],
  ])
})

test('NAV-22 CHAT-04 CHAT-05 the panel opens on every page by its address, and says who speaks', async () => {
  const { ann, say, reply } = await openShopWithAnn()
  await say('Is it <b>soft</b>?')
  await reply('Very.')

  for (const path of ['/', '/about', '/gallery', '/contact', '/testimonials', '/item/none', '/writetestimonials/none']) {
    const html = await ann.page(`${path}?messages=`)
    expect(html).toContain('Is it &lt;b&gt;soft&lt;/b&gt;?')
    expect(html).toMatch(/role="log"/)
    expect(html).toMatch(/<textarea[^>]*name="message"/)
    expect(html).toMatch(/<button[^>]*>.*Send<\/button>/)
  }
  expect(await ann.page('/')).not.toContain('role="log"')
})

test('NAV-47 neither a visitor nor the owner has a panel', async () => {
  const { shop } = await openShopWithAnn()
  expect(await shop.visitor().page('/?messages=')).not.toContain('role="log"')
  expect(await (await shop.owner()).page('/?messages=')).not.toContain('role="log"')
})

test('S-078 the panel of a closed order is shut: "Order is Closed"', async () => {
  const { shop, ann, say } = await openShopWithAnn()
  await say('Hello')
  await closeOrder(shop.shop, owner, ann.id)
  expect(await ann.page('/?messages=')).toMatch(/<textarea[^>]*placeholder="Order is Closed"[^>]*disabled/)
})

test('without script a message leads back to the page, panel open', async () => {
  const { ann, read } = await openShopWithAnn()
  const response = await ann.post('/messages', { intent: 'send', message: 'plain', back: '/about?messages=' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/about?messages='])
  expect(texts(await read())).toEqual(['plain'])
})

test('S-133 without script a refused text is shown again, whole', async () => {
  const { ann, read, say } = await openShopWithAnn()
  await say('before')
  const long = `${'x'.repeat(MAX_MESSAGE)} the end`

  for (const [path, form] of [
    ['/messages', { intent: 'send' }],
    ['/order-request', { itemId: 'moon' }],
  ] as const) {
    const response = await ann.post(path, { ...form, message: long, back: '/' })
    expect([response.status, response.headers.get('content-type')]).toEqual([422, 'text/plain; charset=utf-8'])
    expect(await response.text()).toMatch(/at most 10,000 characters.*x the end\n$/s)
  }
  expect(texts(await read())).toEqual(['before'])
})
