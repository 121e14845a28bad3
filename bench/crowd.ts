/** Thousands of open tabs in one process: what each costs, how fast a change reaches all, and how others are served meanwhile (047). */
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Area } from './areas.ts'
import { signIn } from './customer.ts'
import { ms, percentile, whole } from './figures.ts'
import { tabsGoal } from './goals.ts'
import { OWNER, residentMemory, serveShop } from './served-shop.ts'
import { table } from './report.ts'

const TABS = 5000
const CHANGES = 5
/** Connections of one address are bounded. */
const ADDRESSES = 50
const PAGE = '/gallery/'

type Tab = { socket: WebSocket; address: string }

export const crowd: Area = {
  document: 'performance',
  async measure({ folder, demoShop, say }) {
    await cp(demoShop, join(folder, 'crowd'), { recursive: true })
    const id = someColor(join(folder, 'crowd', 'shop.db'))
    const shop = await serveShop(join(folder, 'crowd'))
    try {
      const owner = await signIn(shop.origin, OWNER)
      const idle = await measureVisits(shop.origin, 200)
      const before = await residentMemory(shop.pid)
      say(`${TABS} tabs are opened`)
      const tabs = await openTabs(shop.origin)
      await pause(3000)
      const after = await residentMemory(shop.pid)
      const heard: number[] = []
      const asked: number[] = []
      const meanwhile: number[] = []
      let refused = 0
      for (let change = 0; change < CHANGES; change++) {
        say(`change ${change + 1} of ${CHANGES}`)
        const reached = tabs.map((tab) => hearAndAsk(shop.origin, tab))
        const begun = performance.now()
        const visits = measureVisits(shop.origin, 100)
        const on: Record<string, string> = change % 2 === 0 ? { on: 'on' } : {}
        const answer = await owner.post('/manage/colors/', { intent: 'mark', id, mark: 'isLowOnStock', ...on })
        if (answer.status >= 400) throw new Error(`the change was answered with ${answer.status}`)
        const all = await Promise.all(reached)
        heard.push(Math.max(...all.map((one) => one.heardAt)) - begun)
        asked.push(...all.map((one) => one.took))
        refused += all.filter((one) => one.status !== 200).length
        meanwhile.push(...(await visits))
      }
      for (const { socket } of tabs) socket.terminate()
      const rows = [
        [`Open tabs in one process`, whole(TABS)],
        ['Memory of each, beside a shop without them', `${whole((after - before) / TABS)} bytes`],
        [`From the owner’s press until the last tab has heard, the slowest of ${CHANGES}`, `${ms(Math.max(...heard))} ms`],
        [
          'Each then asks for the gallery anew, spread over two seconds: p50, p99',
          `${ms(percentile(asked, 0.5))} ms, ${ms(percentile(asked, 0.99))} ms`,
        ],
        ['Of these refused as too many', whole(refused)],
        ['A visitor’s gallery meanwhile: p50, p99', `${ms(percentile(meanwhile, 0.5))} ms, ${ms(percentile(meanwhile, 0.99))} ms`],
        ['The same without tabs: p50, p99', `${ms(percentile(idle, 0.5))} ms, ${ms(percentile(idle, 0.99))} ms`],
      ]
      const text = `## Thousands of open tabs

The tabs are ${whole(TABS)} WebSockets of the measuring program, which shares the two cores with the shop; after each change of the catalogue each asks
for the gallery at its own moment within the time that the shop names, as the shop’s own script does.

${table(['what', 'found'], rows)}`
      return { text, checks: [tabsGoal(TABS, refused)] }
    } finally {
      await shop.stop()
    }
  },
}

function someColor(path: string): string {
  const db = new DatabaseSync(path)
  const { id } = db.prepare('select id from colors where "isLowOnStock" = 0 limit 1').get() as { id: string }
  db.close()
  return id
}

/** A hundred at a time: a machine takes only so many new connections at once. */
async function openTabs(origin: string): Promise<Tab[]> {
  const tabs: Tab[] = []
  for (let start = 0; start < TABS; start += 100) {
    const opened = Array.from({ length: 100 }, (_, number) => {
      const address = `203.0.113.${(start + number) % ADDRESSES}`
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/live`, { origin, headers: { 'x-forwarded-for': address } })
      return { socket, address }
    })
    await Promise.all(opened.map(({ socket }) => once(socket, 'open')))
    tabs.push(...opened)
  }
  return tabs
}

/** As app/platform/use-live.ts does: at its own moment within the time that the signal names. */
function hearAndAsk(origin: string, { socket, address }: Tab): Promise<{ heardAt: number; took: number; status: number }> {
  return new Promise((done, fail) => {
    const hear = (data: unknown) => {
      const told = JSON.parse(String(data)) as { changed?: string[]; within?: number }
      if (!told.changed) return
      socket.off('message', hear)
      const heardAt = performance.now()
      void pause(Math.random() * (told.within ?? 0))
        .then(async () => {
          const begun = performance.now()
          const answer = await fetch(`${origin}${PAGE}_.data`, { headers: { 'x-forwarded-for': address } })
          await answer.arrayBuffer()
          done({ heardAt, took: performance.now() - begun, status: answer.status })
        })
        .catch(fail)
    }
    socket.on('message', hear)
  })
}

/** One after the other; how long each took, milliseconds. */
async function measureVisits(origin: string, count: number): Promise<number[]> {
  const took: number[] = []
  for (let visit = 0; visit < count; visit++) {
    const begun = performance.now()
    await (await fetch(origin + PAGE)).arrayBuffer()
    took.push(performance.now() - begun)
    await pause(10)
  }
  return took
}
