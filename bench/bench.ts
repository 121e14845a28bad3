// Measures the built shop: `npm run bench`, with `-- --write` also into docs/performance.md.
//   --seconds 4   --connections 16   --messages 300
//   --only lighthouse   --pages '/,/item/*'   just the audit of the pages, of all or of some
//   --only workshop   just the owner's work: uploads, discounts, long lists, tables, moving a shop
//   --only conversations   just messages, conversations, sales and reports
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { customers as demoCustomers } from '../demo/people.ts'
import { demoDataFolder } from '../test/e2e/demo-data.ts'
import { openTicket } from '../test/e2e/open-ticket.ts'
import { areaCheck, auditCheck, memoryCheck, paceCheck, scriptCheck, sentCheck, type Check } from './budgets.ts'
import { register, signIn } from './customer.ts'
import { filesOfTheOwnersArea, weighPage } from './first-load.ts'
import { auditPages } from './lighthouse.ts'
import { measureLive } from './live.ts'
import { publicPages } from './public-pages.ts'
import { auditsTable, checksTable, report, workTable } from './report.ts'
import { OWNER, residentMemory, serveShop, type ServedShop } from './served-shop.ts'
import { measurePage } from './throughput.ts'
import { isWork, measureWork, type Work } from './workshop.ts'

const MOST_TIME = 2_400_000
const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    messages: { type: 'string', default: '300' },
    only: { type: 'string' },
    pages: { type: 'string' },
  },
})
if (values.only !== undefined && values.only !== 'lighthouse' && !isWork(values.only))
  throw new Error('--only knows lighthouse, workshop and conversations')
if (values.write && (values.only || values.pages)) throw new Error('only a whole run is written')
const loadBefore = loadavg()[0]!
const perPage = { seconds: Number(values.seconds), connections: Number(values.connections) }
const say = (line: string) => console.error(`… ${line}`)

say('the demo shop: drawn once and kept, that takes some minutes')
const demoShop = await demoDataFolder()
const folder = await mkdtemp(join(tmpdir(), 'shop-bench-'))
let shop: ServedShop | undefined
const tooLong = setTimeout(() => {
  console.error(`The bench took longer than ${MOST_TIME / 1000} seconds.`)
  process.exitCode = 1
  void end().then(() => process.exit())
}, MOST_TIME)

try {
  process.exitCode = await (isWork(values.only) ? work(values.only) : values.only ? audit() : bench())
} finally {
  clearTimeout(tooLong)
  await end()
}

async function end() {
  await shop?.stop()
  await rm(folder, { recursive: true, force: true })
}

function codeOf(checks: Check[]): number {
  return checks.every((check) => check.isMet) ? 0 : 1
}

async function copyDemoShop() {
  await cp(demoShop, join(folder, 'demo'), { recursive: true })
  return openTicket(join(folder, 'demo'))
}

async function work(group: Work): Promise<number> {
  console.log(workTable(await measureWork({ folder, demoShop, say }, group)))
  return 0
}

async function audit(): Promise<number> {
  const ticket = await copyDemoShop()
  shop = await serveShop(join(folder, 'demo'))
  const asked = values.pages?.split(',')
  const pages = await publicPages(shop.origin, ticket.id)
  const audits = await auditPages(
    shop.origin,
    pages.filter(
      ({ path }) => !asked || asked.some((start) => (start.endsWith('*') ? path.startsWith(start.slice(0, -1)) : path === start)),
    ),
    say,
  )
  const checks = [auditCheck(audits), paceCheck(audits)]
  console.log(`${auditsTable(audits)}\n\n${checksTable(checks)}`)
  return codeOf(checks)
}

async function bench(): Promise<number> {
  say('a first start without the demo shop, then five with it')
  shop = await serveShop(join(folder, 'empty'))
  const firstStart = shop.startedIn
  const starts: number[] = []
  const ticket = await copyDemoShop()
  for (let number = 0; number < 5; number++) {
    await shop.stop()
    shop = await serveShop(join(folder, 'demo'))
    starts.push(shop.startedIn)
  }
  const { origin, pid } = shop

  say('ten quiet seconds')
  await pause(10_000)
  const memory = await residentMemory(pid)

  say('first load of the public pages')
  const pages = await publicPages(origin, ticket.id)
  const weights = []
  for (const { path } of pages) weights.push(await weighPage(origin, path))
  const ofTheOwner = filesOfTheOwnersArea()

  const audits = await auditPages(origin, pages, say)

  const owner = await signIn(origin, OWNER)
  const [demoCustomer] = demoCustomers
  const customer = await signIn(origin, { email: demoCustomer!.email, password: demoCustomer!.password })

  const rates = []
  for (const path of ['/', '/gallery/', pages.find((page) => page.path.startsWith('/item/'))!.path]) {
    say(`pages per second: ${path}`)
    rates.push(await measurePage(origin, path, 'visitor', '', perPage))
    rates.push(await measurePage(origin, path, 'customer', customer.cookie, perPage))
  }

  say('live delivery')
  const writers = []
  for (const name of ['one', 'two', 'three'])
    writers.push(await register(origin, { email: `${name}@example.com`, password: 'a-password-for-the-bench' }))
  const delivery = await measureLive(owner, writers, Number(values.messages))

  const work = await measureWork({ folder, demoShop, say }, 'workshop')
  const talk = await measureWork({ folder, demoShop, say }, 'conversations')

  const checks = [
    scriptCheck(weights),
    areaCheck(weights, ofTheOwner),
    sentCheck(weights),
    memoryCheck(memory),
    auditCheck(audits),
    paceCheck(audits),
  ]
  const date = new Date().toISOString().slice(0, 10)
  const page = report({
    date,
    load: loadBefore,
    ...perPage,
    rates,
    firstStart,
    starts,
    memory,
    weights,
    audits,
    delivery,
    work,
    talk,
    checks,
  })
  console.log(page)
  if (values.write) await writeFile(new URL('../docs/performance.md', import.meta.url), page)
  return codeOf(checks)
}
