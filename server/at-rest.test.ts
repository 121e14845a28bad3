import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { collectorOf, restBetween, roomForYoung } from './at-rest.ts'

test('040 memory is given back once nobody asks any more, and again after the next rush', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    // Enough that is young and lives: from this much on it is worth it.
    const kept: object[] = []
    while (roomForYoung() < 8_000_000) for (let n = 0; n < 10_000; n++) kept.push({ n })
    const server = new EventEmitter()
    const collect = vi.fn()
    restBetween(server, 100, collect)
    vi.advanceTimersByTime(90)
    server.emit('request')
    vi.advanceTimersByTime(90)
    expect(collect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    expect(collect).toHaveBeenCalledTimes(1)
    server.emit('request')
    vi.advanceTimersByTime(100)
    expect(collect).toHaveBeenCalledTimes(2)
    kept.length = 0
  } finally {
    vi.useRealTimers()
  }
})

test('040 what nobody holds any more is collected', async () => {
  const gone = new WeakRef({})
  await nextTurn()
  collectorOf()()
  expect(gone.deref()).toBeUndefined()
})
