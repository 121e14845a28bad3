// Measures the built shop: `npm run bench`, with `-- --write` also into docs/performance.md.
//   --seconds 4   --connections 16   --messages 300
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { customers as demoCustomers } from '../demo/people.ts'
import { demoDataFolder } from '../test/e2e/demo-data.ts'
import { areaCheck, memoryCheck, scriptCheck, sentCheck } from './budgets.ts'
import { register, signIn } from './customer.ts'
import { filesOfTheOwnersArea, weighPage } from './first-load.ts'
import { measureLive } from './live.ts'
import { report } from './report.ts'
import { OWNER, residentMemory, serveShop, type ServedShop } from './served-shop.ts'
import { measurePage } from './throughput.ts'

const MOST_TIME = 240_000
const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    messages: { type: 'string', default: '300' },
  },
})
const load = { seconds: Number(values.seconds), connections: Number(values.connections) }
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
  process.exitCode = await bench()
} finally {
  clearTimeout(tooLong)
  await end()
}

async function end() {
  await shop?.stop()
  await rm(folder, { recursive: true, force: true })
}

async function bench(): Promise<number> {
  say('a first start without the demo shop, then five with it')
  shop = await serveShop(join(folder, 'empty'))
  const firstStart = shop.startedIn
  const starts: number[] = []
  await cp(demoShop, join(folder, 'demo'), { recursive: true })
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
  const linkOf = async (path: string, pattern: RegExp) => pattern.exec(await (await fetch(origin + path)).text())?.[1]
  const item = (await linkOf('/gallery/', /href="(\/item\/[^"/]+\/?)"/)) ?? '/item/none/'
  const category = (await linkOf('/gallery/', /href="(\/gallery\/[^"/]+\/?)"/)) ?? '/gallery/none/'
  const publicPages = ['/', '/gallery/', category, item, '/about/', '/contact/', '/testimonials/', '/writetestimonials/none/', '/login/']
  const weights = []
  for (const path of publicPages) weights.push(await weighPage(origin, path))
  const ofTheOwner = filesOfTheOwnersArea()

  const owner = await signIn(origin, OWNER)
  const [demoCustomer] = demoCustomers
  const customer = await signIn(origin, { email: demoCustomer!.email, password: demoCustomer!.password })

  const rates = []
  for (const path of ['/', '/gallery/', item]) {
    say(`pages per second: ${path}`)
    rates.push(await measurePage(origin, path, 'visitor', '', load))
    rates.push(await measurePage(origin, path, 'customer', customer.cookie, load))
  }

  say('live delivery')
  const writers = []
  for (const name of ['one', 'two', 'three'])
    writers.push(await register(origin, { email: `${name}@example.com`, password: 'a-password-for-the-bench' }))
  const delivery = await measureLive(owner, writers, Number(values.messages))

  const checks = [scriptCheck(weights), areaCheck(weights, ofTheOwner), sentCheck(weights), memoryCheck(memory)]
  const date = new Date().toISOString().slice(0, 10)
  const page = report({ date, ...load, rates, firstStart, starts, memory, weights, delivery, checks })
  console.log(page)
  if (values.write) await writeFile(new URL('../docs/performance.md', import.meta.url), page)
  return checks.every((check) => check.isMet) ? 0 : 1
}
