import { expect, test } from 'vitest'
import {
  mergedReadReceipt,
  mergeOrders,
  type OrderItemToMerge,
  type OrderToMerge,
} from './guests.ts'

const line = (itemId: string, isSold = false, priceCents = 100): OrderItemToMerge => ({
  itemId,
  name: itemId,
  priceCents,
  shownPriceCents: null,
  isSold,
  saleId: isSold ? `sale of ${itemId}` : null,
  color: '',
  offerId: null,
  agreedCents: null,
  quantity: 1,
})
const open = (lines: OrderItemToMerge[], receiptTag: string | null = null): OrderToMerge => ({
  isClosed: false,
  receiptTag,
  lines,
})
const closed = (...lines: OrderItemToMerge[]): OrderToMerge => ({
  isClosed: true,
  receiptTag: null,
  lines,
})
const shown = ({ lines, ...order }: ReturnType<typeof mergeOrders>) => ({
  ...order,
  lines: lines.map(({ itemId, isSold, priceCents }) => `${itemId} ${isSold ? 'sold' : priceCents}`),
})

test('when a guest’s open order is merged into the account’s open order, an item of both orders appears once, at the account’s price [S-213]', () => {
  expect(
    shown(
      mergeOrders(
        open([line('a'), line('b')], 'TAG1'),
        open([line('b', false, 200), line('c')], 'TAG2'),
      ),
    ),
  ).toEqual({
    isClosed: false,
    receiptTag: 'TAG1',
    lines: ['a 100', 'b 100', 'c 100'],
    askedTwice: ['b'],
  })
})

test('when two orders are merged, an item keeps the price of its accepted offer, whichever order had the offer [AGREE-14]', () => {
  const agreed = { ...line('b'), offerId: 'offer', agreedCents: 90, quantity: 2, color: 'Cream' }
  for (const [own, guest] of [
    [agreed, line('b')],
    [line('b'), agreed],
  ] as const) {
    expect(mergeOrders(open([own]), open([guest])).lines).toEqual([agreed])
  }
})

test('merging an open and a closed order gives an open order without the items that were sold in the closed order [S-213, S-069]', () => {
  const expected = {
    isClosed: false,
    receiptTag: 'TAG2',
    lines: ['b 100', 'c 100'],
    askedTwice: [],
  }
  expect(shown(mergeOrders(closed(line('a', true), line('b')), open([line('c')], 'TAG2')))).toEqual(
    expected,
  )
  expect(shown(mergeOrders(open([line('b')], 'TAG2'), closed(line('a', true), line('c'))))).toEqual(
    expected,
  )
})

test('merging two closed orders gives a closed order with the items of both orders [S-213]', () => {
  expect(
    shown(mergeOrders(closed(line('a', true)), closed(line('b', true), line('a', true)))),
  ).toEqual({
    isClosed: true,
    receiptTag: null,
    lines: ['a sold', 'b sold', 'a sold'],
    askedTwice: [],
  })
})

test('if an item is sold in one order and requested in the other, the merged order contains the item twice [S-213]', () => {
  const sold = open([line('a', true), line('b')], 'TAG1')
  const waits = open([line('a', false, 300)], 'TAG2')
  expect(shown(mergeOrders(sold, waits))).toMatchObject({
    lines: ['a sold', 'b 100', 'a 300'],
    askedTwice: [],
  })
  expect(shown(mergeOrders(waits, sold))).toMatchObject({
    lines: ['a 300', 'a sold', 'b 100'],
    askedTwice: [],
  })
})

test('after a merge, the guest’s read messages count as read only if all of the account’s messages were read [S-213]', () => {
  expect(mergedReadReceipt({ mark: 5, lastSeq: 5, isAllRead: true }, 2)).toBe(7)
  expect(mergedReadReceipt({ mark: 3, lastSeq: 5, isAllRead: false }, 2)).toBe(3)
  expect(mergedReadReceipt({ mark: 3, lastSeq: 5, isAllRead: true }, 0)).toBe(5)
})
