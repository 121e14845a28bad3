/**
 * Checks the directions of imports in docs/architecture.md. oxlint also refuses imports into higher
 * folders and cycles between files.
 */
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { expect, test } from 'vitest'

const isProduct = (file: string) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)
const featureOf = (file: string) => /^app\/features\/([^/]+)\//.exec(file)?.[1]

/** The path of an imported file. The imports in package.json name the folders. */
function pathOf(imported: string, importer: string): string {
  if (!imported.startsWith('#')) return join(dirname(importer), imported)
  const [name = '', ...rest] = imported.slice(1).split('/')
  const folder = folders[`#${name}/*`]
  return folder
    ? folder.replace('*', rest.join('/'))
    : folders['#*']!.replace('*', imported.slice(1))
}
const { imports: folders } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  imports: Record<string, string>
}

/** Maps each feature to the features that this feature imports, with an example of each import. */
async function featureGraph(): Promise<Map<string, Map<string, string>>> {
  const graph = new Map<string, Map<string, string>>()
  for (const file of globSync('app/features/**/*.{ts,tsx}').filter(isProduct)) {
    const from = featureOf(file)!
    const imports = graph.get(from) ?? new Map<string, string>()
    graph.set(from, imports)
    for (const [, path] of (await readFile(file, 'utf8')).matchAll(
      /(?:from|import\()\s*'([#.][^']+)'/g,
    )) {
      const to = featureOf(join(pathOf(path!, file)))
      if (to && to !== from) imports.set(to, `${file} imports ${path}`)
    }
  }
  return graph
}

/**
 * Removes each feature whose imports are all removed, until nothing changes. If features remain,
 * they contain an import cycle. Returns an example of each import between them.
 */
function cyclesOf(graph: Map<string, Map<string, string>>): string[] {
  const remaining = new Map([...graph].map(([name, imports]) => [name, new Map(imports)]))
  for (let before = -1; before !== remaining.size;) {
    before = remaining.size
    for (const [name, imports] of remaining) {
      if ([...imports.keys()].every((to) => !remaining.has(to))) remaining.delete(name)
    }
  }
  return [...remaining].flatMap(([, imports]) =>
    [...imports].filter(([to]) => remaining.has(to)).map(([, example]) => example),
  )
}

test('the imports between feature folders form no cycle', async () => {
  const graph = await featureGraph()
  expect(graph.size).toBeGreaterThan(15)
  expect(cyclesOf(graph)).toEqual([])
})

test('features import only features further down in the list of docs/architecture.md', async () => {
  const [, section = ''] = (await readFile('docs/architecture.md', 'utf8')).split(
    '## Feature folders',
  )
  const order = [...section.matchAll(/`([a-z-]+)\/`/g)].map(([, name]) => name!)
  const upward = [...(await featureGraph())].flatMap(([from, imports]) =>
    [...imports].filter(([to]) => order.indexOf(to) < order.indexOf(from)).map(([, use]) => use),
  )
  expect(upward).toEqual([])
})

test('no product code uses private globals of the router, replaces window.fetch or edits rendered scripts', async () => {
  const pattern = /__reactRouter|window\.fetch ?=|\.replace\(.*<script/
  const found: string[] = []
  for (const file of globSync('{app,server,db}/**/*.{ts,tsx}').filter(isProduct)) {
    if (pattern.test(await readFile(file, 'utf8'))) found.push(file)
  }
  expect(found).toEqual([])
})

test('a component uses only classes that its style sheet has', async () => {
  const faults: string[] = []
  for (const file of globSync('app/**/*.tsx').filter(isProduct)) {
    const code = await readFile(file, 'utf8')
    for (const [, name, path] of code.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const sheet = pathOf(path!, file)
      const classes: string[] =
        (await readFile(sheet, 'utf8')).match(/(?<=\.)[A-Za-z][\w-]*/g) ?? []
      const uses = code.matchAll(new RegExp(`(?<![.\\w])${name}\\.(\\w+)`, 'g'))
      for (const [use, className] of uses) {
        if (!classes.includes(className!)) faults.push(`${file}: ${use}`)
      }
    }
  }
  expect(faults).toEqual([])
})
