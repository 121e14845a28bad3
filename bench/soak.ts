/**
 * Runs the shop under mixed load for an hour: visitors, 200 customers with open tabs, the owner,
 * and uploads of images.
 */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { newId15 } from '#lib/text/ids.ts'
import type { Bench, Found } from './areas.ts'
import { atMost, none } from './checks.ts'
import { addCustomers, signIn } from './customers.ts'
import type { Writer } from './message-load.ts'
import { close, connect, openCrowd, post } from './messages.ts'
import { publicPages } from './public-pages.ts'
import { formatInteger, median, ms, percentile, stamp, table } from './report.ts'
import { OWNER, residentMemory, serveShop } from './served-shop.ts'

const CUSTOMERS = 200
const VISITORS = 8
const SAMPLE_MS = 60_000
/** Until this part of the time has passed, caches fill up, and memory is not compared. */
const WARM_UP = 1 / 6
const MAX_GROWTH = 1.1

type Sample = { minute: number; megabytes: number; requests: number; p99: number }

export async function measureSoak({ folder, demoShop, say, minutes }: Bench): Promise<Found> {
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  const cookies = await addCustomers(dataDir, CUSTOMERS)
  const shop = await serveShop(dataDir)
  const { origin } = shop
  const owner = {
    id: 'owner',
    cookie: (await signIn(origin, OWNER)).cookie,
    address: '203.0.113.200',
    stored: new Map(),
  }
  const customers = cookies.map((cookie, at): Writer => ({
    id: `customer-${at}`,
    cookie,
    address: `203.0.113.${at}`,
    stored: new Map(),
  }))
  const tabs = await openCrowd(CUSTOMERS, (at) => connect(origin, customers[at], at))
  const photo = await sharp({
    create: { width: 1600, height: 1200, channels: 3, background: '#b5694a' },
  })
    .jpeg()
    .toBuffer()
  const pages = (await publicPages(origin, 'unknown')).flatMap(({ path, isHidden }) =>
    isHidden ? [] : path,
  )

  const end = performance.now() + minutes * 60_000
  let took: number[] = []
  const errors: string[] = []
  const timed = async (what: string, act: () => Promise<unknown>) => {
    const begun = performance.now()
    await act().catch((error: unknown) => errors.push(`${what}: ${String(error)}`))
    took.push(performance.now() - begun)
  }
  const open = async (path: string, writer?: Writer, body?: FormData) => {
    const headers = {
      origin,
      'x-forwarded-for': writer?.address ?? '198.51.100.200',
      ...(writer && { cookie: writer.cookie }),
    }
    const response = await fetch(origin + path, { headers, ...(body && { method: 'POST', body }) })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} answers ${response.status}`)
  }
  const uploaded = () => {
    const form = new FormData()
    form.append('file', new File([new Uint8Array(photo)], 'photo.jpg', { type: 'image/jpeg' }))
    return form
  }
  /** Repeats an action until the end. The action gets the number of its round. */
  const repeat = async (everyMs: number, act: (round: number) => Promise<void>) => {
    for (let round = 0; performance.now() < end; round++) {
      await act(round)
      await pause(everyMs)
    }
  }
  const customerOf = (round: number) => customers[(round * 37) % CUSTOMERS]!
  const samples: Sample[] = []
  const sample = async () => {
    while (performance.now() < end) {
      await pause(Math.min(SAMPLE_MS, Math.max(0, end - performance.now())))
      const megabytes = Math.round((await residentMemory(shop.pid)) / 1e6)
      samples.push({
        minute: samples.length + 1,
        megabytes,
        requests: took.length,
        p99: percentile(took, 0.99),
      })
      say(
        `soak: minute ${samples.length} of ${minutes}, ${megabytes} MB, ${took.length} requests, ${errors.length} errors`,
      )
      took = []
    }
  }
  try {
    await Promise.all([
      sample(),
      ...Array.from({ length: VISITORS }, (_, visitor) =>
        repeat(100, (round) =>
          timed('a visitor', () => open(pages[(round + visitor) % pages.length]!)),
        ),
      ),
      repeat(100, (round) =>
        timed('a customer opens the gallery', () => open('/gallery/', customerOf(round))),
      ),
      repeat(200, (round) =>
        timed('a customer writes', () =>
          post(origin, customerOf(round), customerOf(round).id, newId15()),
        ),
      ),
      repeat(1000, (round) =>
        timed('the owner replies', () => post(origin, owner, customerOf(round).id, newId15())),
      ),
      repeat(2000, (round) =>
        timed('the owner reads', () => open(`/manage/messages/${customerOf(round).id}`, owner)),
      ),
      repeat(5000, (round) =>
        timed('a customer uploads a picture', () =>
          open('/messages/pictures', customerOf(round), uploaded()),
        ),
      ),
    ])
    return written(samples, errors, minutes)
  } finally {
    close(tabs)
    await shop.stop()
  }
}

function written(samples: Sample[], errors: string[], minutes: number): Found {
  const settled = samples.slice(Math.floor(samples.length * WARM_UP))
  const memory = settled.map(({ megabytes }) => megabytes)
  const edge = Math.max(1, Math.floor(samples.length / 6))
  const p99s = settled.map(({ p99 }) => p99)
  const first = median(p99s.slice(0, edge))
  const last = median(p99s.slice(-edge))
  const every = Math.max(1, Math.floor(samples.length / 12))
  const text = `## Mixed load

For ${minutes} minutes, ${VISITORS} visitors open pages, each at most ten a second, ${CUSTOMERS} customers with an open tab together open the gallery up to ten times and write up to five messages a second,
the owner reads and answers, and a picture is uploaded every five seconds. ${formatInteger(samples.reduce((sum, { requests }) => sum + requests, 0))} requests. ${stamp('soak')}

${table(
  ['minute', 'resident memory, MB', 'requests', 'p99 ms'],
  samples
    .filter((_, at) => (at + 1) % every === 0)
    .map((one) => [one.minute, one.megabytes, formatInteger(one.requests), ms(one.p99)]),
)}`
  return {
    text,
    checks: [
      none('Mixed load: errors', [...new Set(errors)].slice(0, 5)),
      atMost(
        'Mixed load: largest memory compared with the smallest, after the first ten minutes',
        MAX_GROWTH,
        ' x',
        [
          {
            name: `${Math.min(...memory)} to ${Math.max(...memory)} MB`,
            value: Math.max(...memory) / Math.min(...memory),
          },
        ],
      ),
      atMost('Mixed load: p99 of the last ten minutes compared with the first', MAX_GROWTH, ' x', [
        { name: `${ms(first)} to ${ms(last)} ms`, value: last / first },
      ]),
    ],
  }
}
