import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsOf, openFields } from './fields.ts'

test('DATA-042 S-065 a price in dollars becomes cents, half up; what is no amount gives none', () => {
  for (const [value, cents] of [
    [12.5, 1250],
    [48, 4800],
    [0.1 + 0.2, 30],
    [7.005, 701],
    [1.005, 101],
    [8.345, 835],
    ['12.50', 1250],
    ['12,50', 1250],
    ['$ 12', 1200],
    ['7.005', 701],
    [-5, -500],
    [1e-7, 0],
  ] as const)
    expect(centsOf(value)?.cents, String(value)).toBe(cents)
  for (const none of ['', ' ', 'NaN', 'free', null, undefined, {}, [], true, Number.NaN, Number.POSITIVE_INFINITY, 1e9, '1e300'])
    expect(centsOf(none), String(none)).toBeNull()
})

test('every amount of whole cents is read exactly and without a word', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
      expect(centsOf(cents / 100)).toEqual({ cents, isCoerced: false })
    }),
  )
})

test('S-128 whatever a field holds, a value comes out and what was odd is noted; fields that nobody reads are noted at the end', () => {
  const notes: string[] = []
  const fields = openFields(
    { name: 3, flag: 'yes', list: { 1: 'b', 0: 'a' }, text: 'a\0b\ud800', extra: [1], missing: null },
    (field, what, done) => void notes.push(`${field}: ${what}; ${done}`),
    'user.',
  )
  expect([fields.text('name'), fields.flag('flag', false), fields.list('list'), fields.text('text'), fields.text('missing', '')]).toEqual([
    '3',
    true,
    ['a', 'b'],
    'ab\ufffd',
    '',
  ])
  fields.end()
  expect(notes).toEqual([
    'user.name: 3 is no text; read as "3"',
    'user.flag: "yes" is neither true nor false; read as true',
    'user.list: a map by number, no list; read in the order of its numbers',
    'user.text: holds characters that no database keeps; they were taken out',
    'user.missing: missing; left empty',
    'user.extra: [1] is a field that this shop does not know; not taken',
  ])
})
