/** A table of 100,000 items out, checked, and in with every price changed: rows a second, memory, and how visitors fare meanwhile. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqlite } from '../app/platform/node-sqlite.server.ts'
import { signIn } from './customer.ts'
import { ms, percentile, times, whole } from './figures.ts'
import { OWNER, residentMemory, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const ITEMS = 100_000
const PAGE = '/gallery/'

/** Straight into the tables: one category, items with a picture each. */
function fill(dataDir: string, count: number): void {
  const db = openSqlite(join(dataDir, 'shop.db'))
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  db.exec(`begin;
    insert into categories (id, title, color, position, "createdAt", "firstCreatedAt") values ('walls', 'Walls', '#c98a5e', 0, 1, 1);
    ${numbers} insert into pictures (id, path, width, height, widths, placeholder, "createdAt")
      select 'p' || i, 'items/walls/' || i || '.jpg', 10, 10, '[]', 'data:,', 1 from n;
    ${numbers} insert into items (id, name, "categoryId", "priceCents", description, "createdAt", "firstCreatedAt")
      select 'item-' || i, 'Piece ' || i, 'walls', 1250, 'Knotted by hand, one of a kind.', i, i from n;
    ${numbers} insert into "itemPictures" (id, "itemId", "pictureId", position) select 'h' || i, 'item-' || i, 'p' || i, 0 from n;
    commit`)
  db.close()
}

type Answered = { status: number; seconds: number; waits: number[]; memory: number; response: Response; text: string }

/** The work, with somebody looking at the gallery once a second: without a pause the gallery, which lists as many items, would take all the time. */
async function during(origin: string, pid: number, work: () => Promise<Response>): Promise<Answered> {
  const waits: number[] = []
  let memory = 0
  const begun = performance.now()
  let seconds = 0
  const done = work().then(async (response) => {
    const text = await response.text()
    seconds = (performance.now() - begun) / 1000
    return { response, text }
  })
  while (seconds === 0) {
    const asked = performance.now()
    await (await fetch(origin + PAGE)).arrayBuffer()
    waits.push(performance.now() - asked)
    memory = Math.max(memory, await residentMemory(pid))
    await pause(1000)
  }
  const { response, text } = await done
  return { status: response.status, seconds, waits, memory, response, text }
}

export async function measureTables({ folder, say }: Bench): Promise<WorkFigure[]> {
  const dataDir = join(folder, 'tables')
  await (await serveShop(dataDir)).stop()
  fill(dataDir, ITEMS)
  const shop = await serveShop(dataDir)
  const { origin, pid } = shop
  try {
    const owner = await signIn(origin, OWNER)
    const headers = { cookie: owner.cookie, origin }
    for (let turn = 0; turn < 5; turn++) await (await fetch(origin + PAGE)).arrayBuffer()
    const idle = await during(origin, pid, () => pause(8000).then(() => new Response('')))

    say(`tables: ${whole(ITEMS)} items out`)
    const out = await during(origin, pid, () => fetch(`${origin}/manage/items.csv`, { headers }))
    say('tables: checked')
    const form = new FormData()
    form.set('intent', 'check')
    form.set('file', new File([out.text.replaceAll(',12.50,', ',13.50,')], 'items.csv', { type: 'text/csv' }))
    const post = (body: FormData) => fetch(`${origin}/manage/tables/`, { method: 'POST', body, headers, redirect: 'manual' })
    const checked = await during(origin, pid, () => post(form))
    say('tables: applied')
    const apply = new FormData()
    apply.set('intent', 'apply')
    apply.set('check', checked.response.headers.get('location')?.split('check=')[1] ?? '')
    const applied = await during(origin, pid, () => post(apply))
    if (checked.status !== 303 || applied.status !== 303)
      throw new Error(`the table was answered with ${checked.status}, ${applied.status}`)

    const parts = { out, 'in, the check': checked, 'in, the writing of all': applied }
    return Object.entries(parts).flatMap(([way, { seconds, waits, memory }]) => [
      {
        what: `Table ${way}: ${whole(ITEMS)} items`,
        found: `${seconds.toFixed(1)} s, ${whole(ITEMS / seconds)} rows a second`,
        beside: '–',
        ratio: '–',
      },
      {
        what: `Table ${way}: most memory`,
        found: `${whole(memory / 1e6)} MB`,
        beside: `idle: ${whole(idle.memory / 1e6)} MB`,
        ratio: times(memory, idle.memory),
      },
      {
        what: `Table ${way}: ${PAGE} meanwhile, p99`,
        found: `${ms(percentile(waits, 0.99))} ms`,
        beside: `idle: ${ms(percentile(idle.waits, 0.99))} ms`,
        ratio: times(percentile(waits, 0.99), percentile(idle.waits, 0.99)),
      },
    ])
  } finally {
    await shop.stop()
  }
}
