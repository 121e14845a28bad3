// node scripts/test-times.mjs: prints the slowest test files of each step of the last `npm test`, with their seconds.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { root } from './run.mjs'

const SLOWEST = 15

const folder = join(root, '.cache', 'tests')
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .toSorted()) {
  const { testResults } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const times = testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    name: relative(root, name),
    tests: assertionResults.length,
    seconds: (endTime - startTime) / 1000,
  }))
  const sum = times.reduce((all, { seconds }) => all + seconds, 0)
  console.log(
    `\n${basename(file, '.json')}: ${times.length} files, ${sum.toFixed(0)} s of all workers together`,
  )
  for (const { name, tests, seconds } of times
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST))
    console.log(
      `${seconds.toFixed(1).padStart(6)}  ${name} (${tests} ${tests === 1 ? 'test' : 'tests'})`,
    )
}
