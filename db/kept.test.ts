/** What triggers keep (042) is what counting anew gives, whatever was written, changed and taken away. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addSale } from '#test/a-sale.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { fillKept } from './migrations/029-growth-triggers.ts'
import type { Db } from './tables.ts'

const KEPT = ['unreadCounts', 'wantedItems', 'salesDays', 'salesYears', 'requestDays', 'actNames', 'itemWords', 'orderWords'] as const
const ZERO = /"(?:unread|wanted|sales|requests)":0\b/

/** Counts of nothing may stand or not. */
async function listKept(db: Db): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of KEPT) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
    all[table] = rows
      .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).toSorted())))
      .filter((row) => !ZERO.test(row))
      .toSorted()
  }
  return all
}

const [orders, items] = [
  ['ann', 'bea'],
  ['moon', 'sun', 'gone'],
]
const order = fc.constantFrom(...orders)
const item = fc.constantFrom(...items)
const small = fc.integer({ min: 0, max: 260 })
/** Around the ends of years, and before anybody had a clock. */
const moment = fc.constantFrom(0, -1, Date.UTC(2025, 11, 31, 23, 59), Date.UTC(2026, 0, 1), Date.UTC(2026, 5, 6, 7), -86_400_001)
const name = fc.constantFrom('Ann', 'Müller', 'LÉA 🪢', '')
const kinds = [
  'message',
  'messages',
  'mark',
  'ask',
  'drop',
  'sell',
  'rename',
  'forget',
  'unsell',
  'request',
  'sold',
  'item',
  'order',
  'leave',
  'act',
  'blank',
] as const
const step = fc.record({ kind: fc.constantFrom(...kinds), order, item, small, moment, name })
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

test('S-257 counts, sums and searched texts are those of what stands there, whatever comes, changes and goes', async () => {
  const shop = await openTestShop()
  const { db } = shop
  await addCategory(db, 'walls')
  let number = 0
  const next = () => `x${(number += 1)}`
  const write = async ({ kind, order: orderId, item: itemId, small: size, moment: at, name: called }: Step) => {
    const known = await db.selectFrom('orders').select('lastSeq').where('id', '=', orderId).executeTakeFirst()
    if (!known && ['message', 'messages', 'mark', 'ask'].includes(kind)) return
    switch (kind) {
      case 'message':
      case 'messages': {
        const from = known!.lastSeq
        const count = kind === 'message' ? 1 : size + 1
        const rows = Array.from({ length: count }, (_, index) => ({
          ...{ orderId, seq: from + index + 1, id: next(), message: called, sender: (size + index) % 3 ? 'owner' : orderId, createdAt: at },
        }))
        await db.insertInto('messages').values(rows).execute()
        return db
          .updateTable('orders')
          .set({ lastSeq: from + count })
          .where('id', '=', orderId)
          .execute()
      }
      case 'mark': {
        const mark = { orderId, reader: size % 2 ? 'owner' : orderId, seq: Math.min(size, known!.lastSeq) }
        return db
          .insertInto('readMarks')
          .values(mark)
          .onConflict((one) => one.columns(['orderId', 'reader']).doUpdateSet({ seq: mark.seq }))
          .execute()
      }
      case 'ask': {
        const line = { orderId, itemId, name: called, priceCents: 1, isSold: 0, position: 0 } as const
        return db
          .insertInto('orderItems')
          .values(line)
          .onConflict((one) => one.doNothing())
          .execute()
      }
      case 'drop':
        return db.deleteFrom('orderItems').where('orderId', '=', orderId).where('itemId', '=', itemId).execute()
      case 'sell':
        return addSale(db, {
          itemId: size % 5 ? itemId : '',
          itemName: called,
          buyerId: size % 4 ? orderId : '',
          buyerName: called,
          salePriceCents: size,
          itemPriceCents: size % 3 ? 100 : null,
          receiptTag: size % 2 ? `R${size % 7}` : null,
          createdAt: at,
          categoryId: size % 2 ? 'walls' : '',
        })
      case 'rename':
        return db.updateTable('sales').set({ categoryId: called, buyerPhotoURL: called }).where('itemId', '=', itemId).execute()
      case 'forget':
        return db.updateTable('sales').set({ buyerId: 'nobody', buyerName: '', buyerEmail: '' }).where('buyerId', '=', orderId).execute()
      case 'unsell':
        return db.deleteFrom('sales').where('createdAt', '=', at).execute()
      case 'request':
        return db
          .insertInto('requests')
          .values({ id: next(), orderId, itemId, categoryId: '', categoryTitle: '', at, saleId: size % 2 ? 's' : null })
          .execute()
      case 'sold':
        return size % 3
          ? db
              .updateTable('requests')
              .set({ saleId: size % 2 ? 's' : null })
              .where('itemId', '=', itemId)
              .execute()
          : db.deleteFrom('requests').where('at', '=', at).execute()
      case 'item': {
        const there = await db
          .updateTable('items')
          .set({ name: called, description: `${size} ${called}` })
          .where('id', '=', itemId)
          .returning('id')
          .execute()
        if (there.length > 0) return size % 4 === 0 ? db.deleteFrom('items').where('id', '=', itemId).execute() : null
        return addItem(db, itemId, 'walls', { name: called, pictures: [] })
      }
      case 'order': {
        const row = {
          id: orderId,
          userId: null,
          userName: called,
          userEmail: `${size}@Mail.test`,
          userPhotoURL: '',
          receiptTag: size % 2 ? `R${size}` : null,
        }
        const { id: _, ...changed } = row
        const rest = { isClosed: 0, fromContactPage: 0, lastSeq: 0, createdAt: at, firstCreatedAt: at } as const
        return db
          .insertInto('orders')
          .values({ ...row, ...rest })
          .onConflict((one) => one.column('id').doUpdateSet(changed))
          .execute()
      }
      case 'leave':
        return db.deleteFrom('orders').where('id', '=', orderId).execute()
      case 'act':
        return db
          .insertInto('audit')
          .values({ at, actor: 'owner', act: 'update-item', subject: itemId, detail: '{}', name: called, words: called })
          .execute()
      case 'blank':
        return size % 2
          ? db.updateTable('audit').set({ words: '' }).where('subject', '=', itemId).execute()
          : db.deleteFrom('audit').where('words', '=', called).execute()
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      for (const one of [...orders.map((id) => ({ ...steps[0]!, kind: 'order' as const, order: id })), ...steps]) await write(one)
      const kept = await listKept(db)
      await fillKept(db, shop.dialect)
      expect(kept).toEqual(await listKept(db))
    }),
    { numRuns: 12 },
  )
})
