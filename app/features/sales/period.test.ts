import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  periodRange,
  parsePeriod,
  stepMonth,
  stepWeek,
  weekName,
  weeksIn,
  type Period,
} from './period.ts'

const NOON = Date.UTC(2026, 2, 4, 12)
const read = (search: string, now = NOON, timeZone = 'UTC') =>
  parsePeriod(new URLSearchParams(search), now, timeZone)
const march: Period = { year: 2026, month: 3, week: 0 }
const iso = ({ from, to }: { from: number; to: number }) => [
  new Date(from).toISOString(),
  new Date(to).toISOString(),
]

test('the current month depends on the time zone of the shop [S-108]', () => {
  const newYear = Date.UTC(2026, 0, 1, 2)
  expect(read('', newYear, 'America/New_York')).toEqual({ year: 2025, month: 12, week: 0 })
  expect(read('', newYear, 'Asia/Manila')).toEqual({ year: 2026, month: 1, week: 0 })
})

test.for([
  'month=0&week=9',
  'month=13',
  'month=x&week=-1',
  'month=&week=',
  'month=3.5&week=1e0',
  'week=6',
  'month=00003',
])('the Sales screen shows the current month and all weeks for the invalid URL %s', (search) =>
  expect(read(search)).toEqual(march),
)

test('on the Sales screen, the link to the next month leads from December to January of the same year [SALES-03, SALES-04, S-107]', () => {
  expect(stepMonth(read('month=12&week=2'), 1)).toEqual({ year: 2026, month: 1, week: 0 })
  expect(stepMonth(read('month=1'), -1)).toEqual({ year: 2026, month: 12, week: 0 })
  fc.assert(
    fc.property(fc.array(fc.constantFrom(1 as const, -1 as const)), (steps) => {
      const end = steps.reduce(stepMonth, march)
      return end.year === 2026 && end.month >= 1 && end.month <= 12
    }),
  )
})

test('on the Sales screen, the link to the next week leads from the last week of a month to "All Weeks" [SALES-05, SALES-07, SALES-08, SALES-09, SALES-10, SALES-11]', () => {
  const ring = [march]
  for (let step = 0; step < 6; step++) ring.push(stepWeek(ring.at(-1)!, 1))
  expect(ring.map((period) => weekName(period.week))).toEqual([
    'All Weeks',
    '1st',
    '2nd',
    '3rd',
    '4th',
    '5th',
    'All Weeks',
  ])
  expect(stepWeek(march, -1)).toEqual({ ...march, week: 5 })
})

test('a February with 28 days has four weeks, and all other months have five [SALES-11]', () => {
  expect(weeksIn(2026, 2)).toBe(4)
  expect(weeksIn(2028, 2)).toBe(5)
  expect(weeksIn(2026, 4)).toBe(5)
  expect(stepWeek({ year: 2026, month: 2, week: 4 }, 1).week).toBe(0)
  expect(stepWeek({ year: 2026, month: 2, week: 0 }, -1).week).toBe(4)
  expect(iso(periodRange({ year: 2028, month: 2, week: 5 }, 'UTC'))).toEqual([
    '2028-02-29T00:00:00.000Z',
    '2028-02-29T23:59:59.999Z',
  ])
})

test('a week of the Sales screen lasts from 00:00:00 of its first day to 23:59:59 of its last day [CONST-03, SALES-15, SALES-16]', () => {
  expect(iso(periodRange({ ...march, week: 2 }, 'UTC'))).toEqual([
    '2026-03-08T00:00:00.000Z',
    '2026-03-14T23:59:59.999Z',
  ])
  expect(iso(periodRange({ ...march, week: 5 }, 'UTC'))).toEqual([
    '2026-03-29T00:00:00.000Z',
    '2026-03-31T23:59:59.999Z',
  ])
  expect(iso(periodRange(march, 'UTC'))).toEqual([
    '2026-03-01T00:00:00.000Z',
    '2026-03-31T23:59:59.999Z',
  ])
})

const [year, month] = [fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 12 })]

test('every period of the Sales screen starts and ends at midnight in its time zone, even if a day has 23 or 25 hours [SALES-15, SALES-16, S-186]', () => {
  const days = new Map<string, Intl.DateTimeFormat>()
  const dayIn = (zone: string, at: number) => {
    if (!days.has(zone)) days.set(zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone }))
    return days.get(zone)!.format(at)
  }
  const zones = [
    'UTC',
    'America/New_York',
    'Africa/Cairo',
    'America/Havana',
    'Asia/Amman',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  ]
  fc.assert(
    fc.property(year, month, fc.constantFrom(...zones), fc.nat(5), (year, month, zone, day) => {
      const week = day % (weeksIn(year, month) + 1)
      const first = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 8)
      const { from, to } = periodRange({ year, month, week }, zone)
      const begins = `${first}${String(week === 0 ? 1 : week * 7 - 6).padStart(2, '0')}`
      expect(dayIn(zone, from)).toBe(begins)
      expect(dayIn(zone, from - 1) < begins).toBe(true)
      const ends = dayIn(zone, to)
      expect(ends.slice(0, 8)).toBe(first)
      expect(ends < dayIn(zone, to + 1)).toBe(true)
      expect(Number(ends.slice(8))).toBe(
        week === 0 || week === 5 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : week * 7,
      )
    }),
    {
      numRuns: 150,
      examples: [
        [2021, 10, 'Asia/Amman', 5],
        [2024, 9, 'America/Santiago', 2],
        [2026, 3, 'America/New_York', 2],
        [2026, 11, 'America/New_York', 1],
      ],
    },
  )
})
