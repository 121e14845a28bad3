// npm test: runs the checks and tests that every change must pass. It stops at the first step that fails (docs/testing.md).
//   npm test -- --only sqlite    runs only this step (the names of the steps are below)
//   npm test -- app/features     runs the tests on SQLite whose path contains this text
//   npm run test:full            runs what npm test leaves out: all tests on both databases, long fuzz runs, the other e2e tests, and all tests that kill processes or cause faults
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { checkAdvisories } from './advisories.mjs'
import { build } from './build.mjs'
import { reportMissing, requirementsIn } from './check-requirements.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, giveUp, leaveWithNpm, root, run } from './run.mjs'
import { reportStatements } from './statements.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)

const tool = (name, ...args) => run(name, args, environment(bin))
const counts = { passed: 0, failed: 0 }
/** Each step must run at least this many tests. A smaller number means that some test files were not found. */
const leastTests = {
  sqlite: 1700,
  postgres: 500,
  e2e: 40,
  'sqlite-full': 1700,
  'postgres-full': 1650,
  'e2e-rest': 140,
  resilience: 20,
}
/** The titles of all tests that passed. */
const titles = []

const quick = {
  // This step checks types, lint, format and line counts.
  check: () => tool('node', 'scripts/check.mjs'),
  sqlite: (filters) => vitest('sqlite', { projects: ['shop'], files: filters }),
  postgres: () => vitest('postgres', { projects: ['shop'], database: 'postgres' }),
  statements: async () => Math.min(1, reportStatements()),
  build: () => build(bin).then(() => 0),
  e2e: () => vitest('e2e', { projects: ['e2e'], tags: 'core' }),
  requirements: async () =>
    Math.min(
      1,
      reportMissing(
        requirementsIn(readFileSync(join(root, 'docs/requirements.md'), 'utf8')),
        titles,
      ),
    ),
}
const full = {
  'sqlite-full': () => vitest('sqlite-full', { projects: ['shop'], isLong: true }),
  'postgres-full': () =>
    vitest('postgres-full', { projects: ['shop'], database: 'postgres', isEveryFile: true }),
  build: quick.build,
  'e2e-rest': () => vitest('e2e-rest', { projects: ['e2e'], tags: '!core', isLong: true }),
  resilience: () => vitest('resilience', { projects: ['resilience'], isLong: true }),
  programs: () => testWithPrograms(),
  advisories: async () => checkAdvisories(bin),
}

const { only, filters, isFull } = readArguments(process.argv.slice(2))
const steps = isFull ? full : quick
const chosen = only ?? (filters.length > 0 ? 'sqlite' : undefined)
if (chosen === 'requirements') giveUp('requirements are compared with the tests of a whole run')

const begun = performance.now()
for (const name of chosen ? [chosen] : Object.keys(steps)) {
  console.log(`\n=== ${name} ===`)
  const stepBegun = performance.now()
  const code = await { ...full, ...quick }[name](filters)
  console.log(
    `=== ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${secondsSince(stepBegun)} s ===`,
  )
  if (code === 0) continue
  if (counts.failed === 0) counts.failed = 1 // A step also fails if it has no tests, or if it fails before its tests start.
  process.exitCode = code
  break
}
console.log(`\n${secondsSince(begun)} s in all`)
console.log(`${counts.passed} passed, ${counts.failed} failed`)

function secondsSince(time) {
  return ((performance.now() - time) / 1000).toFixed(1)
}

/** Runs the test files in test/programs whose programs are installed on this machine. */
async function testWithPrograms() {
  const folders = [...process.env.PATH.split(delimiter), '/usr/sbin', '/sbin']
  const files = readdirSync(join(root, 'test/programs')).filter((file) => file.endsWith('.test.ts'))
  const programsOf = (file) => basename(file, '.test.ts').split('+')
  const isMissing = (program) => !folders.some((folder) => existsSync(join(folder, program)))
  const isInstalled = (file) => !programsOf(file).some(isMissing)
  const present = files.filter(isInstalled).map((file) => `test/programs/${file}`)
  const code =
    present.length === 0 ? 0 : await vitest('programs', { projects: ['programs'], files: present })
  const missing = [...new Set(files.flatMap(programsOf))].filter(isMissing)
  if (missing.length > 0)
    console.log(`not run here, because these programs are not installed: ${missing.join(', ')}`)
  return code
}

/** Runs the test runner once and reads its JSON report. The step fails if a test is skipped, or if there are too few tests. */
async function vitest(
  step,
  { projects, database = 'sqlite', tags, isLong = false, isEveryFile = false, files = [] },
) {
  const results = join(root, '.cache', 'tests', `${step}.json`)
  mkdirSync(join(root, '.cache', 'tests'), { recursive: true })
  rmSync(results, { force: true })
  if (files.length === 0 && projects.includes('shop'))
    rmSync(join(root, '.cache', 'tests', `statements-${database}`), {
      recursive: true,
      force: true,
    })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const code = await run(
    'vitest',
    [
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...(tags ? [`--tags-filter=${tags}`] : []),
      ...reporters,
      ...files,
    ],
    environment(bin, {
      TEST_DATABASE: database,
      ...(isLong && { TEST_SIZE: 'full' }),
      ...(isEveryFile && { TEST_FILES: 'all' }),
    }),
  )
  try {
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'))
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    const passed = tests.filter(({ status }) => status === 'passed')
    counts.passed += passed.length
    counts.failed += tests.filter(({ status }) => status === 'failed').length
    titles.push(...passed.map(({ title }) => title))
    if (code !== 0) return code
    // The test runner also reports tests without the chosen tag as "skipped". They are not counted here.
    const isChosen = (test) =>
      tags === undefined || test.tags.includes('core') === (tags === 'core')
    const skipped = tests.filter((test) => test.status !== 'passed' && isChosen(test)).length
    if (skipped > 0) console.error(`${step}: ${skipped} tests were skipped`)
    const isTooFew = passed.length < leastTests[step] && files.length === 0
    if (isTooFew)
      console.error(
        `${step}: only ${passed.length} tests ran, at least ${leastTests[step]} are expected`,
      )
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
  if (!quick[only] && !full[only])
    giveUp(`--only wants one of: ${Object.keys({ ...quick, ...full }).join(', ')}`)
  return { only, filters: given, isFull }
}
