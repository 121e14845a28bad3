import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#test/test-database.ts'
import { countersInPostgres, openRateLimits } from './rate-limits.server.ts'

const address = '203.0.113.5'

/** Two processes; on SQLite there is one, which these counters are not for. */
async function openTwo() {
  const database = await openTestDatabase()
  onTestFinished(database.close)
  const open = () => openRateLimits(true, database.pool && countersInPostgres(database.pool))
  const first = open()
  return { ...database, limits: [first, database.pool ? open() : first] as const }
}

test('S-261 tries count for all processes together, and so does what is given back', async () => {
  const { limits } = await openTwo()
  const who = { account: 'Ann@mail.test', address }
  const tries = await Promise.all(Array.from({ length: 8 }, (_, at) => limits[at % 2]!.secondsToWait('reset', who)))
  expect(tries.filter((seconds) => seconds === 0)).toHaveLength(5)
  for (const one of limits) expect(await one.secondsToWait('reset', { account: 'ann@mail.test', address })).toBeGreaterThan(3500)

  for (let at = 0; at < 40; at++) {
    expect(await limits[at % 2]!.secondsToWait('proof', who)).toBe(0)
    await limits[(at + 1) % 2]!.giveBack('proof', who)
  }
})

test('S-261 without the database each process counts by itself, and nobody is kept out or let through for ever', async () => {
  const { limits, pool, db } = await openTwo()
  if (pool) await db.schema.dropTable('rateLimits').execute()
  for (let tries = 0; tries < 5; tries++) expect(await limits[0].secondsToWait('reset', { account: 'bea' })).toBe(0)
  expect(await limits[0].secondsToWait('reset', { account: 'bea' })).toBeGreaterThan(3500)
})
