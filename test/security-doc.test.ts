// docs/security.md names the tests that prove its points. A test that is renamed or gone must not stay in it as a proof.
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const text = await readFile('docs/security.md', 'utf8')
const files = (
  await Promise.all(
    ['app', 'server', 'test'].map((folder) => readdir(folder, { recursive: true }).then((all) => all.map((path) => `${folder}/${path}`))),
  )
)
  .flat()
  .filter((path) => /\.test\.tsx?$/.test(path))
const titles = async (path: string) => (await readFile(path, 'utf8')).replaceAll("\\'", "'")

/** A file, with its folder where the name alone is not enough: `file.test.ts`, or `file.test.ts`: "the beginning of a title", "of another one" */
const named = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`((?:[:,] "[^"]+")*)/g)].map(([, file, quoted]) => ({
  file: file!,
  quotes: [...quoted!.matchAll(/"([^"]+)"/g)].map(([, quote]) => quote!),
}))

test('every test that docs/security.md names is there, file and title', async () => {
  expect(named.length).toBeGreaterThan(60)
  const missing: string[] = []
  for (const { file, quotes } of named) {
    const found = files.filter((path) => `/${path}`.endsWith(`/${file}`))
    if (found.length !== 1) missing.push(`${file}: ${found.length} files of this name`)
    else for (const quote of quotes) if (!(await titles(found[0]!)).includes(quote)) missing.push(`${file}: ${quote}`)
  }
  expect(missing).toEqual([])
})

test('docs/security.md goes through each point once, in order, and calls each yes, part, no or –', () => {
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+)\s*\| L(\d)\s*\| ([^|]+?)\s*\|/gm)].map(([, number, level, kept]) => ({
    number: number!,
    level,
    kept,
  }))
  expect(rows.length).toBeGreaterThan(150)
  expect(new Set(rows.map(({ kept }) => kept))).toEqual(new Set(['yes', 'part', 'no', '–']))
  const inOrder = rows.map(({ number }) => number).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  expect(rows.map(({ number }) => number)).toEqual([...new Set(inOrder)])
})

test('nothing that answers requests starts a program, or runs a text as one', async () => {
  const sources = (
    await Promise.all(
      ['app', 'server'].map((folder) => readdir(folder, { recursive: true }).then((all) => all.map((path) => `${folder}/${path}`))),
    )
  )
    .flat()
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  expect(sources.length).toBeGreaterThan(300)
  const found: string[] = []
  for (const path of sources)
    if (/child_process|\beval\(|new Function\(|node:vm\b|dangerouslySetInnerHTML|\.innerHTML\b/.test(await readFile(path, 'utf8')))
      found.push(path)
  expect(found).toEqual([])
})
