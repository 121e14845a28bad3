/** What it takes to bring the shop here, to build it, and to open it. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Area, Found } from './areas.ts'
import { memoryCheck } from './budgets.ts'
import { median, ms } from './figures.ts'
import { startGoal } from './goals.ts'
import { table } from './report.ts'
import { residentMemory, serveShop } from './served-shop.ts'
import type { Bench } from './workshop.ts'
import { processorTime, spent } from './processor-time.ts'

const STARTS = 5
const QUIET = 20_000
const root = new URL('..', import.meta.url).pathname
const run = promisify(execFile)

export const start: Area = { document: 'performance', measure }

const seconds = (time: number) => `${(time / 1000).toFixed(1)} s`
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
const sizeOf = async (folder: string) => Number((await run('du', ['-sbL', folder])).stdout.split('\t')[0])

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

async function measure({ folder, demoShop, say }: Bench): Promise<Found> {
  const load = loadavg()[0]!
  say('npm ci, in a folder of its own')
  const install = await installed(join(folder, 'install'))
  say('the build')
  const build = await timed(() => run(join(root, 'node_modules/.bin/react-router'), ['build'], { cwd: root, maxBuffer: 1e8 }))
  const dataDir = join(folder, 'start')
  await cp(demoShop, dataDir, { recursive: true })
  // As npm start sets it.
  const settings = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  await (await serveShop(dataDir, 0, settings)).stop()
  say('a first start of an empty shop')
  const empty = await serveShop(join(folder, 'empty'), 0, settings)
  await empty.stop()
  const starts: number[] = []
  const work: number[] = []
  let memory = 0
  for (let at = 0; at < STARTS; at++) {
    say(`start ${at + 1} of ${STARTS}`)
    const shop = await serveShop(dataDir, 0, settings)
    starts.push(shop.startedIn)
    work.push(spent(new Map(), processorTime(shop.pid)))
    if (at === STARTS - 1) {
      await pause(QUIET)
      memory = await residentMemory(shop.pid)
    }
    await shop.stop()
  }
  const text = `## Bringing, building, opening

The goals: below 500 ms to the first answer of /health with an existing shop, below 120 MB at rest ([040](decisions/040-signed-in-pages.md)). With Node's cache of compiled code, as
\`npm start\` and the unit of systemd keep it. The load of the machine before the run was ${load.toFixed(1)}; times of a run that begins above 1 say little.
\`npm run bench -- --only start\`, ${new Date().toISOString().slice(0, 10)}.

${table(
  ['what', 'found'],
  [
    ['start with an existing shop, process start to the first answer of /health', `${ms(median(starts))} ms (median of ${STARTS})`],
    ['processor time of all threads until then', `${ms(median(work))} ms`],
    ['first start of an empty shop (tables and the owner are made), to the first answer', `${ms(empty.startedIn)} ms`],
    ['resident memory, twenty quiet seconds after such a start', megabytes(memory)],
    ['`npm ci` (with npm’s own cache of downloads, without scripts)', install],
    ['`npm run build`', seconds(build)],
    [
      'the build: for browsers, for the server',
      `${megabytes(await sizeOf(join(root, 'build/client')))}, ${megabytes(await sizeOf(join(root, 'build/server')))}`,
    ],
  ],
)}
`
  return { text, checks: [startGoal(median(starts)), memoryCheck(memory)] }
}

/** Where nothing can be fetched, it says so. */
async function installed(folder: string): Promise<string> {
  await mkdir(folder)
  for (const file of ['package.json', 'package-lock.json']) await cp(join(root, file), join(folder, file))
  try {
    const time = await timed(() =>
      run('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeout: 90_000 }),
    )
    const packages = Object.keys((JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as { packages: object }).packages)
    return `${seconds(time)}, ${packages.length - 1} packages, ${megabytes(await sizeOf(join(folder, 'node_modules')))}`
  } catch {
    return 'not measured: it did not end within 90 seconds, or nothing could be fetched'
  }
}
