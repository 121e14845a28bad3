import { optionalItemTexts } from '#catalog/item-fields.ts'
import { recordOf } from '#lib/record-of.ts'
import { expect, test } from 'vitest'
import { categoryNames, itemCells, type ExportedItem } from './item-columns.ts'
import { US_DOLLAR } from '#lib/text/currency.ts'
import { diffRow } from './diff-rows.server.ts'
import { parseHeader } from './parse-csv.server.ts'

const names = categoryNames([
  { id: 'walls', title: 'Wall Hangings' },
  { id: 'b1', title: 'Bags' },
  { id: 'b2', title: 'bags' },
])
const moon: ExportedItem = {
  id: 'm',
  name: 'Moon wall',
  categoryId: 'walls',
  priceCents: 4500,
  description: 'Round.\r\nAnd soft.',
  ...recordOf(optionalItemTexts, () => ''),
  width: '30 cm',
  kind: '' as const,
  discountType: null,
  discountValue: null,
  state: 'listed',
  images: ['/pictures/items/m.webp'],
}
const row = (changed: Record<string, string>) =>
  diffRow(
    { ...itemCells(moon, names, 'comma'), ...changed },
    moon,
    { names, currency: US_DOLLAR },
    1,
  )

test('the export identifies a category by its title, and adds its id if another category has the same title', () => {
  expect(['walls', 'b1', 'b2'].map(names.nameOf)).toEqual([
    'Wall Hangings',
    'Bags (b1)',
    'bags (b2)',
  ])
  expect(['wall hangings ', 'Bags (b1)', 'Bags (b2)', 'Bags', '', 'walls'].map(names.idOf)).toEqual(
    ['walls', 'b1', 'b2', null, null, null],
  )
})

test('an import checks a row as the item form does, but reports only the first error [MERCH-22, MERCH-23, MERCH-24, MERCH-25, MERCH-26, MERCH-27]', () => {
  const cells = { name: ' ', category: '', price: '0', description: ' ' }
  const text = (changed: object, images = 1) => {
    const judged = diffRow(
      { ...itemCells(moon, names, 'comma'), ...cells, ...changed },
      moon,
      { names, currency: US_DOLLAR },
      images,
    )
    return judged.kind === 'refused' ? [judged.column, judged.text] : judged.kind
  }
  expect(text({})).toEqual(['name', 'Please Enter Item Name'])
  expect(text({ name: 'x' })).toEqual(['category', 'Please Select a Category'])
  expect(text({ name: 'x', category: 'Bags' })).toEqual([
    'category',
    'Please Select a Category: There is no category “Bags”',
  ])
  for (const price of ['', '0', '-1', '1e9', '0.001', 'NaN', '1,234']) {
    expect(text({ name: 'x', category: 'Wall Hangings', price })).toEqual([
      'price',
      'Please Enter a Valid Price: enter a price such as 12.50',
    ])
  }
  const fine = { name: 'x', category: 'Wall Hangings', price: '12,50' }
  expect(text(fine)).toEqual(['description', 'Please Dont Leave Description Blank'])
  expect(text({ ...fine, description: 'x' }, 0)).toEqual([
    'images',
    'Please Add Atleast 1 Image for the Item',
  ])
  expect(text({ ...fine, description: 'x' })).toBe('change')
  expect(
    diffRow({ ...cells, name: 'x'.repeat(10_000) }, moon, { names, currency: US_DOLLAR }, 1),
  ).toMatchObject({
    text: expect.stringContaining('200 Characters'),
  })
})

test('the import refuses a discount whose type or value is invalid [OWN-129]', () => {
  expect(row({ discountType: 'Percent', discountValue: '12,5 %' })).toMatchObject({
    values: { discountType: 'percent', discountValue: 1250 },
  })
  expect(row({ discountType: '$', discountValue: '5' })).toMatchObject({
    changes: [{ column: 'discount', before: '', after: '$5.00 OFF' }],
  })
  expect(row({ discountType: 'half', discountValue: '5' })).toMatchObject({
    kind: 'refused',
    column: 'discountType',
  })
  expect(row({ discountType: '', discountValue: '5' })).toMatchObject({
    kind: 'refused',
    column: 'discountType',
  })
  for (const value of ['', '0', '-5', 'x', '$5']) {
    expect(row({ discountType: 'percent', discountValue: value })).toMatchObject({
      column: 'discountValue',
      text: `Cannot put item on sale with ${value} percent: enter a number such as 12.50`,
    })
  }
  expect(row({ discountType: 'amount', discountValue: '45' })).toMatchObject({
    notes: ['With its discount this costs $0.00'],
  })
  expect(row({ discountType: 'amount', discountValue: '44.99' })).toMatchObject({ notes: [] })
})

test('if a CSV row lists other images than its item has, the import keeps the item’s images and reports this', () => {
  expect(row({ images: '' })).toMatchObject({
    kind: 'note',
    notes: [expect.stringContaining('Pictures stay')],
  })
  expect(row({ images: ' /pictures/items/m.webp\n' }).kind).toBe('unchanged')
  expect(row({ kind: 'Unique' })).toMatchObject({ kind: 'change', values: { kind: 'unique' } })
  expect(row({ kind: 'rare' })).toMatchObject({ kind: 'refused', column: 'kind' })
  expect(row({ images: 'x', price: '48' })).toMatchObject({
    kind: 'change',
    notes: [expect.stringContaining('Pictures stay')],
  })
})

test('the import reads the columns of a CSV file in any sequence and spelling', () => {
  expect(parseHeader(['id', 'Name', 'PRICE ', 'Sole Type', 'discount_value'])).toEqual({
    columns: ['id', 'name', 'price', 'soleType', 'discountValue'],
    missing: [
      'category',
      'description',
      ...optionalItemTexts.filter((name) => name !== 'soleType'),
      'discountType',
      'images',
      'kind',
    ],
  })
  expect(parseHeader(['', 'id', '', 'name'])).toMatchObject({ columns: [null, 'id', null, 'name'] })
})
