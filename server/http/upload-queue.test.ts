import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { RequestContext } from '#app/lib/telemetry/request-context.server.ts'
import { closed as closing, openReadyServer } from '#test/fixtures/shop-server.ts'
import { createUploadQueue, MAX_CONCURRENT_UPLOADS } from './upload-queue.ts'

function openQueue(maxWaitMs: number) {
  const queue = createUploadQueue(maxWaitMs)
  const finish: (() => void)[] = []
  const send = (
    sender: string,
    signal = new AbortController().signal,
    closeIfReceiving = () => false,
  ) =>
    queue.run(
      { sender, signal, closeIfReceiving },
      () => new Promise<string>((done) => finish.push(() => done('read'))),
    )
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

test('a queue reads at most eight uploads of all senders at the same time, so that their bodies do not fill the memory', async () => {
  const { finish, send } = openQueue(10_000)
  const uploads = Array.from({ length: MAX_CONCURRENT_UPLOADS + 1 }, (_, at) =>
    send(`address ${at}`),
  )
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS)
  finish[0]!()
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS + 1)
  for (const end of finish) end()
  expect(new Set(await Promise.all(uploads))).toEqual(new Set(['read']))
})

test('two addresses with slow uploads leave places for other addresses', async () => {
  const { finish, send } = openQueue(10_000)
  const slow = ['one', 'two'].flatMap((address) =>
    Array.from({ length: MAX_CONCURRENT_UPLOADS }, () => send(address)),
  )
  await expect.poll(() => finish.length).toBe(6)
  const other = send('three')
  await expect.poll(() => finish.length).toBe(7)
  finish.at(-1)!()
  expect(await other).toBe('read')
  for (let ended = 0; ended < slow.length + 1; ended++) {
    await expect.poll(() => finish.length).toBeGreaterThan(ended)
    finish[ended]!()
  }
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['read']))
})

test('an upload that has waited long enough gets the place of a slow upload of an address with more places [S-420]', async () => {
  const { finish, send } = openQueue(20)
  const closed: number[] = []
  const slow = [1, 1, 1, 1, 2, 2, 3, 4].map((who, at) =>
    // The first body has arrived completely, so its upload keeps its place.
    send(`slow ${who}`, undefined, () => at > 0 && closed.push(at) > 0),
  )
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS)
  expect(await send('slow 1')).toBeNull()
  expect(closed).toEqual([])
  const others = [send('other'), send('another')]
  await expect.poll(() => finish.length).toBe(MAX_CONCURRENT_UPLOADS + 2)
  expect(closed).toEqual([1, 2])
  // The end of a closed upload frees no second place.
  finish[1]!()
  await slow[1]
  expect(await send('slow 2', AbortSignal.timeout(10))).toBeNull()
  for (const end of finish) end()
  expect(new Set(await Promise.all([...slow, ...others]))).toEqual(new Set(['read']))
})

test('the server closes the connection of an upload only while its body is arriving [S-420]', async () => {
  const visits: RequestContext[] = []
  const { port } = await openReadyServer({
    shedLoad: (c) => (visits.push(c.get('visit')), new Promise(() => {})),
  })
  const post = (body: string) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(
      `POST /messages/pictures HTTP/1.1\r\nHost: shop\r\nContent-Length: 5\r\n\r\n${body}`,
    )
    return socket
  }
  const slow = post('half').resume()
  await expect.poll(() => visits.length).toBe(1)
  post('whole')
  await expect.poll(() => visits[1]?.closeIfReceiving?.()).toBe(false)
  expect(visits[0]!.closeIfReceiving!()).toBe(true)
  await closing(slow)
})
