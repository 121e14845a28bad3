// Measures the built shop: `npm run bench`. With `-- --write`, each area also updates its section
// of .cache/bench/results.md.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeDemoData } from '#test/fixtures/e2e-demo-data.ts'
import { areas } from './areas.ts'
import type { Check } from './checks.ts'
import { checksTable, table, formatInteger, writeSection } from './report.ts'

const { only, all, write, pages, minutes } = readOptions()

type Measured = { name: string; seconds: number; checks: Check[]; failure: string | undefined }

const say = (line: string) => console.error(`… ${line}`)
const loadBefore = loadavg()[0]!
const folder = await mkdtemp(join(tmpdir(), 'shop-bench-'))
const measured: Measured[] = []
try {
  say('preparing the demo shop')
  const demoShop = makeDemoData(join(folder, 'demo'), [''])
  for (const name of only === undefined
    ? Object.keys(areas).filter((name) => all || !areas[name]!.isLong)
    : [only]) {
    measured.push(await measureArea(name, demoShop))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
if (only === undefined) {
  const page = overview()
  console.log(page)
  if (write) await writeSection('overall', page)
}
process.exitCode = measured.some(({ failure }) => failure !== undefined) ? 1 : 0

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean' },
        write: { type: 'boolean', default: false },
        only: { type: 'string' },
        all: { type: 'boolean', default: false },
        pages: { type: 'string' },
        minutes: { type: 'string', default: '60' },
      },
    })
    const { only, write, pages } = values
    if (values.help) throw new Error('It measures the built shop; all of it takes long.')
    if (only !== undefined && !Object.hasOwn(areas, only)) {
      throw new Error(`There is no area ${only}.`)
    }
    if (only !== undefined && values.all) throw new Error('--only and --all exclude each other.')
    if (pages && (only !== 'lighthouse' || write)) {
      throw new Error('--pages goes with --only lighthouse, without --write.')
    }
    return values
  } catch (error) {
    console.error(`${(error as Error).message}

npm run bench [-- options]

  --write            also into .cache/bench/results.md, each area into its own section
  --only <area>      one of: ${Object.keys(areas).join(', ')}
  --all              also the areas that take long: ${Object.keys(areas)
    .filter((name) => areas[name]!.isLong)
    .join(', ')}
  --pages <paths>    with --only lighthouse: some pages, such as '/,/item/*'; not written
  --minutes <count>  how long the area soak runs, 60 unless given`)
    process.exit(process.argv.includes('--help') ? 0 : 1)
  }
}

/**
 * Measures one area. If the measurement fails, the error is printed, and the other areas are still
 * measured.
 */
async function measureArea(name: string, demoShop: string): Promise<Measured> {
  const start = performance.now()
  const own = join(folder, name)
  let checks: Check[] = []
  let failure: string | undefined
  try {
    await mkdir(own)
    const found = await areas[name]!.measure({
      folder: own,
      demoShop,
      say,
      pages: pages?.split(','),
      minutes: Number(minutes),
    })
    checks = found.checks
    const text = `${found.text}\n\n${checksTable(checks)}`
    console.log(text)
    if (write) await writeSection(name, text)
  } catch (error) {
    console.error(`${name}:`, error)
    failure = error instanceof Error ? error.message : String(error)
  }
  await rm(own, { recursive: true, force: true })
  return { name, seconds: (performance.now() - start) / 1000, checks, failure }
}

function overview(): string {
  const minutes = measured.reduce((sum, { seconds }) => sum + seconds, 0) / 60
  return `Written by \`npm run bench -- ${all ? '--all ' : ''}--write\` on ${new Date().toISOString().slice(0, 10)}: the built shop on SQLite with the demo data, Node ${process.version},
${cpus().length} processor cores (${cpus()[0]?.model.trim() ?? 'unknown'}), all connections over the loopback interface of one machine. The server and the load generator share the
cores, so ratios say more than absolute numbers. The load average before the run was ${loadBefore.toFixed(1)}. It took ${minutes.toFixed(0)} minutes.

## Goals

${checksTable(measured.flatMap(({ checks }) => checks))}

${table(
  ['area', 'seconds', 'completed'],
  measured.map(({ name, seconds, failure }) => [
    name,
    formatInteger(seconds),
    failure === undefined ? 'yes' : `**no**: ${failure.split('\n')[0]}`,
  ]),
)}
`
}
