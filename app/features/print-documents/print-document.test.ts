import { expect, test } from 'vitest'
import { invoiceNumber } from '#conversation/invoice-number.ts'
import { US_DOLLAR } from '#lib/text/currency.ts'
import { groupReceipts } from '#sales/receipt.ts'
import {
  documentsFor,
  invoiceContent,
  parseShipping,
  shippingText,
  shopLines,
  defaultPaperSize,
} from './print-document.ts'

test('a blank or negative shipping fee counts as 0, and any positive fee is accepted [SALES-36, SALES-37, SALES-38, SALES-39, SALES-40, S-191]', () => {
  expect(['', '  ', '0', '0.00', '-1', '-5', '-0.01', '-1000000'].map(parseShipping)).toEqual([
    0, 0, 0, 0, 0, 0, 0, 0,
  ])
  expect(
    ['0.01', '7', '7.5', '.5', '5.', '1000000000000', '99999999999'].map(parseShipping),
  ).toEqual([1, 700, 750, 50, 500, 100_000_000_000_000, 9_999_999_999_900])
  expect(['1,5', '1,50', '$4.50', '$ 4,50', '1,000,000.25', '5 €'].map(parseShipping)).toEqual([
    150, 150, 450, 450, 100_000_025, 500,
  ])
})

test('a shipping fee that is not a number or is ambiguous is refused [SALES-36, OWN-37]', () => {
  const odd = [
    '12 34',
    ...'abc 1.2.3 1,2,3 1,5, 0x10 NaN Infinity 1e999 1e15 1e --1 ٣ １ 1_000 1,000'.split(' '),
  ]
  expect(odd.filter((typed) => parseShipping(typed) !== null)).toEqual([])
})

test('when the owner opens a receipt again, the shipping fee field contains the fee of the numbered invoice [S-191]', () => {
  const fees = [0, 1, 450, 100_000_000_000_000]
  const shown = fees.map((shippingCents) => shippingText({ shippingCents }, '9'))
  expect(shown).toEqual(['0', '0.01', '4.50', '1000000000000.00'])
  expect(shown.map(parseShipping)).toEqual(fees)
  expect(shippingText(null, '')).toBe('')
})

/** Makes the receipt of one sale of 'Moon wall'. */
function receiptOf(prices: { itemPriceCents: number; salePriceCents: number }, cancels?: string) {
  const buyer = { buyerId: 'ann-uid', buyerName: 'Ann', buyerEmail: '', buyerPhotoURL: '' }
  const item = { itemId: 'moon', itemName: 'Moon wall', ...prices }
  const sale = { id: 'sale', receiptTag: 'TAG00002', createdAt: 0, cancels: cancels ?? null }
  return groupReceipts([{ ...buyer, ...item, ...sale }])[0]!
}
const dates = { issuedOn: null, today: 'March 04, 2026', email: '' }

test('the price on an invoice is the original price, or the sale price if it is higher [S-112]', () => {
  const priceAndAmount = (itemPriceCents: number, salePriceCents: number) => {
    const { lines } = invoiceContent({
      receipt: receiptOf({ itemPriceCents, salePriceCents }),
      billTo: { name: '', address: '' },
      number: 1,
      cancels: null,
      shipping: 0,
      currency: US_DOLLAR,
      ...dates,
    })
    return `${lines[0]!.price} ${lines[0]!.amount}`
  }
  expect(priceAndAmount(12_000, 13_500)).toBe('$135.00 $135.00')
  expect(priceAndAmount(12_000, 9000)).toBe('$120.00 $90.00')
  expect(priceAndAmount(-12_000, -13_500)).toBe('-$135.00 -$135.00')
  expect(priceAndAmount(-12_000, -9000)).toBe('-$120.00 -$90.00')
})

test('a printed cancellation has no shipping fee, even if the shop has a usual shipping fee [SALES-51, OWN-64]', () => {
  const facts = {
    receipt: receiptOf({ itemPriceCents: -5000, salePriceCents: -5000 }, 'sale'),
    billTo: { name: '', address: '' },
    number: null,
    cancels: 1,
    ...dates,
    currency: US_DOLLAR,
  }
  expect(invoiceContent({ ...facts, shipping: 1200 })).toMatchObject({
    total: '-$50.00',
    shipping: null,
  })
})

test('the owner can print a testimony ticket only for a buyer with an email address [SALES-31, SALES-32]', () => {
  const items = [{ id: 'moon', name: 'Moon wall', price: 8900, salePrice: 8000 }]
  expect(documentsFor({ buyerEmail: 'ann@mail.test', items })).toEqual([
    'Invoice',
    'Thank you card',
    'Testimony Ticket',
  ])
  expect(documentsFor({ buyerEmail: '', items })).toEqual(['Invoice', 'Thank you card'])
})

test('invoice numbers have at least four digits, and the default paper size depends on the time zone [S-190, S-193]', () => {
  expect([1, 42, 9999, 10_000].map(invoiceNumber)).toEqual(['0001', '0042', '9999', '10000'])
  expect(['America/New_York', 'Canada/Pacific'].map(defaultPaperSize)).toEqual(['Letter', 'Letter'])
  expect(['Europe/Berlin', 'UTC', 'Asia/Tokyo'].map(defaultPaperSize)).toEqual(['A4', 'A4', 'A4'])
})

test('an invoice shows the shop’s address and tax number, and the shop’s city unless the address contains it [OWN-42]', () => {
  const address = '12 Knot Lane\n\n 28801 asheville '
  expect(shopLines({ address, city: 'Nashville', taxNumber: 'US-1' })).toEqual([
    '12 Knot Lane',
    '28801 asheville',
    'Nashville',
    'Tax number: US-1',
  ])
  expect(shopLines({ address, city: 'Asheville', taxNumber: '' })).toEqual([
    '12 Knot Lane',
    '28801 asheville',
  ])
  expect(shopLines({ address: '', city: 'Asheville', taxNumber: '' })).toEqual(['Asheville'])
  expect(shopLines({ address: '', city: '', taxNumber: '' })).toEqual([])
})
