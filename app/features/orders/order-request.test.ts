import { expect, test } from 'vitest'
import { readConversationRow } from '#test/fixtures/chat.ts'
import { documentOf, NOON, openTestShop, refuseWrites } from '#test/fixtures/test-shop.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { listOrderLines } from '#conversation/order-lines.server.ts'
import { closeOrder } from './orders.server.ts'
import { MAX_MESSAGE_LENGTH } from '#conversation/message.ts'

const id15 = (character: string) => character.repeat(15)

async function openShopWithItem(options: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(options)
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  const ann = await shop.customer()
  const read = async (id = ann.id) => ({
    ...(await readConversationRow(shop.db, id, id))!,
    items: await listOrderLines(shop.db, id),
  })
  return { shop, ann, read }
}
const photoURL = '/pictures/people/ann.jpg'

test('a customer’s first order request creates her order with the item and the message [ITEM-27, ITEM-29, ITEM-30, ITEM-33, DATA-016, ROLES-14]', async () => {
  const { shop, ann, read } = await openShopWithItem()

  const answer = await ann.act('/order-request', {
    itemId: 'moon',
    message: 'In sand, please',
    messageId: id15('a'),
  })

  expect(answer.status).toBe(200)
  expect(answer.text).toContain('Order Request Sent!')
  expect(await read()).toMatchObject({
    id: ann.id,
    items: [{ id: 'moon', name: 'Moon wall', priceCents: 8900, isSold: false }],
    messages: [
      { id: id15('a'), message: 'In sand, please', sender: ann.id, createdAt: shop.now() },
    ],
    user: { id: ann.id, email: 'ann@mail.test' },
    isClosed: false,
    fromContactPage: false,
  })
  expect(shop.changedTopics).toEqual(expect.arrayContaining(['orders', `order:${ann.id}`]))
})

test('a second order request for the same item adds its message to the order, but not the item again [ITEM-28, DATA-017]', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })

  for (const itemId of ['moon', 'moon', 'sun']) {
    await ann.act('/order-request', { itemId, message: `about ${itemId}` })
  }

  const order = await read()
  expect(order.items.map((item) => item.id)).toEqual(['moon', 'sun'])
  expect(order.messages.map((message) => message.message)).toEqual([
    'about moon',
    'about moon',
    'about sun',
  ])
  expect(await shop.db.selectFrom('orders').select('id').execute()).toHaveLength(1)
})

test('a customer can send an order request without a text [ITEM-31]', async () => {
  const { ann, read } = await openShopWithItem()

  for (const message of ['', '  ']) {
    expect((await ann.act('/order-request', { itemId: 'moon', message })).status).toBe(200)
  }

  expect((await read()).messages.map((message) => message.message)).toEqual(['', '  '])
})

test('message ids have 15 characters, and receipt tags have 8 [CONST-05, CONST-06]', async () => {
  const { ann, read } = await openShopWithItem()
  await ann.act('/order-request', { itemId: 'moon', message: 'x', messageId: 'not an id' })

  const order = await read()
  expect(order.messages[0]!.id).toMatch(/^[A-Za-z0-9]{15}$/)
  expect(order.receiptTag).toMatch(/^[A-Za-z0-9]{8}$/)
})

test.each([
  [
    'DATA-018, DATA-031, DATA-032',
    (id: string) => ({ id, isClosed: false, fromContactPage: false }),
  ],
  ['DATA-030', () => ({ receiptTag: expect.stringMatching(/^\w{8}$/) })],
  [
    'DATA-019, DATA-020, DATA-021, DATA-022',
    () => ({ items: [{ id: 'moon', name: 'Moon wall', price: 89 }] }),
  ],
  [
    'DATA-025, DATA-026, DATA-027, DATA-028, DATA-029',
    (id: string) => ({ user: { id, name: 'Ann', email: 'ann@mail.test', photoURL } }),
  ],
  [
    'DATA-024, DATA-034, DATA-035, DATA-036',
    (id: string) => ({ messages: [{ id: id15('b'), message: 'Hello', sender: id }] }),
  ],
  ['DATA-037, DATA-038', (id: string) => ({ messages: [{ createdAt: NOON, read: [id] }] })],
  ['ITEM-32, DATA-124', () => ({})],
])(
  'the exported document of an order contains exactly the specified fields [%s]',
  async (_, fieldsOf) => {
    const { shop, ann } = await openShopWithItem()
    await shop.db
      .updateTable('user')
      .set({ name: 'Ann', image: photoURL })
      .where('id', '=', ann.id)
      .execute()
    await ann.act('/order-request', { itemId: 'moon', message: 'Hello', messageId: id15('b') })
    const document = await documentOf(shop, 'orders', ann.id)
    expect(document).toMatchObject(fieldsOf(ann.id))
    const fields = [
      'createdAt',
      'fromContactPage',
      'id',
      'isClosed',
      'items',
      'messages',
      'receiptTag',
      'user',
    ]
    expect(Object.keys(document).toSorted()).toEqual(fields)
  },
)

test('the exported document of an order marks only sold items as sold [DATA-023]', async () => {
  const { shop, ann } = await openShopWithItem()
  const items = async () => (await documentOf(shop, 'orders', ann.id)).items
  await ann.act('/order-request', { itemId: 'moon', message: '' })
  expect(await items()).toEqual([{ id: 'moon', name: 'Moon wall', price: 89 }])

  await shop.db.updateTable('orderItems').set({ isSold: true }).execute()

  expect(await items()).toEqual([{ id: 'moon', name: 'Moon wall', price: 89, isSold: true }])
})

test('an order request stores the item’s original price, even if the browser sends another price [ITEM-27, S-068]', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await shop.db.updateTable('items').set({ discountType: 'percent', discountValue: 5000 }).execute()

  await ann.act('/order-request', {
    itemId: 'moon',
    message: '',
    price: '1',
    priceCents: '1',
    sender: 'owner',
    name: 'Cheap',
  })

  expect((await read()).items).toMatchObject([
    { id: 'moon', name: 'Moon wall', priceCents: 8900, isSold: false },
  ])
  expect((await read()).messages[0]!.sender).toBe(ann.id)
})

test('an order request reopens a closed order with a new receipt tag and without its sold items [S-069]', async () => {
  const { shop, ann, read } = await openShopWithItem()
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })
  for (const itemId of ['moon', 'sun']) await ann.act('/order-request', { itemId, message: itemId })
  const before = await read()
  await shop.db
    .updateTable('orderItems')
    .set({ isSold: true })
    .where('itemId', '=', 'moon')
    .execute()
  await closeOrder(shop.shop, ann.id)

  await ann.act('/order-request', { itemId: 'moon', message: 'again' })

  const after = await read()
  expect(after).toMatchObject({
    isClosed: false,
    items: [{ id: 'sun' }, { id: 'moon', isSold: false }],
  })
  expect(after.messages.map((message) => message.message)).toEqual(['moon', 'sun', 'again'])
  expect(after.receiptTag).not.toBe(before.receiptTag)
})

test('an order gets its receipt tag with the first order request, and keeps the tag after later order requests [S-070]', async () => {
  const { ann, read } = await openShopWithItem()
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  expect(await read()).toMatchObject({ receiptTag: null, items: [] })

  await ann.act('/order-request', { itemId: 'moon', message: '' })
  const { receiptTag } = await read()
  await ann.act('/order-request', { itemId: 'moon', message: '' })

  expect((await read()).receiptTag).toBe(receiptTag)
})

test('if the browser sends the same order request again, the shop adds the message only once', async () => {
  const { ann, read } = await openShopWithItem()
  const request = { itemId: 'moon', message: 'once', messageId: id15('c') }

  const answers = await Promise.all([
    ann.act('/order-request', request),
    ann.act('/order-request', request),
  ])
  answers.push(await ann.act('/order-request', request))

  expect(answers.map((answered) => answered.status)).toEqual([200, 200, 200])
  expect((await read()).messages).toHaveLength(1)
})

test('if the answer to an order request is lost and the customer sends the text again with another color, the shop stores this color [ITEM-29]', async () => {
  const { shop, ann, read } = await openShopWithItem()
  for (const name of ['Sage', 'Sand']) await addColor(shop.db, name, { name })
  const images = [{ colors: ['Sage', 'Sand'], isAvailable: true }]
  await addItem(shop.db, 'sun', 'walls', { images })
  for (const color of ['Sage', 'Sand']) {
    await ann.act('/order-request', {
      itemId: 'sun',
      color,
      message: 'For two',
      messageId: id15('c'),
    })
  }
  expect((await read()).items).toMatchObject([{ color: 'Sand' }])
  expect((await read()).messages).toHaveLength(2)
})

test('the shop stores an order request with a character that the browser could not encode [ITEM-29, S-133]', async () => {
  const { ann, read } = await openShopWithItem()
  expect(
    (await ann.act('/order-request', { itemId: 'moon', message: 'a\u0000b\uFFFD' })).status,
  ).toBe(200)
  expect((await read()).messages).toMatchObject([{ message: 'ab\uFFFD' }])
  expect(
    (await ann.act('/order-request', { itemId: 'moon', message: '', color: '\uFFFD' })).status,
  ).toBe(422)
})

test('the shop refuses an order request without a login session, and asks the visitor to log in [ITEM-35, ROLES-07]', async () => {
  const { shop } = await openShopWithItem()
  const request = { itemId: 'moon', message: 'Hello' }

  expect(await shop.visitor().act('/order-request', request)).toEqual({
    status: 401,
    text: expect.stringContaining('Please Login to Submit an Order Request'),
  })
  const empty = await shop
    .visitor()
    .post('/order-request', { ...request, message: '', back: '/item/moon' })
  expect(empty.status).toBe(303)
  expect(empty.headers.get('location')).toBe('/item/moon')
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
})

test('a guest can send an order request [S-006]', async () => {
  const { shop, read } = await openShopWithItem()
  const guest = await shop.guest()

  await guest.act('/order-request', { itemId: 'moon', message: 'Phone 555' })

  expect(await read(guest.id)).toMatchObject({
    id: guest.id,
    user: { email: '' },
    items: [{ id: 'moon' }],
  })
})

test('the owner cannot send an order request [S-072]', async () => {
  const { shop } = await openShopWithItem()
  expect(
    (await (await shop.owner()).act('/order-request', { itemId: 'moon', message: '' })).status,
  ).toBe(403)
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
})

test('an order request that fails shows an error and stores nothing [ITEM-34]', async () => {
  const { shop, ann } = await openShopWithItem()
  const failure = expect.stringContaining('An Error Occured while Sending Order Request')

  expect(await ann.act('/order-request', { itemId: 'nothing', message: '' })).toEqual({
    status: 404,
    text: failure,
  })
  const long = { itemId: 'moon', message: 'x'.repeat(MAX_MESSAGE_LENGTH + 1) }
  expect(await ann.act('/order-request', long)).toEqual({ status: 422, text: failure })
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])

  await refuseWrites(shop.db, shop.dialect, 'messages', 'insert')
  expect(await ann.act('/order-request', { itemId: 'moon', message: '' })).toEqual({
    status: 500,
    text: failure,
  })
  expect(await shop.db.selectFrom('orders').select('id').execute()).toEqual([])
  expect(shop.logged.map((line) => line.message)).toContain('an order request failed')
})

test('without JavaScript, an order request redirects to the item page, and the next opened page shows a confirmation', async () => {
  const { ann } = await openShopWithItem()

  const response = await ann.post('/order-request', {
    itemId: 'moon',
    message: '',
    back: '/item/moon',
  })

  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/item/moon')
  expect(await ann.page('/about')).toContain('Order Request Sent!')
})
