/** Pages to customers and the owner: session, database and rendering, for many people in turns. */
import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import type { Area, Found } from './areas.ts'
import { signIn } from './customer.ts'
import { median, ms, whole } from './figures.ts'
import { signedInGoals } from './goals.ts'
import { addCustomers } from './people.ts'
import { table } from './report.ts'
import { OWNER, serveShop, type ServedShop } from './served-shop.ts'
import type { Bench } from './workshop.ts'
import { hasProgram } from './wrk.ts'
import { processorTime, spent } from './processor-time.ts'

const PEOPLE = 200
const CONNECTIONS = 16
const SECONDS = 3
const ROUNDS = 3
/** As browsers say it. */
const ENCODINGS = 'gzip, deflate, br, zstd'

export const signedIn: Area = { document: 'performance', measure }

type Asked = { what: string; path: string; cookies: string[]; isAnew: boolean }
type Pace = { perSecond: number; p50: number; p99: number; cpu: number }

async function measure({ folder, demoShop, say }: Bench): Promise<Found> {
  const load = loadavg()[0]!
  const dataDir = join(folder, 'signed-in')
  await cp(demoShop, dataDir, { recursive: true })
  const cookies = await addCustomers(dataDir, PEOPLE)
  const isWrk = await hasProgram('wrk')
  const shop = await serveShop(dataDir)
  try {
    const owner = [(await signIn(shop.origin, OWNER)).cookie]
    const asked: Asked[] = [
      { what: `/gallery/, ${PEOPLE} customers in turns`, path: '/gallery/', cookies, isAnew: false },
      { what: `/gallery/, ${PEOPLE} customers, each page made anew`, path: '/gallery/', cookies, isAnew: true },
      { what: 'the data of that page alone, made anew', path: '/gallery/_.data', cookies, isAnew: true },
      { what: '/gallery/, the owner', path: '/gallery/', cookies: owner, isAnew: false },
      { what: '/gallery/, the owner, each page made anew', path: '/gallery/', cookies: owner, isAnew: true },
    ]
    const rows: [string, Pace][] = []
    for (const one of asked) {
      say(`signed in: ${one.what}`)
      rows.push([one.what, await measureOne(shop, one, isWrk ? join(folder, 'people.lua') : null)])
    }
    const checks = signedInGoals(rows.map(([what, { perSecond }]) => ({ what, perSecond })))
    return { text: written(rows, isWrk ? 'wrk' : 'autocannon', load), checks }
  } finally {
    await shop.stop()
  }
}

let number = 0

async function measureOne(shop: ServedShop, asked: Asked, script: string | null): Promise<Pace> {
  await fire(shop.origin, asked, script, SECONDS)
  const found: Pace[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = processorTime(shop.pid)
    const { count, ...times } = await fire(shop.origin, asked, script, SECONDS)
    found.push({ ...times, cpu: spent(before, processorTime(shop.pid)) / count })
  }
  const middle = (name: keyof Pace) => median(found.map((one) => one[name]))
  return { perSecond: middle('perSecond'), p50: middle('p50'), p99: middle('p99'), cpu: middle('cpu') }
}

/** `isAnew`: with a cookie that nobody has sent before, so that no page of that person's own is there yet. */
async function fire(origin: string, { path, cookies, isAnew }: Asked, script: string | null, seconds: number) {
  const run = (number += 1)
  const headers = (cookie: string) => ({ cookie, 'accept-encoding': ENCODINGS, accept: 'text/html' })
  if (script === null) {
    let at = 0
    const { requests, latency, non2xx, errors } = await autocannon({
      url: origin,
      connections: CONNECTIONS,
      duration: seconds,
      requests: cookies.map((cookie) => ({
        headers: headers(cookie),
        path,
        setupRequest: (request: object) => ({ ...request, headers: headers(isAnew ? `${cookie}; anew=${run}-${(at += 1)}` : cookie) }),
      })),
    })
    if (non2xx + errors > 0) throw new Error(`${path}: not every answer was a page`)
    return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, count: requests.total }
  }
  await writeFile(script, scriptOf(cookies, path, isAnew ? `; anew=${run}-` : null))
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    script,
    origin,
  ])
  const [perSecond, p50, p99, count, failed] = (/^found (.*)$/m.exec(stdout)?.[1] ?? '').split(' ').map(Number)
  if (failed !== 0) throw new Error(`${path}: not every answer was a page\n${stdout}`)
  return { perSecond: perSecond!, p50: p50!, p99: p99!, count: count! }
}

const scriptOf = (cookies: string[], path: string, anew: string | null) => `
local cookies = {${cookies.map((cookie) => JSON.stringify(cookie)).join(',')}}
local at = 0
request = function()
  at = at + 1
  local headers = { ["Cookie"] = cookies[at % #cookies + 1]${anew === null ? '' : ` .. "${anew}" .. at`}, ["Accept-Encoding"] = "${ENCODINGS}", ["Accept"] = "text/html" }
  return wrk.format("GET", "${path}", headers)
end
done = function(summary, latency)
  local failed = summary.errors.status + summary.errors.read + summary.errors.connect + summary.errors.timeout
  print(string.format("found %f %f %f %d %d", summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.requests, failed))
end
`

const written = (rows: [string, Pace][], program: string, load: number) => `## Pages to customers and the owner

Everybody has favourites of their own ([040](decisions/040-signed-in-pages.md)). ${CONNECTIONS} connections of ${program} on the same machine (${cpus().length} cores), ${ROUNDS} times ${SECONDS} seconds each; medians. The shop is one
process; processor time is what all its threads needed for an answer, whatever else ran. Each request looks its session up in the database. "Made anew":
with a cookie that nobody has sent before, so nothing but the catalogue and its cards is in memory; the other rows are people who look again while nothing has
changed. The goal is 900 a second on the gallery page. The load of the machine before the run was ${load.toFixed(1)}; times of a run that begins above 1 say little.
\`npm run bench -- --only signed-in\`, ${new Date().toISOString().slice(0, 10)}.

${table(
  ['page', 'pages/s', 'p50 ms', 'p99 ms', 'processor ms each'],
  rows.map(([what, { perSecond, p50, p99, cpu }]) => [what, whole(perSecond), ms(p50), ms(p99), cpu.toFixed(2)]),
)}
`
