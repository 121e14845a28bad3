// npm run check: types, lint, formatting, line counts against the budget, the length of files, and the requirements without a test.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { coverage, namedIn, requirementsIn } from './check-requirements.mjs'
import { countLines, lineCounts, tooLong } from './check-sizes.mjs'
import { filesUnder } from './files.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, root, run } from './run.mjs'

const bin = await node24()
await install(bin)

const read = (file) => readFileSync(join(root, file), 'utf8')
const files = filesUnder(['app', 'server', 'db', 'demo', 'test', 'scripts', 'bench'])

const tools = [['react-router', 'typegen'], ['tsc'], ['oxlint', '--deny-warnings'], ['oxfmt', '--check']]
for (const [program, ...args] of tools) {
  console.log(`\n=== ${[program, ...args].join(' ')} ===`)
  if ((await run(program, args, environment(bin))) !== 0) process.exitCode = 1
}

console.log('\n=== lines of code, and the budget ===')
const sizes = files.map((file) => [file, countLines(read(file))])
for (const { name, lines, budget } of lineCounts(sizes)) {
  console.log(`${name.padEnd(20)} ${String(lines).padStart(6)} of at most ${budget}${lines > budget ? ': EXCEEDED' : ''}`)
  if (lines > budget) process.exitCode = 1
}
for (const [file, lines] of tooLong(sizes)) {
  console.log(`${file} has ${lines} lines: divide it, the limit is 300.`)
  process.exitCode = 1
}

console.log('\n=== requirements which no test names ===')
const named = new Set(files.filter((file) => /\.test\.tsx?$/.test(file)).flatMap((file) => namedIn(read(file))))
const requirements = requirementsIn(read('docs/requirements.md'))
const areas = coverage(requirements, named)
for (const [area, { rows, missing }] of areas) {
  if (missing.length > 0)
    console.log(`${area}: ${missing.length} of ${rows}: ${missing.map((row) => row.slice(area.length + 1)).join(' ')}`)
}
const missing = [...areas.values()].reduce((sum, area) => sum + area.missing.length, 0)
console.log(`${requirements.length - missing} of ${requirements.length} named.`)
const unknown = [...named].filter((row) => areas.has(row.replace(/-\d+$/, '')) && !requirements.includes(row))
if (unknown.length > 0) console.log(`Named, but no such row: ${unknown.join(' ')}`)
