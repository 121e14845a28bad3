import { writeFile } from 'node:fs/promises'
import { readConversationRow } from '#test/fixtures/chat.ts'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OWNER_ID } from '#services/owner-id.ts'
import { ensureCategories } from '#categories/edit-categories.server.ts'
import { listOrderLines } from '#conversation/order-lines.server.ts'
import { countUnread } from '#conversation/read-receipts.server.ts'
import { readConversation } from '#messaging/messages.server.ts'
import {
  HOSTED_OWNER,
  HOSTED_SHOP,
  importInto,
  newFolder,
  writeHostedBucket,
} from '#test/fixtures/data-folders.ts'
import { addSale, placeOrder } from '#test/fixtures/orders.ts'
import { OWNER, openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'

const ANNA = 'kTq2AnnaUid000000000000001'
const adminIds = [HOSTED_OWNER]

async function moveHostedShop(settings = {}) {
  const shop = await openTestShop(settings)
  const files = await writeHostedBucket(await newFolder())
  return { shop, ...(await importInto(shop.shop, HOSTED_SHOP, { files, adminIds })) }
}
const customersOf = ({ db }: TestShop) =>
  db.selectFrom('user').select(['id', 'email', 'name']).where('id', '!=', OWNER_ID).execute()
const favoritesOf = ({ db }: TestShop) =>
  db.selectFrom('favorites').select(['userId', 'itemId']).orderBy('itemId').execute()
async function importDocuments(shop: TestShop, documents: object, options = {}) {
  const path = join(await newFolder(), 'export.json')
  await writeFile(path, JSON.stringify(documents))
  return importInto(shop.shop, path, { adminIds: [], ...options })
}
const tables = [
  'user',
  'images',
  'categories',
  'items',
  'orders',
  'sales',
  'favorites',
  'audit',
  'imports',
] as const
const countRows = async ({ db }: TestShop) =>
  Promise.all(
    tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length),
  )

test('visitors see the imported categories, items, prices, colors, pictures and testimonials [DATA-001, S-134]', async () => {
  const { shop, done } = await moveHostedShop()
  expect(done).toMatchObject({ ok: true, isSame: false })
  const visitor = shop.visitor()
  expect(await visitor.page('/gallery/walls/')).toContain('Moon Wall Hanging')
  const item = await visitor.page('/item/item-moon/')
  expect(item).toContain('A moon of &lt;b&gt;knots&lt;/b&gt; &amp; love.')
  expect(item).toContain('$48.50')
  expect(item).toContain('Deep Teal')
  expect(item).toContain('/pictures/items/walls/q1w2e3r4')
  expect((await visitor.get('/item/item-bare/')).status).toBe(200)
  expect(await visitor.page('/gallery/unsorted/')).toContain('Bare Coaster')
  expect(await visitor.page('/')).toContain('Natural Cream')
  expect(await visitor.page('/testimonials/')).toContain('It glows above our bed.')
  const { discountType, discountValue, createdAt } = await shop.db
    .selectFrom('items')
    .selectAll()
    .where('id', '=', 'item-moon')
    .executeTakeFirstOrThrow()
  expect(discountType).toBe('percent')
  expect(discountValue).toBe(1000)
  expect(createdAt).toBe(1767001000500)
})

test('the import keeps the senders, readers and sold items of conversations, and recognizes the owner’s messages [DATA-038, MSG-03]', async () => {
  const { shop } = await moveHostedShop()
  const conversation = (await readConversationRow(shop.db, ANNA, OWNER_ID))!
  expect(conversation.messages.map(({ id, sender, createdAt }) => [id, sender, createdAt])).toEqual(
    [
      ['aaaaaaaaaaaaaa1', ANNA, 1767088800123],
      ['aaaaaaaaaaaaaa2', OWNER_ID, 1767089800000],
      ['aaaaaaaaaaaaaa3', ANNA, 1767092400000],
    ],
  )
  expect(conversation.unread).toBe(1)
  expect(await countUnread(shop.db, { id: ANNA, role: 'customer' })).toBe(1)
  expect(await listOrderLines(shop.db, ANNA)).toMatchObject([
    { id: 'item-moon', name: 'Moon Wall Hanging', priceCents: 4850, isSold: true },
    { id: 'item-text-price', name: 'Fern Hanger', priceCents: 3250, isSold: false },
  ])
  expect(conversation.receiptTag).toBe('Ab3dE6gH')
  expect(conversation.isAbandoned).toBe(false)
  const contact = (await readConversation(shop.db, 'CoNtAcTpEoPlE01', OWNER_ID))!
  expect(contact.fromContactPage).toBe(true)
  expect(contact.user.email).toBe('rosa@example.com')
  expect(contact.unread).toBe(1)
  const guest = (await readConversation(shop.db, 'kTq2GuestUid00000000000003', OWNER_ID))!
  expect(guest.isAbandoned).toBe(true)
})

test('an imported user with an email address keeps her uid and her favorites, but has no password [DATA-002, DATA-003]', async () => {
  const { shop } = await moveHostedShop()
  expect(await customersOf(shop)).toEqual([
    { id: ANNA, email: 'anna@example.com', name: 'Anna Weaver' },
  ])
  expect(
    await shop.db.selectFrom('account').selectAll().where('userId', '=', ANNA).execute(),
  ).toEqual([])
  expect(await favoritesOf(shop)).toEqual([
    { userId: ANNA, itemId: 'item-moon' },
    { userId: ANNA, itemId: 'item-text-price' },
  ])
  const refused = await shop
    .visitor()
    .act('/login/', { intent: 'login', email: 'anna@example.com', password: '' })
  expect(refused.status).toBe(401)
})

test('the import keeps the date of each sale, even if the export contains only the name of the sold item [DATA-091, DATA-092]', async () => {
  const { shop } = await moveHostedShop({ now: Date.UTC(2025, 11, 31, 12) })
  const owner = await shop.owner()
  const page = await owner.page('/manage/sales/')
  for (const text of ['Moon Wall Hanging', 'Old Owl', 'Anna Weaver', 'Walk In', '$43.65']) {
    expect(page).toContain(text)
  }
})

test('the import reports every skipped document and every unknown, converted or defaulted field [S-128]', async () => {
  const { shop, lines, counts } = await moveHostedShop()
  for (const line of [
    'drafts/d1: a collection that this shop does not know; not imported',
    'items/item-moon/stock: 3 is a field that this shop does not know; not imported',
    'items/item-text-price/price: "32.50" is text, no number; read as 32.50',
    'items/item-bare/category: "no-such-category" is not a category; the item is in “Unsorted”',
    'items/item-bare/price: 7.005 is finer than a cent; read as 7.01',
    'items/item-nan/price: "NaN" is not a price; THE ITEM WAS NOT IMPORTED: it needs a price',
    'category/hangers/color: "green" is not a color like #a1b2c3; read as #8a8078',
    `users/${ANNA}/favItems: "item-gone" is not an item; not imported`,
    `orders/${ANNA}/items[2]: the item "item-moon" occurs twice; imported once`,
    'orders/kTq2GuestUid00000000000003/user/email: missing; no account, because nobody could sign in to it',
  ]) {
    expect(lines).toContain(line)
  }
  expect(lines.filter((line) => line.includes('lost0000'))).toHaveLength(2)
  expect(counts.items).toEqual({ found: 5, taken: 3 })
  const page = await (await shop.owner()).page('/manage/firestore-import/')
  expect(page).toContain('hosted-shop.json')
  expect(page).toContain('THE ITEM WAS NOT IMPORTED')
  expect(await shop.db.selectFrom('audit').select(['act', 'name']).execute()).toEqual([
    { act: 'import-shop', name: 'hosted-shop.json' },
  ])
})

test('the import accepts documents with values that cannot be converted to text [S-128]', async () => {
  const noText = { toString: {} }
  const { done, counts } = await importDocuments(await openTestShop(), {
    sales: { a: { buyerid: '\0', buyerEmail: 'a@b' } },
    colors: { a: { isAvailable: noText, createdAt: { seconds: 1, nanos: noText } } },
    showcase: { a: { deg: { toString: 1 } } },
    orders: { a: { user: { email: noText } } },
  })
  expect(done).toMatchObject({ ok: true })
  expect([counts.sales, counts.colors, counts.orders]).toEqual(
    Array(3).fill({ found: 1, taken: 1 }),
  )
})

test('the import refuses a shop that is not empty', async () => {
  const shop = await openTestShop()
  const before = await countRows(shop)
  await addCategory(shop.db, 'walls')
  expect((await importInto(shop.shop, HOSTED_SHOP, { adminIds })).done).toEqual({
    ok: false,
    refusal: 'not-empty',
  })
  expect(await countRows(shop)).toEqual(
    before.map((count, at) => count + (tables[at] === 'categories' ? 1 : 0)),
  )
})

test('the import replaces unused default categories, and refuses a shop in which a default category contains an item [S-163]', async () => {
  const shop = await openTestShop()
  await ensureCategories(shop)
  const path = join(await newFolder(), 'export.json')
  await writeFile(
    path,
    JSON.stringify({ category: [{ id: 'bags', title: 'My bags', color: '#112233' }] }),
  )
  expect((await importInto(shop.shop, path, { adminIds: [] })).lines).toEqual([
    'category/bags/createdAt: missing; the time of the import stands for it',
  ])
  expect(await shop.db.selectFrom('categories').select(['id', 'title']).execute()).toEqual([
    { id: 'bags', title: 'My bags' },
  ])

  const other = await openTestShop()
  await ensureCategories(other)
  await addItem(other.db, 'tote', 'bags')
  expect((await importInto(other.shop, path, { adminIds: [] })).done).toEqual({
    ok: false,
    refusal: 'not-empty',
  })
})

test('a dry run of the import gives the same report as an import, and writes neither rows nor files', async () => {
  const shop = await openTestShop()
  const files = await writeHostedBucket(await newFolder())
  const before = await countRows(shop)
  const dry = await importInto(shop.shop, HOSTED_SHOP, { files, adminIds, isDry: true })
  expect(await countRows(shop)).toEqual(before)
  expect(await shop.storage.list()).toEqual([])
  const real = await importInto(shop.shop, HOSTED_SHOP, { files, adminIds })
  expect(dry.lines.toSorted()).toEqual(real.lines.toSorted())
  expect(dry.counts).toEqual(real.counts)
})

test('the import keeps drafts, retired and sold pieces and canceled sales of a file that this shop has exported [S-134] [OWN-46] [OWN-47] [OWN-64]', async () => {
  const first = await openTestShop()
  await addCategory(first.db, 'walls')
  await addItem(first.db, 'draft', 'walls', { state: 'draft', priceCents: 0 })
  await addItem(first.db, 'retired', 'walls', { state: 'retired' })
  await addItem(first.db, 'unique', 'walls', { state: 'sold', kind: 'unique' })
  await first.db
    .updateTable('items')
    .set({ soldSaleId: 'sale' })
    .where('id', '=', 'unique')
    .execute()
  await addItem(first.db, 'listed', 'walls')
  await addSale(first.db, { id: 'sale', itemId: 'unique' })
  await placeOrder(first.db, [{ itemId: 'hanger', isSold: true }])
  await addSale(first.db, { id: 'kept', createdAt: 1000 })
  await addSale(first.db, { id: 'undone', quantity: 6 })
  const canceling = {
    cancels: 'undone',
    itemPriceCents: -3500,
    salePriceCents: -3500,
    receiptTag: 'TAG00002',
    quantity: 6,
  }
  await addSale(first.db, { id: 'entry', ...canceling })
  const rowsOf = async ({ db }: Pick<TestShop, 'db'>) => ({
    items: await db
      .selectFrom('items')
      .select(['id', 'state', 'kind', 'soldSaleId', 'priceCents'])
      .orderBy('id')
      .execute(),
    sales: await db
      .selectFrom('sales')
      .select(['id', 'cancels', 'itemPriceCents', 'salePriceCents', 'quantity'])
      .orderBy('id')
      .execute(),
  })
  const exported = await (
    await (await first.owner()).post('/manage/documents.json', { password: OWNER.password })
  ).json()

  const second = await openTestShop()
  await importDocuments(second, exported)

  expect(await rowsOf(second)).toEqual(await rowsOf(first))
  expect(await second.db.selectFrom('orderItems').select('saleId').execute()).toEqual([
    { saleId: 'kept' },
  ])
})

test('the import reads an invalid quantity of a sale as 1 and reports it [S-134]', async () => {
  const shop = await openTestShop()
  const sale = (quantity: unknown) => ({ item: 'Owl', salePrice: 5, createdAt: 1000, quantity })
  const { lines } = await importDocuments(shop, {
    sales: { a: sale(6), b: sale(0), c: sale('six'), d: sale(1.5) },
  })
  expect(lines.filter((line) => line.includes('is not a number of pieces'))).toHaveLength(3)
  const rows = await shop.db.selectFrom('sales').select('quantity').orderBy('id').execute()
  expect(rows.map(({ quantity }) => quantity)).toEqual([6, 1, 1, 1])
})

test('the import skips an entry that cancels an unknown or already canceled sale [S-301]', async () => {
  const shop = await openTestShop()
  const sale = (id: string, salePrice: number, cancels?: string) => ({
    id,
    item: 'Owl',
    salePrice,
    createdAt: 1000,
    ...(cancels && { cancels }),
  })
  const { lines, counts } = await importDocuments(shop, {
    sales: [
      sale('a', 5),
      sale('b', -5, 'a'),
      sale('c', -5, 'a'),
      sale('d', -5, 'none'),
      sale('e', 5),
      sale('f', 5, 'e'),
    ],
  })
  expect(counts.sales).toEqual({ found: 6, taken: 3 })
  expect(lines.filter((line) => line.includes('cancels'))).toHaveLength(3)
  expect(
    (await shop.db.selectFrom('sales').select('id').orderBy('id').execute()).map(({ id }) => id),
  ).toEqual(['a', 'b', 'e'])
})

test('if the owner had several accounts, only one of their conversations is imported', async () => {
  const shop = await openTestShop()
  const order = (id: string) => [
    id,
    { id, items: [], messages: [], isClosed: false, fromContactPage: false },
  ]
  const orders = Object.fromEntries(['first', 'second'].map(order))
  const { done, counts } = await importDocuments(
    shop,
    { orders },
    { adminIds: ['first', 'second'] },
  )
  expect(done.ok).toBe(true)
  expect(counts.orders).toEqual({ found: 2, taken: 1 })
})

test('an import that fails halfway leaves neither rows nor files', async () => {
  const shop = await openTestShop()
  const files = await writeHostedBucket(await newFolder())
  const before = await countRows(shop)
  await shop.db.schema.dropTable('testimonyItems').execute()
  await expect(importInto(shop.shop, HOSTED_SHOP, { files, adminIds })).rejects.toThrow()
  expect(await countRows(shop)).toEqual(before)
  expect(await shop.storage.list()).toEqual([])
})

test('the import merges two users with the same email address into one account, but keeps their conversations separate [DATA-003, DATA-085, S-224]', async () => {
  const shop = await openTestShop()
  const order = (id: string, email: string) => [
    id,
    {
      id,
      items: [{ id: 'moon', name: 'Moon', price: 5, isSold: true }],
      messages: [],
      user: { id, name: id, email, photoURL: '' },
    },
  ]
  const { lines } = await importDocuments(shop, {
    category: { walls: { title: 'Walls', color: '#112233', url: '' } },
    items: {
      moon: { name: 'Moon', category: 'walls', price: 5, images: [] },
      sun: { name: 'Sun', category: 'walls', price: 5, images: [] },
    },
    orders: Object.fromEntries([
      order('first', 'Eva@mail.test'),
      order('second', 'eva@mail.test '),
      order('third', 'owner@shop.test'),
    ]),
    users: { first: { favItems: ['moon'] }, second: { favItems: ['moon', 'sun'] } },
    sales: {
      sale: { buyerid: 'second', itemid: 'moon', item: 'Moon', salePrice: 5, createdAt: 1000 },
    },
    testimony: { ticket: { writerid: 'second', testimony: 'So soft' } },
  })
  const users = await shop.db.selectFrom('user').select('id').where('id', '!=', OWNER_ID).execute()
  expect(users).toEqual([{ id: 'first' }])
  expect(await favoritesOf(shop)).toEqual([
    { userId: 'first', itemId: 'moon' },
    { userId: 'first', itemId: 'sun' },
  ])
  expect(
    await shop.db.selectFrom('orders').select(['id', 'userId']).orderBy('id').execute(),
  ).toEqual([
    { id: 'first', userId: 'first' },
    { id: 'second', userId: null },
    { id: 'third', userId: null },
  ])
  expect(await shop.db.selectFrom('sales').select('buyerId').execute()).toEqual([
    { buyerId: 'first' },
  ])
  expect(await shop.db.selectFrom('testimonies').select('writerId').execute()).toEqual([
    { writerId: 'first' },
  ])
  const sold = await shop.db
    .selectFrom('orderItems')
    .select('orderId')
    .where('saleId', '=', 'sale')
    .execute()
  expect(sold).toEqual([{ orderId: 'second' }])
  expect(lines.filter((line) => line.includes('no second account'))).toHaveLength(2)
})

test('the import takes customers’ missing email addresses from the account file of Firebase Authentication', async () => {
  const shop = await openTestShop()
  const accounts = join(await newFolder(), 'accounts.json')
  const users = [
    { localId: 'fav', email: 'Fav@mail.test', displayName: 'Fay', createdAt: '1767000000000' },
    { localId: 'x' },
  ]
  await writeFile(accounts, JSON.stringify({ users }))
  await importDocuments(
    shop,
    {
      category: { w: { title: 'W', color: '#112233' } },
      items: { moon: { name: 'Moon', category: 'w', price: 5 } },
      users: { fav: { favItems: ['moon'] } },
    },
    { accounts },
  )
  expect(await customersOf(shop)).toEqual([{ id: 'fav', email: 'fav@mail.test', name: 'Fay' }])
  expect(await favoritesOf(shop)).toEqual([{ userId: 'fav', itemId: 'moon' }])
})

test('the import converts the messages from the contact form into conversations [DATA-004] [DATA-009] [DATA-010]', async () => {
  const shop = await openTestShop()
  const messages = [{ id: 'm', message: 'Hello?', sender: 'c', createdAt: 1767000000000, read: [] }]
  await importDocuments(shop, {
    users: {
      c: {
        id: 'c',
        email: 'c@mail.test',
        name: 'Cora',
        fromContactPage: true,
        items: [],
        messages,
      },
    },
  })
  const conversation = await readConversation(shop.db, 'c', OWNER_ID)
  expect(conversation?.fromContactPage).toBe(true)
  expect(conversation?.user.name).toBe('Cora')
  expect(conversation?.messages[0]?.message).toBe('Hello?')
})
