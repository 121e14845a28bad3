import { expect, test } from 'vitest'
import { createUploadQueue, MAX_CONCURRENT_UPLOADS, MAX_CONCURRENT_UPLOADS_PER_IP } from './upload-queue.ts'

function openQueue(maxWaitMs: number) {
  const queue = createUploadQueue(maxWaitMs)
  const finish: (() => void)[] = []
  const send = (address: string, signal = new AbortController().signal) =>
    queue.run(address, signal, () => new Promise<string>((done) => finish.push(() => done('read'))))
  return { finish, send }
}

test('drops an upload that waits too long or whose sender disconnects, while other addresses can upload', async () => {
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

test('reads at most 16 uploads of all addresses at the same time, so that their bodies do not fill the memory', async () => {
  const { finish, send } = openQueue(10_000)
  const uploads = Array.from({ length: MAX_CONCURRENT_UPLOADS + 1 }, (_, at) => send(`address ${at}`))
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS)
  finish[0]!()
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS + 1)
  for (const end of finish) end()
  expect(new Set(await Promise.all(uploads))).toEqual(new Set(['read']))
})
