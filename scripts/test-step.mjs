// Runs the test runner once for a step of scripts/test.mjs, and reads its JSON report.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, run } from './run.mjs'
import { readChosenTests } from './statements.mjs'

export const resultsFolder = join(root, '.cache', 'tests')
export const lastRun = join(root, 'test', 'last-run.json')
/** A step fails if it runs fewer tests than this part of the last recorded run. */
const LEAST_PART = 0.95

export const counts = { passed: 0, failed: 0 }
export const passedTitles = []

const resultsOf = (step) => join(resultsFolder, `${step}.json`)

export function readTests(step) {
  if (!existsSync(resultsOf(step))) return []
  const { testResults } = JSON.parse(readFileSync(resultsOf(step), 'utf8'))
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({
      ...test,
      file: relative(root, name),
      fullName: [...test.ancestorTitles, test.title].join(' > '),
    })),
  )
}

export function countTests(step) {
  const tests = readTests(step)
  const passed = tests.filter(({ status }) => status === 'passed')
  counts.passed += passed.length
  counts.failed += tests.filter(({ status }) => status === 'failed').length
  passedTitles.push(...passed.map(({ title }) => title))
  return tests
}

/** The step fails if a test is skipped, or if there are too few tests. */
export async function runTests(
  step,
  { env, project, database = 'sqlite', isEveryTest = false, tags, files = [] },
) {
  mkdirSync(resultsFolder, { recursive: true })
  rmSync(resultsOf(step), { force: true })
  if (files.length === 0 && project === 'shop') {
    const statements = join(resultsFolder, `statements-${database}`)
    rmSync(statements, { recursive: true, force: true })
  }
  const tagsFilter = tags ? [`--tags-filter=${tags}`] : []
  const reporters = ['--reporter=default', '--reporter=json']
  const output = `--outputFile.json=${resultsOf(step)}`
  const args = ['run', '--project', project, ...tagsFilter, ...reporters, output, ...files]
  const code = await run('vitest', args, {
    ...env,
    TEST_STEP: step,
    TEST_DATABASE: database,
    ...(isEveryTest && { TEST_FILES: 'all' }),
  })
  const tests = countTests(step)
  if (tests.length === 0) console.error(`${step}: the test runner wrote no results`)
  if (code !== 0 || tests.length === 0) return code || 1
  return reportSkipped(step, tests, tags) + reportTooFew(step, tests, files) > 0 ? 1 : 0
}

/** The test runner also reports tests as skipped that were not chosen. They do not count here. */
function reportSkipped(step, tests, tags) {
  const chosen = step === 'postgres' ? readChosenTests() : undefined
  const isChosen = ({ file, fullName, tags: tagsOfTest }) =>
    chosen
      ? chosen[file].includes(fullName)
      : tags === undefined || tagsOfTest.includes('core') === (tags === 'core')
  const skipped = tests.filter((test) => test.status !== 'passed' && isChosen(test))
  for (const { title } of skipped) console.error(`${step}: skipped: ${title}`)
  return skipped.length
}

function reportTooFew(step, tests, files) {
  const least = Math.ceil(leastTestsOf(step))
  const passed = tests.filter(({ status }) => status === 'passed').length
  if (files.length > 0 || passed >= least) return 0
  console.error(`${step}: only ${passed} tests ran, at least ${least} are expected`)
  return 1
}

function leastTestsOf(step) {
  if (step === 'postgres') return Object.values(readChosenTests()).flat().length
  return (JSON.parse(readFileSync(lastRun, 'utf8'))[step]?.passed ?? 0) * LEAST_PART
}
