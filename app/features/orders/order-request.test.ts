import { expect, test } from 'vitest'
import { documentOf } from '#test/document-of.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { refuseWrites } from '#test/refuse-writes.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { readConversation } from '#app/features/messaging/conversations.server.ts'
import { listOrderLines } from './orders.server.ts'
import { closeOrder } from './owner-actions.server.ts'
import { MAX_MESSAGE } from './order.ts'

const id15 = (letter: string) => letter.repeat(15)

/** A shop with one item and one customer. */
async function openShopWithItem() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  const ann = await shop.customer()
  const read = async (id = ann.id) => ({
    ...(await readConversation(shop.db, id, id))!,
    items: await listOrderLines(shop.db, id),
  })
  return { shop, ann, read }
}
const owner = { id: 'owner', name: '', email: '', image: null, role: 'admin' as const, sessionId: '' }

test('ITEM-27 ITEM-29 ITEM-30 ITEM-33 DATA-016 ROLES-14 a request makes the order, with the item and the message', async () => {
  const { shop, ann, read } = await openShopWithItem()

  const answered = await ann.act('/order-request', { itemId: 'moon', message: 'In sand, please', messageId: id15('a') })

  expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('Order Request Sent!')])
  expect(await read()).toMatchObject({
    id: ann.id,
    items: [{ id: 'moon', name: 'Moon wall', priceCents: 8900, isSold: false }],
    messages: [{ id: id15('a'), message: 'In sand, please', sender: ann.id, createdAt: shop.now() }],
    user: { id: ann.id, email: 'ann@mail.test' },
    isClosed: false,
    fromContactPage: false,
  })
  expect(shop.heard).toEqual(expect.arrayContaining(['orders', `order:${ann.id}`]))
})

test('ITEM-28 DATA-017 a second request for the same item adds the message, not the item, and stays one order', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })

  for (const itemId of ['moon', 'moon', 'sun']) await ann.act('/order-request', { itemId, message: `about ${itemId}` })

  const order = await read()
  expect(order.items.map((item) => item.id)).toEqual(['moon', 'sun'])
  expect(order.messages.map((message) => message.message)).toEqual(['about moon', 'about moon', 'about sun'])
  expect(await shop.db.selectFrom('orders').select('id').execute()).toHaveLength(1)
})

test('ITEM-31 a request without a text is sent as it is, spaces too', async () => {
  const { ann, read } = await openShopWithItem()

  const statuses = [
    await ann.act('/order-request', { itemId: 'moon', message: '' }),
    await ann.act('/order-request', { itemId: 'moon', message: '  ' }),
  ]

  expect(statuses.map((answered) => answered.status)).toEqual([200, 200])
  expect((await read()).messages.map((message) => message.message)).toEqual(['', '  '])
})

test('ITEM-29 S-172 a line break counts and is kept as one character, though a form without script sends two', async () => {
  const { ann, read } = await openShopWithItem()
  const typed = `${'x\r\n'.repeat(MAX_MESSAGE / 2)}`

  const sent = await ann.act('/order-request', { itemId: 'moon', message: typed, messageId: id15('d') })
  // The same from a browser with script, which sends one: a retry, not a second message.
  await ann.act('/order-request', { itemId: 'moon', message: typed.replaceAll('\r', ''), messageId: id15('d') })

  expect(sent.status).toBe(200)
  expect((await read()).messages.map(({ message }) => message)).toEqual(['x\n'.repeat(MAX_MESSAGE / 2)])
})

test('CONST-05 messages have 15 characters, made by the server where the browser sent none; CONST-06 the receipt tag has 8', async () => {
  const { ann, read } = await openShopWithItem()
  await ann.act('/order-request', { itemId: 'moon', message: 'x', messageId: 'not an id' })

  const order = await read()
  expect(order.messages[0]!.id).toMatch(/^[A-Za-z0-9]{15}$/)
  expect(order.receiptTag).toMatch(/^[A-Za-z0-9]{8}$/)
})

test('ITEM-32 DATA-018 DATA-019 DATA-020 DATA-021 DATA-022 DATA-024 DATA-025 DATA-026 DATA-027 DATA-028 DATA-029 DATA-030 DATA-031 DATA-032 DATA-034 DATA-035 DATA-036 DATA-037 DATA-038 DATA-124 the document of an order', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await shop.db.updateTable('user').set({ name: 'Ann', image: '/pictures/people/ann.jpg' }).where('id', '=', ann.id).execute()
  await ann.act('/order-request', { itemId: 'moon', message: 'Hello', messageId: id15('b') })
  const { receiptTag } = await read()

  expect(await documentOf(shop, 'orders', ann.id)).toEqual({
    id: ann.id,
    items: [{ id: 'moon', name: 'Moon wall', price: 89 }],
    messages: [{ id: id15('b'), message: 'Hello', sender: ann.id, createdAt: shop.now(), read: [ann.id] }],
    user: { id: ann.id, name: 'Ann', email: 'ann@mail.test', photoURL: '/pictures/people/ann.jpg' },
    receiptTag,
    isClosed: false,
    fromContactPage: false,
    createdAt: shop.now(),
  })
})

test('DATA-023 a sold item says so in the document, an unsold one has no isSold', async () => {
  const { shop, ann } = await openShopWithItem()
  const items = async () => (await documentOf(shop, 'orders', ann.id)).items
  await ann.act('/order-request', { itemId: 'moon', message: '' })
  expect(await items()).toEqual([{ id: 'moon', name: 'Moon wall', price: 89 }])

  await shop.db.updateTable('orderItems').set({ isSold: 1 }).execute()

  expect(await items()).toEqual([{ id: 'moon', name: 'Moon wall', price: 89, isSold: true }])
})

test('ITEM-27 S-068 the price is the original one, read from the shop: a price sent along changes nothing', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await shop.db.updateTable('items').set({ discountType: 'percent', discountValue: 5000 }).execute()

  await ann.act('/order-request', { itemId: 'moon', message: '', price: '1', priceCents: '1', sender: 'owner', name: 'Cheap' })

  expect((await read()).items).toMatchObject([{ id: 'moon', name: 'Moon wall', priceCents: 8900, isSold: false }])
  expect((await read()).messages[0]!.sender).toBe(ann.id)
})

test('S-069 a request on a closed order opens it again: new receipt tag, messages kept, sold items dropped', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })
  for (const itemId of ['moon', 'sun']) await ann.act('/order-request', { itemId, message: itemId })
  const before = await read()
  await shop.db.updateTable('orderItems').set({ isSold: 1 }).where('itemId', '=', 'moon').execute()
  await closeOrder(shop.shop, owner, ann.id)

  await ann.act('/order-request', { itemId: 'moon', message: 'again' })

  const after = await read()
  expect(after).toMatchObject({ isClosed: false, items: [{ id: 'sun' }, { id: 'moon', isSold: false }] })
  expect(after.messages.map((message) => message.message)).toEqual(['moon', 'sun', 'again'])
  expect(after.receiptTag).not.toBe(before.receiptTag)
})

test('S-070 the receipt tag is made at the first request, also of an order that began as a chat, and kept', async () => {
  const { ann, read } = await openShopWithItem()
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  expect(await read()).toMatchObject({ receiptTag: null, items: [] })

  await ann.act('/order-request', { itemId: 'moon', message: '' })
  const { receiptTag } = await read()
  await ann.act('/order-request', { itemId: 'moon', message: '' })

  expect((await read()).receiptTag).toBe(receiptTag)
})

test('a retry with the same message id never doubles the message, one after the other and side by side', async () => {
  const { ann, read } = await openShopWithItem()
  const request = { itemId: 'moon', message: 'once', messageId: id15('c') }

  const answers = await Promise.all([ann.act('/order-request', request), ann.act('/order-request', request)])
  answers.push(await ann.act('/order-request', request))

  expect(answers.map((answered) => answered.status)).toEqual([200, 200, 200])
  expect((await read()).messages).toHaveLength(1)
})

test('two requests at once make one order with both messages in an unbroken sequence', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })

  await Promise.all(['moon', 'sun', 'moon', 'sun'].map((itemId) => ann.act('/order-request', { itemId, message: itemId })))

  const order = await read()
  expect(order.messages.map((message) => message.seq)).toEqual([1, 2, 3, 4])
  expect(order.items.map((item) => item.id).toSorted()).toEqual(['moon', 'sun'])
  expect(await shop.db.selectFrom('orders').select('lastSeq').execute()).toEqual([{ lastSeq: 4 }])
})

test('ITEM-35 ROLES-07 a visitor is asked to log in and nothing is written', async () => {
  const { shop } = await openShopWithItem()

  const answered = await shop.visitor().act('/order-request', { itemId: 'moon', message: 'Hello' })

  expect([answered.status, answered.text]).toEqual([401, expect.stringContaining('Please Login to Submit an Order Request')])
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
})

test('S-006 a guest may send a request', async () => {
  const { shop, read } = await openShopWithItem()
  const guest = await shop.guest()

  await guest.act('/order-request', { itemId: 'moon', message: 'Phone 555' })

  expect(await read(guest.id)).toMatchObject({ id: guest.id, user: { email: '' }, items: [{ id: 'moon' }] })
})

test('S-072 the owner does not order from her own shop', async () => {
  const { shop } = await openShopWithItem()
  expect((await (await shop.owner()).act('/order-request', { itemId: 'moon', message: '' })).status).toBe(403)
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
})

test('ITEM-34 a failed write, an unknown item and a text above the limit show the failure text and write nothing', async () => {
  const { shop, ann } = await openShopWithItem()
  const failure = expect.stringContaining('An Error Occured while Sending Order Request')

  expect(await ann.act('/order-request', { itemId: 'nothing', message: '' })).toEqual({ status: 404, text: failure })
  const long = { itemId: 'moon', message: 'x'.repeat(MAX_MESSAGE + 1) }
  expect(await ann.act('/order-request', long)).toEqual({ status: 422, text: failure })
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])

  await refuseWrites(shop.db, shop.dialect, 'messages', 'insert')
  expect(await ann.act('/order-request', { itemId: 'moon', message: '' })).toEqual({ status: 500, text: failure })
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
  expect(shop.logged.map((line) => line.message)).toContain('an order request failed')
})

test('a customer whose account stands in a conversation under another id is refused; the shop goes on', async () => {
  const { shop, ann } = await openShopWithItem()
  const writer = { userId: ann.id, userName: '', userEmail: '', userPhotoURL: '', receiptTag: null }
  const state = { isClosed: 0, fromContactPage: 0, lastSeq: 0, createdAt: 1, firstCreatedAt: 1 } as const
  await shop.db
    .insertInto('orders')
    .values({ id: 'another-id', ...writer, ...state })
    .execute()

  expect((await ann.act('/order-request', { itemId: 'moon', message: 'Please', messageId: id15('b') })).status).toBe(500)
  expect((await ann.get('/about')).status).toBe(200)
})

test('without script a request leads back to its page, which shows the text', async () => {
  const { ann } = await openShopWithItem()

  const response = await ann.post('/order-request', { itemId: 'moon', message: '', back: '/item/moon' })

  expect([response.status, response.headers.get('location')]).toEqual([303, '/item/moon'])
  expect(await ann.page('/about')).toContain('Order Request Sent!')
})

test('ITEM-35 S-133 without script a session that ended meanwhile costs no text', async () => {
  const { shop } = await openShopWithItem()
  const request = { itemId: 'moon', message: 'In sand, call 555 1234', back: '/item/moon' }

  const refused = await shop.visitor().post('/order-request', request)
  expect([refused.status, await refused.text()]).toEqual([
    401,
    expect.stringMatching(/^Please Login to Submit an Order Request[^]*In sand, call 555 1234/),
  ])

  const empty = await shop.visitor().post('/order-request', { ...request, message: '' })
  expect([empty.status, empty.headers.get('location')]).toEqual([303, '/item/moon'])
})
