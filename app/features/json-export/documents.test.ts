import { expect, test } from 'vitest'
import { listUserDocuments } from '#app/features/auth/user-documents.server.ts'
import { addSale, placeOrder } from '#test/a-sale.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { NOON, OWNER, openTestShop, type TestShop } from '#test/open-test-shop.ts'

const withItem = async (shop: TestShop) => {
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
}
const DOCUMENTS = '/manage/documents.json'
const { password } = OWNER
const everything = async (shop: TestShop) => (await (await shop.owner()).post(DOCUMENTS, { password })).json()

test('DATA-002 DATA-003 FAV-06 a users document stands under the uid and holds the favourites as they are now', async () => {
  const shop = await openTestShop()
  await withItem(shop)
  const ann = await shop.customer()
  expect(await listUserDocuments(shop.db, ann.id)).toEqual([])

  await ann.post('/favourite', { itemId: 'moon', wanted: 'yes' })

  expect(await listUserDocuments(shop.db, ann.id)).toEqual([{ id: ann.id, favItems: ['moon'] }])
  expect((await everything(shop)).users).toEqual([{ id: ann.id, favItems: ['moon'] }])
})

test('DATA-100 DATA-101 a write is pending until its transaction ends as added, updated, deleted or error; only then others see it', async () => {
  const shop = await openTestShop()
  await withItem(shop)
  const ann = await shop.customer()

  const added = await ann.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  const deleted = await ann.post('/favourite', { itemId: 'moon', wanted: 'no' })
  const error = await ann.post('/favourite', { itemId: 'no-such-item', wanted: 'yes' })
  const heardBefore = shop.heard.length
  const updated = await (await shop.owner()).post('/manage/category/', { intent: 'save', id: 'walls', title: 'On walls', color: '#aabbcc' })

  expect([added.status < 400, deleted.status < 400, error.status >= 400 && error.status < 500]).toEqual([true, true, true])
  // The browsers hear of a write only after its commit, and not at all of one that ended in an error.
  expect(shop.heard.filter((topic) => topic === `user:${ann.id}`)).toHaveLength(2)
  expect([updated.status < 400, shop.heard.slice(heardBefore)]).toEqual([true, ['catalogue']])
  expect((await everything(shop)).category).toEqual([expect.objectContaining({ id: 'walls', title: 'On walls' })])
})

test('the owner gets every collection as a file, in the shapes of the specification', async () => {
  const shop = await openTestShop()
  await withItem(shop)
  const ann = await shop.customer()
  await ann.post('/order-request', { itemId: 'moon', message: 'Please', messageId: '' })

  const owner = await shop.owner()
  const response = await owner.post(DOCUMENTS, { password })
  const all = await response.json()

  expect(response.headers.get('content-disposition')).toContain('knots-and-love-2026-03-04.json')
  expect(Object.keys(all)).toEqual(['users', 'orders', 'items', 'colors', 'category', 'showcase', 'testimony', 'sales'])
  expect(all.orders[0]).toMatchObject({
    id: ann.id,
    items: [{ id: 'moon' }],
    messages: [{ message: 'Please', sender: ann.id, read: [ann.id] }],
  })
})

test('S-188 DATA-019 DATA-024 DATA-034 DATA-035 DATA-036 DATA-037 DATA-038 DATA-078 DATA-084 long conversations and many sales come whole, in their order', async () => {
  const shop = await openTestShop()
  const many = 1001
  await placeOrder(shop.db, [{ itemId: 'moon', priceCents: 4850 }, { itemId: 'sun' }], { lastSeq: many })
  await placeOrder(shop.db, [], { id: 'ben-uid', createdAt: NOON, receiptTag: null })
  const messages = Array.from({ length: many }, (_, at) => ({
    ...{ orderId: 'ann-uid', seq: at + 1, id: `message-${at}`, message: `"${at}" \u2028`, createdAt: NOON + at },
    sender: at % 2 ? 'owner' : 'ann-uid',
  }))
  for (let at = 0; at < many; at += 400)
    await shop.db
      .insertInto('messages')
      .values(messages.slice(at, at + 400))
      .execute()
  await shop.db.insertInto('readMarks').values({ orderId: 'ann-uid', reader: 'owner', seq: 500 }).execute()
  for (let at = 0; at < 7; at++) await addSale(shop.db, { id: `sale-${at}`, createdAt: NOON - at })
  const ticket = {
    writerId: 'ann-uid',
    writerName: 'Ann',
    writerEmail: 'ann@mail.test',
    writerPhotoURL: '',
    testimony: 'Soft',
    createdAt: NOON,
  }
  await shop.db
    .insertInto('testimonies')
    .values({ ...ticket, id: 't1', isAvailable: 0, isValidated: 1, showOnPage: 1, receiptTag: null, writtenAt: NOON })
    .execute()
  const line = { testimonyId: 't1', position: 0, itemId: 'moon', name: 'Moon', priceCents: 4850, salePriceCents: null }
  await shop.db.insertInto('testimonyItems').values(line).execute()

  const all = await everything(shop)

  expect(all.orders.map(({ id }: { id: string }) => id)).toEqual(['ben-uid', 'ann-uid'])
  expect(all.orders[1].items).toEqual([
    { id: 'moon', name: 'Plant hanger', price: 48.5 },
    { id: 'sun', name: 'Plant hanger', price: 35 },
  ])
  expect(all.orders[1].messages).toEqual(
    messages.map(({ id, message, sender, createdAt, seq }) => ({
      ...{ id, message, sender, createdAt },
      read: sender === 'owner' || seq > 500 ? [sender] : [sender, 'owner'],
    })),
  )
  expect(all.sales.map(({ id }: { id: string }) => id)).toEqual(Array.from({ length: 7 }, (_, at) => `sale-${at}`))
  expect(all.testimony).toEqual([
    {
      ...{ id: 't1', writerid: 'ann-uid', writerName: 'Ann', writerEmail: 'ann@mail.test', writerPhotoURL: '', createdAt: NOON },
      ...{ items: [{ id: 'moon', name: 'Moon', price: 48.5 }], testimony: 'Soft', isAvailable: false, isValidated: true, showOnPage: true },
    },
  ])
  // Each of them alone is the same document.
  const owner = await shop.owner()
  for (const [collection, document] of [
    ['orders', all.orders[1]],
    ['sales', all.sales[6]],
    ['testimony', all.testimony[0]],
  ] as const)
    expect(await (await owner.post(DOCUMENTS, { password, collection, id: document.id })).json()).toEqual(document)
})

test('the document of a testimony names its writer by uid as writerid [DATA-074]', async () => {
  const shop = await openTestShop()
  const ticket = {
    id: 't1',
    receiptTag: 'TAG00001',
    writerId: 'ann-uid',
    writerName: 'Ann',
    writerEmail: 'ann@mail.test',
    writerPhotoURL: '',
  }
  await shop.db
    .insertInto('testimonies')
    .values({ ...ticket, testimony: '', isAvailable: 1, isValidated: 0, showOnPage: 0, createdAt: NOON, writtenAt: null })
    .execute()

  const { testimony } = await everything(shop)

  expect(testimony).toEqual([expect.objectContaining({ id: 't1', writerid: 'ann-uid' })])
})

test('ERR-02 one document that is not there is told by its code', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  for (const { collection, id } of [
    { collection: 'items', id: 'nothing' },
    { collection: '__proto__', id: 'x' },
    { collection: 'orders', id: 'nobody' },
    { collection: 'sales', id: 'nothing' },
    { collection: 'testimony', id: 'nothing' },
  ]) {
    const response = await owner.post(DOCUMENTS, { password, collection, id })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('DOCUMENT_NOT_EXIST')
  }
})

test('ERR-01 ERR-03 a failed read is told in the specified words, and its cause only logged', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await shop.db.schema.dropTable('favourites').execute()

  const [collection, one] = [
    await owner.post(DOCUMENTS, { password }),
    await owner.post(DOCUMENTS, { password, collection: 'users', id: 'x' }),
  ]

  expect([collection.status, one.status]).toEqual([500, 500])
  expect([await collection.text(), await one.text()].join()).toMatch(/could not fetch data[\s\S]*FAILED_DOCUMENT/)
  expect(shop.logged.filter((line) => line.level === 'error').map((line) => line.message)).toEqual([
    'could not fetch data',
    'FAILED_DOCUMENT',
  ])
})

test('TOAST-06 TOAST-07 LOGIN-23 LOGIN-39 LOGIN-55 the copy needs the password: a prompt with Cancel and Submit that may not be empty', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const html = await owner.page('/manage/settings/')
  const prompt = /<dialog[\s\S]*?Your password[\s\S]*?<\/dialog>/.exec(html)![0]

  expect([...prompt.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map((match) => match[1])).toEqual(['Cancel', 'Submit'])
  expect(prompt).toMatch(/<input[^>]*required=""[^>]*name="password"/)
  for (const wrong of ['', 'not-the-password']) {
    const refused = await owner.post(DOCUMENTS, { password: wrong })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('Invalid Credentials')
  }
})
