// Three kinds of tests: the shop in one process, its browser journeys, and its crashes.
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vitest/config'

const tests = (folders: string) => `${folders}/**/*.test.{ts,tsx}`
const ofProcesses = { fileParallelism: false, testTimeout: 60_000, hookTimeout: 180_000 }

export default defineConfig({
  test: {
    retry: 0,
    projects: [
      {
        plugins: [reactRouter()],
        test: {
          name: 'shop',
          include: [tests('{app,server,db,demo,scripts,bench}'), 'test/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          globalSetup: ['test/postgres.ts'],
        },
      },
      { test: { name: 'journeys', include: [tests('test/e2e')], ...ofProcesses } },
      { test: { name: 'kill', include: [tests('test/kill')], ...ofProcesses } },
    ],
  },
})
