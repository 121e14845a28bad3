/** What one line may ask for ahead of its answers, and leave lying. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDoor } from '#test/open-door.ts'
import { openDoorWait } from './door-wait.ts'

test('047 requests that are sent one behind the other on one line, which then breaks, leave no count behind', async () => {
  const { port, held, underWay } = await openDoor()
  for (const method of ['GET', 'HEAD']) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${method} /gallery/ HTTP/1.1\r\nHost: shop\r\n\r\n`.repeat(10))
    await underWay(10)
    const gone = held.splice(0)
    const isClosed = Promise.all([once(gone[0]!, 'close'), once(socket, 'close')])
    socket.destroy()
    await isClosed
    await underWay(0)
  }
})

test('047 a thousand requests on one line are not a thousand answers: it is cut off, and nothing is made for it; one after the other any number is', async () => {
  const { port, held, overload, underWay } = await openDoor()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /gallery/ HTTP/1.1\r\nHost: shop\r\n\r\n'.repeat(1000))
  await once(socket, 'close')
  await underWay(0)
  expect(held.splice(0)).toHaveLength(16)
  expect(overload.refused()).toBe(1)

  const patient = connect(port, '127.0.0.1')
  onTestFinished(() => void patient.destroy())
  for (let count = 0; count < 18; count++) {
    patient.write('GET /gallery/ HTTP/1.1\r\nHost: shop\r\n\r\n')
    await underWay(1)
    held.pop()!.end('a page')
    await once(patient, 'data')
  }
})

test('047 answers that nobody takes hold no more memory than there is: one address 64 MB, all together 256 MB, and whoever leaves most lying is cut off', async () => {
  const { port, held, overload } = await openDoor()
  const body = Buffer.alloc(30_000_000)
  const unread: Socket[] = []
  onTestFinished(() => unread.forEach((socket) => socket.destroy()))
  /** Asked for and made, but not taken. */
  async function leave(who: number) {
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write(`GET /pictures/moon.webp HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 203.0.113.${who}\r\n\r\n`)
    unread.push(socket)
    await expect.poll(() => held.length).toBe(1)
    const answer = held.pop()!
    const line = answer.req.socket
    answer.end(body)
    return line
  }
  const [first, second] = [await leave(1), await leave(1)]
  expect([first.destroyed, second.destroyed]).toEqual([false, false])
  // What the operating system has taken counts no more.
  expect(overload.unsent()).toBeLessThanOrEqual(60_001_000)
  const third = await leave(1)
  expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([false, false, true])
  const one = await leave(9)
  const others = []
  for (const who of [2, 3, 4]) others.push(await leave(who), await leave(who))
  expect(one.destroyed).toBe(false)
  expect([first, second, ...others].filter(({ destroyed }) => destroyed)).toHaveLength(2)
  await expect.poll(overload.unsent).toBeLessThanOrEqual(256 * 1024 * 1024)
  for (const socket of unread) socket.destroy()
  await expect.poll(overload.unsent).toBe(0)
})

test('047 of a crowd that comes in one go somebody is told as soon as it takes too long, not when all are answered', async () => {
  const server = createServer()
  const door = openDoorWait(server)
  onTestFinished(() => door.close())
  expect(door.wait()).toBe(0)
  const until = performance.now() + 60
  while (performance.now() < until);
  expect(door.wait()).toBeGreaterThanOrEqual(60)
  await new Promise(setImmediate)
  expect(door.wait()).toBe(0)
})
