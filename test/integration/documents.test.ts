import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')

test('the document of decision 008 lists exactly the dependencies of package.json', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >
  const lines = [...read('docs/decisions/008-dependencies.md').matchAll(/^\| ([^|]+) \|/gm)].map(
    (match) => match[1]!.trim(),
  )
  const named = lines
    .flatMap((line) => line.split(', '))
    .filter((name) => name !== 'package' && !/^-+$/.test(name))
  expect(named.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
})

test('docs/configuration.md lists exactly the settings that the process reads', () => {
  const source = read('app/lib/config/env.server.ts')
  const settings = [...source.matchAll(/^ {2}([A-Z_]+): (?:setting|wholeNumber)\(/gm)].map(
    (match) => match[1]!,
  )
  const rows = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_0-9]+)` /gm)].map(
    (match) => match[1]!,
  )
  expect(settings.length).toBeGreaterThan(5)
  expect(rows.toSorted()).toEqual(settings.toSorted())
})

/** Returns the anchors that GitHub creates for the headings of a file. This works only for files without equal headings. */
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )

test('links between the documents lead to existing files and headings', () => {
  const written = [...globSync('*.md'), ...globSync('docs/**/*.md')].filter(
    (file) => !/docs\/(requirements|specification)\.md/.test(file),
  )
  const broken = written.flatMap((file) =>
    [...read(file).matchAll(/(?<!!)\[[^\]]*\]\(([^)#:]*)(?:#([^)]+))?\)/g)].flatMap(
      ([, path, anchor]) => {
        const target = path ? join(dirname(file), path) : file
        const isThere = existsSync(target) && (!anchor || anchorsOf(target).includes(anchor))
        return isThere ? [] : `${file}: ${path}${anchor ? `#${anchor}` : ''}`
      },
    ),
  )
  expect(broken).toEqual([])
})
