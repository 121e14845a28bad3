import fc from 'fast-check'
import { expect, test } from 'vitest'
import { monthName, periodRange, readPeriod, stepMonth, stepWeek, weekName, weeksIn, type Period } from './period.ts'

const NOON = Date.UTC(2026, 2, 4, 12)
const read = (search: string, now = NOON, timeZone = 'UTC') => readPeriod(new URLSearchParams(search), now, timeZone)
const march: Period = { year: 2026, month: 3, week: 0 }
const iso = ({ from, to }: { from: number; to: number }) => [new Date(from).toISOString(), new Date(to).toISOString()]

test('SALES-01 SALES-06 the screen opens at the current month and All Weeks', () => {
  expect(read('')).toEqual(march)
  expect([monthName(march), weekName(0)]).toEqual(['March 2026', 'All Weeks'])
})

test('S-108 which month is current depends on the time zone of the shop', () => {
  const newYear = Date.UTC(2026, 0, 1, 2)
  expect(read('', newYear, 'America/New_York')).toEqual({ year: 2025, month: 12, week: 0 })
  expect(read('', newYear, 'Asia/Manila')).toEqual({ year: 2026, month: 1, week: 0 })
})

test.for(['month=0&week=9', 'month=13', 'month=x&week=-1', 'month=&week=', 'month=3.5&week=1e0', 'week=6', 'month=00003'])(
  'an address with %s reads as the current month, all weeks',
  (search) => expect(read(search)).toEqual(march),
)

test('SALES-03 SALES-04 December and January are neighbours and the year stays the current one', () => {
  expect(stepMonth(read('month=12'), 1)).toEqual({ year: 2026, month: 1, week: 0 })
  expect(stepMonth(read('month=1'), -1)).toEqual({ year: 2026, month: 12, week: 0 })
  fc.assert(
    fc.property(fc.array(fc.constantFrom(1 as const, -1 as const)), (steps) => {
      const end = steps.reduce(stepMonth, march)
      return end.year === 2026 && end.month >= 1 && end.month <= 12
    }),
  )
})

test('S-107 a change of month returns to All Weeks', () => {
  expect(stepMonth(read('month=3&week=2'), 1)).toEqual({ year: 2026, month: 4, week: 0 })
})

test('SALES-05 SALES-07 SALES-08 SALES-09 SALES-10 SALES-11 the weeks are a ring', () => {
  const ring = [march]
  for (let step = 0; step < 6; step++) ring.push(stepWeek(ring.at(-1)!, 1))
  expect(ring.map((period) => weekName(period.week))).toEqual(['All Weeks', '1st', '2nd', '3rd', '4th', '5th', 'All Weeks'])
  expect(stepWeek(march, -1)).toEqual({ ...march, week: 5 })
})

test('SALES-11 a February of 28 days has four weeks, a leap year five, the last of one day', () => {
  expect([weeksIn(2026, 2), weeksIn(2028, 2), weeksIn(2026, 4)]).toEqual([4, 5, 5])
  expect(stepWeek({ year: 2026, month: 2, week: 4 }, 1).week).toBe(0)
  expect(stepWeek({ year: 2026, month: 2, week: 0 }, -1).week).toBe(4)
  expect(iso(periodRange({ year: 2028, month: 2, week: 5 }, 'UTC'))).toEqual(['2028-02-29T00:00:00.000Z', '2028-02-29T23:59:59.999Z'])
})

test('CONST-03 SALES-15 SALES-16 a week runs from 00:00:00 of its first day to 23:59:59 of its seventh', () => {
  expect(iso(periodRange({ ...march, week: 2 }, 'UTC'))).toEqual(['2026-03-08T00:00:00.000Z', '2026-03-14T23:59:59.999Z'])
  expect(iso(periodRange({ ...march, week: 5 }, 'UTC'))).toEqual(['2026-03-29T00:00:00.000Z', '2026-03-31T23:59:59.999Z'])
  expect(iso(periodRange(march, 'UTC'))).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-31T23:59:59.999Z'])
})

test('SALES-15 SALES-16 the hours are those of the shop, on days of 23 and 25 hours as well', () => {
  // March 8 is the first day of the second week and the one that clocks skip an hour of.
  expect(iso(periodRange({ ...march, week: 2 }, 'America/New_York'))).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-15T03:59:59.999Z'])
  expect(iso(periodRange({ year: 2026, month: 11, week: 1 }, 'America/New_York'))).toEqual([
    '2026-11-01T04:00:00.000Z',
    '2026-11-08T04:59:59.999Z',
  ])
  // September 8 begins at 1:00 in Santiago, October 1 in Asuncion; November 1 has its first hour twice in Havana, October 29 in Amman.
  const from = (year: number, month: number, week: number, zone: string) => iso(periodRange({ year, month, week }, zone))[0]
  expect(from(2024, 9, 2, 'America/Santiago')).toBe('2024-09-08T04:00:00.000Z')
  expect(from(2017, 10, 0, 'America/Asuncion')).toBe('2017-10-01T04:00:00.000Z')
  expect(from(2026, 11, 1, 'America/Havana')).toBe('2026-11-01T04:00:00.000Z')
  expect(from(2021, 10, 5, 'Asia/Amman')).toBe('2021-10-28T21:00:00.000Z')
})

const zones = ['UTC', 'Asia/Manila', 'America/New_York', 'America/Santiago', 'Africa/Cairo', 'America/Havana', 'Atlantic/Azores']
const [year, month] = [fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 12 })]

test('S-186 every period begins with the first instant that the calendar of its zone calls that day, and ends with the last', () => {
  const days = new Map<string, Intl.DateTimeFormat>()
  const dayIn = (zone: string, at: number) => {
    if (!days.has(zone)) days.set(zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone }))
    return days.get(zone)!.format(at)
  }
  const odd = ['Asia/Amman', 'Asia/Gaza', 'Asia/Beirut', 'America/Asuncion', 'America/Sao_Paulo', 'Pacific/Apia', 'Australia/Lord_Howe']
  fc.assert(
    fc.property(year, month, fc.constantFrom(...zones, ...odd), fc.nat(5), (year, month, zone, day) => {
      const [week, first] = [day % (weeksIn(year, month) + 1), new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 8)]
      const { from, to } = periodRange({ year, month, week }, zone)
      const begins = `${first}${String(week === 0 ? 1 : week * 7 - 6).padStart(2, '0')}`
      expect([dayIn(zone, from), dayIn(zone, from - 1) < begins]).toEqual([begins, true])
      const ends = dayIn(zone, to)
      expect([ends.slice(0, 8), ends < dayIn(zone, to + 1)]).toEqual([first, true])
      expect(Number(ends.slice(8))).toBe(week === 0 || week === 5 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : week * 7)
    }),
    {
      numRuns: 150,
      examples: [
        [2021, 10, 'Asia/Amman', 5],
        [2024, 9, 'America/Santiago', 2],
      ],
    },
  )
})

test('SALES-13 SALES-14 the weeks of a month follow each other without a gap and make the month, in every zone', () => {
  fc.assert(
    fc.property(year, month, fc.constantFrom(...zones), (year, month, zone) => {
      const whole = periodRange({ year, month, week: 0 }, zone)
      let next = whole.from
      for (let week = 1; week <= weeksIn(year, month); week++) {
        const { from, to } = periodRange({ year, month, week }, zone)
        expect(from).toBe(next)
        next = to + 1
      }
      expect(next - 1).toBe(whole.to)
    }),
  )
})
