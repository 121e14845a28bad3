// npm run check: checks types, lint, formatting, the width of comments, and whether each
// requirement has a test title with its id. It also prints how many characters the code and how
// many words the documents have.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportMissing, requirementsIn, withoutComments } from './check-requirements.mjs'
import { characterCounts, wideComments, wordCount } from './check-sizes.mjs'
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

const isCode = (file) => /\.(ts|tsx|mts|mjs|css)$/.test(file)
const texts = files.filter(isCode).map((file) => [file, read(file)])

console.log('\n=== characters without white space, and how many stand on a line of code ===')
for (const { name, characters, perCodeLine } of characterCounts(texts)) {
  console.log(`${name.padEnd(20)} ${String(characters).padStart(9)} ${perCodeLine.toFixed(1)}`)
}

const documents = filesUnder([
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs',
  '.github',
]).filter((file) => file.endsWith('.md'))
console.log('\n=== words of the documents ===')
console.log(`${wordCount(documents.map(read))} in ${documents.length} files`)

console.log('\n=== comments that are wider than 100 columns ===')
const wide = wideComments(texts)
for (const place of wide) console.log(place)
console.log(wide.length)
if (wide.length > 0) process.exitCode = 1

console.log('\n=== requirements which no test names ===')
const tested = files
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => withoutComments(read(file)))
if (reportMissing(requirementsIn(read('docs/requirements.md')), tested) > 0) process.exitCode = 1
