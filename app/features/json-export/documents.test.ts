import { expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import { listUserDocuments } from './documents.server.ts'
import { addSale, addTestimonyTicket, placeOrder } from '#test/fixtures/orders.ts'
import { addCategory, addItem, insert } from '#test/fixtures/catalog.ts'
import type { Db } from '#db/schema.ts'
import {
  NOON,
  OWNER,
  openTestShop,
  type TestShop,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'

const withItem = async (shop: TestShop) => {
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
}
const DOCUMENTS = '/manage/documents.json'
const { password } = OWNER
const everything = async (shop: TestShop) =>
  (await (await shop.owner()).post(DOCUMENTS, { password })).json()

test('the export contains a document with the user’s favorites and the user’s uid [DATA-002, DATA-003, FAV-06]', async () => {
  const shop = await openTestShop()
  await withItem(shop)
  const ann = await shop.customer()
  expect(await listUserDocuments(shop.db, ann.id)).toEqual([])

  await ann.post('/favourite', { itemId: 'moon', wanted: 'yes' })

  const document = { id: ann.id, favItems: ['moon'], createdAt: NOON }
  expect(await listUserDocuments(shop.db, ann.id)).toEqual([document])
  expect((await everything(shop)).users).toEqual([document])
})

test('the shop notifies browsers when a record is added, updated or deleted, but not after an error [DATA-100, DATA-101]', async () => {
  const shop = await openTestShop()
  await withItem(shop)
  const ann = await shop.customer()

  const added = await ann.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  const deleted = await ann.post('/favourite', { itemId: 'moon', wanted: 'no' })
  const error = await ann.post('/favourite', { itemId: 'no-such-item', wanted: 'yes' })
  const heardBefore = shop.changedTopics.length
  const updated = await (
    await shop.owner()
  ).post('/manage/category/', { intent: 'save', id: 'walls', title: 'On walls', color: '#aabbcc' })

  expect(added.status < 400).toBe(true)
  expect(deleted.status < 400).toBe(true)
  expect(error.status >= 400 && error.status < 500).toBe(true)
  // The shop notifies Ann's browsers of the added and of the deleted favorite, but not of the
  // failed write.
  expect(shop.changedTopics.filter((topic) => topic === `user:${ann.id}`)).toHaveLength(2)
  expect(updated.status < 400).toBe(true)
  expect(shop.changedTopics.slice(heardBefore)).toEqual(['catalog'])
  expect((await everything(shop)).category).toEqual([
    expect.objectContaining({ id: 'walls', title: 'On walls' }),
  ])
})

test('the owner can download every collection in one file, in the format of the specification', async () => {
  const shop = await openTestShop()
  await withItem(shop)
  const ann = await shop.customer()
  await ann.post('/order-request', { itemId: 'moon', message: 'Please', messageId: '' })

  const owner = await shop.owner()
  const response = await owner.post(DOCUMENTS, { password })
  const all = await response.json()

  expect(response.headers.get('content-disposition')).toContain('knots-and-love-2026-03-04.json')
  expect(Object.keys(all)).toEqual([
    'users',
    'orders',
    'items',
    'colors',
    'category',
    'showcase',
    'testimony',
    'sales',
  ])
  expect(all.orders[0]).toMatchObject({
    id: ann.id,
    items: [{ id: 'moon' }],
    messages: [{ message: 'Please' }],
  })
})

/** Adds a conversation with Ann. The owner has read half of the messages. */
async function addConversation({ db }: TestShop, count: number) {
  await placeOrder(db, [{ itemId: 'moon', priceCents: 4850 }, { itemId: 'sun' }], {
    lastSeq: count,
  })
  const messages = Array.from({ length: count }, (_, at) => ({
    orderId: 'ann-uid',
    seq: at + 1,
    id: `message-${at}`,
    message: `"${at}" \u2028`,
    sender: at % 2 ? 'owner' : 'ann-uid',
    createdAt: NOON + at,
  }))
  for (let at = 0; at < count; at += 400) {
    await insert(db, 'messages', ...messages.slice(at, at + 400))
  }
  await insert(db, 'readReceipts', {
    orderId: 'ann-uid',
    reader: 'owner',
    seq: Math.floor(count / 2),
  })
}
const read = async (shop: TestShop, collection: string, id: string) =>
  (await (await shop.owner()).post(DOCUMENTS, { password, collection, id })).json()

test('the export contains the items of an order, and all messages of a long conversation in their sequence [S-188] [DATA-019] [DATA-024]', async () => {
  const shop = await openTestShop()
  await addConversation(shop, 1001)
  await placeOrder(shop.db, [], { id: 'ben-uid', createdAt: NOON, receiptTag: null })

  const { orders } = await everything(shop)

  expect(orders.map(({ id }: { id: string }) => id)).toEqual(['ben-uid', 'ann-uid'])
  expect(orders[1].items).toEqual([
    { id: 'moon', name: 'Plant hanger', price: 48.5 },
    { id: 'sun', name: 'Plant hanger', price: 35 },
  ])
  expect(orders[1].messages.map(({ id }: { id: string }) => id)).toEqual(
    Array.from({ length: 1001 }, (_, at) => `message-${at}`),
  )
  expect(await read(shop, 'orders', 'ann-uid')).toEqual(orders[1])
})

test.each([
  { id: 'DATA-034', field: 'id', first: 'message-0', last: 'message-3' },
  { id: 'DATA-035', field: 'message', first: '"0" \u2028', last: '"3" \u2028' },
  { id: 'DATA-036', field: 'sender', first: 'ann-uid', last: 'owner' },
  { id: 'DATA-037', field: 'createdAt', first: NOON, last: NOON + 3 },
  { id: 'DATA-038', field: 'read', first: ['ann-uid', 'owner'], last: ['owner'] },
])('the export contains the field $field of each message [$id]', async ({ field, first, last }) => {
  const shop = await openTestShop()
  await addConversation(shop, 4)
  const { messages } = await read(shop, 'orders', 'ann-uid')
  expect(messages[0][field]).toEqual(first)
  expect(messages[3][field]).toEqual(last)
})

test.each([
  {
    collection: 'sales',
    id: 'DATA-084',
    add: (db: Db, id: string, createdAt: number) => addSale(db, { id, createdAt }),
  },
  {
    collection: 'testimony',
    id: 'DATA-073',
    add: (db: Db, id: string, createdAt: number) => addTestimonyTicket(db, id, { createdAt }),
  },
])(
  'the export of $collection in several batches contains each record once, newest first [$id]',
  async ({ collection, add }) => {
    const shop = await openTestShop()
    const ids = Array.from({ length: 501 }, (_, at) => `record-${at}`)
    for (const [at, id] of ids.entries()) await add(shop.db, id, NOON - at)
    const exported = (await everything(shop))[collection] as { id: string }[]
    expect(exported.map(({ id }) => id)).toEqual(ids)
    expect(await read(shop, collection, 'record-500')).toEqual(exported[500])
  },
)

test('the export contains a testimony with its items, and its writer in the field "writerid" [DATA-074] [DATA-078]', async () => {
  const shop = await openTestShop()
  const writer = { writerName: 'Ann', writerEmail: 'ann@mail.test', writerPhotoURL: '' }
  await shop.db
    .insertInto('testimonies')
    .values({
      id: 't1',
      writerId: 'ann-uid',
      ...writer,
      testimony: 'Soft',
      receiptTag: null,
      isAvailable: false,
      isValidated: true,
      showOnPage: true,
      createdAt: NOON,
    })
    .execute()
  const line = {
    testimonyId: 't1',
    position: 0,
    itemId: 'moon',
    name: 'Moon',
    priceCents: 4850,
    salePriceCents: null,
  }
  await shop.db.insertInto('testimonyItems').values(line).execute()

  const { testimony } = await everything(shop)

  expect(testimony).toEqual([
    {
      id: 't1',
      writerid: 'ann-uid',
      ...writer,
      testimony: 'Soft',
      createdAt: NOON,
      items: [{ id: 'moon', name: 'Moon', price: 48.5 }],
      isAvailable: false,
      isValidated: true,
      showOnPage: true,
    },
  ])
  expect(await read(shop, 'testimony', 't1')).toEqual(testimony[0])
})

test.each([
  ['items', 'nothing'],
  ['__proto__', 'x'],
  ['orders', 'unknown'],
  ['sales', 'nothing'],
  ['testimony', 'nothing'],
])(
  'the shop responds with DOCUMENT_NOT_EXIST for the missing document %s/%s [ERR-02, ERR-07]',
  async (collection, id) => {
    const shop = await openTestShop()
    const response = await (await shop.owner()).post(DOCUMENTS, { password, collection, id })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('DOCUMENT_NOT_EXIST')
    expect(shop.logged).toEqual([])
  },
)

test('if the database cannot be read, the response to an export contains the specified error, and the shop logs it [ERR-01, ERR-03, ERR-07]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await shop.db.schema.dropTable('favorites').execute()

  const collection = await owner.post(DOCUMENTS, { password })
  const one = await owner.post(DOCUMENTS, { password, collection: 'users', id: 'x' })

  expect(collection.status).toBe(500)
  expect(one.status).toBe(500)
  expect([await collection.text(), await one.text()].join()).toMatch(
    /could not fetch data[\s\S]*FAILED_DOCUMENT/,
  )
  expect(shop.logged.filter((line) => line.level === 'error').map((line) => line.message)).toEqual([
    'could not fetch data',
    'FAILED_DOCUMENT',
  ])
})

test('the Settings page asks for the password in a dialog with the buttons "Cancel" and "Submit" [TOAST-06, TOAST-07, LOGIN-23, LOGIN-39, LOGIN-55]', async () => {
  const { owner } = await openShopWithOwner()
  const page = pageOf(await owner.page('/manage/settings/'))
  const question = page.getByText('Your password, before you download everything')
  const dialog = within(question.closest('dialog')!)
  const field = dialog.getByLabelText('Password')
  expect(field.getAttribute('name')).toBe('password')
  expect(field.hasAttribute('required')).toBe(true)
  const buttons = dialog.getAllByRole('button', { hidden: true })
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Cancel', 'Submit'])
  for (const wrong of ['', 'not-the-password']) {
    const refused = await owner.post(DOCUMENTS, { password: wrong })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('Invalid Credentials')
  }
})
