/**
 * Measures pages per second. Cached pages are compared with a minimal Node server that sends the
 * same bytes. Pages of signed-in users are rendered for each request.
 */
import { cp } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Bench, Found } from './areas.ts'
import { serveBare } from './bare.ts'
import { atLeast, atMost, below } from './checks.ts'
import { addCustomers, signIn } from './customers.ts'
import { sendLoad, type LoadResult } from './load.ts'
import { fetchRaw } from './raw.ts'
import { measureReadyDate } from './ready-date.ts'
import { kB, median, ms, stamp, table, times, formatInteger } from './report.ts'
import { OWNER, residentMemory, serveShop } from './served-shop.ts'

export const CONNECTIONS = 16
const SECONDS = 2
const ROUNDS = 5
/** The first rounds are not counted, because V8 is still compiling the rendering code. */
const WARM_UP_ROUNDS = 3
const CUSTOMERS = 200
const MAX_MEMORY_MB = 300
export const ENCODINGS = { 'accept-encoding': 'gzip, deflate, br, zstd' }

export const medianOf = (rounds: LoadResult[]): LoadResult => {
  const of = (name: keyof LoadResult) => median(rounds.map((round) => round[name]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}

const how = `${CONNECTIONS} connections of wrk on the same machine (${cpus().length} cores), ${ROUNDS} times ${SECONDS} seconds each, medians`

export async function measurePages({ folder, demoShop, say }: Bench): Promise<Found> {
  await cp(demoShop, join(folder, 'shop'), { recursive: true })
  const shop = await serveShop(join(folder, 'shop'))
  try {
    const rows = []
    for (const path of await publicAddresses(shop.origin)) {
      say(`cached page: ${path}`)
      const page = await fetchRaw(shop.origin + path, ENCODINGS)
      const bare = await serveBare(page)
      try {
        const load = (origin: string) =>
          sendLoad({
            origin,
            path,
            headers: ENCODINGS,
            connections: CONNECTIONS,
            seconds: SECONDS,
            folder,
          })
        await load(shop.origin)
        const [ours, bares]: [LoadResult[], LoadResult[]] = [[], []]
        // The two servers alternate, so that other work on the machine affects both.
        for (let round = 0; round < ROUNDS; round++) {
          ours.push(await load(shop.origin))
          bares.push(await load(bare.origin))
        }
        // Values of the same round are compared, because they were measured at about the same time.
        const ratio = median(
          ours.map(({ perSecond }, round) => perSecond / bares[round]!.perSecond),
        )
        rows.push({
          path,
          bytes: page.body.length,
          shop: medianOf(ours),
          bare: medianOf(bares),
          ratio,
        })
      } finally {
        await bare.stop()
      }
    }
    const text = `## Public pages to visitors

The shop sends compressed pages from the page cache. For comparison, a bare \`node:http\` server sends the same bytes with the same headers. ${how}; the two servers alternate. ${stamp('pages')}

${table(
  ['page', 'kB', 'pages/s', 'bare Node/s', 'ratio', 'p50 ms', 'p99 ms', 'p99 ms of bare Node'],
  rows.map(({ path, bytes, shop: ours, bare, ratio }) => [
    path,
    kB(bytes),
    formatInteger(ours.perSecond),
    formatInteger(bare.perSecond),
    times(ratio, 1),
    ms(ours.p50),
    ms(ours.p99),
    ms(bare.p99),
  ]),
)}`
    const isPage = ({ path }: { path: string }) => !path.startsWith('/pictures/')
    const shares = rows.filter(isPage).map((row) => ({ name: row.path, value: row.ratio }))
    const p99s = rows.filter(isPage).map((row) => ({ name: row.path, value: row.shop.p99 }))
    return {
      text,
      checks: [
        atLeast('Cached pages compared with a bare Node server', 0.9, ' x', shares),
        below('Cached pages: p99', 5, ' ms', p99s),
        await memoryCheck('the load of cached pages', shop.pid),
        below('“Ready about …” on an item page', 0.2, ' ms', [
          await measureReadyDate(join(folder, 'ready-date')),
        ]),
      ],
    }
  } finally {
    await shop.stop()
  }
}

const memoryCheck = async (after: string, pid: number) =>
  atMost(`Resident memory after ${after}`, MAX_MEMORY_MB, ' MB', [
    { name: 'at its end', value: Math.round((await residentMemory(pid)) / 1e6) },
  ])

/**
 * Returns the paths of Home, the gallery and an item, the paths of their data, and the path of a
 * card's image.
 */
async function publicAddresses(origin: string): Promise<string[]> {
  const gallery = await (await fetch(`${origin}/gallery/`)).text()
  const item = /href="(\/item\/[^"/?]+)"/.exec(gallery)![1]!
  const image = /\/pictures\/items\/[^" ,]+\.480\.avif/.exec(gallery)![0]
  return ['/', '/_.data', '/gallery/', '/gallery/_.data', item, `${item}.data`, image]
}

export async function measureSignedIn({ folder, demoShop, say }: Bench): Promise<Found> {
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  const cookies = await addCustomers(dataDir, CUSTOMERS)
  const shop = await serveShop(dataDir)
  try {
    const owner = [(await signIn(shop.origin, OWNER)).cookie]
    const requests = [
      { name: `/gallery/, ${CUSTOMERS} customers`, path: '/gallery/', cookies },
      { name: `the data of /gallery/, ${CUSTOMERS} customers`, path: '/gallery/_.data', cookies },
      { name: '/gallery/, the owner', path: '/gallery/', cookies: owner },
      { name: `/about/, ${CUSTOMERS} customers`, path: '/about/', cookies },
    ]
    const rows = []
    for (const { name, path, cookies: sent } of requests) {
      say(`signed in: ${name}`)
      const load = () =>
        sendLoad({
          origin: shop.origin,
          path,
          cookies: sent,
          headers: { ...ENCODINGS, accept: 'text/html' },
          connections: CONNECTIONS,
          seconds: SECONDS,
          folder,
        })
      for (let round = 0; round < WARM_UP_ROUNDS; round++) await load()
      const rounds: LoadResult[] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await load())
      rows.push({ name, ...medianOf(rounds) })
    }
    const text = `## Pages to customers and the owner

The shop renders these pages for each request: it reads the session, runs queries, renders with React and compresses. Each customer has other favorites; /about/ reads only the session and the number of unread messages. One process; ${how}. ${stamp('signed-in')}

${table(
  ['page', 'pages/s', 'p50 ms', 'p99 ms'],
  rows.map(({ name, perSecond, p50, p99 }) => [name, formatInteger(perSecond), ms(p50), ms(p99)]),
)}`
    return {
      text,
      checks: [
        atLeast('Signed-in gallery, rendered on request', 300, ' a second', [
          { name: rows[0]!.name, value: rows[0]!.perSecond },
        ]),
        await memoryCheck('the load of pages of signed-in people', shop.pid),
      ],
    }
  } finally {
    await shop.stop()
  }
}
