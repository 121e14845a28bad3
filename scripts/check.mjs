// npm run check: checks types, lint, formatting, budgets of lines, the length of files, and whether each requirement has a test title with its id.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportMissing, requirementsIn, withoutComments } from './check-requirements.mjs'
import { countLines, lineCounts, tooLong } from './check-sizes.mjs'
import { countWords, wordsToAvoid } from './check-words.mjs'
import { filesUnder } from './files.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, root, run } from './run.mjs'

const bin = await node24()
await install(bin)

const read = (file) => readFileSync(join(root, file), 'utf8')
const files = filesUnder(['app', 'server', 'db', 'demo', 'test', 'scripts', 'bench'])

const tools = [
  ['react-router', 'typegen'],
  ['tsc'],
  ['oxlint', '--deny-warnings'],
  ['oxfmt', '--check'],
]
for (const [program, ...args] of tools) {
  console.log(`\n=== ${[program, ...args].join(' ')} ===`)
  if ((await run(program, args, environment(bin))) !== 0) process.exitCode = 1
}

console.log('\n=== lines of code, and the budget ===')
const sizes = files.map((file) => [file, countLines(read(file))])
for (const { name, lines, budget } of lineCounts(sizes)) {
  console.log(
    `${name.padEnd(20)} ${String(lines).padStart(6)} of at most ${budget}${lines > budget ? ': EXCEEDED' : ''}`,
  )
  if (lines > budget) process.exitCode = 1
}
for (const [file, lines] of tooLong(sizes)) {
  console.log(`${file} has ${lines} lines: divide it, the limit is 300.`)
  process.exitCode = 1
}

console.log('\n=== requirements which no test names ===')
const tested = files
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => withoutComments(read(file)))
if (reportMissing(requirementsIn(read('docs/requirements.md')), tested) > 0) process.exitCode = 1

console.log('\n=== words that docs/glossary.md replaces (a warning) ===')
const documents = filesUnder(['docs']).filter(
  (file) => file.endsWith('.md') && !/docs\/(glossary|specification|requirements)\.md$/.test(file),
)
const texts = [...files, ...documents, 'README.md', 'CONTRIBUTING.md'].map((file) => [
  file,
  read(file),
])
const found = countWords(wordsToAvoid(read('docs/glossary.md')), texts)
console.log(
  `${found.reduce((sum, [, count]) => sum + count, 0)} in ${found.length} files, most in:`,
)
for (const [file, count] of found.slice(0, 5)) console.log(`${String(count).padStart(5)} ${file}`)
