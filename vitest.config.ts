// Four kinds of tests: the shop in one process, its browser journeys, its crashes, and what needs a program of the machine.
import { availableParallelism } from 'node:os'
import { reactRouter } from '@react-router/dev/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// In a project that was not asked for, the plugin's file watchers are never closed, and the run would not end by itself.
const asked = /--project[= ](\S+)/.exec(process.argv.join(' '))?.[1] ?? 'shop'

// Packages are loaded as Node itself does: the form for bundlers, which the plugin asks for, is broken where a package has only tried it with one.
const asNodeLoads: Plugin = {
  name: 'as-node-loads',
  configResolved({ ssr: { resolve } }) {
    if (resolve?.conditions) resolve.conditions = resolve.conditions.filter((condition) => condition !== 'module')
  },
}

const tests = (folders: string) => `${folders}/**/*.test.{ts,tsx}`
/** What asks the database nothing that other tests do not ask it as well: it runs on SQLite alone, unless everything is asked for (npm run test:full). */
const sameOnAnyDatabase = [
  ...['demo/**', 'scripts/**', 'bench/**', 'server/**', 'app/ui/**', 'app/features/{about,seo}/**'],
  ...['app/platform/{files,s3-files,pictures,resize-queue}.server.test.ts', 'app/features/auth/navigation-bar.test.ts'],
  ...['app/features/contact/contact-{guard,letter}.test.ts', 'app/features/print-documents/papers-pdf.test.ts'],
  ...['app/features/csv-import/bad-tables.test.ts', 'app/features/images/uploads.test.ts'],
  // Bytes that are refused before any query, and pages that are kept in front of all of them.
  ...['test/attack-{bodies,moving,tables,ready-pages,web-raw}.test.ts'],
  ...['test/{access-matrix,full-disk,log-silence,moving-command,no-back-door}.test.ts'],
]
/** What only SQLite can do: a backup of a shop on PostgreSQL has no database in it, and query plans are SQLite's. */
const onlySqlite = ['app/features/backups/{bad-archives,restoring}.test.ts', 'app/features/account/delete-account/by-person.test.ts']
/** What only PostgreSQL can do. */
const onlyPostgres = ['app/lib/db/watched-pool.server.test.ts']
/** All of a small machine; more would exhaust the connections of PostgreSQL. Journeys wait a sixth of their time, for the eye or for a clock: one more fills that. */
const maxWorkers = Math.min(4, availableParallelism() + (asked === 'journeys' ? 1 : 0))
/** No test is a stopwatch: a busy machine may take long. */
const patient = { expect: { poll: { timeout: 20_000 } } }
const ofProcesses = {
  ...patient,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  maxConcurrency: 2,
  isolate: false, // what they test are processes of their own; loading the browser's library anew for each file takes half a second
}

export default defineConfig({
  test: {
    retry: 0,
    allowOnly: false,
    maxWorkers,
    projects: [
      {
        plugins: asked === 'shop' ? [reactRouter(), asNodeLoads] : [],
        test: {
          name: 'shop',
          include: [tests('{app,server,db,demo,scripts,bench}'), 'test/*.test.ts'],
          exclude:
            process.env.TEST_DATABASE !== 'postgres'
              ? onlyPostgres
              : process.env.TEST_SIZE === 'full'
                ? onlySqlite
                : [...onlySqlite, ...sameOnAnyDatabase],
          isolate: false, // each test opens a shop of its own; loading the whole shop anew for each file would double the time
          expect: { ...patient.expect, requireAssertions: true },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          setupFiles: ['test/setup.ts'],
          globalSetup: ['test/postgres.ts'],
        },
      },
      // Each file has a shop and a browser of its own.
      {
        test: {
          name: 'journeys',
          include: [tests('test/e2e')],
          globalSetup: ['test/e2e/demo-data.ts'],
          ...ofProcesses,
        },
      },
      { test: { name: 'kill', include: [tests('test/kill')], ...ofProcesses } },
      // Each file needs a program of its name, which a machine may have or not (scripts/test.mjs).
      { test: { name: 'programs', include: [tests('test/programs')], ...ofProcesses } },
    ],
  },
})
