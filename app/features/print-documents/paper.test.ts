import { expect, test } from 'vitest'
import { invoiceNumber, papersFor, readShipping, typedShippingOf, usualPaperSize } from './paper.ts'

test('SALES-36 SALES-37 SALES-38 SALES-39 SALES-40 S-191 a shipping fee is a number, blank and below 0 count as 0, without an upper bound', () => {
  expect(['', '  ', '0', '0.00', '-1', '-5', '-0.01', '-1e12'].map(readShipping)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  expect(['0.01', '7', '7.5', ' 12.345 ', '1.005', '.5', '5.', '+3'].map(readShipping)).toEqual([1, 700, 750, 1235, 101, 50, 500, 300])
  expect(['1e12', '99999999999', '1e-3'].map(readShipping)).toEqual([100_000_000_000_000, 9_999_999_999_900, 0])
  expect(['1,5', '1,50', '$4.50', '$ 4,50', '1,000', '1,000,000.25'].map(readShipping)).toEqual([150, 150, 450, 450, 100_000, 100_000_025])
})

test('SALES-36 what is no number, or so large that cents are lost, is no shipping fee', () => {
  const odd = ['abc', '1.2.3', '1,2,3', '1,5,', '0x10', 'NaN', 'Infinity', '1e999', '1e15', '12 34', '1e', '--1', '٣', '１', '5€', '1_000']
  expect(odd.filter((typed) => readShipping(typed) !== null)).toEqual([])
})

test('S-191 the fee that stands on a paper is what the field shows when the receipt is opened again', () => {
  const fees = [0, 1, 450, 100_000_000_000_000]
  const shown = fees.map((shippingCents) => typedShippingOf({ number: 1, shippingCents, createdAt: 0 }))
  expect(shown).toEqual(['0', '0.01', '4.50', '1000000000000.00'])
  expect(shown.map(readShipping)).toEqual(fees)
  expect(typedShippingOf(null)).toBe('')
})

test('SALES-31 SALES-32 a ticket may be printed only for a buyer with an e-mail', () => {
  expect(papersFor({ buyerEmail: 'ann@mail.test' })).toEqual(['Invoice', 'Thank you card', 'Testimony Ticket'])
  expect(papersFor({ buyerEmail: '' })).toEqual(['Invoice', 'Thank you card'])
})

test('S-190 S-193 numbers have four figures or more, and the paper is what the shop’s country writes on', () => {
  expect([1, 42, 9999, 10_000].map(invoiceNumber)).toEqual(['0001', '0042', '9999', '10000'])
  expect(['America/New_York', 'Canada/Pacific', 'Europe/Berlin', 'UTC', 'Asia/Tokyo'].map(usualPaperSize)).toEqual([
    'Letter',
    'Letter',
    'A4',
    'A4',
    'A4',
  ])
})
