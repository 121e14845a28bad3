import { expect, test } from 'vitest'
import { coverage, namedIn, requirementsIn } from './check-requirements.mjs'
import { countLines, lineCounts, tooLong } from './check-sizes.mjs'

test('a last line without a line end counts, an empty file has none', () => {
  expect(countLines('a\nb\n')).toBe(2)
  expect(countLines('a\nb')).toBe(2)
  expect(countLines('')).toBe(0)
})

test('a code file of more than 300 lines is too long', () => {
  const files: [string, number][] = [
    ['app/a.ts', 300],
    ['app/b.ts', 301],
    ['demo/catalogue.json', 900],
  ]
  expect(tooLong(files)).toEqual([['app/b.ts', 301]])
})

test('lines count towards one budget each', () => {
  const files: [string, number][] = [
    ['app/a.tsx', 1],
    ['app/a.test.tsx', 2],
    ['app/a.module.css', 4],
    ['bench/bench.ts', 8],
    ['bench/bench.test.ts', 16],
    ['test/fixtures.ts', 32],
    ['scripts/run.mjs', 64],
  ]
  const counted = lineCounts(files).map(({ name, lines }) => [name, lines])
  expect(counted).toEqual([
    ['product TypeScript', 1],
    ['CSS', 4],
    ['demo and bench', 24],
    ['tests', 50],
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
