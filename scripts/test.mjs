// npm test: everything that must hold, step by step, stopping at the first that does not.
//   npm test -- --only shop      one step (their names are below)
//   npm test -- app/features     the shop's tests on SQLite whose path contains this
//   npm run test:full            the same with every fault as often as docs/reliability.md says, and the shop's tests on both databases, but for what could only be the same
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { build } from './build.mjs'
import { reportMissing, requirementsIn } from './check-requirements.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, giveUp, leaveWithNpm, root, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)

const tool = (name, ...args) => run(name, args, environment(bin))
const counts = { passed: 0, failed: 0 }
/** Fewer would mean that files have not been found. */
const leastTests = { shop: 1850, postgres: 1400, journeys: 220, programs: 0 }
const missingPrograms = []
/** of the tests that passed */
const titles = []

const steps = {
  // Types, lint, format, line counts.
  check: () => tool('node', 'scripts/check.mjs'),
  shop: (filters) => vitest('shop', ['shop'], { TEST_DATABASE: 'sqlite' }, filters),
  postgres: () => vitest('postgres', ['shop'], { TEST_DATABASE: 'postgres' }),
  build: () => build(bin).then(() => 0),
  // Crashes fill the pauses of the journeys.
  journeys: () => vitest('journeys', ['journeys', 'kill']),
  programs: () => testWithPrograms(),
  requirements: () => Math.min(1, reportMissing(requirementsIn(readFileSync(join(root, 'docs/requirements.md'), 'utf8')), titles)),
}

const { only, filters, isFull } = readArguments(process.argv.slice(2))
if (isFull) process.env.TEST_SIZE = 'full'
const chosen = only ?? (filters.length > 0 ? 'shop' : undefined)
const names = chosen ? [chosen] : Object.keys(steps)
if (chosen === 'requirements') giveUp('requirements are compared with the tests of a whole run')

for (const name of names) {
  console.log(`\n=== ${name} ===`)
  const begun = performance.now()
  const code = await steps[name](filters)
  console.log(`=== ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - begun) / 1000).toFixed(1)} s ===`)
  if (code === 0) continue
  if (counts.failed === 0) counts.failed = 1 // a step without tests of its own, or one that broke before its tests began
  process.exitCode = code
  break
}
const notRun = missingPrograms.length > 0 ? `; not run here, because the program is not installed: ${missingPrograms.join(', ')}` : ''
console.log(`\n${counts.passed} passed, ${counts.failed} failed${notRun}`)

/** The files of test/programs whose program this machine has. */
async function testWithPrograms() {
  const folders = [...process.env.PATH.split(delimiter), '/usr/sbin', '/sbin']
  const files = readdirSync(join(root, 'test/programs')).filter((file) => file.endsWith('.test.ts'))
  const isInstalled = (file) => folders.some((folder) => existsSync(join(folder, basename(file, '.test.ts'))))
  missingPrograms.push(...files.filter((file) => !isInstalled(file)).map((file) => basename(file, '.test.ts')))
  const present = files.filter(isInstalled).map((file) => `test/programs/${file}`)
  return present.length === 0 ? 0 : vitest('programs', ['programs'], {}, present)
}

/** One run of the test runner; its JSON file is read for the numbers. A skipped test, or too few tests, fail the step. */
async function vitest(step, projects, env = {}, more = []) {
  const results = join(root, '.cache', 'tests', `${step}.json`)
  mkdirSync(join(root, '.cache', 'tests'), { recursive: true })
  rmSync(results, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const code = await run(
    'vitest',
    ['run', ...projects.flatMap((project) => ['--project', project]), ...reporters, ...more],
    environment(bin, env),
  )
  try {
    const { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(results, 'utf8'))
    counts.passed += numPassedTests
    counts.failed += numFailedTests
    titles.push(
      ...testResults.flatMap((file) => file.assertionResults.filter(({ status }) => status === 'passed').map(({ title }) => title)),
    )
    if (code !== 0) return code
    const skipped = numPendingTests + numTodoTests
    if (skipped > 0) console.error(`${step}: ${skipped} tests were skipped`)
    const isTooFew = numPassedTests < leastTests[step] && more.length === 0
    if (isTooFew) console.error(`${step}: only ${numPassedTests} tests ran, at least ${leastTests[step]} are expected`)
    return skipped > 0 || isTooFew ? 1 : 0
  } catch {
    console.error(`${step}: the test runner wrote no results`)
    return code || 1
  }
}

function readArguments(all) {
  const given = all.filter((argument) => argument !== '--full')
  const isFull = given.length < all.length
  const at = given.indexOf('--only')
  if (at < 0) return { filters: given, isFull }
  const [, only] = given.splice(at, 2)
  if (!steps[only]) giveUp(`--only wants one of: ${Object.keys(steps).join(', ')}`)
  return { only, filters: given, isFull }
}
