import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readAudit } from './advisories.mjs'
import { coverage, namedIn, requirementsIn } from './check-requirements.mjs'
import { characterCounts, wideComments, wordCount } from './check-sizes.mjs'
import { hashOfFiles, hasPassed, rememberPassed } from './passed-files.mjs'
import { testsForTheRest } from './statements.mjs'

test('counts characters without white space, and their mean on a line of code', () => {
  const files: [string, string][] = [
    ['app/a.tsx', 'const a = 1\n\n// why\nf()\n'],
    ['app/a.test.tsx', 'test()'],
    ['app/a.module.css', 'a {}'],
    ['bench/bench.ts', 'f()'],
  ]
  expect(characterCounts(files)).toEqual([
    { name: 'product TypeScript', characters: 16, perCodeLine: 5.5 },
    { name: 'tests', characters: 6, perCodeLine: 6 },
    { name: 'CSS', characters: 3, perCodeLine: 3 },
  ])
})

test('finds comments that are wider than 100 columns', () => {
  const wide = 'x'.repeat(100)
  const lines = [
    `// ${wide}`,
    `const a = '${wide}'`,
    `  * ${wide}`,
    `f() /${'/'} ${wide}`,
    '// short',
  ]
  const text = lines.join('\n')
  expect(wideComments([['app/a.ts', text]])).toEqual(['app/a.ts:1', 'app/a.ts:3', 'app/a.ts:4'])
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

test('chooses the cheapest tests that send all statements to PostgreSQL', () => {
  const testOf = (name: string, cpuMs: number, statements: string[]) => ({
    name,
    cpuMs,
    statements,
  })
  const always = testOf('always', 5000, ['insert'])
  const slow = testOf('slow', 9000, ['select', 'update', 'delete'])
  const quick = testOf('quick', 10, ['select', 'update'])
  const useless = testOf('useless', 10, ['insert', 'select'])
  expect(testsForTheRest([always, slow, quick, useless], [always])).toEqual([quick, slow])
})

test('a run counts as passed only while no file has changed since it began', () => {
  const folder = mkdtempSync(join(tmpdir(), 'passed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  writeFileSync(join(folder, '.gitignore'), '.cache\n')
  writeFileSync(join(folder, 'price.ts'), 'export const cents = 100\n')
  const before = hashOfFiles(folder)
  expect(hasPassed(before, folder)).toBe(false)
  rememberPassed(before, folder)
  expect(hasPassed(hashOfFiles(folder), folder)).toBe(true)

  writeFileSync(join(folder, 'new.ts'), 'export {}\n')
  const after = hashOfFiles(folder)
  expect(hasPassed(after, folder)).toBe(false)
  writeFileSync(join(folder, 'price.ts'), 'export const cents = 101\n')
  rememberPassed(after, folder)
  expect(hasPassed(hashOfFiles(folder), folder)).toBe(false)
})

test('counts the words of documents, with the bars of tables', () => {
  expect(wordCount(['# Two words\n', '| a | b |\n\n'])).toBe(8)
})
