import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { drawQr } from '#app/platform/qr.server.ts'
import { type Sale, groupReceipts, saleDocument, shownName, struckPrice, totalOf } from './receipt.ts'

const sale = (given: Partial<Sale>): Sale => ({
  id: 'sale-1',
  buyerId: 'ann-uid',
  buyerName: 'Ann Buyer',
  buyerEmail: 'ann@mail.test',
  buyerPhotoURL: '/pictures/ann.jpg',
  itemId: 'hanger',
  itemName: 'Plant hanger',
  itemPriceCents: 3500,
  salePriceCents: 3000,
  receiptTag: 'TAG00001',
  createdAt: 1000,
  ...given,
})

test('SALES-17 DATA-095 DATA-096 DATA-097 DATA-098 DATA-099 sales with one tag make one receipt', () => {
  const coaster = { id: 'sale-2', itemId: 'coaster', itemName: 'Coaster', itemPriceCents: 800, salePriceCents: 800, createdAt: 3000 }
  const receipts = groupReceipts([sale({}), sale({ id: 'sale-3', receiptTag: 'TAG00002', createdAt: 2000 }), sale(coaster)])

  expect(receipts.map((receipt) => receipt.receiptTag)).toEqual(['TAG00001', 'TAG00002'])
  expect(receipts[0]).toEqual({
    key: 'TAG00001',
    receiptTag: 'TAG00001',
    createdAt: 3000,
    buyerid: 'ann-uid',
    buyerName: 'Ann Buyer',
    buyerEmail: 'ann@mail.test',
    buyerPhotoURL: '/pictures/ann.jpg',
    items: [
      { id: 'coaster', name: 'Coaster', price: 800, salePrice: 800 },
      { id: 'hanger', name: 'Plant hanger', price: 3500, salePrice: 3000 },
    ],
  })
  expect(totalOf(receipts)).toBe(3000 + 800 + 3000)
})

test('S-110 a sale without a tag is a receipt of its own', () => {
  const receipts = groupReceipts([
    sale({ receiptTag: null }),
    sale({ id: 'sale-2', receiptTag: null }),
    sale({ id: 'sale-3', receiptTag: '' }),
  ])
  expect(receipts.map(({ key, receiptTag }) => [key, receiptTag])).toEqual([
    ['sale-1', null],
    ['sale-2', null],
    ['sale-3', null],
  ])
})

test('SALES-20 SALES-21 the original is struck only when the sale price differs from it', () => {
  const item = { id: 'hanger', name: 'Plant hanger' }
  expect([3000, 4000, 0, 3500].map((salePrice) => struckPrice({ ...item, price: 3500, salePrice }))).toEqual([3500, 3500, 3500, null])
  expect(struckPrice({ ...item, price: null, salePrice: 3500 })).toBe(null)
})

test('S-009 S-118 a buyer without a name goes by the beginning of the e-mail, and without an e-mail as a guest', () => {
  const named = (buyerName: string, buyerEmail: string) => shownName({ buyerName, buyerEmail })
  expect([named('Ann', 'a.b@mail.test'), named(' ', 'a.b@mail.test'), named('', ''), named('  ', '')]).toEqual([
    'Ann',
    'a.b',
    'Guest',
    'Guest',
  ])
})

test('DATA-084 DATA-085 DATA-086 DATA-087 DATA-088 DATA-089 DATA-090 DATA-091 DATA-093 DATA-094 a sale as a document', () => {
  const document = {
    id: 'sale-1',
    buyerid: 'ann-uid',
    buyerName: 'Ann Buyer',
    buyerEmail: 'ann@mail.test',
    buyerPhotoURL: '/pictures/ann.jpg',
    createdAt: 1000,
    itemid: 'hanger',
    item: { name: 'Plant hanger', price: 35 },
    salePrice: 30,
    receiptTag: 'TAG00001',
  }
  expect(saleDocument(sale({}))).toEqual(document)
})

test('DATA-092 an item kept as a plain name is written as one', () => {
  const plain = sale({ itemPriceCents: null, receiptTag: null })
  expect(saleDocument(plain)).toMatchObject({ item: 'Plant hanger' })
})

test('SALES-55 SALES-57 the drawn code has exactly the modules of the link, in a white border of four', () => {
  const link = 'https://shop.test/writetestimonials/abcdefghijklmnopqrstuv'
  const { size, data } = encode(link, { ecc: 'M', border: 0 })

  const drawn = drawQr(link)

  const dark = [...drawn.path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`)
  const wanted = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `${x + 4} ${y + 4}` : [])))
  expect(drawn.size).toBe(size + 8)
  expect(dark).toEqual(wanted)
})
