import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#app/platform/env.server.ts'
import { describeStartupError } from '#server/startup-errors.ts'
import { createDatabase, dropDatabase } from './postgres-databases.ts'
import { withStartupLock } from '#server/startup-lock.ts'

/** There is no turn to wait for on SQLite. */
const onPostgres = process.env.TEST_DATABASE === 'postgres' ? test : () => {}

async function emptyDatabase() {
  const name = `turn_${randomBytes(6).toString('hex')}`
  onTestFinished(() => dropDatabase(name))
  return createDatabase(name)
}

/** Somebody who has the turn until told to end. */
async function holding(url: string) {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const done = withStartupLock(url, () => {
    begun.resolve()
    return over.promise
  })
  await Promise.race([begun.promise, done])
  return { end: over.resolve, done }
}

test('043 a file needs no turn', async () => {
  const lines: string[] = []
  expect(await withStartupLock(null, async () => 'opened', lines.push.bind(lines))).toBe('opened')
  expect(lines).toEqual([])
})

test('043 a database that takes the connection and says nothing is not waited for without end, and named', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const url = `postgres://me:hunter2@127.0.0.1:${(silent.address() as AddressInfo).port}/shop`
  const failed = await withStartupLock(url, async () => 'opened', undefined, { connecting: 20 }).catch((error: unknown) => error)
  expect(describeStartupError(failed, readEnv({ DATABASE_URL: url }))).toBe('DATABASE_URL leads to a database that does not answer')
})

onPostgres('043 whoever waits long for a turn says so, goes on waiting, and has it once it is free', async () => {
  const url = await emptyDatabase()
  const first = await holding(url)
  const lines: string[] = []
  const say = (line: string) => {
    lines.push(line)
    first.end('first')
  }
  expect(await withStartupLock(url, async () => 'second', say, { silent: 1 })).toBe('second')
  expect(lines).toEqual([expect.stringMatching(/^Another process of this shop is just starting.* this one waits for it/)])
  expect(await first.done).toBe('first')
  // Nobody waits for nobody.
  const more: string[] = []
  expect(await withStartupLock(url, async () => 'third', more.push.bind(more))).toBe('third')
  expect(more).toEqual([])
})

onPostgres('043 in the end it gives up, says why, and has opened nothing', async () => {
  const url = await emptyDatabase()
  const first = await holding(url)
  let hasOpened = false
  const open = async () => void (hasOpened = true)
  await expect(withStartupLock(url, open, undefined, { waiting: 20 })).rejects.toThrow(/has been starting for too long/)
  expect(hasOpened).toBe(false)
  first.end('first')
  await first.done
})
