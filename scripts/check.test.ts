import { expect, test } from 'vitest'
import { readAudit } from './advisories.mjs'
import { coverage, namedIn, requirementsIn } from './check-requirements.mjs'
import { lineCounts } from './check-sizes.mjs'

test('each line of a file counts towards only one budget', () => {
  const files: [string, number][] = [
    ['app/a.tsx', 1],
    ['app/a.test.tsx', 2],
    ['app/a.module.css', 4],
    ['app/a/texts.ts', 128],
    ['bench/bench.ts', 8],
    ['bench/bench.test.ts', 16],
    ['test/fixtures.ts', 32],
    ['scripts/run.mjs', 64],
  ]
  const counted = lineCounts(files).map(({ name, lines }) => [name, lines])
  expect(counted).toEqual([
    ['product TypeScript', 1],
    ['user-facing texts', 128],
    ['CSS', 4],
    ['demo and bench', 24],
    ['tests', 50],
  ])
})

test('finds requirements by the ids in the first column of a table', () => {
  const markdown =
    '| ID | Requirement |\n|---|---|\n| SHED-01 | as SHED-02 |\n| SHED-DOOR-02 | b |\n| SHED | 48 |\nLAMP-001 in a sentence\n| LAMP-125 | c |'
  expect(requirementsIn(markdown)).toEqual(['SHED-01', 'SHED-DOOR-02', 'LAMP-125'])
})

test('finds the ids of requirements in a test title; of a range, only the first and the last id count', () => {
  expect(namedIn("test('SHED-01 SHED-12 ROOF-02…ROOF-05 …')")).toEqual([
    'SHED-01',
    'SHED-12',
    'ROOF-02',
    'ROOF-05',
  ])
})

test('groups requirements without a test by area', () => {
  const areas = coverage(['SHED-01', 'SHED-02', 'SHED-DOOR-01'], new Set(['SHED-02']))
  expect([...areas]).toEqual([
    ['SHED', { rows: 2, missing: ['SHED-01'] }],
    ['SHED-DOOR', { rows: 1, missing: ['SHED-DOOR-01'] }],
  ])
})

test('security advisories fail the check if their severity is at least high; without an audit service, nothing is checked', () => {
  const vulnerabilities = {
    one: { name: 'one', severity: 'high', range: '<2.0.0' },
    two: { name: 'two', severity: 'moderate', range: '*' },
  }
  const audit = (found: object) =>
    readAudit(JSON.stringify({ vulnerabilities: found, metadata: { vulnerabilities: {} } }))
  expect(audit(vulnerabilities)).toEqual({
    isChecked: true,
    failing: ['one <2.0.0: high'],
    reason: '',
  })
  expect(audit({ two: vulnerabilities.two }).failing).toEqual([])
  expect(readAudit('{"message":"405 Method Not Allowed"}')).toEqual({
    isChecked: false,
    failing: [],
    reason: '405 Method Not Allowed',
  })
  expect(readAudit('').isChecked).toBe(false)
})
