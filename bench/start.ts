/** How long a start takes, what the process weighs at rest, and how long installing and building take. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Bench, Found } from './areas.ts'
import { below } from './checks.ts'
import { median, ms, stamp, table } from './report.ts'
import { residentMemory, serveShop } from './served-shop.ts'

const STARTS = 5
const QUIET_MS = 20_000
const INSTALL_TIMEOUT_MS = 180_000
const root = new URL('..', import.meta.url).pathname
const run = promisify(execFile)

const seconds = (time: number) => `${(time / 1000).toFixed(1)} s`
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
const sizeOf = async (folder: string) => Number((await run('du', ['-sb', folder])).stdout.split('\t')[0])

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export async function measureStart({ folder, demoShop, say }: Bench): Promise<Found> {
  say('npm ci, in a folder of its own')
  const install = await installed(join(folder, 'install'))
  say('the build')
  const build = await timed(() => run(join(root, 'node_modules/.bin/react-router'), ['build'], { cwd: root, maxBuffer: 1e8 }))
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  // As npm start sets it.
  const settings = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  await (await serveShop(dataDir, 0, settings)).stop()
  say('a first start of an empty shop')
  const empty = await serveShop(join(folder, 'empty'), 0, settings)
  await empty.stop()
  say('a first start of the demo shop')
  const demo = await serveShop(join(folder, 'demo'), 0, { ...settings, DEMO: '1' })
  await demo.stop()
  const starts: number[] = []
  let memory = 0
  for (let number = 1; number <= STARTS; number++) {
    say(`start ${number} of ${STARTS}`)
    const shop = await serveShop(dataDir, 0, settings)
    starts.push(shop.startedIn)
    if (number === STARTS) {
      await pause(QUIET_MS)
      memory = await residentMemory(shop.pid)
    }
    await shop.stop()
  }
  const built = `${megabytes(await sizeOf(join(root, 'build/client')))}, ${megabytes(await sizeOf(join(root, 'build/server')))}`
  const text = `## Installing, building, starting

With Node's compile cache, as \`npm start\` and the systemd unit have it. ${stamp('start')}

${table(
  ['what', 'found'],
  [
    ['start with an existing shop, process start to the first response of /health', `${ms(median(starts))} ms (median of ${STARTS})`],
    ['first start of an empty shop', `${ms(empty.startedIn)} ms`],
    ['first start of the demo shop', seconds(demo.startedIn)],
    ['resident memory after twenty idle seconds', megabytes(memory)],
    ['`npm ci`', install],
    ['`npm run build`', seconds(build)],
    ['the build: for browsers, for the server', built],
  ],
)}`
  const checks = [
    below('Start with an existing shop, to /health', 500, ' ms', [{ name: 'median', value: Math.round(median(starts)) }]),
    below('Resident memory at rest', 120, ' MB', [{ name: 'after twenty idle seconds', value: Math.round(memory / 1e6) }]),
  ]
  return { text, checks }
}

/** Time, packages as installed, and their size on disk; says so where nothing could be fetched. */
async function installed(folder: string): Promise<string> {
  await mkdir(folder)
  for (const file of ['package.json', 'package-lock.json']) await cp(join(root, file), join(folder, file))
  try {
    const args = ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
    const time = await timed(() => run('npm', args, { cwd: folder, timeout: INSTALL_TIMEOUT_MS }))
    const lock = await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8')
    const packages = Object.keys((JSON.parse(lock) as { packages: object }).packages).length
    return `${seconds(time)}, ${packages} packages, ${megabytes(await sizeOf(join(folder, 'node_modules')))}`
  } catch (error) {
    return `not measured: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`
  }
}
