import { expect, test } from 'vitest'
import { openTurns } from './turns.ts'
import { spreadOf } from './live-socket.ts'

test('047 what is told to a crowd is told to each in its order, and others get their turn in between', async () => {
  const forEach = openTurns()
  const crowd = Array.from({ length: 1000 }, (_, number) => number)
  const heard = crowd.map((): string[] => [])
  let turns = 0
  // Something else that wants its turn each time, as requests do; a timer might not be due in so short a time.
  let other = setImmediate(function again() {
    turns += 1
    other = setImmediate(again)
  })
  const first = forEach(
    () => crowd,
    (one) => heard[one]!.push('first'),
  )
  expect(heard.filter((one) => one.length > 0).length).toBe(250)
  const second = forEach(
    () => crowd,
    (one) => heard[one]!.push('second'),
  )
  await Promise.all([first, second])
  clearImmediate(other)
  expect(new Set(heard.map(String))).toEqual(new Set(['first,second']))
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('047 few browsers ask at once after a signal, a crowd within two seconds', () => {
  expect([0, 3, 100, 1000, 5000, 50_000].map(spreadOf)).toEqual([0, 0, 0, 500, 2000, 2000])
})
