import { expect, onTestFinished, test, vi } from 'vitest'
import type { Page } from './context.ts'
import { countersInMemory, openRateLimits, tooMany, type OpenCounters, tooManyTries, waitText } from './rate-limits.server.ts'

const address = '203.0.113.5'

test('S-237 tries count for the address and for the account, and whoever is stopped by the one uses up nothing of the other', async () => {
  const limits = openRateLimits(true)
  // Five letters an hour to one account, thirty from one address.
  for (let tries = 0; tries < 5; tries++) expect(await limits.secondsToWait('reset', { address, account: 'Ann@mail.test' })).toBe(0)
  expect(await limits.secondsToWait('reset', { address, account: 'ann@MAIL.test' })).toBeGreaterThan(3590)
  expect(await limits.secondsToWait('reset', { address: '203.0.113.6', account: 'ann@mail.test' })).toBeGreaterThan(3590)
  for (let tries = 5; tries < 30; tries++) expect(await limits.secondsToWait('reset', { address, account: `${tries}` })).toBe(0)
  for (let tries = 0; tries < 10; tries++)
    expect(await limits.secondsToWait('reset', { address, account: 'bea@mail.test' })).toBeGreaterThan(0)
  for (let tries = 0; tries < 5; tries++)
    expect(await limits.secondsToWait('reset', { address: '203.0.113.7', account: 'bea@mail.test' })).toBe(0)
  // One account that goes on and on keeps nobody else behind its address waiting.
  for (let tries = 0; tries < 100; tries++) await limits.secondsToWait('proof', { address, account: 'eve' })
  expect(await limits.secondsToWait('proof', { address, account: 'bea' })).toBe(0)
  // Of another kind they are none.
  expect(await limits.secondsToWait('verify', { address, account: 'ann@mail.test' })).toBe(0)
})

test('S-237 the wait ends when it was said to, and tries in between do not make it longer', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const limits = openRateLimits(true)
  const who = { account: 'ann' }
  for (let tries = 0; tries < 30; tries++) expect(await limits.secondsToWait('request', who)).toBe(0)
  const waits: number[] = []
  for (let at = 0; at < 3; at++) {
    waits.push(await limits.secondsToWait('request', who))
    vi.advanceTimersByTime(19_500)
  }
  expect(waits).toEqual([60, 41, 21])
  vi.advanceTimersByTime(1500)
  expect(await limits.secondsToWait('request', who)).toBe(0)
})

test('S-238 a try that went well is given back, however many there are at once', async () => {
  const limits = openRateLimits(true)
  const who = { address, account: 'ann' }
  for (let tries = 0; tries < 40; tries++) {
    expect(await limits.secondsToWait('proof', who)).toBe(0)
    await limits.giveBack('proof', who)
  }
  const seconds = await Promise.all(Array.from({ length: 12 }, () => limits.secondsToWait('proof', who)))
  expect(seconds.filter((wait) => wait === 0)).toHaveLength(10)
})

test('S-237 the memory stays small whatever comes, and who tries again and again is not the one who is forgotten', async () => {
  const opened: string[] = []
  const open: OpenCounters = (options) => {
    opened.push(options.keyPrefix)
    return countersInMemory(options)
  }
  const limits = openRateLimits(true, open)
  expect(opened.length).toBeGreaterThan(20)
  const counters = countersInMemory({ keyPrefix: 'x', points: 3, duration: 600 })
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
  // Each setting apart: switched off it counts nothing.
  const off = openRateLimits(false)
  for (let tries = 0; tries < 200; tries++) expect(await off.secondsToWait('contact', { address, account: 'ann' })).toBe(0)
  expect(await limits.allow('contact', { address })).toBe(true)
})

test('S-237 how long to wait is said in words, never too short', () => {
  const said = [0, 1, 49, 50, 60, 61, 170, 3540, 3541, 3600, 3601, 7200].map(waitText)
  expect(said).toEqual([
    'a second',
    'a second',
    '49 seconds',
    'a minute',
    'a minute',
    '2 minutes',
    '3 minutes',
    '59 minutes',
    'an hour',
    'an hour',
    '2 hours',
    '2 hours',
  ])
  const page = {} as Page
  expect(tooMany(page, 170)).toEqual({ ok: false, status: 429, error: 'Too many tries. Please wait 3 minutes and try again.' })
  expect(page.retryAfter).toBe(170)
  expect(tooMany({ retryAfter: 3600 } as Page).error).toBe(tooManyTries(3600))
})
