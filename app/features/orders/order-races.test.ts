/** Presses at the same moment: one order of events is what stays, never a mixture of two. */
import { expect, test } from 'vitest'
import { openShopWithOrder } from '#test/shop-with-order.ts'

type Opened = Awaited<ReturnType<typeof openShopWithOrder>>
type Answered = { status: number; text: string }

const complete = (itemId = 'moon', price = '') => ({ intent: 'complete', itemId, price })
const remove = (itemId = 'moon') => ({ intent: 'remove', itemId, confirm: 'Yes' })
const close = { intent: 'close', confirm: 'Yes' }
const deletion = { intent: 'delete', confirm: 'Yes' }
const ask = ({ ann }: Opened, itemId = 'moon') => ann.act('/order-request', { itemId, message: 'again' })

const statuses = (answers: Answered[]) => answers.map(({ status }) => status)
const count = (answers: Answered[], status: number) => statuses(answers).filter((one) => one === status).length

/** The same shop as at its opening: a new one would cost each round two passwords. */
async function beginAnew({ shop, ann, act }: Opened) {
  await act(deletion)
  for (const table of ['sales', 'audit'] as const) await shop.db.deleteFrom(table).execute()
  for (const itemId of ['moon', 'sun']) await ann.act('/order-request', { itemId, message: itemId })
}

const errorsOf = ({ shop }: Opened) => shop.logged.filter(({ level }) => level === 'error').map(({ error }) => String(error))

/** What must hold whatever came first: a sold line has exactly one sale of its receipt, every sale one act, every message its number. */
async function expectWhole(opened: Opened) {
  const { shop, ann, read, sales, acts } = opened
  expect(errorsOf(opened)).toEqual([])
  expect((await acts()).filter((act) => act === 'complete-sale')).toHaveLength((await sales()).length)
  const order = await read()
  if (order) {
    for (const item of order.items.filter((one) => one.isSold))
      expect((await sales()).filter((sale) => sale.itemId === item.id && sale.buyerId === ann.id).length).toBeGreaterThanOrEqual(1)
    expect(order.messages.map(({ seq }) => seq)).toEqual(order.messages.map((_, at) => at + 1))
    expect(order.lastSeq).toBe(order.messages.length)
    expect([order.receiptTag !== null, order.lastSeq > 0]).toEqual([!order.isClosed && order.items.length > 0, true])
  }
  for (const table of ['orderItems', 'messages', 'readMarks'] as const) {
    const left = await shop.db.selectFrom(table).select('orderId').execute()
    expect(left.filter(({ orderId }) => !order && orderId === ann.id)).toEqual([])
  }
  return order
}

test('MSG-28 MSG-29 S-073 S-086 "Sale Complete" pressed 50 times at once makes one sale', async () => {
  const opened = await openShopWithOrder()
  const prices = ['', '80', '0', '12,50', '7']

  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => opened.act(complete('moon', prices[n % prices.length]))))

  expect([count(answers, 200), count(answers, 409)]).toEqual([1, 49])
  expect(answers.filter(({ text }) => text.includes('Successfully Added Sales Record...'))).toHaveLength(1)
  expect(await opened.sales()).toHaveLength(1)
  expect((await expectWhole(opened))!.items.map(({ isSold }) => isSold)).toEqual([true, false])
})

test('MSG-10 MSG-28 S-080 Close Order against Sale Complete: a sale has the receipt of the order that was still open, or there is none', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 4; round++) {
    await beginAnew(opened)
    const { receiptTag } = (await opened.read())!
    const wishes = [() => opened.act(close), () => opened.act(complete()), () => opened.act(complete('sun', '5'))]
    if (round % 2) wishes.reverse()

    const answers = await Promise.all(wishes.map((wish) => wish()))

    const [closing, ...selling] = round % 2 ? answers.toReversed() : answers
    expect(closing!.status).toBe(200)
    const sales = await opened.sales()
    expect(sales).toHaveLength(count(selling, 200))
    expect(sales.map((sale) => sale.receiptTag)).toEqual(sales.map(() => receiptTag))
    expect(count(selling, 409)).toBe(2 - sales.length)
    const order = (await expectWhole(opened))!
    expect([order.isClosed, order.items.filter((item) => item.isSold).length]).toEqual([true, sales.length])
  }
})

test('MSG-31 MSG-32 removal against completion: the item is sold and stays, or is gone and was never sold', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 4; round++) {
    await beginAnew(opened)
    const wishes = [() => opened.act(remove()), () => opened.act(complete())]

    const answers = await Promise.all((round % 2 ? wishes.toReversed() : wishes).map((wish) => wish()))

    expect(count(answers, 200)).toBe(1)
    const isSold = (await opened.sales()).length === 1
    expect(statuses(answers).toSorted()).toEqual([200, isSold ? 409 : 404])
    expect((await expectWhole(opened))!.items.map(({ id }) => id)).toEqual(isSold ? ['moon', 'sun'] : ['sun'])
  }
})

test('S-069 S-070 a request against closing: the order is closed with the request in it, or open again under a new receipt', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 4; round++) {
    await beginAnew(opened)
    await opened.act(complete())
    const { receiptTag } = (await opened.read())!
    const wishes = [() => opened.act(close), () => ask(opened)]

    const answers = await Promise.all((round % 2 ? wishes.toReversed() : wishes).map((wish) => wish()))

    expect(statuses(answers)).toEqual([200, 200])
    const order = (await expectWhole(opened))!
    expect(order.messages).toHaveLength(3)
    expect(order.receiptTag === receiptTag).toBe(false)
    // Closed last: the sold one is still in it. Asked last: it was taken out, and stands at the end, to be sold anew.
    expect(order.items.map(({ id, isSold }) => [id, isSold])).toEqual(
      order.isClosed
        ? [
            ['moon', true],
            ['sun', false],
          ]
        : [
            ['sun', false],
            ['moon', false],
          ],
    )
  }
})

test('S-069 a request that opens an order again, against the sale of what is left in it: the sale has the new receipt, or there is none', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 4; round++) {
    await beginAnew(opened)
    await opened.act(complete())
    const former = (await opened.read())!.receiptTag
    await opened.act(close)
    const wishes = [() => ask(opened), () => opened.act(complete('sun'))]

    const answers = await Promise.all((round % 2 ? wishes.toReversed() : wishes).map((wish) => wish()))

    const order = (await expectWhole(opened))!
    expect([order.isClosed, order.receiptTag === former]).toEqual([false, false])
    const later = (await opened.sales()).filter((sale) => sale.itemId === 'sun')
    expect(later.map((sale) => sale.receiptTag)).toEqual(answers.every(({ status }) => status === 200) ? [order.receiptTag] : [])
  }
})

test('MSG-20 S-083 deletion against a request, a sale, a message and a closing: nothing of the old conversation stays, and nothing fails', async () => {
  const opened = await openShopWithOrder()
  for (let round = 0; round < 6; round++) {
    await beginAnew(opened)
    const wishes = [
      () => opened.act(deletion),
      () => ask(opened, 'sun'),
      () => opened.act(complete()),
      () => opened.ann.act('/messages', { intent: 'send', message: 'and' }),
      () => opened.act(close),
      () => opened.act({ intent: 'read', seq: '2' }),
    ]
    const turned = [...wishes.slice(round), ...wishes.slice(0, round)]

    const answers = await Promise.all(turned.map((wish) => wish()))

    expect([statuses(answers).filter((status) => status >= 500), errorsOf(opened)]).toEqual([[], []])
    await expectWhole(opened)
  }
})
