/** Tests that docs/security.md names only existing tests and each requirement of ASVS once. */
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const text = await readFile('docs/security.md', 'utf8')
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const sources = globSync('{app,server,test}/**/*.{ts,tsx}')
const read = (path: string) => readFile(path, 'utf8')

test('each name of a test file in docs/security.md belongs to exactly one file', () => {
  const names = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(60)
  const filesNamed = (name: string) =>
    sources.filter((path) => isTest(path) && `/${path}`.endsWith(`/${name}`))
  expect(names.filter((name) => filesNamed(name).length !== 1)).toEqual([])
})

test('docs/security.md lists each requirement once, sorted by number, with the state "yes", "part", "no" or "–"', () => {
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+?) \|/gm)]
  expect(rows.length).toBeGreaterThan(150)
  expect(new Set(rows.map(([, , state]) => state))).toEqual(new Set(['yes', 'part', 'no', '–']))
  const numbers = rows.map(([, number]) => number!)
  expect(numbers).toEqual(
    [...new Set(numbers)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })),
  )
})

test('the code of the shop evaluates no text as code and starts no program', async () => {
  const product = sources.filter((path) => !path.startsWith('test/') && !isTest(path))
  expect(product.length).toBeGreaterThan(300)
  const found: string[] = []
  for (const path of product) {
    if (
      /child_process|\beval\(|new Function\(|node:vm\b|dangerouslySetInnerHTML|\.innerHTML\b/.test(
        await read(path),
      )
    ) {
      found.push(path)
    }
  }
  expect(found).toEqual([])
})
