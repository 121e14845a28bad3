/**
 * Measures the time until the other person sees a message, how many messages per second the shop
 * stores durably, and whether disconnections lose messages.
 */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { WebSocket } from 'ws'
import { newId15 } from '#lib/text/ids.ts'
import { freePort } from '#test/fixtures/network.ts'
import { startWriters, readStoredMessages, type Writer, writeUnderFire } from './message-load.ts'
import type { Bench, Found } from './areas.ts'
import { serveBare } from './bare.ts'
import { atLeast, below, none, type Named } from './checks.ts'
import { ms, percentile, stamp, table, times, formatInteger } from './report.ts'
import { OWNER, serveShop } from './served-shop.ts'

const CROWDS = [1, 100, 1000]
const CUSTOMERS = 20
const MESSAGES = 200
const AT_ONCE = 16
const SECONDS = 4

const DISCONNECTIONS = 1000
const SEED = 20_261_121

type Row = { what: string; found: string; reference: string; ratio: string }

/** Runs all measurements of messages. Each measurement opens its own shop. */
export async function measureMessages({ folder, say }: Bench): Promise<Found> {
  const sending = await measureSending(join(folder, 'sending'), say)
  const chaos = await measureDisconnections(join(folder, 'chaos'), say)
  const text = `## Messages

The owner sees a message when her page has loaded its data and contains the message. ${MESSAGES} messages are measured for each number of connections; the first ${MESSAGES} of the shop are not counted. To accept a message, the shop reads the session, runs a transaction and flushes it to disk. ${stamp('messages')}

${table(
  ['what', 'found', 'reference', 'ratio'],
  [...sending.rows, ...chaos.rows].map(({ what, found, reference, ratio }) => [
    what,
    found,
    reference,
    ratio,
  ]),
)}`
  return {
    text,
    checks: [
      below('A message, from sending until the owner sees it: p99, limit', 40, ' ms', sending.p99s),
      below(
        'A message, from sending until the owner sees it: p99, target',
        15,
        ' ms',
        sending.p99s,
      ),
      atLeast(`Messages accepted durably, ${AT_ONCE} concurrently`, 1000, ' a second', [
        { name: 'SQLite', value: sending.accepted },
      ]),
      none('Messages lost, doubled or out of order', chaos.wrong),
    ],
  }
}

async function measureSending(
  dataDir: string,
  say: Bench['say'],
): Promise<{ rows: Row[]; p99s: Named[]; accepted: number }> {
  await mkdir(dataDir, { recursive: true })
  const shop = await serveShop(dataDir)
  const bare = await serveBare({ headers: {}, body: Buffer.alloc(0) })
  try {
    const { origin } = shop
    const { owner, customers } = await startWriters(origin, dataDir, OWNER, CUSTOMERS)
    for (const customer of customers) await post(origin, customer, customer.id)
    // A shop that has just started compiles its code while it serves the first messages.
    await sendToSeen(origin, owner, customers)
    const rows: Row[] = []
    const p99s: Named[] = []
    for (const crowd of CROWDS) {
      say(`send to seen with ${crowd} connections open`)
      // One of the `crowd` connections is the owner's connection, which is opened later.
      const idle = await openCrowd(crowd - 1, (at) =>
        connect(origin, at % 2 ? customers[at % CUSTOMERS] : undefined, at),
      )
      const seen = await sendToSeen(origin, owner, customers)
      close(idle)
      const idleBare = await openCrowd(
        crowd - 1,
        () => new WebSocket(bare.origin.replace('http', 'ws')),
      )
      const echo = await measureEcho(bare.origin)
      close(idleBare)
      const what = `A message, from sending until the owner sees it, ${formatInteger(crowd)} ${crowd === 1 ? 'connection' : 'connections'} open`
      const ratio = times(percentile(seen, 0.5), percentile(echo, 0.5))
      rows.push({
        what,
        found: edges(seen),
        reference: `bare WebSocket echo: ${edges(echo)}`,
        ratio,
      })
      p99s.push({ name: `${formatInteger(crowd)} open`, value: percentile(seen, 0.99) })
    }
    say('messages accepted per second')
    const accepted = await acceptedPerSecond(origin, owner, customers)
    const disk = bareWritesPerSecond(join(dataDir, 'bare-writes.db'))
    const reference = `bare synchronous writes to SQLite: ${formatInteger(disk)} a second`
    const what = `Messages accepted durably, ${AT_ONCE} concurrently`
    rows.push({
      what,
      found: `${formatInteger(accepted)} a second`,
      reference,
      ratio: times(accepted, disk),
    })
    return { rows, p99s, accepted }
  } finally {
    await shop.stop()
    await bare.stop()
  }
}

/**
 * Counts lost, duplicate and misplaced messages while connections break, tabs sleep, pages reload
 * and the shop restarts.
 */
async function measureDisconnections(
  dataDir: string,
  say: Bench['say'],
): Promise<{ rows: Row[]; wrong: string[] }> {
  say(`messages through ${DISCONNECTIONS} disconnections, sleeps, reloads and restarts`)
  await mkdir(dataDir, { recursive: true })
  const port = await freePort()
  let shop = await serveShop(dataDir, port)
  try {
    const people = await startWriters(shop.origin, dataDir, OWNER, 6)
    const restart = async (how: 'SIGKILL' | 'SIGTERM') => {
      await shop.stop(how)
      shop = await serveShop(dataDir, port)
    }
    const read = () => readStoredMessages(dataDir)
    const outcome = await writeUnderFire({ origin: shop.origin, restart }, people, {
      events: DISCONNECTIONS,
      seed: SEED,
      read,
    })
    const { events, pressed, lost, doubled, swapped, stale } = outcome
    const row = {
      what: `Customers and owner write ${formatInteger(pressed)} messages through ${events.disconnect} disconnections, ${events.sleep} sleeps, ${events.reload} reloads, ${events.restart} restarts`,
      found: `${lost.length} lost, ${doubled.length} doubled, ${swapped.length} out of order`,
      reference: `${stale.length} pages out of date`,
      ratio: '–',
    }
    return { rows: [row], wrong: [lost, doubled, swapped, stale].flat() }
  } finally {
    await shop.stop()
  }
}

export const edges = (numbers: number[]) =>
  `p50 ${ms(percentile(numbers, 0.5))} ms, p99 ${ms(percentile(numbers, 0.99))} ms`
export const close = (sockets: WebSocket[]) => sockets.forEach((socket) => socket.terminate())

/** Opens the WebSocket of a tab. Fifty tabs share one client address. */
export const connect = (origin: string, writer: Writer | undefined, at: number) =>
  new WebSocket(`${origin.replace('http', 'ws')}/live`, {
    headers: {
      origin,
      'x-forwarded-for': `198.51.100.${Math.floor(at / 50) + 1}`,
      ...(writer && { cookie: writer.cookie }),
    },
  })

export async function openCrowd(
  count: number,
  open: (at: number) => WebSocket,
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, (_, at) =>
      open(sockets.length + at),
    )
    await Promise.all(some.map((socket) => once(socket, 'open')))
    sockets.push(...some)
  }
  return sockets
}

export async function post(
  origin: string,
  { cookie, address, id }: Writer,
  orderId: string,
  messageId = newId15(),
): Promise<void> {
  const body = new URLSearchParams({
    intent: 'send',
    writer: id,
    orderId,
    messageId,
    message: 'A message of the bench',
  })
  const response = await fetch(`${origin}/messages`, {
    method: 'POST',
    body,
    headers: { origin, cookie, 'x-forwarded-for': address },
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`a message was answered with ${response.status}`)
}

/**
 * Returns the milliseconds from sending a message until the owner's page has loaded data that
 * contains the message.
 */
export async function sendToSeen(
  origin: string,
  owner: Writer,
  customers: Writer[],
): Promise<number[]> {
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
    const page = await fetch(`${origin}/manage/messages/${customer.id}.data`, {
      headers: { cookie: owner.cookie },
    })
    if (!(await page.text()).includes(messageId)) {
      throw new Error('the signal came before the message')
    }
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

/**
 * Returns how many messages per second the shop accepts. The owner sends all messages, because she
 * has no rate limit.
 */
async function acceptedPerSecond(
  origin: string,
  owner: Writer,
  customers: Writer[],
): Promise<number> {
  const begun = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      for (; performance.now() - begun < SECONDS * 1000; count++) {
        await post(origin, owner, customers[(at + count) % customers.length]!.id)
      }
    }),
  )
  return count / ((performance.now() - begun) / 1000)
}

/**
 * Returns how many rows per second SQLite alone writes, with one transaction and one sync to disk
 * for each row.
 */
function bareWritesPerSecond(path: string): number {
  const db = new DatabaseSync(path)
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table messages (id text primary key, message text)',
  )
  const write = db.prepare('insert into messages values (?, ?)')
  const begun = performance.now()
  let count = 0
  for (; performance.now() - begun < SECONDS * 500; count++) {
    write.run(newId15(), 'A message of the bench')
  }
  db.close()
  return count / ((performance.now() - begun) / 1000)
}
