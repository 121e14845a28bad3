import { expect, test } from 'vitest'
import { addSale } from '#test/a-sale.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { findTicketOf, giveTicket, writeTestimony } from './testimonies.server.ts'

const createTicketFor = (shop: Shop, receiptKey: string) => transact(shop.db, (tx) => giveTicket(tx, receiptKey, shop.now()))

test('TESTI-26 TESTI-27 TESTI-28 TESTI-29 TESTI-30 DATA-073 DATA-075 DATA-076 DATA-077 DATA-079 DATA-080 DATA-081 DATA-082 a new ticket', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { buyerPhotoURL: '/pictures/ann.jpg' })

  const done = await createTicketFor(shop, 'TAG00001')

  expect(await db.selectFrom('testimonies').selectAll().execute()).toEqual([
    {
      id: done.ok && done.id,
      receiptTag: 'TAG00001',
      writerId: 'ann-uid',
      writerName: 'Ann Buyer',
      writerEmail: 'ann@mail.test',
      writerPhotoURL: '/pictures/ann.jpg',
      testimony: '',
      isAvailable: 1,
      isValidated: 0,
      showOnPage: 0,
      createdAt: NOON,
      writtenAt: null,
    },
  ])
  expect(done).toEqual({ ok: true, isNew: true, id: expect.stringMatching(/^\w{22}$/) })
  expect(await db.selectFrom('audit').select(['actor', 'act', 'subject']).execute()).toEqual([
    { actor: 'owner', act: 'create-ticket', subject: 'TAG00001' },
  ])
})

test('DATA-078 a ticket holds the items of its receipt with price and sale price', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { salePriceCents: 3000 })
  await addSale(db, { itemId: 'coaster', itemName: 'Coaster', itemPriceCents: null, salePriceCents: 800, createdAt: NOON - 1 })
  await addSale(db, { receiptTag: 'OTHER001' })

  await createTicketFor(shop, 'TAG00001')

  expect(
    await db.selectFrom('testimonyItems').select(['itemId', 'name', 'priceCents', 'salePriceCents']).orderBy('position').execute(),
  ).toEqual([
    { itemId: 'hanger', name: 'Plant hanger', priceCents: 3500, salePriceCents: 3000 },
    { itemId: 'coaster', name: 'Coaster', priceCents: null, salePriceCents: 800 },
  ])
})

test('S-114 one ticket per receipt, printed again or twice at once; a sale without a tag has one of its own', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db)
  const [one, two] = [await addSale(db, { receiptTag: null }), await addSale(db, { receiptTag: null })]

  const first = await Promise.all([createTicketFor(shop, 'TAG00001'), createTicketFor(shop, 'TAG00001')])
  const again = await createTicketFor(shop, 'TAG00001')
  const others = [await createTicketFor(shop, one.id), await createTicketFor(shop, two.id), await createTicketFor(shop, one.id)]

  expect(new Set([...first, again].map((done) => done.ok && done.id)).size).toBe(1)
  expect(new Set(others.map((done) => done.ok && done.id)).size).toBe(2)
  expect(await db.selectFrom('testimonies').select('id').execute()).toHaveLength(3)
  expect(await findTicketOf(db, 'TAG00001')).toBe(again.ok && again.id)
  expect(await findTicketOf(db, 'UNKNOWN1')).toBe(null)
})

test('TESTI-26 TESTI-33 S-114 printed again the ticket names what was sold since, until it is written; then it stays as it is, and used', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { createdAt: NOON - 2 })
  const first = await createTicketFor(shop, 'TAG00001')
  const id = first.ok ? first.id : ''
  const names = async () =>
    (await db.selectFrom('testimonyItems').select('name').where('testimonyId', '=', id).orderBy('position').execute()).map(
      (row) => row.name,
    )
  await addSale(db, { itemId: 'coaster', itemName: 'Coaster', createdAt: NOON - 1 })
  expect(await names()).toEqual(['Plant hanger'])

  const again = await createTicketFor(shop, 'TAG00001')
  expect(again).toEqual({ ok: true, id, isNew: false })
  expect(await names()).toEqual(['Coaster', 'Plant hanger'])

  expect(await writeTestimony(shop, id, { email: 'ann@mail.test', testimony: 'Lovely' })).toBe('written')
  await addSale(db, { itemId: 'bag', itemName: 'Bag' })
  expect(await createTicketFor(shop, 'TAG00001')).toEqual({ ok: true, id, isNew: false })
  expect(await names()).toEqual(['Coaster', 'Plant hanger'])
  expect(await db.selectFrom('testimonies').select(['testimony', 'isAvailable']).execute()).toEqual([
    { testimony: 'Lovely', isAvailable: 0 },
  ])
})

test('TESTI-26 TESTI-32 TESTI-33 S-114 printed from many tabs while its testimony is written: one ticket, written once, its items once each', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { createdAt: NOON - 2 })
  const made = await Promise.all(Array.from({ length: 20 }, () => createTicketFor(shop, 'TAG00001')))
  expect(made.filter((one) => one.ok && one.isNew)).toHaveLength(1)
  const [ticket, ...more] = await db.selectFrom('testimonies').select('id').execute()
  expect(more).toEqual([])
  await addSale(db, { itemId: 'coaster', itemName: 'Coaster' })

  const write = (testimony: string) => writeTestimony(shop, ticket!.id, { email: 'ann@mail.test', testimony })
  const print = () => createTicketFor(shop, 'TAG00001')
  const [written, , other] = await Promise.all([write('one'), print(), write('two'), print(), print()])

  expect([written, other].toSorted()).toEqual(['refused', 'written'])
  const text = written === 'written' ? 'one' : 'two'
  expect(await db.selectFrom('testimonies').select(['testimony', 'isAvailable']).execute()).toEqual([{ testimony: text, isAvailable: 0 }])
  // What was sold since is on it when a print came first, and not when the writing did.
  const items = await db.selectFrom('testimonyItems').select('itemId').orderBy('position').execute()
  expect([['hanger'], ['coaster', 'hanger']]).toContainEqual(items.map((row) => row.itemId))
})

test('a receipt that does not exist, or whose buyer has no e-mail, gets no ticket', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { buyerEmail: '' })
  const tagged = await addSale(db, { receiptTag: 'TAG00002' })

  expect(await createTicketFor(shop, 'TAG00001')).toEqual({ ok: false, refusal: 'no-email' })
  expect(await createTicketFor(shop, 'nothing')).toEqual({ ok: false, refusal: 'not-found' })
  expect(await createTicketFor(shop, tagged.id)).toEqual({ ok: false, refusal: 'not-found' })
  expect(await db.selectFrom('testimonies').select('id').execute()).toEqual([])
})
