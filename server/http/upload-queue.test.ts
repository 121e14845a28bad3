import { expect, test } from 'vitest'
import { createUploadQueue, MAX_CONCURRENT_UPLOADS } from './upload-queue.ts'

function openQueue(maxWaitMs: number) {
  const queue = createUploadQueue(maxWaitMs)
  const finish: (() => void)[] = []
  const send = (address: string, signal = new AbortController().signal) =>
    queue.run(address, signal, () => new Promise<string>((done) => finish.push(() => done('read'))))
  return { finish, send }
}

test('drops an upload that waits too long or whose sender disconnects, while other addresses can upload', async () => {
  const { finish, send } = openQueue(20)
  const first = Array.from({ length: MAX_CONCURRENT_UPLOADS / 2 }, () => send('one'))
  const leaver = new AbortController()
  const [late, gone] = [send('one'), send('one', leaver.signal)]
  leaver.abort()
  expect(await gone).toBeNull()
  expect(await send('one', leaver.signal)).toBeNull()
  expect(await late).toBeNull()
  const other = send('two')
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS / 2 + 1)
  for (const end of finish) end()
  expect(new Set(await Promise.all([...first, other]))).toEqual(new Set(['read']))
})

test('reads at most 16 uploads of all addresses at the same time, so that their bodies do not fill the memory', async () => {
  const { finish, send } = openQueue(10_000)
  const uploads = Array.from({ length: MAX_CONCURRENT_UPLOADS + 1 }, (_, at) => send(`address ${at}`))
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS)
  finish[0]!()
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS + 1)
  for (const end of finish) end()
  expect(new Set(await Promise.all(uploads))).toEqual(new Set(['read']))
})

test('two addresses with slow uploads leave places for other addresses', async () => {
  const { finish, send } = openQueue(10_000)
  const slow = ['one', 'two'].flatMap((address) => Array.from({ length: MAX_CONCURRENT_UPLOADS }, () => send(address)))
  await expect.poll(() => finish.length).toBe(12)
  const other = send('three')
  await expect.poll(() => finish.length).toBe(13)
  finish.at(-1)!()
  expect(await other).toBe('read')
  for (let ended = 0; ended < slow.length + 1; ended++) {
    await expect.poll(() => finish.length).toBeGreaterThan(ended)
    finish[ended]!()
  }
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['read']))
})
