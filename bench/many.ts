/**
 * Measures one to three processes on the same PostgreSQL: pages per second, and the time until a
 * change in one process reaches the browsers of another process.
 */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { openPostgresServer } from '#test/fixtures/postgres-server.ts'
import type { Bench, Found } from './areas.ts'
import { atLeast } from './checks.ts'
import { register, type Customer } from './customers.ts'
import { sendLoad } from './load.ts'
import { median, ms, percentile, stamp, table, formatInteger } from './report.ts'
import { serveShop, type ServedShop } from './served-shop.ts'

const SECONDS = 3
const CONNECTIONS = 16
const MESSAGES = 150
const SECRET = 'a-secret-that-all-processes-of-the-bench-share'

type Row = { processes: number; visitor: number; customer: number; p50: number; p99: number }

export async function measureProcesses({ folder, say }: Bench): Promise<Found> {
  const ends: (() => Promise<void>)[] = []
  const shops: ServedShop[] = []
  const rows: Row[] = []
  try {
    const server = await openPostgresServer((end) => void ends.push(end))
    for (let processes = 1; processes <= 3; processes++) {
      say(`${processes} on one PostgreSQL`)
      const dataDir = join(folder, `many-${processes}`)
      await mkdir(dataDir, { recursive: true })
      shops.push(await serveShop(dataDir, 0, { DATABASE_URL: server.url, APP_SECRET: SECRET }))
      const writer = await register(shops[0]!.origin, {
        email: `writer${processes}@example.com`,
        password: 'a-password-for-the-bench',
      })
      rows.push({
        processes,
        visitor: await pagesOf(shops, [], folder),
        customer: await pagesOf(shops, [writer.cookie], folder),
        ...(await signalOf(writer, shops.at(-1)!)),
      })
    }
  } finally {
    for (const shop of shops) await shop.stop()
    for (const end of ends) await end()
  }
  const speedup = rows[1]!.customer / rows[0]!.customer
  return {
    text: written(rows),
    checks: [
      atLeast('Pages per second for a customer: two processes compared with one', 1.7, ' x', [
        { name: '/gallery/', value: speedup },
      ]),
    ],
  }
}

/**
 * Sends load to all processes at the same time, with an equal share of the connections for each
 * process. Returns pages per second.
 */
async function pagesOf(shops: ServedShop[], cookies: string[], folder: string): Promise<number> {
  const connections = Math.ceil(CONNECTIONS / shops.length)
  const load = (seconds: number) =>
    Promise.all(
      shops.map(({ origin }, index) =>
        sendLoad({
          origin,
          path: '/gallery/',
          headers: { 'accept-encoding': 'gzip' },
          cookies,
          connections,
          seconds,
          folder: join(folder, `many-${index + 1}`),
        }),
      ),
    )
  await load(1)
  const results = await load(SECONDS)
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/**
 * Returns the milliseconds from sending a message through the first process to the live update in a
 * browser that is connected to the last process.
 */
async function signalOf(writer: Customer, last: ServedShop): Promise<{ p50: number; p99: number }> {
  const socket = new WebSocket(`${last.origin.replace('http', 'ws')}/live`, {
    headers: { cookie: writer.cookie, origin: last.origin },
  })
  await once(socket, 'open')
  const times: number[] = []
  for (let number = 0; number < MESSAGES; number++) {
    const heard = new Promise<number>((done) => {
      const listen = (text: unknown) => {
        if (!String(text).includes('order:')) return
        socket.off('message', listen)
        done(performance.now())
      }
      socket.on('message', listen)
    })
    const begun = performance.now()
    const { status } = await writer.post('/messages/', {
      intent: 'send',
      message: `Message ${number} of the bench`,
    })
    // The measurement ends when the rate limit refuses a message.
    if (status === 429) break
    times.push((await heard) - begun)
  }
  socket.terminate()
  return { p50: median(times), p99: percentile(times, 0.99) }
}

const written = (
  rows: Row[],
): string => `The shop is empty. wrk, with ${CONNECTIONS} connections in all, and PostgreSQL run on the same machine. Notification: the time from sending
a message through the first process until a browser at the last process receives the change notification; with one process both are the same. ${stamp('many')}

${table(
  [
    'processes',
    '/gallery/ per second, visitors',
    '/gallery/ per second, one customer',
    'notification p50 ms',
    'p99 ms',
  ],
  rows.map(({ processes, visitor, customer, p50, p99 }) => [
    processes,
    formatInteger(visitor),
    formatInteger(customer),
    ms(p50),
    ms(p99),
  ]),
)}`
