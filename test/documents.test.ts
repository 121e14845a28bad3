/** What is written beside the code must not fall behind it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')

test('each dependency has its line in decision 008, and each line its dependency', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  const lines = [...read('docs/decisions/008-dependencies.md').matchAll(/^\| ([^|]+) \|/gm)].map((match) => match[1]!.trim())
  const named = lines.flatMap((line) => line.split(', ')).filter((name) => name !== 'package' && !/^-+$/.test(name))
  expect(named.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
})

test('README names each setting of the process', () => {
  const settings = [...read('app/platform/env.server.ts').matchAll(/^ {2}([A-Z_]+): setting\(/gm)].map((match) => match[1]!)
  const rows = [...read('README.md').matchAll(/^\| `([A-Z_]+)` /gm)].map((match) => match[1]!)
  expect(settings.length).toBeGreaterThan(5)
  expect(rows.toSorted()).toEqual(settings.toSorted())
})

test('links between the documents lead somewhere', () => {
  const written = [...globSync('*.md'), ...globSync('docs/**/*.md')].filter((file) => !/docs\/(requirements|specification)\.md/.test(file))
  const broken = written.flatMap((file) =>
    [...read(file).matchAll(/(?<!!)\[[^\]]*\]\(([^)#:]+)\)/g)]
      .map((match) => join(dirname(file), match[1]!))
      .filter((target) => !existsSync(target))
      .map((target) => `${file}: ${target}`),
  )
  expect(broken).toEqual([])
})
