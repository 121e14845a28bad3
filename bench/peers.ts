/** Compares the shop with EverShop, with nginx and with a bare Node server, in one run on one machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  const load = async (origin: string, path: string) => {
    const results = []
    for (let round = 0; round <= ROUNDS; round++)
      results.push(await sendLoad(program, { origin, path, headers: ENCODINGS, connections: CONNECTIONS, seconds: SECONDS, folder }))
    // The first round is a warm-up.
    return medianOf(results.slice(1))
  }
  try {
    const item = /href="(\/item\/[^"/?]+)"/.exec(await (await fetch(`${shop.origin}/gallery/`)).text())![1]!
    const servers = [
      { server: 'this shop', ...shop, paths: ['/', peer.category.replace('/', '/gallery/'), item] },
      { server: 'EverShop', ...peer, paths: ['/', peer.category, peer.item] },
    ]
    const rows: Row[] = []
    const processes: (string | number)[][] = []
    for (const { server, origin, pid, startedIn, paths } of servers) {
      const started = await residentMemory(pid)
      for (const [at, page] of ['home', 'category', 'product'].entries()) {
        const path = paths[at]!
        say(`${server}: ${page}`)
        const { requests, bytes } = await visitPage(browser, origin, path)
        const scores = []
        for (let round = 0; round < ROUNDS; round++)
          scores.push((await auditOnce(origin, { path, isHidden: false }, debugPort)).scores.performance)
        rows.push({ server, page, ...(await load(origin, path)), bytes, requests, performance: median(scores) })
      }
      processes.push([server, ms(startedIn), Math.round(started / 1e6), Math.round((await residentMemory(pid)) / 1e6)])
    }
    say('nginx and bare Node with the bytes of Home')
    const home = await fetchRaw(`${shop.origin}/`, ENCODINGS)
    const encoding = String(home.headers['content-encoding'])
    const bare = await serveBare(home.body, { 'content-type': 'text/html', 'content-encoding': encoding })
    rows.push({ server: 'bare `node:http`, same bytes', page: 'home', ...(await load(bare.origin, '/')) })
    await bare.stop()
    const nginx = await serveNginx(join(folder, 'nginx'), home.body, encoding)
    if (nginx) rows.push({ server: 'nginx, same bytes', page: 'home', ...(await load(nginx.origin, '/')) })
    await nginx?.stop()
    return written(rows, processes, nginx !== null)
  } finally {
    await browser.close()
    await shop.stop()
    await peer.stop()
  }
}

function written(rows: Row[], processes: (string | number)[][], hasNginx: boolean): Found {
  const text = `## Compared with EverShop

EverShop ${EVERSHOP} from npm, built for production, on PostgreSQL, with the categories, items and first pictures of the demo shop; this shop on SQLite. ${CONNECTIONS} connections, ${ROUNDS} times ${SECONDS} seconds after a warm-up, medians; a first visit as in [the table below](#a-first-visit-on-a-phone), Lighthouse as the median of ${ROUNDS}.${hasNginx ? '' : ' nginx is not installed here.'} ${stamp('peers')}

${table(
  ['server', 'page', 'pages/s', 'p99 ms', 'first visit, kB', 'requests', 'Lighthouse performance'],
  rows.map(({ server, page, perSecond, p99, bytes, requests, performance }) => [
    ...[server, page, formatInteger(perSecond), ms(p99), bytes === undefined ? '–' : kB(bytes), requests ?? '–', performance ?? '–'],
  ]),
)}

${table(['server', 'start to the first page, ms', 'resident memory after the start, MB', 'after the load, MB'], processes)}`
  const of = (server: string) => rows.filter((row) => row.server === server)
  const pairs = of('this shop').map((own) => ({ own, other: of('EverShop').find(({ page }) => page === own.page)! }))
  const bare = rows.find(({ server }) => server.startsWith('bare'))!
  return {
    text,
    checks: [
      atLeast(
        'Pages per second compared with EverShop',
        100,
        ' x',
        pairs.map(({ own, other }) => ({ name: own.page, value: own.perSecond / other.perSecond })),
      ),
      atMost(
        'Bytes of a first visit compared with EverShop',
        0.5,
        ' x',
        pairs.map(({ own, other }) => ({ name: own.page, value: own.bytes! / other.bytes! })),
      ),
      atLeast('Home compared with a bare Node server', 0.9, ' x', [
        { name: times(pairs[0]!.own.perSecond, bare.perSecond), value: pairs[0]!.own.perSecond / bare.perSecond },
      ]),
    ],
  }
}

/** Serves one compressed file with nginx. Returns null if nginx is not installed. */
async function serveNginx(
  folder: string,
  body: Uint8Array,
  encoding: string,
): Promise<{ origin: string; stop: () => Promise<void> } | null> {
  await mkdir(join(folder, 'www'), { recursive: true })
  await writeFile(join(folder, 'www', 'index.html'), body)
  const port = await freePort()
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit; events { worker_connections 256; }
http { access_log off; types { text/html html; } sendfile on; keepalive_requests 100000000; open_file_cache max=10;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; root ${folder}/www; add_header Content-Encoding ${encoding}; } }`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
  const ended = once(child, 'exit').catch(() => null)
  const origin = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    if (
      await fetch(origin).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return {
        origin,
        stop: async () => {
          child.kill('SIGTERM')
          await ended
        },
      }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}
