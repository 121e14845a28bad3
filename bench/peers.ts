/** Compares the shop with EverShop, with nginx and with a bare Node server, in one run on one machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { launchChromium } from '#test/fixtures/browser.ts'
import { freePort } from '#test/fixtures/network.ts'
import type { Bench, Found } from './areas.ts'
import { serveBare } from './bare.ts'
import { atLeast, atMost } from './checks.ts'
import { EVERSHOP, openEverShop } from './evershop.ts'
import { visitPage } from './first-visit.ts'
import { auditOnce } from './lighthouse.ts'
import { findLoadProgram, sendLoad } from './load.ts'
import { CONNECTIONS, ENCODINGS, medianOf } from './pages.ts'
import { fetchRaw } from './raw.ts'
import { formatInteger, kB, median, ms, stamp, table, times } from './report.ts'
import { residentMemory, serveShop } from './served-shop.ts'

const SECONDS = 4
const ROUNDS = 3

type Row = { server: string; page: string; perSecond: number; p99: number; bytes?: number; requests?: number; performance?: number }

export async function measurePeers({ folder, demoShop, say }: Bench): Promise<Found> {
  const program = await findLoadProgram()
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  const [debugPort, peer] = [await freePort(), await openEverShop(demoShop, say)]
  const [shop, browser] = [await serveShop(dataDir), await launchChromium([`--remote-debugging-port=${debugPort}`])]
  const proxy = await openNginx(
    join(folder, 'proxy'),
    'gzip on; gzip_proxied any; gzip_types text/css text/javascript application/javascript application/json image/svg+xml;',
    `proxy_pass ${peer.origin}; proxy_set_header Host $http_host;`,
  )
  const load = async (origin: string, path: string) => {
    const results = []
    for (let round = 0; round <= ROUNDS; round++)
      results.push(
        await sendLoad(program, {
          ...{ origin, path, headers: ENCODINGS, hasManyClients: true, connections: CONNECTIONS, seconds: SECONDS, folder },
        }),
      )
    // The first round is a warm-up.
    return medianOf(results.slice(1))
  }
  try {
    const item = /href="(\/item\/[^"/?]+)"/.exec(await (await fetch(`${shop.origin}/gallery/`)).text())![1]!
    const memory = () => residentMemory(shop.pid)
    const servers = [
      { server: 'this shop', ...shop, visited: shop.origin, memory, paths: ['/', peer.category.replace('/', '/gallery/'), item] },
      { server: 'EverShop', ...peer, visited: proxy?.origin ?? peer.origin, paths: ['/', peer.category, peer.item] },
    ]
    const rows: Row[] = []
    const processes: (string | number)[][] = []
    for (const { server, origin, visited, startedIn, paths, memory: resident } of servers) {
      const started = await resident()
      for (const [at, page] of ['home', 'category', 'product'].entries()) {
        const path = paths[at]!
        say(`${server}: ${page}`)
        const { requests, bytes } = await visitPage(browser, visited, path)
        const scores = []
        for (let round = 0; round < ROUNDS; round++)
          scores.push((await auditOnce(visited, { path, isHidden: false }, debugPort)).scores.performance)
        rows.push({ server, page, ...(await load(origin, path)), bytes, requests, performance: median(scores) })
      }
      processes.push([server, ms(startedIn), Math.round(started / 1e6), Math.round((await resident()) / 1e6)])
    }
    say('nginx and bare Node with the bytes of Home')
    const home = await fetchRaw(`${shop.origin}/`, ENCODINGS)
    const encoding = String(home.headers['content-encoding'])
    const bare = await serveBare(home.body, { 'content-type': 'text/html', 'content-encoding': encoding })
    rows.push({ server: 'bare `node:http`, same bytes', page: 'home', ...(await load(bare.origin, '/')) })
    await bare.stop()
    await writeFile(join(folder, 'index.html'), home.body)
    const nginx = await openNginx(
      join(folder, 'nginx'),
      `open_file_cache max=10; add_header Content-Encoding ${encoding};`,
      `root ${folder};`,
    )
    if (nginx) rows.push({ server: 'nginx, same bytes', page: 'home', ...(await load(nginx.origin, '/')) })
    await nginx?.stop()
    return written(rows, processes, nginx !== null)
  } finally {
    await browser.close()
    await proxy?.stop()
    await shop.stop()
    await peer.stop()
  }
}

function written(rows: Row[], processes: (string | number)[][], hasNginx: boolean): Found {
  const compression = hasNginx
    ? 'behind nginx with gzip, because EverShop does not compress'
    : 'without compression, because nginx is not installed here'
  const text = `## Compared with EverShop

EverShop ${EVERSHOP} from npm, built for production, on PostgreSQL, with the categories, items and first pictures of the demo shop; this shop on SQLite. EverShop limits the pages of one IP address, so each request of the load has a different one. ${CONNECTIONS} connections, ${ROUNDS} times ${SECONDS} seconds after a warm-up, medians. A first visit is as in [the table below](#a-first-visit-on-a-phone), Lighthouse is the median of ${ROUNDS}; both see EverShop ${compression}. ${stamp('peers')}

${table(
  ['server', 'page', 'pages/s', 'p99 ms', 'first visit, kB', 'requests', 'Lighthouse performance'],
  rows.map(({ server, page, perSecond, p99, bytes, requests, performance }) => [
    ...[server, page, formatInteger(perSecond), ms(p99), bytes === undefined ? '–' : kB(bytes), requests ?? '–', performance ?? '–'],
  ]),
)}

${table(['server', 'start to the first page, ms', 'resident memory after the start, MB', 'after the load, MB'], processes)}`
  const of = (server: string) => rows.filter((row) => row.server === server)
  const pairs = of('this shop').map((own) => ({ own, other: of('EverShop').find(({ page }) => page === own.page)! }))
  const compared = (by: 'perSecond' | 'bytes') => pairs.map(({ own, other }) => ({ name: own.page, value: own[by]! / other[by]! }))
  const bare = rows.find(({ server }) => server.startsWith('bare'))!
  return {
    text,
    checks: [
      atLeast('Pages per second compared with EverShop', 100, ' x', compared('perSecond')),
      atMost('Bytes of a first visit compared with EverShop', 0.5, ' x', compared('bytes')),
      atLeast('Home compared with a bare Node server', 0.9, ' x', [
        { name: times(pairs[0]!.own.perSecond, bare.perSecond), value: pairs[0]!.own.perSecond / bare.perSecond },
      ]),
    ],
  }
}

/** Starts nginx with these directives of `server` and of `location /`. Returns null if nginx is not installed. */
async function openNginx(
  folder: string,
  ofServer: string,
  ofLocation: string,
): Promise<{ origin: string; stop: () => Promise<void> } | null> {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`).join(' ')
  const server = `server { listen 127.0.0.1:${port}; ${ofServer} location / { ${ofLocation} } }`
  const http = `http { access_log off; types { text/html html; } sendfile on; keepalive_requests 100000000; ${temporary} ${server} }`
  // Otherwise nginx reads files as the user nobody, who may not read this folder.
  const asRoot = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `${asRoot} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit; events { worker_connections 256; } ${http}`,
  )
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'ignore' })
  const ended = once(child, 'exit').catch(() => null)
  const origin = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if ((await Promise.race([ended, pause(50)])) !== undefined) return null
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { origin, stop }
}
