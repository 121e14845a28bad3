import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatDate, formatIsoDay } from './format-date.ts'

test('a formatted date consists of the month, a day with two digits and the year [CONST-02]', () => {
  expect(formatDate(Date.UTC(2024, 0, 5, 12), 'UTC')).toBe('January 05, 2024')
  expect(formatIsoDay('2024-12-31')).toBe('December 31, 2024')
})

test('a date is formatted in the shop’s time zone [CONST-02]', () => {
  expect(formatDate(Date.UTC(2024, 0, 6, 3), 'America/New_York')).toBe('January 05, 2024')
})

test('only format-date.ts formats dates with a day and a year [CONST-02]', () => {
  const formatsDates = (file: string) =>
    /\bday: '[^}]*\byear: '|\byear: '[^}]*\bday: '|dateStyle: '(?!short)/.test(
      readFileSync(file, 'utf8'),
    )
  const files = globSync('{app,server}/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'))
  expect(files.filter(formatsDates)).toEqual(['app/ui/format-date.ts'])
})
