import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#lib/config/env.server.ts'
import { describeStartupError } from '#server/startup-errors.ts'
import { createEmptyDatabase, onPostgres } from '#test/fixtures/database.ts'
import { withStartupLock } from '#server/startup-lock.ts'

/** Holds the startup lock until the test calls `end`. */
async function holdLock(url: string) {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const done = withStartupLock(url, () => {
    begun.resolve()
    return over.promise
  })
  await Promise.race([begun.promise, done])
  return { end: over.resolve, done }
}

test('a process on SQLite starts immediately, because SQLite needs no startup lock', async () => {
  const lines: string[] = []
  expect(await withStartupLock(null, async () => 'opened', lines.push.bind(lines))).toBe('opened')
  expect(lines).toEqual([])
})

test('when the database accepts the connection but never responds, the process refuses to start and names DATABASE_URL', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const url = `postgres://me:hunter2@127.0.0.1:${(silent.address() as AddressInfo).port}/shop`
  const failed = await withStartupLock(url, async () => 'opened', undefined, {
    connecting: 20,
  }).catch((error: unknown) => error)
  expect(describeStartupError(failed, readEnv({ DATABASE_URL: url }))).toBe(
    'DATABASE_URL names a database that does not respond',
  )
})

onPostgres(
  'a process that waits long for the startup lock prints a message, and starts when the lock is released',
  async () => {
    const url = await createEmptyDatabase()
    const first = await holdLock(url)
    const lines: string[] = []
    const say = (line: string) => {
      lines.push(line)
      first.end('first')
    }
    expect(await withStartupLock(url, async () => 'second', say, { silent: 1 })).toBe('second')
    expect(lines).toEqual([
      expect.stringMatching(
        /^Another process of this shop is just starting.* this one waits for it/,
      ),
    ])
    expect(await first.done).toBe('first')
  },
)

onPostgres(
  'a process that waits too long for the startup lock gives up, prints the reason and opens no port',
  async () => {
    const url = await createEmptyDatabase()
    const first = await holdLock(url)
    let hasOpened = false
    const open = async () => void (hasOpened = true)
    await expect(withStartupLock(url, open, undefined, { waiting: 20 })).rejects.toThrow(
      /has been starting for too long/,
    )
    expect(hasOpened).toBe(false)
    first.end('first')
    await first.done
  },
)
