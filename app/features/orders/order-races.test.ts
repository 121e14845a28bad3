/**
 * These tests check that simultaneous writes to one order have the same result as consecutive
 * writes.
 *
 * @module-tag random
 */
import { expect, test } from 'vitest'
import { openShopWithOrder } from '#test/fixtures/prepared-shops.ts'

type Opened = Awaited<ReturnType<typeof openShopWithOrder>>
type Answered = { status: number; text: string }

const complete = (itemId = 'moon', price = '') => ({ intent: 'complete', itemId, price })
const remove = (itemId = 'moon') => ({ intent: 'remove', itemId, confirm: 'Yes' })
const close = { intent: 'close', confirm: 'Yes' }
const deletion = { intent: 'delete', confirm: 'Yes' }
const ask = ({ ann }: Opened, itemId = 'moon') =>
  ann.act('/order-request', { itemId, message: 'again' })

const statuses = (answers: Answered[]) => answers.map(({ status }) => status)
const count = (answers: Answered[], status: number) =>
  answers.filter((answer) => answer.status === status).length

/**
 * Restores the initial data of the shop. This is faster than opening another shop in each round,
 * because a new shop hashes two passwords.
 */
async function reset({ shop, ann, act }: Opened) {
  await act(deletion)
  for (const table of ['sales', 'audit'] as const) await shop.db.deleteFrom(table).execute()
  for (const itemId of ['moon', 'sun']) await ann.act('/order-request', { itemId, message: itemId })
}

/** Starts all writes at the same time. In odd rounds, the writes start in reverse sequence. */
const together = (round: number, writes: (() => Promise<Answered>)[]) =>
  Promise.all((round % 2 ? writes.toReversed() : writes).map((write) => write()))

const errorsOf = ({ shop }: Opened) =>
  shop.logged.filter(({ level }) => level === 'error').map(({ error }) => String(error))

/**
 * Expects that sales, audit log and message numbers are consistent, and that a deleted order has
 * left no database rows.
 */
async function expectConsistent(opened: Opened) {
  const { shop, ann, read, sales, acts } = opened
  expect(errorsOf(opened)).toEqual([])
  expect((await acts()).filter((act) => act === 'complete-sale')).toHaveLength(
    (await sales()).length,
  )
  const order = await read()
  if (order) {
    for (const item of order.items.filter(({ isSold }) => isSold)) {
      expect(
        (await sales()).filter((sale) => sale.itemId === item.id && sale.buyerId === ann.id).length,
      ).toBeGreaterThanOrEqual(1)
    }
    expect(order.messages.map(({ seq }) => seq)).toEqual(
      order.messages.map((_, index) => index + 1),
    )
    expect(order.lastSeq).toBe(order.messages.length)
    expect(order.lastSeq).toBeGreaterThan(0)
    expect(order.receiptTag !== null).toBe(!order.isClosed && order.items.length > 0)
  }
  for (const table of ['orderItems', 'messages', 'readReceipts'] as const) {
    const left = await shop.db.selectFrom(table).select('orderId').execute()
    expect(left.filter(({ orderId }) => !order && orderId === ann.id)).toEqual([])
  }
  return order
}

test('an item that is removed and sold at the same time ends up either sold or removed, but not both [MSG-31, MSG-32]', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 4; round++) {
    await reset(opened)
    const answers = await together(round, [
      () => opened.act(remove()),
      () => opened.act(complete()),
    ])

    expect(count(answers, 200)).toBe(1)
    const isSold = (await opened.sales()).length === 1
    expect(statuses(answers).toSorted()).toEqual([200, isSold ? 409 : 404])
    expect((await expectConsistent(opened))!.items.map(({ id }) => id)).toEqual(
      isSold ? ['moon', 'sun'] : ['sun'],
    )
  }
})

test('an order request that arrives while the owner closes the order is part of the closed order or reopens it [S-069, S-070]', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 4; round++) {
    await reset(opened)
    await opened.act(complete())
    const { receiptTag } = (await opened.read())!

    const answers = await together(round, [() => opened.act(close), () => ask(opened)])

    expect(statuses(answers)).toEqual([200, 200])
    const order = (await expectConsistent(opened))!
    expect(order.messages).toHaveLength(3)
    expect(order.receiptTag).not.toBe(receiptTag)
    // If the order request came before the closing, the closed order contains the sold item and the
    // requested items. Otherwise the order request has reopened the order and removed the sold
    // item.
    expect(order.items.map(({ id, isSold }) => `${id} ${isSold}`)).toEqual(
      order.isClosed ? ['moon true', 'sun false', 'moon false'] : ['sun false', 'moon false'],
    )
  }
})

test('if an order request reopens the order during a sale, the sale gets the new receipt or is refused [S-069]', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 4; round++) {
    await reset(opened)
    await opened.act(complete())
    const former = (await opened.read())!.receiptTag
    await opened.act(close)

    const answers = await together(round, [() => ask(opened), () => opened.act(complete('sun'))])

    const order = (await expectConsistent(opened))!
    expect(order.isClosed).toBe(false)
    expect(order.receiptTag).not.toBe(former)
    const later = (await opened.sales()).filter((sale) => sale.itemId === 'sun')
    expect(later.map((sale) => sale.receiptTag)).toEqual(
      answers.every(({ status }) => status === 200) ? [order.receiptTag] : [],
    )
  }
})

test('writes during the deletion of a conversation do not fail, and leave no database row of the conversation [MSG-20, S-083]', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 6; round++) {
    await reset(opened)
    const writes = [
      () => opened.act(deletion),
      () => ask(opened, 'sun'),
      () => opened.act(complete()),
      () => opened.ann.act('/messages', { intent: 'send', message: 'and' }),
      () => opened.act(close),
      () => opened.act({ intent: 'read', seq: '2' }),
    ]
    const turned = [...writes.slice(round), ...writes.slice(0, round)]

    const answers = await Promise.all(turned.map((write) => write()))

    expect(statuses(answers).filter((status) => status >= 500)).toEqual([])
    await expectConsistent(opened)
  }
})
