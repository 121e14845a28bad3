import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMoment, timestamp } from './moment.ts'

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
  for (const form of forms) expect(readMoment(form), JSON.stringify(form)).toEqual({ ms: AT, isCoerced: false })
})

test('a time whose form has to be guessed says so; what is no time gives none', () => {
  expect(readMoment(seconds)).toEqual({ ms: seconds * 1000, isCoerced: true })
  expect(readMoment(String(AT))).toEqual({ ms: AT, isCoerced: true })
  for (const none of [
    null,
    undefined,
    '',
    'soon',
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
    expect(readMoment(none), JSON.stringify(none)).toBeNull()
})

test('what is written is read again as the same time, before 1970 as well', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (ms) => {
      const written = timestamp(ms)
      expect(written.value._nanoseconds).toBeGreaterThanOrEqual(0)
      expect(readMoment(JSON.parse(JSON.stringify(written)))).toEqual({ ms, isCoerced: false })
    }),
  )
})
