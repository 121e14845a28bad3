import { expect, test } from 'vitest'
import { coverage, namedIn, requirementsIn } from './check-requirements.mjs'
import { countLines, isCode, judgeSizes, percentile } from './check-sizes.mjs'

test('the median is the lower middle one, the 95th percentile leaves the longest twentieth out', () => {
  expect(percentile([5, 1, 3], 0.5)).toBe(3)
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2)
  expect(percentile([...Array(100).keys()], 0.95)).toBe(94)
  expect(percentile([], 0.5)).toBe(0)
})

test('a last line without a line end counts, an empty file has none', () => {
  expect(countLines('a\nb\n')).toBe(2)
  expect(countLines('a\nb')).toBe(2)
  expect(countLines('')).toBe(0)
})

test('long files are listed from 151 lines, refused from 301', () => {
  const { longest, long, tooLong } = judgeSizes([
    ['a.ts', 150],
    ['b.ts', 151],
    ['c.ts', 301],
  ])
  expect(longest).toBe(301)
  expect(long).toEqual([
    ['c.ts', 301],
    ['b.ts', 151],
  ])
  expect(tooLong).toEqual([['c.ts', 301]])
})

test('data is not code', () => {
  expect(['app/root.tsx', 'demo/catalogue.ts', 'demo/items-2.ts', 'demo/draw.ts', 'scripts/run.mjs'].filter(isCode)).toEqual([
    'app/root.tsx',
    'demo/draw.ts',
  ])
})

test('rows are ids in the first column of a table', () => {
  const markdown =
    '| ID | Requirement |\n|---|---|\n| SHED-01 | as SHED-02 |\n| SHED-DOOR-02 | b |\n| SHED | 48 |\nLAMP-001 in a sentence\n| LAMP-125 | c |'
  expect(requirementsIn(markdown)).toEqual(['SHED-01', 'SHED-DOOR-02', 'LAMP-125'])
})

test('a title may name several rows; a range names its ends only', () => {
  expect(namedIn("test('SHED-01 SHED-12 ROOF-02…ROOF-05 …')")).toEqual(['SHED-01', 'SHED-12', 'ROOF-02', 'ROOF-05'])
})

test('missing rows are grouped by area', () => {
  const areas = coverage(['SHED-01', 'SHED-02', 'SHED-DOOR-01'], new Set(['SHED-02']))
  expect([...areas]).toEqual([
    ['SHED', { rows: 2, missing: ['SHED-01'] }],
    ['SHED-DOOR', { rows: 1, missing: ['SHED-DOOR-01'] }],
  ])
})
