// Measures the built shop: `npm run bench`, with `-- --write` also into the documents, each area into its own section.
//   --only <area>   just that area of bench/areas.ts
//   --only lighthouse --pages '/,/item/*'   the audit of some pages; not written
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoDataFolder } from '../test/e2e/demo-data.ts'
import { areas } from './areas.ts'
import type { Check } from './budgets.ts'
import { holds, overview, type Measured } from './report.ts'
import { writeSection } from './sections.ts'

const MOST_TIME = 1_500_000
const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, only: { type: 'string' }, pages: { type: 'string' } },
})
const { only, write } = values
if (only !== undefined && !Object.hasOwn(areas, only)) throw new Error(`--only knows ${Object.keys(areas).join(', ')}`)
if (values.pages && (only !== 'lighthouse' || write)) throw new Error('--pages is for --only lighthouse, and some pages are not written')
const loadBefore = loadavg()[0]!
const say = (line: string) => console.error(`… ${line}`)

say('the demo shop: drawn once and kept, that takes some minutes')
const demoShop = await demoDataFolder()
const folder = await mkdtemp(join(tmpdir(), 'shop-bench-'))
const tooLong = setTimeout(() => {
  console.error(`The bench took longer than ${MOST_TIME / 60_000} minutes.`)
  void end().then(() => process.exit(1))
}, MOST_TIME)

const measured: Measured[] = []
try {
  for (const name of only === undefined ? Object.keys(areas) : [only]) measured.push(await measureArea(name))
  const page = overview({ load: loadBefore, measured })
  if (only === undefined) console.log(page)
  if (only === undefined && write) await writeSection('performance', 'overall', page)
} finally {
  clearTimeout(tooLong)
  await end()
}
process.exitCode = holds(measured) ? 0 : 1

async function end() {
  await rm(folder, { recursive: true, force: true })
}

/** An area that breaks does not take along what the others find. */
async function measureArea(name: string): Promise<Measured> {
  const begun = performance.now()
  let checks: Check[] = []
  let failure: string | undefined
  try {
    const { document, measure } = await areas[name]!()
    const own = join(folder, name)
    await mkdir(own)
    const found = await measure({ folder: own, demoShop, say, pages: values.pages?.split(',') })
    const text = typeof found === 'string' ? found : found.text
    if (typeof found !== 'string') checks = found.checks
    console.log(text)
    if (write) await writeSection(document, name, text)
    await rm(own, { recursive: true, force: true })
  } catch (error) {
    console.error(`${name}:`, error)
    failure = error instanceof Error ? error.message : String(error)
  }
  return { name, seconds: (performance.now() - begun) / 1000, checks, failure }
}
