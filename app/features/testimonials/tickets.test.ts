import { expect, test } from 'vitest'
import { addSale, addTestimonyTicket } from '#test/fixtures/orders.ts'
import { documentOf, NOON, openTestShop } from '#test/fixtures/test-shop.ts'
import type { AppServices } from '#services/context.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { findTicketOf, ensureTicket, writeTestimony } from './testimonies.server.ts'

const createTicketFor = (shop: AppServices, receiptKey: string) =>
  inTransaction(shop.db, (tx) => ensureTicket(tx, receiptKey, shop.now()))

test('a new testimony ticket gets a random id and is recorded in the audit log [TESTI-26, DATA-073]', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db)

  expect(await createTicketFor(shop, 'TAG00001')).toEqual({
    ok: true,
    isNew: true,
    id: expect.stringMatching(/^\w{22}$/),
  })

  expect(await db.selectFrom('audit').select(['actor', 'act', 'subject']).execute()).toEqual([
    { actor: 'owner', act: 'create-ticket', subject: 'TAG00001' },
  ])
})

test.each([
  [{ writerName: 'Ann Buyer' }, 'DATA-075'],
  [{ writerEmail: 'ann@mail.test' }, 'DATA-076'],
  [{ writerPhotoURL: '/pictures/ann.jpg' }, 'DATA-077'],
  [{ items: [{ id: 'hanger', name: 'Plant hanger', price: 35, salePrice: 30 }] }, 'DATA-078'],
  [{ testimony: '' }, 'DATA-079, TESTI-30'],
  [{ isAvailable: true }, 'DATA-080, TESTI-27'],
  [{ isValidated: false }, 'DATA-081, TESTI-28'],
  [{ showOnPage: false }, 'DATA-082, TESTI-29'],
])('the export of a new testimony ticket contains %j [%s]', async (field, _ids) => {
  const shop = await openTestShop()
  await addSale(shop.db, { buyerPhotoURL: '/pictures/ann.jpg', salePriceCents: 3000 })
  const ticket = await createTicketFor(shop.shop, 'TAG00001')
  expect(await documentOf(shop, 'testimony', ticket.ok ? ticket.id : '')).toMatchObject(field)
})

test('each receipt, and each sale without a receipt tag, gets only one testimony ticket [S-114]', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db)
  const untagged1 = await addSale(db, { receiptTag: null })
  const untagged2 = await addSale(db, { receiptTag: null })

  const first = await Promise.all([
    createTicketFor(shop, 'TAG00001'),
    createTicketFor(shop, 'TAG00001'),
  ])
  const again = await createTicketFor(shop, 'TAG00001')
  const ticketsOfSales = [
    await createTicketFor(shop, untagged1.id),
    await createTicketFor(shop, untagged2.id),
    await createTicketFor(shop, untagged1.id),
  ]

  expect(new Set([...first, again].map((ticket) => ticket.ok && ticket.id)).size).toBe(1)
  expect(new Set(ticketsOfSales.map((ticket) => ticket.ok && ticket.id)).size).toBe(2)
  expect(await db.selectFrom('testimonies').select('id').execute()).toHaveLength(3)
  expect(await findTicketOf(db, 'TAG00001')).toBe(again.ok && again.id)
  expect(await findTicketOf(db, 'UNKNOWN1')).toBe(null)
})

test('when the owner prints an unused testimony ticket again, the testimony ticket gets the later sales of its receipt [TESTI-26, TESTI-33, S-114]', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { createdAt: NOON - 2 })
  const first = await createTicketFor(shop, 'TAG00001')
  const id = first.ok ? first.id : ''
  const names = async () =>
    (
      await db
        .selectFrom('testimonyItems')
        .select('name')
        .where('testimonyId', '=', id)
        .orderBy('position')
        .execute()
    ).map((row) => row.name)
  await addSale(db, { itemId: 'coaster', itemName: 'Coaster', createdAt: NOON - 1 })
  expect(await names()).toEqual(['Plant hanger'])

  const again = await createTicketFor(shop, 'TAG00001')
  expect(again).toEqual({ ok: true, id, isNew: false })
  expect(await names()).toEqual(['Coaster', 'Plant hanger'])

  expect(await writeTestimony(shop, id, { email: 'ann@mail.test', testimony: 'Lovely' })).toBe(
    'written',
  )
  await addSale(db, { itemId: 'bag', itemName: 'Bag' })
  expect(await createTicketFor(shop, 'TAG00001')).toEqual({ ok: true, id, isNew: false })
  expect(await names()).toEqual(['Coaster', 'Plant hanger'])
  expect(await db.selectFrom('testimonies').select(['testimony', 'isAvailable']).execute()).toEqual(
    [{ testimony: 'Lovely', isAvailable: false }],
  )
})

test('if a testimony ticket is printed while its testimony is being stored, neither the new item nor the testimony is lost [TESTI-32, TESTI-33, S-114]', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { createdAt: NOON - 1 })
  const first = await createTicketFor(shop, 'TAG00001')
  const id = first.ok ? first.id : ''
  await addSale(db, { itemId: 'coaster', itemName: 'Coaster' })

  const order: string[] = []
  const { writing } = await inTransaction(db, async (tx) => {
    await ensureTicket(tx, 'TAG00001', shop.now())
    const writing = writeTestimony(shop, id, { email: 'ann@mail.test', testimony: 'Lovely' }).then(
      (result) => order.push(result),
    )
    // If `writeTestimony` did not wait for the transaction, it would store the testimony during
    // these reads.
    for (let read = 0; read < 100; read += 1) {
      await tx.selectFrom('testimonies').select('id').execute()
    }
    order.push('printed')
    return { writing }
  })
  await writing
  expect(order).toEqual(['printed', 'written'])

  const tickets = await db.selectFrom('testimonies').select(['testimony', 'isAvailable']).execute()
  expect(tickets).toEqual([{ testimony: 'Lovely', isAvailable: false }])
  const items = await db.selectFrom('testimonyItems').select('itemId').orderBy('position').execute()
  expect(items.map(({ itemId }) => itemId)).toEqual(['coaster', 'hanger'])
})

test('no testimony ticket is created for an unknown receipt or a buyer without an email address', async () => {
  const { shop, db } = await openTestShop()
  await addSale(db, { buyerEmail: '' })
  const tagged = await addSale(db, { receiptTag: 'TAG00002' })

  expect(await createTicketFor(shop, 'TAG00001')).toEqual({ ok: false, refusal: 'no-email' })
  expect(await createTicketFor(shop, 'nothing')).toEqual({ ok: false, refusal: 'not-found' })
  expect(await createTicketFor(shop, tagged.id)).toEqual({ ok: false, refusal: 'not-found' })
  expect(await db.selectFrom('testimonies').select('id').execute()).toEqual([])
})

test('if two testimonies are sent for a testimony ticket at the same time, only one is stored [TESTI-33]', async () => {
  const { shop, db } = await openTestShop()
  await addTestimonyTicket(db, 'ticket')
  const texts = ['First', 'Second']
  const results = await Promise.all(
    texts.map((testimony) => writeTestimony(shop, 'ticket', { email: 'ann@mail.test', testimony })),
  )
  expect(results.toSorted()).toEqual(['refused', 'written'])
  const row = await db.selectFrom('testimonies').select('testimony').executeTakeFirstOrThrow()
  expect(row.testimony).toBe(texts[results.indexOf('written')])
})
