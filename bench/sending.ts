/** From sending a message to its being seen on the other screen, with few and many connections open; and how many the shop accepts for good. */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { WebSocket } from 'ws'
import { newId15 } from '../app/platform/ids.ts'
import { enterUnderFire } from '../test/fire-people.ts'
import type { Writer } from '../test/fire-tab.ts'
import { serveBare } from './bare.ts'
import { ms, percentile, times, whole } from './figures.ts'
import { OWNER, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const CROWDS = [1, 100, 1000]
const CUSTOMERS = 20
const MESSAGES = 200
const AT_ONCE = 16
const SECONDS = 4

export async function measureSending({ folder, say }: Bench): Promise<WorkFigure[]> {
  const dataDir = join(folder, 'sending')
  await mkdir(dataDir, { recursive: true })
  const shop = await serveShop(dataDir)
  const bare = await serveBare(Buffer.alloc(0))
  try {
    const { origin } = shop
    const { owner, customers } = await enterUnderFire(origin, dataDir, OWNER, CUSTOMERS)
    for (const customer of customers) await post(origin, customer, customer.id)
    const rows: WorkFigure[] = []
    for (const crowd of CROWDS) {
      say(`send to seen with ${crowd} connections open`)
      // The owner's own connection is one of them.
      const idle = await openCrowd(crowd - 1, (at) => connect(origin, at % 2 ? customers[at % CUSTOMERS] : undefined, at))
      const seen = await sendToSeen(origin, owner, customers)
      close(idle)
      const idleBare = await openCrowd(crowd - 1, () => new WebSocket(bare.origin.replace('http', 'ws')))
      const echo = await measureEcho(bare.origin)
      close(idleBare)
      rows.push({
        what: `A message sent until it is seen on the other screen, ${whole(crowd)} ${crowd === 1 ? 'connection' : 'connections'} open`,
        found: edges(seen),
        beside: `bare WebSocket echo: ${edges(echo)}`,
        ratio: times(percentile(seen, 0.5), percentile(echo, 0.5)),
      })
    }
    say('messages accepted per second')
    const accepted = await acceptedPerSecond(origin, owner, customers)
    const disk = bareWritesPerSecond(join(folder, 'bare-writes.db'))
    rows.push({
      what: `Messages accepted for good, ${AT_ONCE} at once`,
      found: `${whole(accepted)} a second`,
      beside: `bare synchronous writes to SQLite: ${whole(disk)} a second`,
      ratio: times(accepted, disk),
    })
    return rows
  } finally {
    await shop.stop()
    await bare.stop()
  }
}

const edges = (numbers: number[]) => `p50 ${ms(percentile(numbers, 0.5))} ms, p99 ${ms(percentile(numbers, 0.99))} ms`
const close = (sockets: WebSocket[]) => sockets.forEach((socket) => socket.terminate())

/** Each crowd of fifty comes from an address of its own. */
const connect = (origin: string, writer: Writer | undefined, at: number) =>
  new WebSocket(`${origin.replace('http', 'ws')}/live`, {
    headers: { origin, 'x-forwarded-for': `198.51.100.${Math.floor(at / 50) + 1}`, ...(writer && { cookie: writer.cookie }) },
  })

async function openCrowd(count: number, open: (at: number) => WebSocket): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, (_, at) => open(sockets.length + at))
    await Promise.all(some.map((socket) => once(socket, 'open')))
    sockets.push(...some)
  }
  return sockets
}

async function post(origin: string, { cookie, address, id }: Writer, orderId: string, messageId = newId15()): Promise<void> {
  const body = new URLSearchParams({ intent: 'send', writer: id, orderId, messageId, message: 'A message of the bench' })
  const response = await fetch(`${origin}/messages`, { method: 'POST', body, headers: { origin, cookie, 'x-forwarded-for': address } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`a message was answered with ${response.status}`)
}

/** Milliseconds. The owner's page loads its data when the signal comes, and the message is among it. */
async function sendToSeen(origin: string, owner: Writer, customers: Writer[]): Promise<number[]> {
  const socket = connect(origin, owner, 0)
  await once(socket, 'open')
  await once(socket, 'message')
  const took: number[] = []
  for (let number = 0; number < MESSAGES; number++) {
    const customer = customers[number % customers.length]!
    const messageId = newId15()
    const begun = performance.now()
    const signal = once(socket, 'message')
    const sent = post(origin, customer, customer.id, messageId)
    await signal
    const page = await fetch(`${origin}/manage/messages/${customer.id}.data`, { headers: { cookie: owner.cookie } })
    if (!(await page.text()).includes(messageId)) throw new Error('the signal came before the message')
    took.push(performance.now() - begun)
    await sent
  }
  socket.terminate()
  return took
}

async function measureEcho(origin: string): Promise<number[]> {
  const socket = new WebSocket(origin.replace('http', 'ws'))
  await once(socket, 'open')
  const took: number[] = []
  for (let number = 0; number < MESSAGES; number++) {
    const begun = performance.now()
    socket.send('{"changed":["order:0"]}')
    await once(socket, 'message')
    took.push(performance.now() - begun)
  }
  socket.terminate()
  return took
}

/** By the owner, whom no limit holds up, into all conversations. */
async function acceptedPerSecond(origin: string, owner: Writer, customers: Writer[]): Promise<number> {
  const begun = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      for (; performance.now() - begun < SECONDS * 1000; count++) await post(origin, owner, customers[(at + count) % customers.length]!.id)
    }),
  )
  return count / ((performance.now() - begun) / 1000)
}

/** One row, one transaction, one wait for the disk. */
function bareWritesPerSecond(path: string): number {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; create table messages (id text primary key, message text)')
  const write = db.prepare('insert into messages values (?, ?)')
  const begun = performance.now()
  let count = 0
  for (; performance.now() - begun < SECONDS * 500; count++) write.run(newId15(), 'A message of the bench')
  db.close()
  return count / ((performance.now() - begun) / 1000)
}
