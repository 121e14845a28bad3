/** Public pages to visitors, beside a file server with the same bytes, in one run and in turns. */
import { cp } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Area, Found } from './areas.ts'
import { serveBare } from './bare.ts'
import { readyGoals } from './goals.ts'
import { kB, median, ms, times, whole } from './figures.ts'
import { serveByNginx, type Served } from './nginx.ts'
import { fetchRaw, type Raw } from './raw.ts'
import { table } from './report.ts'
import { serveShop, type ServedShop } from './served-shop.ts'
import type { Bench } from './workshop.ts'
import { fireWith, hasProgram } from './wrk.ts'
import { processorTime, spent } from './processor-time.ts'

const CONNECTIONS = 16
const SECONDS = 2
const ROUNDS = 3

/** `cpu`: microseconds of processor time for each answer. */
type Measured = { perSecond: number; p50: number; p99: number; cpu: number }
/** `besideOne`: also beside a file server of one process, as the shop is. */
type Asked = { what: string; path: string; headers: Record<string, string>; besideOne: boolean }
type Row = { what: string; bytes: number; shop: Measured; files: Measured; one: Measured | null }
type Means = { program: 'wrk' | 'autocannon'; isNginx: boolean; folder: string }

export const pages: Area = { document: 'performance', measure }

async function measure({ folder, demoShop, say }: Bench): Promise<Found> {
  const load = loadavg()[0]!
  const means: Means = { program: (await hasProgram('wrk')) ? 'wrk' : 'autocannon', isNginx: await hasProgram('nginx'), folder }
  await cp(demoShop, join(folder, 'pages'), { recursive: true })
  const shop = await serveShop(join(folder, 'pages'))
  try {
    const rows: Row[] = []
    for (const asked of await addresses(shop.origin)) {
      say(`ready pages: ${asked.what}`)
      rows.push(await measureOne(shop, asked, means))
    }
    const checks = readyGoals(rows.map(({ what, shop, files }) => ({ what, share: shop.perSecond / files.perSecond, p99: shop.p99 })))
    return { text: written(rows, means, load), checks }
  } finally {
    await shop.stop()
  }
}

/** Home, the gallery and a piece, each with its data, as most programs take them; the gallery and a picture of it also as browsers do. */
async function addresses(origin: string): Promise<Asked[]> {
  const gallery = await (await fetch(`${origin}/gallery/`)).text()
  const item = /href="(\/item\/[^"/?]+)"/.exec(gallery)![1]!
  const paths = ['/', '/gallery/', item].flatMap((path) => [path, path.endsWith('/') ? `${path}_.data` : `${path}.data`])
  const asked = paths.map((path) => ({ what: path, path, headers: { 'accept-encoding': 'gzip' }, besideOne: !path.endsWith('.data') }))
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  const picture = /\/pictures\/items\/[^" ,]+\.480\.avif/.exec(gallery)![0]
  return [
    ...asked,
    { what: '/gallery/ (brotli)', path: '/gallery/', headers, besideOne: false },
    { what: 'a picture of a card (AVIF, 480 wide)', path: picture, headers, besideOne: true },
  ]
}

async function measureOne(shop: ServedShop, { what, path, headers, besideOne }: Asked, { program, isNginx, folder }: Means): Promise<Row> {
  const url = shop.origin + path
  // Made, packed, and the code compiled, before the clock starts.
  await fireWith(program, { url, headers, seconds: 1, connections: CONNECTIONS })
  const page = servedAs(await fetchRaw(url, headers))
  const files = isNginx ? await serveByNginx(join(folder, 'nginx'), page, 'auto') : await serveBare(page.body)
  const one = isNginx && besideOne ? await serveByNginx(join(folder, 'nginx-one'), page, 1) : null
  try {
    const found = { shop: [] as Measured[], files: [] as Measured[], one: [] as Measured[] }
    const measured = async (pid: number, address: string): Promise<Measured> => {
      const before = processorTime(pid)
      const asked = { url: address, headers, seconds: SECONDS, connections: CONNECTIONS }
      const { perSecond, p50, p99, count } = await fireWith(program, asked)
      return { perSecond, p50, p99, cpu: (1000 * spent(before, processorTime(pid))) / count }
    }
    for (let round = 0; round < ROUNDS; round++) {
      found.shop.push(await measured(shop.pid, url))
      found.files.push(await measured(files.pid, `${files.origin}/page`))
      if (one) found.one.push(await measured(one.pid, `${one.origin}/page`))
    }
    return { what, bytes: page.body.length, shop: middle(found.shop), files: middle(found.files), one: one && middle(found.one) }
  } finally {
    await Promise.all([files.stop(), one?.stop()])
  }
}

/** What a file server must be told to send the same. */
function servedAs({ body, headers: told }: Raw): Served {
  const names = { 'Content-Encoding': told['content-encoding'], Vary: told.vary, 'Cache-Control': told['cache-control'] }
  const headers = Object.fromEntries(Object.entries(names).filter((named): named is [string, string] => named[1] !== undefined))
  return { body, type: told['content-type'] ?? '', headers }
}

function middle(rounds: Measured[]): Measured {
  const of = (name: keyof Measured) => median(rounds.map((round) => round[name]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), cpu: of('cpu') }
}

function written(rows: Row[], { program, isNginx }: Means, load: number): string {
  const beside = isNginx ? 'nginx' : 'bare Node'
  return `## Public pages to visitors

Kept ready and packed ([039](decisions/039-ready-pages.md)), a picture from memory after a look at its file; beside ${isNginx ? 'nginx with a worker for each core and the same bytes as a file' : 'a bare Node server with the same bytes (nginx is not installed)'}: ${CONNECTIONS} connections
of ${program} on the same machine (${cpus().length} cores), ${ROUNDS} times ${SECONDS} seconds each, in turns; medians. The shop is one process${isNginx ? ', so pages and a picture stand beside nginx with one worker too (`of one worker`: pages/s of the shop by those of such an nginx)' : ''}. Processor time is what each needed for an answer, whatever else ran.
The load of the machine before the run was ${load.toFixed(1)}; times of a run that begins above 1 say little. \`npm run bench -- --only pages\`, ${new Date().toISOString().slice(0, 10)}.

${table(
  [
    'page',
    'kB',
    'pages/s',
    `${beside}/s`,
    `of ${beside}`,
    'one worker/s',
    'of one worker',
    'p50 ms',
    'p99 ms',
    `p99 ${beside}`,
    'µs each',
    `µs ${beside}`,
  ],
  rows.map(({ what, bytes, shop, files, one }) => [
    what,
    kB(bytes),
    whole(shop.perSecond),
    whole(files.perSecond),
    times(shop.perSecond, files.perSecond),
    one ? whole(one.perSecond) : '–',
    times(shop.perSecond, one?.perSecond ?? 0),
    ms(shop.p50),
    ms(shop.p99),
    ms(files.p99),
    whole(shop.cpu),
    whole(files.cpu),
  ]),
)}
`
}
