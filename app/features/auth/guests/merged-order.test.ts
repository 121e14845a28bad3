import { expect, test } from 'vitest'
import { mergedMark, mergeOrders, type Line, type Order } from './guests.ts'

const line = (itemId: string, isSold: 0 | 1 = 0, priceCents = 100): Line => ({ itemId, name: itemId, priceCents, isSold })
const open = (lines: Line[], receiptTag: string | null = null): Order => ({ isClosed: 0, receiptTag, lines })
const closed = (...lines: Line[]): Order => ({ isClosed: 1, receiptTag: null, lines })
const shown = ({ lines, ...order }: ReturnType<typeof mergeOrders>) => ({
  ...order,
  lines: lines.map(({ itemId, isSold, priceCents }) => `${itemId} ${isSold ? 'sold' : priceCents}`),
})

test('S-213 two open orders are one, with one line for each piece, at the price first asked for', () => {
  expect(shown(mergeOrders(open([line('a'), line('b')], 'TAG1'), open([line('b', 0, 200), line('c')], 'TAG2')))).toEqual({
    isClosed: 0,
    receiptTag: 'TAG1',
    lines: ['a 100', 'b 100', 'c 100'],
    askedTwice: ['b'],
  })
})

test('S-213 S-069 an open order opens a closed one: what was sold in that leaves, what was not stays', () => {
  const expected = { isClosed: 0, receiptTag: 'TAG2', lines: ['b 100', 'c 100'], askedTwice: [] }
  expect(shown(mergeOrders(closed(line('a', 1), line('b')), open([line('c')], 'TAG2')))).toEqual(expected)
  expect(shown(mergeOrders(open([line('b')], 'TAG2'), closed(line('a', 1), line('c'))))).toEqual(expected)
})

test('S-213 two closed orders stay closed with all that they hold', () => {
  expect(shown(mergeOrders(closed(line('a', 1)), closed(line('b', 1), line('a', 1))))).toEqual({
    isClosed: 1,
    receiptTag: null,
    lines: ['a sold', 'b sold'],
    askedTwice: [],
  })
})

test('S-213 a piece that was sold in one and waits in the other, waits', () => {
  const [sold, waits] = [open([line('a', 1), line('b')], 'TAG1'), open([line('a', 0, 300)], 'TAG2')]
  expect(shown(mergeOrders(sold, waits))).toMatchObject({ lines: ['b 100', 'a 300'], askedTwice: [] })
  expect(shown(mergeOrders(waits, sold))).toMatchObject({ lines: ['a 300', 'b 100'], askedTwice: [] })
})

test('S-213 the mark goes on only where all before it has been read', () => {
  expect(mergedMark({ mark: 5, lastSeq: 5, isAllRead: true }, 2)).toBe(7)
  expect(mergedMark({ mark: 3, lastSeq: 5, isAllRead: false }, 2)).toBe(3)
  expect(mergedMark({ mark: 3, lastSeq: 5, isAllRead: true }, 0)).toBe(5)
})
