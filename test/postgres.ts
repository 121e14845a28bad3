// Gives the tests a PostgreSQL of their own when TEST_DATABASE=postgres; `inject('postgresUrl')` is its address.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function openPostgres({ provide }: TestProject) {
  if (process.env.TEST_DATABASE !== 'postgres') return
  const program = fileURLToPath(new URL('postgres-keeper.ts', import.meta.url))
  const keeper = spawn(process.execPath, [program, '--in-memory'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(keeper, 'close')
  const [url] = await Promise.race([once(createInterface(keeper.stdout), 'line'), ended.then(() => [])])
  if (typeof url !== 'string') throw new Error('PostgreSQL could not be started for the tests, see above')
  provide('postgresUrl', url)
  return async () => {
    keeper.stdin.end()
    await ended
  }
}
