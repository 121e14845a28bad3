import fc from 'fast-check'
import { expect, test } from 'vitest'
import { categoryNames, fromTheDifference, itemCells, type TableItem } from './item-table.ts'
import { judgeRow } from './judge-rows.server.ts'
import { findDelimiter, readHeader } from './read-table.server.ts'
import { bareCell, guardCell } from '#app/lib/csv.ts'

const names = categoryNames([
  { id: 'walls', title: 'Wall Hangings' },
  { id: 'b1', title: 'Bags' },
  { id: 'b2', title: 'bags' },
])
const moon: TableItem = {
  id: 'm',
  name: 'Moon wall',
  categoryId: 'walls',
  priceCents: 4500,
  description: 'Round.\r\nAnd soft.',
  width: '30 cm',
  soleType: '',
  size: '',
  discountType: null,
  discountValue: null,
  pictures: ['/pictures/items/m.webp'],
}
const row = (changed: Record<string, string>) => judgeRow({ ...itemCells(moon, names, 'comma'), ...changed }, moon, names, 1)

test('a cell that a spreadsheet would run begins with an apostrophe; any text comes back exactly', () => {
  for (const text of ['=cmd|x', '+1', '-1', '@sum', '\ta', '\ra', "'=1", "''=1"]) expect(guardCell(text)).toBe(`'${text}`)
  for (const text of ['', "it's", "'quoted'", '1=1', ' 1', "'"]) expect(guardCell(text)).toBe(text)
  const odd = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', 'a', '"') })
  fc.assert(fc.property(odd, (text) => bareCell(guardCell(text)) === text))
})

test('categories are called by their title, doubled ones by title and id, in any case of letters', () => {
  expect(['walls', 'b1', 'b2'].map(names.nameOf)).toEqual(['Wall Hangings', 'Bags (b1)', 'bags (b2)'])
  expect(['wall hangings ', 'Bags (b1)', 'Bags (b2)', 'Bags', '', 'walls'].map(names.idOf)).toEqual(['walls', 'b1', 'b2', null, null, null])
})

test('each category has a name of its own, whatever the titles', () => {
  const title = fc.oneof(fc.constantFrom('', 'a', 'A', 'a (b)', 'a (c) (d)', ' '), fc.string())
  const all = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), title }), { selector: ({ id }) => id })
  fc.assert(
    fc.property(all, (categories) => {
      const found = categoryNames(categories)
      for (const { id } of categories) expect(found.idOf(found.nameOf(id))).toBe(id)
    }),
  )
})

test('MERCH-22 MERCH-23 MERCH-24 MERCH-25 MERCH-26 MERCH-27 a row is checked as the form is: same texts, same order, the first only', () => {
  const cells = { name: ' ', category: '', price: '0', description: ' ' }
  const text = (changed: object, images = 1) => {
    const judged = judgeRow({ ...itemCells(moon, names, 'comma'), ...cells, ...changed }, moon, names, images)
    return judged.kind === 'refused' ? [judged.column, judged.text] : judged.kind
  }
  expect(text({})).toEqual(['name', 'Please Enter Item Name'])
  expect(text({ name: 'x' })).toEqual(['category', 'Please Select a Category'])
  expect(text({ name: 'x', category: 'Bags' })).toEqual(['category', 'Please Select a Category: There is no category “Bags”'])
  for (const price of ['', '0', '-1', '1e9', '0.001', 'NaN', '1,234.50'])
    expect(text({ name: 'x', category: 'Wall Hangings', price })).toEqual(['price', 'Please Enter a Valid Price'])
  const fine = { name: 'x', category: 'Wall Hangings', price: '12,50' }
  expect(text(fine)).toEqual(['description', 'Please Dont Leave Description Blank'])
  expect(text({ ...fine, description: 'x' }, 0)).toEqual(['pictures', 'Please Add Atleast 1 Image for the Item'])
  expect(text({ ...fine, description: 'x' })).toBe('change')
  expect(judgeRow({ ...cells, name: 'x'.repeat(10_000) }, moon, names, 1)).toMatchObject({
    text: expect.stringContaining('200 Characters'),
  })
})

test('what changes is told column by column, as people read it', () => {
  expect(row({})).toEqual({ kind: 'unchanged' })
  expect(row({ price: '48', category: 'Bags (b1)', width: '' })).toMatchObject({
    kind: 'change',
    changes: [
      { column: 'category', before: 'Wall Hangings', after: 'Bags (b1)' },
      { column: 'price', before: '$45.00', after: '$48.00' },
      { column: 'width', before: '30 cm', after: '' },
    ],
  })
})

test('another way to write the same changes nothing: line ends, spaces around, decimals', () => {
  for (const description of ['Round.\nAnd soft.', 'Round.\rAnd soft.', ' Round.\r\nAnd soft. '])
    expect(row({ description }).kind).toBe('unchanged')
  for (const price of ['45', '45,00', '$45.0', ' 45.00 ']) expect(row({ price }).kind).toBe('unchanged')
})

test('a discount needs its type and its value; to nothing is warned of', () => {
  expect(row({ discountType: 'Percent', discountValue: '12,5 %' })).toMatchObject({
    values: { discountType: 'percent', discountValue: 1250 },
  })
  expect(row({ discountType: '$', discountValue: '5' })).toMatchObject({
    changes: [{ column: 'discount', before: '', after: '$5.00 OFF' }],
  })
  expect(row({ discountType: 'half', discountValue: '5' })).toMatchObject({ kind: 'refused', column: 'discountType' })
  expect(row({ discountType: '', discountValue: '5' })).toMatchObject({ kind: 'refused', column: 'discountType' })
  for (const value of ['', '0', '-5', 'x'])
    expect(row({ discountType: 'percent', discountValue: value })).toMatchObject({
      column: 'discountValue',
      text: `Cannot put item on sale with ${value} percent`,
    })
  expect(row({ discountType: 'amount', discountValue: '45' })).toMatchObject({ notes: ['With its discount this costs $0.00'] })
  expect(row({ discountType: 'amount', discountValue: '44.99' })).toMatchObject({ notes: [] })
})

test('pictures are only looked at: a change of theirs is told and not made', () => {
  expect(row({ pictures: '' })).toMatchObject({ kind: 'note', notes: [expect.stringContaining('Pictures stay')] })
  expect(row({ pictures: ' /pictures/items/m.webp\n' }).kind).toBe('unchanged')
  expect(row({ pictures: 'x', price: '48' })).toMatchObject({ kind: 'change', notes: [expect.stringContaining('Pictures stay')] })
})

test('wrong, doubled and missing columns are told by their name', () => {
  expect(readHeader(['id', 'Name', 'PRICE ', 'Sole Type', 'discount_value'])).toEqual({
    columns: ['id', 'name', 'price', 'soleType', 'discountValue'],
    missing: ['category', 'description', 'width', 'size', 'discountType', 'pictures'],
  })
  expect(() => readHeader(['id', 'prise', 'colour'])).toThrow('There is no column “prise”, “colour”.')
  expect(() => readHeader(['id', 'price', 'Price'])).toThrow('The file has more than one column “price”.')
  expect(() => readHeader(['name', 'price'])).toThrow('The column “id” is missing.')
  expect(() => readHeader(['7', 'Moon', '45'])).toThrow('does not name the columns')
  expect(readHeader(['id', 'name', '', ''])).toMatchObject({ columns: ['id', 'name'] })
  expect(readHeader(['', 'id', '', 'name'])).toMatchObject({ columns: [null, 'id', null, 'name'] })
})

test('the delimiter is the one that is most in the first row, outside quotation marks', () => {
  expect(['id,name', 'id;name;a,b', 'id\tname', '"a,b,c";id;x', 'id', 'sep=|\nid|x'].map(findDelimiter)).toEqual([
    ',',
    ';',
    '\t',
    ';',
    ',',
    '|',
  ])
})

test('two long texts are shown from shortly before they differ', () => {
  const long = 'x'.repeat(500)
  const { before, after } = fromTheDifference(`${long}old`, `${long}new${long}`)
  expect([before, after.slice(0, 35)]).toEqual([`…${'x'.repeat(30)}old`, `…${'x'.repeat(30)}newx`])
  expect(after).toHaveLength(182)
  expect(fromTheDifference('a', 'b')).toEqual({ before: 'a', after: 'b' })
})
