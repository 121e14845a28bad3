/**
 * Measures how long each step of a first and a later start takes, what the start installs, and how
 * much memory the idle shop uses.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Bench, Found } from './areas.ts'
import { atMost, below } from './checks.ts'
import { median, ms, stamp, table } from './report.ts'
import { clearedEnvironment, residentMemory, serveShop } from './served-shop.ts'

const STARTS = 5
const QUIET_MS = 20_000
const AFTER_FIRST_START_MS = 60_000
const root = new URL('..', import.meta.url).pathname
const run = promisify(execFile)

const seconds = (time: number) => `${(time / 1000).toFixed(1)} s`
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
const sizeOf = async (folder: string) =>
  Number((await run('du', ['-sb', folder])).stdout.split('\t')[0])

export async function measureStart({ folder, demoShop, say }: Bench): Promise<Found> {
  say('npm start in a fresh clone')
  const cold = await startCold(join(folder, 'clone'))
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  // Node caches compiled code in this folder, as with `npm start`.
  const settings = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  await (await serveShop(dataDir, 0, settings)).stop()
  say('a first start of an empty shop')
  const empty = await serveShop(join(folder, 'empty'), 0, settings)
  await empty.stop()
  say('a first start with the demo shop')
  const demo = await serveShop(join(folder, 'demo'), 0, { ...settings, DEMO: '1' })
  await pause(AFTER_FIRST_START_MS)
  const demoMemory = await residentMemory(demo.pid)
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

Node uses its compile cache, as with \`npm start\` and the systemd unit. ${stamp('start')}

${table(
  ['what', 'found'],
  [
    [
      'start with an existing shop, process start to the first response of /health',
      `${ms(median(starts))} ms (median of ${STARTS})`,
    ],
    ['first start of an empty shop', `${ms(empty.startedIn)} ms`],
    ['resident memory after twenty idle seconds', megabytes(memory)],
    [
      'resident memory one minute after a first start with the demo shop, which resizes its pictures',
      megabytes(demoMemory),
    ],
    ...cold.steps.map(([name, found]) => [
      `\`npm start\` in a fresh clone: ${name!.toLowerCase()}`,
      found!,
    ]),
    ['`npm start` in a fresh clone, until the shop is open', seconds(cold.ms)],
    ['packages that `npm start` installs', `${cold.packages}, ${megabytes(cold.bytes)}`],
    ['the build: for browsers, for the server', built],
  ],
)}`
  const fresh = 'a fresh clone'
  const checks = [
    atMost('`npm start` in a fresh clone, with packages', 40, ' s', [
      { name: fresh, value: cold.ms / 1000 },
    ]),
    atMost('`npm start` in a fresh clone, once packages are installed', 30, ' s', [
      { name: fresh, value: cold.msAfterInstall / 1000 },
    ]),
    atMost('Packages that `npm start` installs', 250, '', [{ name: fresh, value: cold.packages }]),
    atMost('Size of these packages', 220, ' MB', [
      { name: fresh, value: Math.round(cold.bytes / 1e6) },
    ]),
    below('Start with an existing shop, to /health', 500, ' ms', [
      { name: 'median', value: Math.round(median(starts)) },
    ]),
    atMost('Resident memory after a first start with the demo shop', 200, ' MB', [
      { name: 'after a minute', value: Math.round(demoMemory / 1e6) },
    ]),
    below('Resident memory at rest', 120, ' MB', [
      { name: 'after twenty idle seconds', value: Math.round(memory / 1e6) },
    ]),
  ]
  return { text, checks }
}

/**
 * Runs `npm start` in a fresh clone of the last commit. Returns the printed duration of each step,
 * and the size of the installed packages.
 */
async function startCold(folder: string) {
  await run('git', ['clone', '--quiet', root, folder])
  const env = {
    ...process.env,
    ...clearedEnvironment,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    NODE_COMPILE_CACHE: '',
  }
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const steps: string[][] = []
  const begun = performance.now()
  let installedAt = begun
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, name, time] = /^(.+): ([\d.]+ s)$/.exec(line) ?? []
      if (name && time) steps.push([name, time])
      if (name === 'Installing packages') installedAt = performance.now()
      if (!line.includes(' is open at ')) continue
      const openedAt = performance.now()
      const modules = join(folder, 'node_modules')
      const lock = await readFile(join(modules, '.package-lock.json'), 'utf8')
      const packages = Object.keys((JSON.parse(lock) as { packages: object }).packages).length
      return {
        steps,
        packages,
        bytes: await sizeOf(modules),
        ms: openedAt - begun,
        msAfterInstall: openedAt - installedAt,
      }
    }
    throw new Error('npm start ended before the shop was open')
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
