import { getEventListeners } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openListening } from './listening.server.ts'

test('a database that is away for long: nothing of the tries stays behind', async () => {
  const signals: AbortSignal[] = []
  let tries = 0
  const away = createServer((line) => {
    tries += 1
    line.destroy()
  })
  await new Promise<void>((done) => away.listen(0, '127.0.0.1', done))
  onTestFinished(() => void away.close())
  const { port } = away.address() as { port: number }
  let lost = 0
  const log = { info: () => {}, error: () => {} }
  const ears = { onOpen: () => {}, onMessage: () => {}, onLost: () => (lost += 1) }
  vi.stubGlobal(
    'AbortController',
    class extends AbortController {
      constructor() {
        super()
        signals.push(this.signal)
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const listening = openListening(`postgres://shop@127.0.0.1:${port}/shop`, 'channel', log, ears)
  await expect.poll(() => Math.min(tries, lost), { timeout: 20_000 }).toBeGreaterThanOrEqual(4)
  // One may be under way, and one pause before the next.
  expect(getEventListeners(signals[0]!, 'abort').length).toBeLessThanOrEqual(2)
  await listening.close()
  expect(getEventListeners(signals[0]!, 'abort')).toEqual([])
})
