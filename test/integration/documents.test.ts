import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Environment } from '#lib/config/env.server.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const documents = ['*.md', 'docs/**/*.md', '.github/**/*.md'].flatMap((pattern) =>
  globSync(pattern),
)

test('the document of decision 008 lists exactly the dependencies of package.json', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >
  const cells = [...read('docs/decisions/008-dependencies.md').matchAll(/^\| ([^|]+) \|/gm)].map(
    (match) => match[1]!,
  )
  const names = cells
    .filter((cell) => !cell.startsWith('package') && cell !== '---')
    .flatMap((cell) => cell.split(', '))
  expect(names.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
})

test('docs/configuration.md lists exactly the settings that the process reads', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_0-9]+)` /gm)].map(
    (match) => match[1]!,
  )
  expect(rows.toSorted()).toEqual(Object.keys(Environment.shape).toSorted())
})

test('docs/architecture.md lists exactly the feature folders', () => {
  const [, section = ''] = read('docs/architecture.md').split('## Feature folders')
  const [table = ''] = section.split('\n| file of a feature')
  const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map((match) => match[1]!)
  const names = cells.flatMap((cell) =>
    [...cell.matchAll(/`([a-z-]+)\/`/g)].map(([, name]) => name!),
  )
  const folders = globSync('app/features/*/').map((folder) => folder.split('/')[2]!)
  expect(names.toSorted()).toEqual(folders.toSorted())
})

test('the requirements have unique ids, and product decisions name only existing requirements', () => {
  const rows = [...read('docs/requirements.md').matchAll(/^\| ([A-Z-]+-\d{2,3}) \|/gm)].map(
    ([, id]) => id!,
  )
  expect(rows.length).toBeGreaterThan(900)
  expect(new Set(rows).size).toBe(rows.length)
  const areas = new Set(rows.map((id) => id.replace(/-\d+$/, '')))
  const named = read('docs/product-decisions.md').match(/\b[A-Z]+(?:-[A-Z]+)*-\d{2,3}\b/g) ?? []
  expect(named.filter((id) => areas.has(id.replace(/-\d+$/, '')) && !rows.includes(id))).toEqual([])
})

test('each product decision that a document, a test or the code names is defined exactly once', () => {
  const decisions = [...read('docs/product-decisions.md').matchAll(/^- \*\*(S-\d{3})\*\*/gm)].map(
    ([, id]) => id!,
  )
  expect(new Set(decisions).size).toBe(decisions.length)
  const sources = globSync('{app,server,db,demo,test}/**/*.{ts,tsx}')
  const named = [...documents, ...sources].flatMap((file) => read(file).match(/\bS-\d{3}\b/g) ?? [])
  expect([...new Set(named)].filter((id) => !decisions.includes(id))).toEqual([])
})

/**
 * The anchors that GitHub creates for the headings of a file. This works only for files without
 * equal headings.
 */
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )

// These contain brackets and slashes that are texts and paths of the shop.
const written = documents.filter((file) => !/docs\/(requirements|specification)\.md/.test(file))

test('links and images of the documents lead to existing files and headings', () => {
  const broken = written.flatMap((file) =>
    [
      ...read(file).matchAll(/\[[^\]]*\]\(([^)#:]*)(?:#([^)]+))?\)/g),
      ...read(file).matchAll(/<img src="([^":]+)"/g),
    ].flatMap(([, path, anchor]) => {
      const target = path ? join(dirname(file), path) : file
      const isThere = existsSync(target) && (!anchor || anchorsOf(target).includes(anchor))
      return isThere ? [] : `${file}: ${path}${anchor ? `#${anchor}` : ''}`
    }),
  )
  expect(broken).toEqual([])
})

test('files and folders that the documents name in backticks exist', () => {
  const path =
    /`((?:app|features|server|db|demo|test|bench|scripts|deploy|docs|public|\.github|\.ci)\/[\w./+-]*)`/g
  const named = written.flatMap((file) =>
    [...read(file).matchAll(path)].map(([, name]) => ({ file, name: name! })),
  )
  expect(named.length).toBeGreaterThan(50)
  const missing = named.filter(
    ({ name }) => !existsSync(name.startsWith('features/') ? join('app', name) : name),
  )
  expect(missing).toEqual([])
})
