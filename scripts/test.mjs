// npm test: runs the checks and tests that every change must pass. It stops at the first step that
// fails (docs/testing.md).
//   npm test -- --only sqlite    runs only this step (the names of the steps are below)
//   npm test -- app/features     runs the tests on SQLite whose path contains this text
//   npm run test:full            runs what npm test leaves out: long fuzz runs, the other e2e
//   tests, and the tests that kill processes or cause faults. npm test runs before them, unless it
//   has passed with the same files.
//   npm run test:nightly         runs everything four times as often, and all tests on PostgreSQL
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { checkAdvisories } from './advisories.mjs'
import { build } from './build.mjs'
import { reportMissing, requirementsIn } from './check-requirements.mjs'
import { filesUnder } from './files.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { hashOfFiles, hasPassed, rememberPassed } from './passed-files.mjs'
import { environment, giveUp, leaveWithNpm, root, run } from './run.mjs'
import { chooseTests, FUZZ_TESTS, reportStatements } from './statements.mjs'
import { counts, countTests, passedTitles, runTests } from './test-step.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)

const { only, filters, mode, isBeside } = readArguments(process.argv.slice(2))
const env = environment(bin, {
  NODE_COMPILE_CACHE: join(root, '.cache', 'compiled-tests'),
})
const tests = (step, options) => runTests(step, { env, ...options })
const longEnv = { ...env, TEST_SIZE: mode === 'nightly' ? 'nightly' : 'full' }
const longTests = (step, options) => runTests(step, { env: longEnv, ...options })

const everyTestOnPostgres = { project: 'shop', database: 'postgres', isEveryTest: true }
const quick = {
  check: () => run('node', ['scripts/check.mjs'], env),
  sqlite: () => tests('sqlite', { project: 'shop', files: filters }),
  postgres: () => {
    chooseTests()
    return tests('postgres', { project: 'shop', database: 'postgres' })
  },
  statements: async () => Math.min(1, reportStatements()),
  build: () => build(bin).then(() => 0),
  e2e: () => tests('e2e', { project: 'e2e', tags: 'core' }),
  requirements: async () => {
    const requirements = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
    return Math.min(1, reportMissing(requirementsIn(requirements), passedTitles))
  },
}
const rest = {
  fuzz: () => longTests('fuzz', { project: 'shop', files: testsThatVaryInSize() }),
  'fuzz-postgres': () => longTests('fuzz-postgres', { ...everyTestOnPostgres, files: FUZZ_TESTS }),
  build: quick.build,
  'e2e-rest': () => longTests('e2e-rest', { project: 'e2e', tags: '!core' }),
  resilience: () => longTests('resilience', { project: 'resilience' }),
  programs: testWithPrograms,
  advisories: async () => checkAdvisories(bin),
}
const nightly = {
  ...quick,
  'postgres-all': () => tests('postgres-all', everyTestOnPostgres),
  ...rest,
}
/** These steps run in another process beside a slower step, which waits now and then. */
const beside = { e2e: ['check'], 'e2e-rest': ['programs', 'advisories'] }

if (only && !nightly[only]) giveUp(`--only wants one of: ${Object.keys(nightly).join(', ')}`)
if (only === 'requirements') giveUp('requirements are compared with the tests of a whole run')

const begun = performance.now()
process.exitCode = await (only ? runStep(only) : runSteps())
// A step also fails if it has no tests, or if it fails before its tests start.
if (process.exitCode !== 0 && counts.failed === 0) counts.failed = 1
if (!isBeside) {
  console.log(`\n${secondsSince(begun)} s in all`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
}

async function runSteps() {
  const hash = hashOfFiles()
  const names = stepsOf(hash)
  const isBesideOthers = (name) => Object.values(beside).flat().includes(name)
  for (const name of names.filter((step) => !isBesideOthers(step))) {
    const others = (beside[name] ?? []).map(runBeside)
    const codes = [await runStep(name)]
    for (const { code, output } of await Promise.all(others)) {
      console.log(output)
      codes.push(code)
    }
    const failure = codes.find((code) => code !== 0)
    if (failure !== undefined) return failure
    if (name === 'requirements') rememberPassed(hash)
  }
  return 0
}

function stepsOf(hash) {
  if (mode === 'quick') return Object.keys(quick)
  if (mode === 'nightly') return Object.keys(nightly)
  if (!hasPassed(hash)) return [...new Set([...Object.keys(quick), ...Object.keys(rest)])]
  console.log('npm test has passed with these files, so its steps are not repeated.')
  return Object.keys(rest)
}

async function runStep(name) {
  console.log(`\n=== ${name} ===`)
  const stepBegun = performance.now()
  const code = await nightly[name]()
  const verdict = code === 0 ? 'passed' : 'FAILED'
  console.log(`=== ${name}: ${verdict} in ${secondsSince(stepBegun)} s ===`)
  return code
}

async function runBeside(name) {
  const script = fileURLToPath(import.meta.url)
  const args = [script, `--${mode}`, '--beside', '--only', name]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  countTests(name)
  return { code, output: output + errors }
}

function secondsSince(time) {
  return ((performance.now() - time) / 1000).toFixed(1)
}

function testsThatVaryInSize() {
  const folders = ['app', 'server', 'db', 'demo', 'test/integration', 'test/security']
  const isLonger = (file) => readFileSync(join(root, file), 'utf8').includes('fixtures/size.ts')
  return filesUnder(folders).filter((file) => /\.test\.tsx?$/.test(file) && isLonger(file))
}

async function testWithPrograms() {
  const folders = [...process.env.PATH.split(delimiter), '/usr/sbin', '/sbin']
  const files = readdirSync(join(root, 'test/programs')).filter((file) => file.endsWith('.test.ts'))
  const programsOf = (file) => basename(file, '.test.ts').split('+')
  const isMissing = (program) => !folders.some((folder) => existsSync(join(folder, program)))
  const isInstalled = (file) => !programsOf(file).some(isMissing)
  const present = files.filter(isInstalled).map((file) => `test/programs/${file}`)
  const missing = [...new Set(files.flatMap(programsOf))].filter(isMissing)
  if (missing.length > 0) {
    console.log(`not run here, because these programs are not installed: ${missing.join(', ')}`)
  }
  return present.length === 0 ? 0 : longTests('programs', { project: 'programs', files: present })
}

function readArguments(all) {
  const flags = ['--quick', '--full', '--nightly', '--beside']
  const given = all.filter((argument) => !flags.includes(argument))
  const at = given.indexOf('--only')
  const [, step] = at < 0 ? [] : given.splice(at, 2)
  return {
    only: at < 0 && given.length > 0 ? 'sqlite' : (step ?? (at < 0 ? undefined : 'none')),
    filters: given,
    mode: ['nightly', 'full'].find((name) => all.includes(`--${name}`)) ?? 'quick',
    isBeside: all.includes('--beside'),
  }
}
