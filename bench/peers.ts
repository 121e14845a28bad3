/**
 * Compares the shop with EverShop, with nginx and with a bare Node server, in one run on one
 * machine.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { launchChromium } from '#test/fixtures/browser.ts'
import { freePort } from '#test/fixtures/network.ts'
import type { OnCleanup } from '#test/fixtures/processes.ts'
import type { Bench, Found } from './areas.ts'
import { serveBare } from './bare.ts'
import { atLeast, atMost } from './checks.ts'
import { EVERSHOP_VERSION, openEverShop } from './evershop.ts'
import { visitPage } from './first-visit.ts'
import { auditOnce } from './lighthouse.ts'
import { sendLoad } from './load.ts'
import { CONNECTIONS, ENCODINGS, medianOf } from './pages.ts'
import { fetchRaw } from './raw.ts'
import { formatInteger, kB, median, ms, stamp, table } from './report.ts'
import { residentMemory, serveShop } from './served-shop.ts'

const SECONDS = 4
const ROUNDS = 3

type Row = {
  server: string
  page: string
  perSecond: number
  p99: number
  bytes?: number
  requests?: number
  performance?: number
}

export async function measurePeers({ folder, demoShop, say }: Bench): Promise<Found> {
  const ends: (() => Promise<void>)[] = []
  const onCleanup = (end: () => Promise<void>) => void ends.push(end)
  try {
    return await compareServers({ folder, demoShop, say }, onCleanup)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

async function compareServers(
  { folder, demoShop, say }: Pick<Bench, 'folder' | 'demoShop' | 'say'>,
  onCleanup: OnCleanup,
): Promise<Found> {
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  const peer = await openEverShop(demoShop, say, onCleanup)
  const shop = await serveShop(dataDir)
  onCleanup(shop.stop)
  const debugPort = await freePort()
  const browser = await launchChromium([`--remote-debugging-port=${debugPort}`])
  onCleanup(() => browser.close())
  const gzip =
    'gzip on; gzip_proxied any; gzip_types text/css text/javascript application/javascript application/json image/svg+xml;'
  const proxied = `proxy_pass ${peer.origin}; proxy_set_header Host $http_host;`
  const proxy = await openNginx(
    join(folder, 'proxy'),
    { ofServer: gzip, ofLocation: proxied },
    onCleanup,
  )
  const load = async (origin: string, path: string) => {
    const results = []
    for (let round = 0; round <= ROUNDS; round++) {
      results.push(
        await sendLoad({
          origin,
          path,
          headers: ENCODINGS,
          hasManyClients: true,
          connections: CONNECTIONS,
          seconds: SECONDS,
          folder,
        }),
      )
    }
    // The first round is a warm-up.
    return medianOf(results.slice(1))
  }
  const memory = () => residentMemory(shop.pid)
  const ownPaths = [
    '/',
    peer.category.replace('/', '/gallery/'),
    `/item/${peer.item.split('/').at(-1)}`,
  ]
  const servers = [
    { server: 'this shop', ...shop, browserOrigin: shop.origin, memory, paths: ownPaths },
    {
      server: 'EverShop',
      ...peer,
      browserOrigin: proxy ?? peer.origin,
      paths: ['/', peer.category, peer.item],
    },
  ]
  const rows: Row[] = []
  const processes: (string | number)[][] = []
  for (const { server, origin, browserOrigin, startedIn, paths, memory: resident } of servers) {
    const memoryAfterStart = await resident()
    for (const [index, page] of ['home', 'category', 'product'].entries()) {
      const path = paths[index]!
      say(`${server}: ${page}`)
      const { requests, bytes } = await visitPage(browser, browserOrigin, path)
      const scores = []
      for (let round = 0; round < ROUNDS; round++) {
        scores.push(
          (await auditOnce(browserOrigin, { path, isHidden: false }, debugPort)).scores.performance,
        )
      }
      rows.push({
        server,
        page,
        ...(await load(origin, path)),
        bytes,
        requests,
        performance: median(scores),
      })
    }
    processes.push([
      server,
      ms(startedIn),
      Math.round(memoryAfterStart / 1e6),
      Math.round((await resident()) / 1e6),
    ])
  }
  say('nginx and bare Node with the bytes of Home')
  const home = await fetchRaw(`${shop.origin}/`, ENCODINGS)
  const encoding = String(home.headers['content-encoding'])
  const bare = await serveBare(home)
  onCleanup(bare.stop)
  rows.push({
    server: 'bare `node:http`, same bytes and headers',
    page: 'home',
    ...(await load(bare.origin, '/')),
  })
  await writeFile(join(folder, 'index.html'), home.body)
  const ofServer = `open_file_cache max=10; add_header Content-Encoding ${encoding};`
  const nginx = await openNginx(
    join(folder, 'nginx'),
    { ofServer, ofLocation: `root ${folder};` },
    onCleanup,
  )
  if (nginx) rows.push({ server: 'nginx, same bytes', page: 'home', ...(await load(nginx, '/')) })
  return written(rows, processes, nginx !== null)
}

function written(rows: Row[], processes: (string | number)[][], hasNginx: boolean): Found {
  const compression = hasNginx
    ? 'behind nginx with gzip, because EverShop does not compress'
    : 'without compression, because nginx is not installed here'
  const text = `## Compared with EverShop

EverShop ${EVERSHOP_VERSION} from npm, built for production, on PostgreSQL, with the categories, items and first pictures of the demo shop; this shop on SQLite. EverShop limits the pages of one IP address, so wrk sends many addresses in \`X-Forwarded-For\`. The load goes directly to EverShop, which sends its pages uncompressed. ${CONNECTIONS} connections, ${ROUNDS} times ${SECONDS} seconds after a warm-up, medians. A first visit is as in [A first visit on a phone](#a-first-visit-on-a-phone), Lighthouse is the median of ${ROUNDS}; both see EverShop ${compression}. ${stamp('peers')}

${table(
  ['server', 'page', 'pages/s', 'p99 ms', 'first visit, kB', 'requests', 'Lighthouse performance'],
  rows.map(({ server, page, perSecond, p99, bytes, requests, performance }) => [
    ...[
      server,
      page,
      formatInteger(perSecond),
      ms(p99),
      bytes === undefined ? '–' : kB(bytes),
      requests ?? '–',
      performance ?? '–',
    ],
  ]),
)}

${table(['server', 'start to the first page, ms', 'resident memory after the start, MB', 'after the load, MB'], processes)}`
  const of = (server: string) => rows.filter((row) => row.server === server)
  const pairs = of('this shop').map((own) => ({
    own,
    other: of('EverShop').find(({ page }) => page === own.page)!,
  }))
  const compared = (by: 'perSecond' | 'bytes') =>
    pairs.map(({ own, other }) => ({ name: own.page, value: own[by]! / other[by]! }))
  const bare = rows.find(({ server }) => server.startsWith('bare'))!
  return {
    text,
    checks: [
      atLeast('Pages per second compared with EverShop', 100, ' x', compared('perSecond')),
      atMost('Bytes of a first visit compared with EverShop', 0.5, ' x', compared('bytes')),
      atLeast('Home compared with a bare Node server', 0.9, ' x', [
        { name: 'home', value: pairs[0]!.own.perSecond / bare.perSecond },
      ]),
    ],
  }
}

/**
 * Starts nginx with these directives of `server` and of `location /`, and returns its URL. Returns
 * null if nginx is not installed.
 */
async function openNginx(
  folder: string,
  { ofServer, ofLocation }: Record<'ofServer' | 'ofLocation', string>,
  onCleanup: OnCleanup,
) {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder};`)
    .join(' ')
  const server = `server { listen 127.0.0.1:${port}; ${ofServer} location / { ${ofLocation} } }`
  const http = `http { access_log off; types { text/html html; } sendfile on; keepalive_requests 100000000; ${temporary} ${server} }`
  // As root, nginx would read files as `nobody`, who cannot read this folder.
  const asRoot = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `${asRoot} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit; events { worker_connections 256; } ${http}`,
  )
  const child = spawn('nginx', ['-c', file, '-p', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit').catch((error: unknown) => error)
  onCleanup(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const origin = `http://127.0.0.1:${port}`
  const isOpen = () =>
    fetch(origin).then(
      () => true,
      () => false,
    )
  let failure: unknown = null
  void ended.then((outcome) => (failure = outcome))
  while (failure === null && !(await isOpen())) await pause(50)
  if (failure === null) return origin
  if ((failure as { code?: unknown }).code === 'ENOENT') return null
  throw new Error('nginx did not start')
}
