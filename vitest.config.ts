// Defines the test projects: `shop` (unit, integration and security tests, which call the shop as
// one function), `e2e`, `resilience`, and `programs` (tests that need installed programs).
// Unit, integration and security tests share a project, because the type generation of React
// Router's plugin fails if several projects run it at the same time.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The test project that the command line chooses. The project `shop` gets React Router's plugin
// only if the command line chooses this project.
// Otherwise, the file watchers of the plugin would never close, and the process would not end.
const chosen = /--project[= ](\S+)/.exec(process.argv.join(' '))?.[1] ?? 'shop'

// Makes tests load packages as Node does. React Router's plugin prefers the ES modules for
// bundlers, in which some packages fail.
const asNodeLoads: Plugin = {
  name: 'as-node-loads',
  configResolved({ ssr: { resolve } }) {
    if (resolve?.conditions) {
      resolve.conditions = resolve.conditions.filter((condition) => condition !== 'module')
    }
  },
}

const tests = (folders: string) => `${folders}/**/*.test.{ts,tsx}`
/** These files need SQLite. */
const { never } = JSON.parse(readFileSync('test/postgres-files.json', 'utf8')) as {
  never: string[]
}
const isOnPostgres = process.env.TEST_DATABASE === 'postgres'
/**
 * On PostgreSQL, `npm test` runs only these tests, which together send every SQL statement of the
 * shop (scripts/statements.mjs). With TEST_FILES=all, all tests run.
 */
const onPostgres =
  isOnPostgres && process.env.TEST_FILES !== 'all'
    ? (JSON.parse(readFileSync('.cache/tests/postgres-tests.json', 'utf8')) as TestsByFile)
    : undefined
type TestsByFile = Record<string, string[]>

/** The files that took longest in the last recorded run of the step (scripts/test-times.mjs). */
const lastRun = JSON.parse(readFileSync('test/last-run.json', 'utf8')) as LastRun
const slowest = lastRun[process.env.TEST_STEP ?? '']?.slowest ?? []
type LastRun = Record<string, { slowest: string[] }>

/** Begins with the slowest files, so that no worker ends late, and runs only `onPostgres`. */
class Sequencer extends BaseSequencer {
  override async sort(specifications: TestSpecification[]) {
    const sorted = await super.sort(specifications)
    const pathOf = ({ moduleId }: TestSpecification) => relative(import.meta.dirname, moduleId)
    const rankOf = (specification: TestSpecification) =>
      slowest.includes(pathOf(specification))
        ? slowest.indexOf(pathOf(specification))
        : slowest.length
    const ranked = sorted.toSorted((left, right) => rankOf(left) - rankOf(right))
    if (!onPostgres) return ranked
    return ranked.map((specification) => {
      const testNames = onPostgres[pathOf(specification)]
      return specification.project.createSpecification(specification.moduleId, { testNames })
    })
  }
}
/** These tests need PostgreSQL. */
const onlyPostgres = ['app/lib/db/watched-pool.server.test.ts']
/**
 * At most four workers run, because more would exhaust the connections of PostgreSQL. E2e tests get
 * one more worker, because they wait for a sixth of their time.
 */
const maxWorkers = Math.min(4, availableParallelism() + (chosen === 'e2e' ? 1 : 0))
/** Polling has a long timeout, because on a busy machine a condition may become true late. */
const patient = { expect: { poll: { timeout: 60_000 } } }
const ofProcesses = {
  expect: { ...patient.expect, requireAssertions: true },
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxConcurrency: 2,
  // Isolation is not needed, because these files test other processes, and loading the browser's
  // library for each file would take half a second.
  isolate: false,
}

export default defineConfig({
  test: {
    retry: 0,
    allowOnly: false,
    tags: [
      { name: 'core', description: 'an e2e test that npm test runs (docs/testing.md)' },
      { name: 'random', description: 'a test that sends other SQL statements in each run' },
    ],
    maxWorkers,
    sequence: { sequencer: Sequencer },
    projects: [
      {
        plugins: chosen === 'shop' ? [reactRouter(), asNodeLoads] : [],
        test: {
          name: 'shop',
          include: onPostgres
            ? Object.keys(onPostgres)
            : [
                tests('{app,server,db,demo,scripts,bench}'),
                ...['integration', 'security'].map((folder) => tests(`test/${folder}`)),
              ],
          exclude: isOnPostgres ? never : onlyPostgres,
          // Isolation is not needed, because each test opens its own shop. Loading the code for
          // each file would double the time.
          isolate: false,
          // Rendering pages creates much garbage that dies at once.
          execArgv: ['--max-semi-space-size=64'],
          expect: { ...patient.expect, requireAssertions: true },
          testTimeout: 180_000,
          hookTimeout: 180_000,
          setupFiles: ['test/fixtures/setup.ts'],
          globalSetup: ['test/fixtures/postgres-server.ts'],
        },
      },
      // Each e2e test file has its own shop and browser.
      {
        test: {
          name: 'e2e',
          include: [tests('test/e2e')],
          globalSetup: ['test/fixtures/find-chromium.ts', 'test/fixtures/e2e-demo-data.ts'],
          ...ofProcesses,
        },
      },
      { test: { name: 'resilience', include: [tests('test/resilience')], ...ofProcesses } },
      // Each file in test/programs is named after the programs that it needs (scripts/test.mjs).
      { test: { name: 'programs', include: [tests('test/programs')], ...ofProcesses } },
    ],
  },
})
