import { expect, test } from 'vitest'
import { createUploadQueue, MAX_CONCURRENT_UPLOADS_PER_IP } from './upload-queue.ts'

function openQueue(maxWaitMs: number) {
  const queue = createUploadQueue(maxWaitMs)
  const finish: (() => void)[] = []
  const send = (address: string, signal = new AbortController().signal) =>
    queue.run(address, signal, () => new Promise<string>((done) => finish.push(() => done('read'))))
  return { finish, send }
}

test('050 an upload that waits too long for its turn does not get it, and neither does one whose sender leaves; other addresses do not wait', async () => {
  const { finish, send } = openQueue(20)
  const first = Array.from({ length: MAX_CONCURRENT_UPLOADS_PER_IP }, () => send('one'))
  const leaver = new AbortController()
  const [late, gone] = [send('one'), send('one', leaver.signal)]
  leaver.abort()
  expect(await gone).toBeNull()
  expect(await send('one', leaver.signal)).toBeNull()
  expect(await late).toBeNull()
  const other = send('two')
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS_PER_IP + 1)
  for (const end of finish) end()
  expect(new Set(await Promise.all([...first, other]))).toEqual(new Set(['read']))
})

test('050 uploads get their turn in the order in which they came, also after one that failed', async () => {
  const queue = createUploadQueue()
  const order: number[] = []
  const all = Array.from({ length: 3 * MAX_CONCURRENT_UPLOADS_PER_IP }, (_, at) =>
    queue.run('one', new AbortController().signal, async () => {
      order.push(at)
      await Promise.resolve()
      if (at % 2 === 0) throw new Error('broke off')
    }),
  )
  await Promise.allSettled(all)
  expect(order).toEqual(all.map((_, at) => at))
})
