import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsOf, parseTime, readFields } from './documents.ts'

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
    expect(centsOf(value), String(value)).toBe(cents)
  for (const none of ['', ' ', 'NaN', 'free', null, undefined, {}, [], true, Number.NaN, Number.POSITIVE_INFINITY, 1e9, '1e300'])
    expect(centsOf(none), String(none)).toBeNull()
})

test('every amount of whole cents is read exactly and without a word', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
      expect(centsOf(cents / 100)).toBe(cents)
    }),
  )
})

test('S-128 whatever a field holds, a value comes out and what was odd is noted; fields that nobody reads are noted at the end', () => {
  const notes: string[] = []
  const fields = readFields(
    { name: 3, flag: 'yes', ids: ['a', 3], text: 'a\0b\ud800', extra: [1], missing: null },
    (field, what, done) => void notes.push(`${field}: ${what}; ${done}`),
    'user.',
  )
  expect([fields.text('name'), fields.flag('flag', false), fields.ids('ids'), fields.text('text'), fields.text('missing', '')]).toEqual([
    '3',
    true,
    ['a'],
    'ab\ufffd',
    '',
  ])
  fields.end()
  expect(notes).toEqual([
    'user.name: 3 is no text; read as "3"',
    'user.flag: "yes" is neither true nor false; read as true',
    'user.ids[1]: 3 is no id; not taken',
    'user.text: holds characters that no database keeps; they were taken out',
    'user.missing: missing; left empty',
    'user.extra: [1] is a field that this shop does not know; not taken',
  ])
})

const AT = Date.UTC(2025, 11, 30, 10, 0, 0, 123)
const seconds = Math.floor(AT / 1000)

test('DATA-089 DATA-051 times are read in every form in which the tools of the hosted database write them', () => {
  const forms = [
    { __datatype__: 'timestamp', value: { _seconds: seconds, _nanoseconds: 123_456_789 } },
    { _seconds: seconds, _nanoseconds: 123_000_000 },
    { seconds, nanoseconds: 123_000_000 },
    { seconds: String(seconds), nanos: 123_000_000 },
    { __time__: '2025-12-30T10:00:00.123456Z' },
    { timestampValue: '2025-12-30T10:00:00.123Z' },
    '2025-12-30T10:00:00.123Z',
    '2025-12-30T11:00:00.123+01:00',
    AT,
  ]
  for (const form of forms) expect(parseTime(form), JSON.stringify(form)).toBe(AT)
})

test('what is no time gives none', () => {
  for (const none of [
    null,
    undefined,
    '',
    'soon',
    'March 4, 2026',
    {},
    [],
    true,
    { seconds: 'x' },
    { seconds: {} },
    Number.NaN,
    1e300,
    { _seconds: 1e300 },
    '9'.repeat(16),
  ])
    expect(parseTime(none), JSON.stringify(none)).toBeNull()
})
