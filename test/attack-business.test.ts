/** Whatever the two sides do, in whichever order and at the same moment: conversations, orders, sales, requests, receipts and invoices agree. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listOrderLines } from '#app/features/orders/orders.server.ts'
import { countUnread, markRead, readConversation, sendMessage } from '#app/features/messaging/conversations.server.ts'
import { listConversations } from '#app/features/messaging/conversation-list.server.ts'
import { closeOrder, completeSale, deleteConversation, removeOrderItem } from '#app/features/orders/owner-actions.server.ts'
import { requestOrder } from '#app/features/orders/orders.server.ts'
import { issuePapers } from '#app/features/print-documents/papers.server.ts'
import { PAPERS } from '#app/features/print-documents/paper.ts'
import { sumOf } from '#app/features/reports/report.ts'
import { sumMonths, sumRequests } from '#app/features/reports/reports.server.ts'
import { listReceipts, sumSales } from '#app/features/sales/sales.server.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { User } from '#app/platform/context.ts'
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

const ITEMS = ['moon', 'sun', 'star']
const YEAR = { from: 0, to: Number.MAX_SAFE_INTEGER }

async function openBusiness() {
  const shop = await openTestShop()
  for (const id of ['walls', 'bags']) await addCategory(shop.db, id)
  for (const [at, id] of ITEMS.entries()) await addItem(shop.db, id, at === 0 ? 'bags' : 'walls', { name: id, priceCents: 1000 + at })
  const user = (id: string, role: User['role']): User => ({ id, role, name: id, email: `${id}@mail.test`, image: null, sessionId: id })
  const [ann, guest] = [await shop.customer(), await shop.guest()]
  return { shop, owner: user('owner', 'admin'), people: [user(ann.id, 'customer'), user(guest.id, 'guest')] }
}
type Business = Awaited<ReturnType<typeof openBusiness>>

const ACTS = ['ask', 'ask', 'write', 'answer', 'see', 'read', 'sell', 'sell', 'remove', 'close', 'delete', 'print'] as const
type Act = { act: (typeof ACTS)[number]; who: number; item: number; number: number }
const anAct: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom(...ACTS),
  who: fc.nat(1),
  item: fc.nat(ITEMS.length - 1),
  number: fc.nat(12),
})

async function perform({ shop: { shop }, owner, people }: Business, { act, who, item, number }: Act): Promise<unknown> {
  const [person, itemId] = [people[who]!, ITEMS[item]!]
  const message = { message: 'words', messageId: newId15() }
  switch (act) {
    case 'ask':
      return requestOrder(shop, person, { itemId, ...message })
    case 'write':
      return sendMessage(shop, person, person.id, message)
    case 'answer':
      return sendMessage(shop, owner, person.id, message)
    case 'see':
      return markRead(shop, owner, person.id, number)
    case 'read':
      return markRead(shop, person, person.id, number)
    case 'sell':
      return completeSale(shop, person.id, itemId, number === 0 ? '' : String(number))
    case 'remove':
      return removeOrderItem(shop, owner, person.id, itemId)
    case 'close':
      return closeOrder(shop, owner, person.id)
    case 'delete':
      // Seldom, or nothing would ever grow.
      return number > 9 ? deleteConversation(shop, owner, person.id) : null
    case 'print': {
      const { receipts } = await listReceipts(shop.db, YEAR)
      const receipt = receipts[number % Math.max(1, receipts.length)]
      return receipt ? issuePapers(shop, { receipt: receipt.key, papers: PAPERS, shipping: number * 100 }) : null
    }
  }
}

async function expectAgreed({ shop, owner, people }: Business) {
  const { db } = shop
  expect(shop.logged.filter(({ level }) => level === 'error').map(({ error }) => String(error))).toEqual([])
  const [sales, requests, lines, invoices, tickets, acts] = await Promise.all([
    db.selectFrom('sales').selectAll().execute(),
    db.selectFrom('requests').selectAll().execute(),
    db.selectFrom('orderItems').selectAll().execute(),
    db.selectFrom('invoices').selectAll().orderBy('number').execute(),
    db.selectFrom('testimonies').selectAll().execute(),
    db.selectFrom('audit').select('act').execute(),
  ])
  // Messages are numbered without a gap, nobody has read what is not there, and every count of what is unread is the same.
  let unreadOfAll = 0
  for (const person of people) {
    const seen = await readConversation(db, person.id, 'owner')
    if (!seen) continue
    expect(seen.messages.map(({ seq }) => seq)).toEqual(seen.messages.map((_, at) => seen.lastSeq - seen.messages.length + at + 1))
    for (const { seq } of seen.readMarks) expect(seq).toBeLessThanOrEqual(seen.lastSeq)
    const unreadFor = async (reader: string) => {
      const mark = seen.readMarks.find((one) => one.reader === reader)?.seq ?? 0
      const later = db.selectFrom('messages').select('seq').where('orderId', '=', person.id).where('seq', '>', mark)
      return (await later.where('sender', '!=', reader).execute()).length
    }
    unreadOfAll += await unreadFor('owner')
    expect(seen.unread).toBe(await unreadFor('owner'))
    expect(await countUnread(db, person)).toBe(await unreadFor(person.id))
    // A closed order has no receipt, an open one in which something was asked for has its own.
    expect(seen.isClosed ? seen.receiptTag : null).toBe(null)
    expect(!seen.isClosed && (await listOrderLines(db, person.id)).length > 0 ? typeof seen.receiptTag : 'string').toBe('string')
  }
  const list = await listConversations(db)
  expect(await countUnread(db, owner)).toBe(unreadOfAll)
  expect(list.lines.reduce((sum, line) => sum + line.unread, 0)).toBe(unreadOfAll)
  expect(list.counts.unread).toBe(list.lines.filter((line) => line.unread > 0).length)
  expect(list.counts.requests).toBe(list.lines.filter((line) => line.pieces > 0).length)

  // Each sale comes of one request, each request becomes one sale at most, and what stands unsold in an order was asked for and came to nothing yet.
  const came = requests.filter(({ saleId }) => saleId !== null)
  expect(came.map(({ saleId }) => saleId).toSorted()).toEqual(sales.map(({ id }) => id).toSorted())
  for (const { saleId, ...request } of came) {
    const { buyerId: orderId, itemId, categoryId, categoryTitle } = sales.find(({ id }) => id === saleId)!
    expect({ orderId, itemId, categoryId, categoryTitle }).toEqual({
      orderId,
      itemId: request.itemId,
      categoryId: request.categoryId,
      categoryTitle: request.categoryTitle,
    })
  }
  for (const { orderId, itemId, isSold } of lines) {
    expect(requests.some((one) => one.orderId === orderId && one.itemId === itemId && (one.saleId !== null) === (isSold === 1))).toBe(true)
  }
  expect(acts.filter(({ act }) => act === 'complete-sale')).toHaveLength(sales.length)

  // A receipt is one buyer's; screen, reports and records come to the same; each printed receipt has one number, and none is left out.
  for (const [, own] of Map.groupBy(sales, receiptKey)) expect(new Set(own.map(({ buyerId }) => buyerId)).size).toBe(1)
  const { receipts, older } = await listReceipts(db, YEAR)
  expect(older).toBe(null)
  expect(receipts.map(({ key }) => key).toSorted()).toEqual([...new Set(sales.map(receiptKey))].toSorted())
  const total = sales.reduce((sum, { salePriceCents }) => sum + salePriceCents, 0)
  expect([await sumSales(db, YEAR), sumOf(await sumMonths(db, 2026, 'UTC')).revenue]).toEqual([total, total])
  const asked = await sumRequests(db, 2026, 'UTC')
  expect([asked.reduce((sum, one) => sum + one.requests, 0), asked.reduce((sum, one) => sum + one.sold, 0)]).toEqual([
    requests.length,
    sales.length,
  ])
  expect(invoices.map(({ number }) => number)).toEqual(invoices.map((_, at) => at + 1))
  expect(invoices.map((one) => one.receiptKey).toSorted()).toEqual(tickets.map(({ receiptTag }) => receiptTag).toSorted())
  const keys = receipts.map(({ key }) => key)
  expect(invoices.filter((one) => !keys.includes(one.receiptKey))).toEqual([])
}

test('DATA-125 S-076 S-187 S-190 S-196 random acts of three people, several at once, leave a business whose books agree', async () => {
  const business = await openBusiness()
  const rounds = fc.array(fc.array(anAct, { minLength: 1, maxLength: 4 }), { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const together of all) {
        business.shop.clock.now += 1000
        await Promise.all(together.map((one) => perform(business, one)))
      }
      await expectAgreed(business)
    }),
    { numRuns: 12, seed: 20261121, endOnFailure: true },
  )
  const { count } = await business.shop.db
    .selectFrom('sales')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBeGreaterThan(0)
})
