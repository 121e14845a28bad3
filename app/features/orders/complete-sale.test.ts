import { expect, test } from 'vitest'
import { placeOrder } from '#test/a-sale.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { refuseWrites } from '#test/refuse-writes.ts'
import { completeSale, salePriceOf } from './owner-actions.server.ts'

const hanger = { itemId: 'hanger', name: 'Plant hanger', priceCents: 3500 }

test('MSG-24 MSG-28 MSG-29 Sale Complete adds the sale record and flags the item sold', async () => {
  const { shop, db, heard } = await openTestShop()
  await placeOrder(db, [hanger, { itemId: 'coaster', name: 'Coaster', priceCents: 800 }])
  const flags = () => db.selectFrom('orderItems').select(['itemId', 'isSold']).orderBy('position').execute()
  expect(await flags()).toMatchObject([{ isSold: 0 }, { isSold: 0 }])

  expect(await completeSale(shop, 'ann-uid', 'hanger', '30')).toEqual({ ok: true })

  expect(await flags()).toEqual([
    { itemId: 'hanger', isSold: 1 },
    { itemId: 'coaster', isSold: 0 },
  ])
  expect(heard).toEqual(['orders', 'order:ann-uid', 'sales'])
  expect(await db.selectFrom('orders').select('createdAt').executeTakeFirst()).toEqual({ createdAt: NOON })
  expect(await db.selectFrom('audit').select(['actor', 'act', 'subject']).execute()).toEqual([
    { actor: 'owner', act: 'complete-sale', subject: 'ann-uid' },
  ])
})

test('DATA-084 DATA-085 DATA-086 DATA-087 DATA-088 DATA-089 DATA-090 DATA-091 DATA-093 DATA-094 DATA-125 the record copies buyer, item, price and tag', async () => {
  const { shop, db } = await openTestShop()
  await placeOrder(db, [hanger])

  await completeSale(shop, 'ann-uid', 'hanger', '$30.5')

  expect(await db.selectFrom('sales').selectAll().execute()).toEqual([
    {
      id: expect.stringMatching(/^\w{15}$/),
      buyerId: 'ann-uid',
      buyerName: 'Ann Buyer',
      buyerEmail: 'ann@mail.test',
      buyerPhotoURL: '/pictures/ann.jpg',
      itemId: 'hanger',
      itemName: 'Plant hanger',
      itemPriceCents: 3500,
      salePriceCents: 3050,
      receiptTag: 'TAG00001',
      createdAt: NOON,
      categoryId: '',
      categoryTitle: '',
    },
  ])
})

test('MSG-27 a sale price left blank is the original price; 0 stays 0; what is no price is refused', () => {
  expect([salePriceOf('', 3500), salePriceOf('  ', 3500), salePriceOf('0', 3500), salePriceOf('12,50', 3500)]).toEqual([
    3500, 3500, 0, 1250,
  ])
  expect([salePriceOf('0.01', 3500), salePriceOf('1,5', 3500), salePriceOf('$ 9999999.99', 3500)]).toEqual([1, 150, 999_999_999])
  const none = ['-1', '-0.01', 'ten', 'abc', 'NaN', 'Infinity', '1e3', '1e12', '1000000000000', '0.001', '1,5,0', '1 2', '٣', '0x10']
  expect(none.map((typed) => salePriceOf(typed, 3500))).toEqual(none.map(() => null))
})

test('MSG-28 two Sale Complete at once make one sale', async () => {
  const { shop, db } = await openTestShop()
  await placeOrder(db, [hanger])

  const answers = await Promise.all(['', '20', '0', ''].map((price) => completeSale(shop, 'ann-uid', 'hanger', price)))

  expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
  expect(answers.filter((answer) => !answer.ok)).toEqual(Array(3).fill({ ok: false, refusal: 'already-sold' }))
  expect(await db.selectFrom('sales').select('id').execute()).toHaveLength(1)
})

test.for([
  ['not-found', 'nobody', 'hanger', '', {}],
  ['not-found', 'ann-uid', 'unknown', '', {}],
  ['bad-price', 'ann-uid', 'hanger', '-5', {}],
  ['closed', 'ann-uid', 'hanger', '', { isClosed: 1, receiptTag: null }],
] as const)('S-080 S-087 a sale refused as %s leaves everything as it was', async ([refusal, orderId, itemId, price, given]) => {
  const { shop, db, heard } = await openTestShop()
  const order = await placeOrder(db, [hanger], given)

  expect(await completeSale(shop, orderId, itemId, price)).toEqual({ ok: false, refusal })

  expect(await db.selectFrom('orders').selectAll().execute()).toMatchObject([order])
  expect(await db.selectFrom('orderItems').select('isSold').execute()).toEqual([{ isSold: 0 }])
  expect(await db.selectFrom('sales').select('id').execute()).toEqual([])
  expect(heard).toEqual([])
})

test.for([
  ['record-failed', 'sales', 'insert'],
  ['record-failed', 'audit', 'insert'],
  ['item-failed', 'orderItems', 'update'],
] as const)('MSG-35 MSG-36 S-086 %s: when %s refuses an %s, neither of the two is written', async ([refusal, table, act]) => {
  const { shop, db, dialect, heard, logged } = await openTestShop()
  const order = await placeOrder(db, [hanger])
  await refuseWrites(db, dialect, table, act)

  expect(await completeSale(shop, 'ann-uid', 'hanger', '')).toEqual({ ok: false, refusal })

  expect(await db.selectFrom('sales').select('id').execute()).toEqual([])
  expect(await db.selectFrom('orderItems').select('isSold').execute()).toEqual([{ isSold: 0 }])
  expect(await db.selectFrom('orders').selectAll().execute()).toMatchObject([order])
  expect(await db.selectFrom('audit').select('act').execute()).toEqual([])
  expect(heard).toEqual([])
  expect(logged).toMatchObject([{ level: 'error', message: 'a sale could not be completed' }])
})
