/** The Sales screen with 100,000 sales beside 100, and the owner's copy of them with a conversation of as many messages. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite } from '../app/platform/node-sqlite.server.ts'
import { openSqliteDatabase } from '../app/platform/db.server.ts'
import { migrate } from '../db/migrate.ts'
import { signIn } from './customer.ts'
import { median, ms, times } from './figures.ts'
import { OWNER, residentMemory, serveShop, type ServedShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const [FEW, MANY, ROUNDS] = [100, 100_000, 15]
const YEAR = 365 * 86_400_000

type Filled = { shop: ServedShop; cookie: string }

export async function measureSales({ folder, say }: Bench): Promise<WorkFigure[]> {
  say(`sales: ${MANY} beside ${FEW}`)
  const opened: Filled[] = []
  let full: Filled | undefined
  const open = async (name: string, fill: Fill) => {
    const filled = await openFilled(join(folder, `sales-${name}`), fill)
    opened.push(filled)
    return filled
  }
  try {
    const few = await open('few', { sales: FEW, within: 0, messages: FEW })
    const years = await open('years', { sales: MANY, within: 10 * YEAR, messages: 0 })
    const month = await open('month', { sales: MANY, within: 0, messages: 0 })
    const took = new Map<Filled, number[]>(opened.map((one) => [one, []]))
    // One after the other, so that whatever else the machine does meets all.
    for (let round = 0; round <= ROUNDS; round++)
      for (const one of opened) {
        const time = await timeOf(one, '/manage/sales/')
        if (round > 0) took.get(one)!.push(time)
      }
    const time = (one: Filled) => median(took.get(one)!)
    const page = (what: string, one: Filled): WorkFigure => ({
      what: `Sales screen with ${MANY.toLocaleString('en-US')} sales, ${what}`,
      found: `${ms(time(one))} ms`,
      beside: `${FEW} sales, all of this month: ${ms(time(few))} ms`,
      ratio: times(time(one), time(few)),
    })
    full = await openFilled(join(folder, 'sales-full'), { sales: MANY, within: 10 * YEAR, messages: MANY })
    const [small, large] = [await copyOf(few), await copyOf(full)]
    return [
      page(`${FEW} of this month`, years),
      page('all of this month', month),
      {
        what: `The owner's copy: ${MANY.toLocaleString('en-US')} sales and a conversation of as many messages (${megabytes(large.bytes)})`,
        found: `${(large.time / 1000).toFixed(1)} s, ${megabytes(large.grown)} more memory`,
        beside: `${FEW} of each: ${ms(small.time)} ms, ${megabytes(small.grown)}`,
        ratio: '–',
      },
    ]
  } finally {
    for (const one of [...opened, full]) await one?.shop.stop()
  }
}

const megabytes = (bytes: number) => `${Math.max(0, bytes / 1e6).toFixed(0)} MB`

type Fill = {
  sales: number
  /** milliseconds before this month over which the older ones lie; 0: all are of this month */ within: number
  messages: number
}

async function openFilled(dataDir: string, { sales, within, messages }: Fill): Promise<Filled> {
  await mkdir(dataDir, { recursive: true })
  const { db, dialect, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  await close()
  const file = openSqlite(join(dataDir, 'shop.db'))
  const numbers = (count: number) => `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})`
  const now = Date.now()
  const older =
    within === 0
      ? `${now} - i`
      : `case when i < ${FEW} then ${now} - i else ${now} - ${32 * 86_400_000} - cast(i * ${within / sales} as integer) end`
  // Two lines to a receipt.
  file.exec(`insert into sales (id, buyerId, buyerName, buyerEmail, buyerPhotoURL, itemId, itemName, itemPriceCents, salePriceCents, receiptTag, createdAt)
    ${numbers(sales)} select 'sale-' || i, 'uid', 'Buyer ' || (i / 2), 'buyer@example.com', '', 'item-' || (i % 60), 'Piece ' || (i % 60), 3500, 3000 + i % 500,
      printf('T%07d', i / 2), ${older} from n`)
  if (messages > 0)
    file.exec(`insert into orders (id, userId, userName, userEmail, userPhotoURL, receiptTag, isClosed, fromContactPage, lastSeq, createdAt, firstCreatedAt)
        values ('uid', null, 'Buyer', 'buyer@example.com', '', null, 0, 0, ${messages}, ${now}, ${now});
      insert into messages (orderId, seq, id, message, sender, createdAt)
        ${numbers(messages)} select 'uid', i + 1, printf('m%014d', i), 'What a lovely piece, number ' || i || ' of many that hang here', 'uid', ${now} from n;
      insert into readMarks (orderId, reader, seq) values ('uid', 'owner', ${messages})`)
  file.close()
  const shop = await serveShop(dataDir)
  return { shop, cookie: (await signIn(shop.origin, OWNER)).cookie }
}

async function timeOf({ shop, cookie }: Filled, path: string): Promise<number> {
  const begun = performance.now()
  const answer = await fetch(shop.origin + path, { headers: { cookie } })
  const text = await answer.text()
  if (!answer.ok || !text.includes('Buyer 0')) throw new Error(`${path} answers ${answer.status}`)
  return performance.now() - begun
}

async function copyOf({ shop, cookie }: Filled): Promise<{ time: number; bytes: number; grown: number }> {
  const before = await residentMemory(shop.pid)
  let most = before
  const look = setInterval(async () => {
    most = Math.max(most, await residentMemory(shop.pid))
  }, 20)
  const begun = performance.now()
  const body = new URLSearchParams({ password: OWNER.password })
  const answer = await fetch(`${shop.origin}/manage/documents.json`, { method: 'POST', headers: { cookie, origin: shop.origin }, body })
  let bytes = 0
  if (answer.ok) for await (const part of answer.body!) bytes += part.length
  clearInterval(look)
  if (!answer.ok) throw new Error(`the copy answers ${answer.status}`)
  return { time: performance.now() - begun, bytes, grown: most - before }
}
