// node scripts/test-times.mjs: prints the slowest test files of each step of the last run, with
// their seconds.
//   node scripts/test-times.mjs --save   also writes test/last-run.json: how many tests passed in
// each step, because a later run with clearly fewer tests fails, and which files took longest,
// because a later run begins with these.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { root } from './run.mjs'
import { lastRun, readTests, resultsFolder } from './test-step.mjs'

const SLOWEST = 15

const steps = readdirSync(resultsFolder)
  .filter((name) => name.endsWith('.json') && name !== 'postgres-tests.json')
  .map((name) => basename(name, '.json'))
const slowestByStep = Object.fromEntries(steps.map((step) => [step, slowestOf(step)]))
for (const step of steps) print(step)
if (process.argv.includes('--save')) save()

function slowestOf(step) {
  const { testResults } = JSON.parse(readFileSync(join(resultsFolder, `${step}.json`), 'utf8'))
  const files = testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    name: relative(root, name),
    tests: assertionResults.filter(({ status }) => status === 'passed').length,
    seconds: (endTime - startTime) / 1000,
  }))
  return files.toSorted((left, right) => right.seconds - left.seconds).slice(0, SLOWEST)
}

function print(step) {
  console.log(`\n${step}`)
  for (const { name, tests, seconds } of slowestByStep[step]) {
    console.log(
      `${seconds.toFixed(1).padStart(6)}  ${name} (${tests} ${tests === 1 ? 'test' : 'tests'})`,
    )
  }
}

function save() {
  const saved = JSON.parse(readFileSync(lastRun, 'utf8'))
  for (const step of steps) {
    const passed = readTests(step).filter(({ status }) => status === 'passed').length
    const slowest = slowestByStep[step].filter(({ tests }) => tests > 0).map(({ name }) => name)
    saved[step] = { passed, slowest }
  }
  writeFileSync(lastRun, `${JSON.stringify(saved, null, 2)}\n`)
}
