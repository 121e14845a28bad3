// The test projects: `shop` (unit, integration and security tests, which call the shop as one function), `e2e`, `resilience`, and `programs`, which need installed programs.
// The first three share a project, because the type generation of React Router's plugin fails when several projects run it at the same time.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { reactRouter } from '@react-router/dev/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// The plugin's file watchers are closed only in projects that run; in others they would keep the process alive.
const chosen = /--project[= ](\S+)/.exec(process.argv.join(' '))?.[1] ?? 'shop'

// Loads packages as Node does, because some break in the ES module form for bundlers that the plugin prefers.
const asNodeLoads: Plugin = {
  name: 'as-node-loads',
  configResolved({ ssr: { resolve } }) {
    if (resolve?.conditions) resolve.conditions = resolve.conditions.filter((condition) => condition !== 'module')
  },
}

const tests = (folders: string) => `${folders}/**/*.test.{ts,tsx}`
/** On PostgreSQL `npm test` runs `files`, which send every statement of the shop (scripts/statements.mjs), and `npm run test:full` all but `never`, which needs SQLite. */
const { never, files: onPostgres } = JSON.parse(readFileSync('test/postgres-files.json', 'utf8')) as Record<string, string[]>
const isOnPostgres = process.env.TEST_DATABASE === 'postgres'
const isEveryFile = process.env.TEST_FILES === 'all'
/** Tests that need PostgreSQL. */
const onlyPostgres = ['app/lib/db/watched-pool.server.test.ts']
/** All cores of a small machine; more would exhaust the connections of PostgreSQL. E2e tests wait a sixth of their time, which one more worker uses. */
const maxWorkers = Math.min(4, availableParallelism() + (chosen === 'e2e' ? 1 : 0))
/** A busy machine may need long until a polled condition is true. */
const patient = { expect: { poll: { timeout: 20_000 } } }
const ofProcesses = {
  expect: { ...patient.expect, requireAssertions: true },
  testTimeout: 180_000,
  hookTimeout: 180_000,
  maxConcurrency: 2,
  isolate: false, // they test other processes; loading the browser's library for each file would take half a second
}

export default defineConfig({
  test: {
    retry: 0,
    allowOnly: false,
    tags: [{ name: 'core', description: 'an e2e test that npm test runs (docs/testing.md)' }],
    maxWorkers,
    projects: [
      {
        plugins: chosen === 'shop' ? [reactRouter(), asNodeLoads] : [],
        test: {
          name: 'shop',
          include:
            isOnPostgres && !isEveryFile
              ? onPostgres
              : [tests('{app,server,db,demo,scripts,bench}'), ...['integration', 'security'].map((folder) => tests(`test/${folder}`))],
          exclude: isOnPostgres ? never : onlyPostgres,
          isolate: false, // each test opens its own shop; loading the code for each file would double the time
          expect: { ...patient.expect, requireAssertions: true },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          setupFiles: ['test/fixtures/setup.ts'],
          globalSetup: ['test/fixtures/postgres-server.ts'],
        },
      },
      // Each file has its own shop and browser.
      {
        test: {
          name: 'e2e',
          include: [tests('test/e2e')],
          globalSetup: ['test/fixtures/find-chromium.ts', 'test/fixtures/e2e-demo-data.ts'],
          ...ofProcesses,
        },
      },
      { test: { name: 'resilience', include: [tests('test/resilience')], ...ofProcesses } },
      // Each file is named after the program that it needs (scripts/test.mjs).
      { test: { name: 'programs', include: [tests('test/programs')], ...ofProcesses } },
    ],
  },
})
