/** Tests that docs/security.md, which cites tests by file and title, cites only existing tests. */
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const text = await readFile('docs/security.md', 'utf8')
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const sources = globSync('{app,server,test}/**/*.{ts,tsx}')
const read = async (path: string) => (await readFile(path, 'utf8')).replaceAll("\\'", "'")

/** A citation is the file name of a test in backticks. Parts of test titles in double quotes may follow. */
const named = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`((?:[:,] "[^"]+")*)/g)].map(
  ([, file, quoted]) => ({
    file: file!,
    quotes: [...quoted!.matchAll(/"([^"]+)"/g)].map(([, quote]) => quote!),
  }),
)

test('docs/security.md cites only files and titles of existing tests', async () => {
  expect(named.length).toBeGreaterThan(60)
  const missing: string[] = []
  for (const { file, quotes } of named) {
    const [found, ...others] = sources.filter(
      (path) => isTest(path) && `/${path}`.endsWith(`/${file}`),
    )
    if (!found || others.length > 0)
      missing.push(`${file}: ${found ? 'several files' : 'no file'} of this name`)
    else
      for (const quote of quotes)
        if (!(await read(found)).includes(quote)) missing.push(`${file}: ${quote}`)
  }
  expect(missing).toEqual([])
})

test('docs/security.md lists each requirement once, sorted by number, with the state "yes", "part", "no" or "–"', () => {
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+)\s*\| L\d\s*\| ([^|]+?)\s*\|/gm)]
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
  for (const path of product)
    if (
      /child_process|\beval\(|new Function\(|node:vm\b|dangerouslySetInnerHTML|\.innerHTML\b/.test(
        await read(path),
      )
    )
      found.push(path)
  expect(found).toEqual([])
})
