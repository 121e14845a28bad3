/**
 * Tests that the shop's records are consistent after random concurrent actions of customers and the
 * owner.
 *
 * @module-tag random
 */
import fc from 'fast-check'
import { readConversationRow } from '#test/fixtures/chat.ts'
import { expect, test } from 'vitest'
import { listConversations } from '#messaging/list/conversation-list.server.ts'
import { countUnread } from '#conversation/read-receipts.server.ts'
import { markRead, sendMessage, deleteConversation } from '#messaging/messages.server.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import { requestOrder } from '#orders/order-request.server.ts'
import { listOrderLines } from '#conversation/order-lines.server.ts'
import {
  closeOrder,
  removeOrderItem,
  reopenOrder,
  completeSale,
  cancelSale,
  undoSale,
} from '#orders/orders.server.ts'
import { documentsFor } from '#print-documents/print-document.ts'
import { findInvoice, issueDocuments } from '#print-documents/print-documents.server.ts'
import { addSums } from '#reports/report.ts'
import { sumMonths, sumOrderRequests } from '#reports/reports.server.ts'
import { findReceipt, listReceipts, sumSales } from '#sales/sales.server.ts'
import type { User } from '#services/context.ts'
import { newId15 } from '#lib/text/ids.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { errorsOf } from '#test/fixtures/fuzz.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const ITEMS = ['moon', 'sun', 'star']
const YEAR = { from: 0, to: Number.MAX_SAFE_INTEGER }

async function openBusiness() {
  const shop = await openTestShop()
  for (const id of ['walls', 'bags']) await addCategory(shop.db, id)
  for (const [at, id] of ITEMS.entries()) {
    await addItem(shop.db, id, at === 0 ? 'bags' : 'walls', { name: id, priceCents: 1000 + at })
  }
  const user = (id: string, role: User['role']): User => ({
    id,
    role,
    name: id,
    email: `${id}@mail.test`,
    image: null,
    sessionId: id,
  })
  const [ann, guest] = [await shop.customer(), await shop.guest()]
  /** The content of each invoice when the test first read the invoice, by invoice number. */
  const printed = new Map<number, string>()
  return {
    shop,
    owner: user('owner', 'owner'),
    people: [user(ann.id, 'customer'), user(guest.id, 'guest')],
    printed,
  }
}
type Business = Awaited<ReturnType<typeof openBusiness>>

const ACTS = [
  ...([
    'ask',
    'ask',
    'write',
    'answer',
    'see',
    'read',
    'sell',
    'sell',
    'sell',
    'remove',
    'close',
    'reopen',
    'delete',
  ] as const),
  ...(['print', 'print', 'undo', 'cancel', 'cancel'] as const),
]
type Act = { act: (typeof ACTS)[number]; who: number; item: number; number: number }
const anAct: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom(...ACTS),
  who: fc.nat(1),
  item: fc.nat(ITEMS.length - 1),
  number: fc.nat(12),
})

async function perform(
  { shop: { shop }, owner, people }: Business,
  { act, who, item, number }: Act,
): Promise<unknown> {
  const [person, itemId] = [people[who]!, ITEMS[item]!]
  const message = { message: 'words', messageId: newId15(), seen: number }
  const takeBack = async (take: typeof undoSale) => {
    const sales = await shop.db
      .selectFrom('sales')
      .select('id')
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    const sale = sales[number % Math.max(1, sales.length)]
    return sale && take(shop, sale.id)
  }
  const acts: Record<Act['act'], () => Promise<unknown> | null> = {
    ask: () => requestOrder(shop, person, { itemId, ...message }),
    write: () => sendMessage(shop, person, person.id, message),
    answer: () => sendMessage(shop, owner, person.id, message),
    see: () => markRead(shop, owner, person.id, number),
    read: () => markRead(shop, person, person.id, number),
    sell: () =>
      completeSale(shop, person.id, { itemId, price: number === 0 ? '' : String(number) }),
    remove: () => removeOrderItem(shop, person.id, itemId),
    close: () => closeOrder(shop, person.id),
    reopen: () => reopenOrder(shop, person.id),
    undo: () => takeBack(undoSale),
    cancel: () => takeBack(cancelSale),
    // Deletes a conversation only in some cases, so that other conversations become long.
    delete: () => (number > 9 ? deleteConversation(shop, person.id) : null),
    print: async () => {
      const { receipts } = await listReceipts(shop.db, YEAR)
      const receipt = receipts[number % Math.max(1, receipts.length)]
      return (
        receipt &&
        issueDocuments(shop, {
          receipt: receipt.key,
          papers: documentsFor(receipt),
          shipping: number * 100,
        })
      )
    },
  }
  return acts[act]()
}

/**
 * Expects that messages have numbers without gaps, and that all queries count the same number of
 * unread messages.
 */
async function expectConversationsAgree({ shop, owner, people }: Business) {
  const { db } = shop
  let unreadOfAll = 0
  for (const person of people) {
    const seen = await readConversationRow(db, person.id, 'owner')
    if (!seen) continue
    expect(seen.messages.map(({ seq }) => seq)).toEqual(
      seen.messages.map((_, at) => seen.lastSeq - seen.messages.length + at + 1),
    )
    for (const { seq } of seen.readReceipts) expect(seq).toBeLessThanOrEqual(seen.lastSeq)
    const unreadFor = async (reader: string) => {
      const mark = seen.readReceipts.find((one) => one.reader === reader)?.seq ?? 0
      const later = db
        .selectFrom('messages')
        .select('seq')
        .where('orderId', '=', person.id)
        .where('seq', '>', mark)
      return (await later.where('sender', '!=', reader).execute()).length
    }
    unreadOfAll += await unreadFor('owner')
    expect(seen.unread).toBe(await unreadFor('owner'))
    expect(await countUnread(db, person)).toBe(await unreadFor(person.id))
    // A closed order has no receipt tag. An open order with items has a receipt tag.
    expect(seen.isClosed ? seen.receiptTag : null).toBe(null)
    expect(
      !seen.isClosed && (await listOrderLines(db, person.id)).length > 0
        ? typeof seen.receiptTag
        : 'string',
    ).toBe('string')
  }
  const { lines, counts } = await listConversations(shop)
  expect(await countUnread(db, owner)).toBe(unreadOfAll)
  expect(lines.reduce((sum, line) => sum + line.unread, 0)).toBe(unreadOfAll)
  expect(counts.unread).toBe(lines.filter((line) => line.unread > 0).length)
  expect(counts.requests).toBe(lines.filter((line) => line.pieces > 0).length)
}

/**
 * Expects that each sale that is not canceled has exactly one order request, that each sold item of
 * an order has its own sale, and that pages and
 * reports have the same totals as the sales.
 */
async function expectBooksAgree({ shop: { db }, printed }: Business) {
  const [sales, requests, lines, invoices, tickets, acts] = await Promise.all([
    db.selectFrom('sales').selectAll().execute(),
    db.selectFrom('requests').selectAll().execute(),
    db.selectFrom('orderItems').selectAll().execute(),
    db.selectFrom('invoices').selectAll().orderBy('number').execute(),
    db.selectFrom('testimonies').selectAll().execute(),
    db.selectFrom('audit').select('act').execute(),
  ])
  const sold = requests.filter(({ saleId }) => saleId !== null)
  const saleOf = ({
    orderId,
    itemId,
    categoryId,
    categoryTitle,
    saleId,
  }: (typeof requests)[number]) =>
    JSON.stringify([saleId, orderId, itemId, categoryId, categoryTitle])
  const canceled = new Set(sales.flatMap(({ cancels }) => cancels ?? []))
  const entries = sales.filter(({ cancels }) => cancels !== null)
  const originals = sales.filter(({ cancels }) => cancels === null)
  const valid = originals.filter(({ id }) => !canceled.has(id))
  const ofSales = valid.map(({ id, buyerId, ...sale }) =>
    saleOf({ ...sale, orderId: buyerId, saleId: id } as never),
  )
  expect(sold.map(saleOf).toSorted()).toEqual(ofSales.toSorted())
  const saleIds = lines.flatMap(({ saleId }) => saleId ?? [])
  expect(lines.filter(({ isSold }) => isSold)).toHaveLength(saleIds.length)
  expect(new Set(saleIds).size).toBe(saleIds.length)
  for (const saleId of saleIds) expect(valid.some(({ id }) => id === saleId)).toBe(true)
  for (const { orderId, itemId, isSold } of lines) {
    expect(
      requests.some(
        (one) =>
          one.orderId === orderId && one.itemId === itemId && (one.saleId !== null) === isSold,
      ),
    ).toBe(true)
  }
  const times = (name: string) => acts.filter(({ act }) => act === name).length
  expect(times('complete-sale') - times('undo-sale')).toEqual(originals.length)
  expect(times('cancel-sale')).toEqual(entries.length)
  for (const entry of entries) {
    expect(originals.find(({ id }) => id === entry.cancels)).toMatchObject({
      salePriceCents: 0 - entry.salePriceCents,
      itemId: entry.itemId,
    })
  }

  // Each receipt has one buyer. Pages, reports and rows have the same totals. Invoice numbers have
  // no gaps.
  for (const [, own] of Map.groupBy(sales, receiptKey)) {
    expect(new Set(own.map(({ buyerId }) => buyerId)).size).toBe(1)
  }
  const { receipts, older } = await listReceipts(db, YEAR)
  expect(older).toBe(null)
  const keys = receipts.map(({ key }) => key)
  expect(keys.toSorted()).toEqual([...new Set(sales.map(receiptKey))].toSorted())
  const total = sales.reduce((sum, { salePriceCents }) => sum + salePriceCents, 0)
  expect(await sumSales(db, YEAR)).toEqual(total)
  expect(addSums(await sumMonths(db, 2026, 'UTC')).revenue).toEqual(total)
  const asked = await sumOrderRequests(db, 2026, 'UTC')
  const sums = [
    asked.reduce((sum, one) => sum + one.requests, 0),
    asked.reduce((sum, one) => sum + one.sold, 0),
  ]
  expect(sums).toEqual([requests.length, valid.length])
  expect(total).toBe(valid.reduce((sum, { salePriceCents }) => sum + salePriceCents, 0))
  expect(invoices.map(({ number }) => number)).toEqual(invoices.map((_, at) => at + 1))
  const cancellations = new Set(entries.map(receiptKey))
  const ofBuyers = invoices.map((one) => one.receiptKey).filter((key) => !cancellations.has(key))
  // Each printed receipt has a testimony ticket. Canceling all sales of a receipt deletes its
  // ticket, until the owner prints the receipt again.
  const ticketKeys = tickets.flatMap(({ receiptTag }) => receiptTag ?? [])
  expect(
    ofBuyers.filter(
      (key) => valid.some((sale) => receiptKey(sale) === key) && !ticketKeys.includes(key),
    ),
  ).toEqual([])
  expect(ticketKeys.toSorted()).toEqual(
    [...new Set(ticketKeys)].filter((key) => ofBuyers.includes(key)).toSorted(),
  )
  expect(invoices.filter((one) => !keys.includes(one.receiptKey))).toEqual([])
  for (const { number, receiptKey: key } of invoices) {
    const { items, ...receipt } = (await findReceipt(db, key))!
    const held = JSON.stringify([
      await findInvoice(db, key),
      receipt,
      items.map(({ id, price, salePrice }) => [id, price, salePrice]),
    ])
    if (!printed.has(number)) printed.set(number, held)
    expect(printed.get(number)).toBe(held)
  }
}

test('sales, requests and orders are consistent after random concurrent actions of three users [DATA-125, S-076, S-187, S-196, OWN-64, OWN-65]', async () => {
  const business = await openBusiness()
  const rounds = fc.array(fc.array(anAct, { minLength: 1, maxLength: 4 }), {
    minLength: 8,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const concurrent of all) {
        business.shop.clock.now += 1000
        await Promise.all(concurrent.map((one) => perform(business, one)))
      }
      expect(errorsOf(business.shop)).toEqual([])
      await expectConversationsAgree(business)
      await expectBooksAgree(business)
    }),
    { numRuns: 12, seed: 20261121, endOnFailure: true },
  )
  expect(
    (await business.shop.db.selectFrom('sales').select('id').execute()).length,
  ).toBeGreaterThan(0)
})
