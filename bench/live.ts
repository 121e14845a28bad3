/** How long until another browser hears of what somebody has just written. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { serveBare } from './bare.ts'
import type { Customer } from './customer.ts'
import { percentile } from './figures.ts'

export type Delivery = {
  count: number
  /** from sending the message to the signal in the owner's browser, milliseconds */
  heard: { p50: number; p99: number }
  /** from sending the message to the answer that it is kept */
  answered: { p50: number; p99: number }
  /** how much later than the answer the signal came; negative: it was there first */
  behindAnswer: { p50: number; p99: number }
  /** a message to a bare WebSocket server and back */
  echo: { p50: number; p99: number }
}

const WAIT = 5000

/** The writers take turns, so that nobody exceeds what one person may send in a minute. */
export async function measureLive(owner: Customer, writers: Customer[], count: number): Promise<Delivery> {
  const socket = new WebSocket(`${owner.origin.replace('http', 'ws')}/live`, { headers: { cookie: owner.cookie, origin: owner.origin } })
  await once(socket, 'open')
  const heard: number[] = []
  const answered: number[] = []
  const behind: number[] = []
  for (let number = 0; number < count; number++) {
    const writer = writers[number % writers.length]!
    const begun = performance.now()
    const signal = nextChange(socket)
    const response = await writer.post('/messages/', { intent: 'send', message: `Message ${number} of the bench` })
    const done = performance.now()
    if (response.status >= 400) throw new Error(`message ${number} was answered with ${response.status}`)
    const at = await signal
    heard.push(at - begun)
    answered.push(done - begun)
    behind.push(at - done)
  }
  socket.close()
  return { count, heard: edges(heard), answered: edges(answered), behindAnswer: edges(behind), echo: edges(await measureEcho(count)) }
}

function nextChange(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no signal within ${WAIT} ms`)), WAIT)
    const listen = (data: unknown) => {
      if (!String(data).includes('order:')) return
      clearTimeout(late)
      socket.off('message', listen)
      resolve(performance.now())
    }
    socket.on('message', listen)
  })
}

async function measureEcho(count: number): Promise<number[]> {
  const server = await serveBare(Buffer.alloc(0))
  const socket = new WebSocket(server.origin.replace('http', 'ws'))
  await once(socket, 'open')
  const took: number[] = []
  for (let number = 0; number < count; number++) {
    const begun = performance.now()
    socket.send('{"changed":["order:0"]}')
    await once(socket, 'message')
    took.push(performance.now() - begun)
  }
  socket.close()
  await server.stop()
  return took
}

const edges = (numbers: number[]) => ({ p50: percentile(numbers, 0.5), p99: percentile(numbers, 0.99) })
