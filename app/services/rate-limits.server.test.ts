import { expect, onTestFinished, test, vi } from 'vitest'
import { openTestDatabase } from '#test/fixtures/database.ts'
import type { RequestInfo } from './context.ts'
import {
  attemptsFor,
  createMemoryCounters,
  createPostgresCounters,
  createRateLimits,
  tooManyRequests,
  tooManyTries,
  waitText,
} from './rate-limits.server.ts'

const address = '203.0.113.5'

test('counts attempts by IP address and by account; attempts from a blocked address do not count for the account [S-237]', async () => {
  const limits = createRateLimits(true)
  // The limit is five emails per hour for one account, and thirty emails per hour for one IP
  // address.
  for (let tries = 0; tries < 5; tries++) {
    expect(await limits.secondsToWait('reset', { address, account: 'Ann@mail.test' })).toBe(0)
  }
  expect(
    await limits.secondsToWait('reset', { address, account: 'ann@MAIL.test' }),
  ).toBeGreaterThan(3590)
  expect(
    await limits.secondsToWait('reset', { address: '203.0.113.6', account: 'ann@mail.test' }),
  ).toBeGreaterThan(3590)
  for (let tries = 5; tries < 30; tries++) {
    expect(await limits.secondsToWait('reset', { address, account: `${tries}` })).toBe(0)
  }
  for (let tries = 0; tries < 10; tries++) {
    expect(
      await limits.secondsToWait('reset', { address, account: 'bea@mail.test' }),
    ).toBeGreaterThan(0)
  }
  for (let tries = 0; tries < 5; tries++) {
    expect(
      await limits.secondsToWait('reset', { address: '203.0.113.7', account: 'bea@mail.test' }),
    ).toBe(0)
  }
  // A blocked account does not block other accounts at the same IP address.
  for (let tries = 0; tries < 100; tries++) {
    await limits.secondsToWait('reauthentication', { address, account: 'eve' })
  }
  expect(await limits.secondsToWait('reauthentication', { address, account: 'bea' })).toBe(0)
  expect(await limits.secondsToWait('verify', { address, account: 'ann@mail.test' })).toBe(0)
})

test('a blocked client may try again at the stated time, even if the client has tried during the wait [S-237]', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const limits = createRateLimits(true)
  const who = { account: 'ann' }
  for (let tries = 0; tries < 30; tries++) {
    expect(await limits.secondsToWait('request', who)).toBe(0)
  }
  const waits: number[] = []
  for (let at = 0; at < 3; at++) {
    waits.push(await limits.secondsToWait('request', who))
    vi.advanceTimersByTime(19_500)
  }
  expect(waits).toEqual([60, 41, 21])
  vi.advanceTimersByTime(1500)
  expect(await limits.secondsToWait('request', who)).toBe(0)
})

test('when the memory for counters is full, a client that keeps trying is still refused [S-237]', async () => {
  const limits = createRateLimits(true)
  const counters = createMemoryCounters({ keyPrefix: 'x', points: 3, duration: 600 })
  const stays = () =>
    counters.consume('stubborn').then(
      () => 'in',
      () => 'out',
    )
  await counters.consume('quiet')
  for (let key = 0; key < 10_100; key++) {
    await counters.consume(`key-${key}`)
    if (key % 1000 === 0) await stays()
  }
  expect(await stays()).toBe('out')
  for (let tries = 0; tries < 3; tries++) await counters.consume('quiet')
  const off = createRateLimits(false)
  for (let tries = 0; tries < 200; tries++) {
    expect(await off.secondsToWait('contact', { address, account: 'ann' })).toBe(0)
  }
  expect(await limits.allow('contact', { address })).toBe(true)
})

test('the time that a refused user must wait is rounded up, so that her next attempt is allowed [S-237]', () => {
  const words = [
    'a second',
    '49 seconds',
    'a minute',
    '2 minutes',
    '59 minutes',
    'an hour',
    '2 hours',
  ]
  expect([0, 49, 50, 61, 3540, 3541, 3601].map(waitText)).toEqual(words)
  const page = {} as RequestInfo
  expect(tooManyRequests(page, 170)).toEqual({
    ok: false,
    status: 429,
    error: 'Too many tries. Please wait 3 minutes and try again.',
  })
  expect(page.retryAfter).toBe(170)
  expect(tooManyRequests({ retryAfter: 3600 } as RequestInfo).error).toBe(tooManyTries(3600))
})

/**
 * Opens the rate limits of two processes. On SQLite, both values are the same object, because there
 * is only one process.
 */
async function openTwo() {
  const database = await openTestDatabase()
  onTestFinished(database.close)
  const open = () => createRateLimits(true, database.pool && createPostgresCounters(database.pool))
  const first = open()
  return { ...database, limits: [first, database.pool ? open() : first] as const }
}

test('all processes count attempts together, and one process can give back an attempt that another process counted [S-238, S-261]', async () => {
  const { limits } = await openTwo()
  const who = { account: 'Ann@mail.test', address }
  const tries = await Promise.all(
    Array.from({ length: 8 }, (_, at) => limits[at % 2]!.secondsToWait('reset', who)),
  )
  expect(tries.filter((seconds) => seconds === 0)).toHaveLength(5)
  for (const one of limits) {
    expect(await one.secondsToWait('reset', { account: 'ann@mail.test', address })).toBeGreaterThan(
      3500,
    )
  }

  for (let at = 0; at < 40; at++) {
    expect(await limits[at % 2]!.secondsToWait('reauthentication', who)).toBe(0)
    await limits[(at + 1) % 2]!.giveBack('reauthentication', who)
  }
  const after = await Promise.all(
    Array.from({ length: 12 }, (_, at) => limits[at % 2]!.secondsToWait('reauthentication', who)),
  )
  expect(after.filter((seconds) => seconds === 0)).toHaveLength(10)
})

test('while the database is unavailable, each process counts attempts by itself [S-261]', async () => {
  const { limits, pool, db } = await openTwo()
  if (pool) await db.schema.dropTable('rateLimits').execute()
  for (let tries = 0; tries < 5; tries++) {
    expect(await limits[0].secondsToWait('reset', { account: 'bea' })).toBe(0)
  }
  expect(await limits[0].secondsToWait('reset', { account: 'bea' })).toBeGreaterThan(3500)
})

test('a message of 30,000 bytes counts as 20 attempts, so that nobody can fill the disk [S-237]', async () => {
  expect(['Hello', 'x'.repeat(1500), '諾'.repeat(10_000)].map(attemptsFor)).toEqual([1, 2, 20])
  const limits = createRateLimits(true)
  const waits = []
  for (let tries = 0; tries < 7; tries++) {
    waits.push(await limits.secondsToWait('message', { account: 'ann' }, 20))
  }
  expect(waits.map((seconds) => seconds > 0)).toEqual([...Array<boolean>(6).fill(false), true])
})
