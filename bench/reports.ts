/**
 * Measures the pages and CSV files of sales and reports, once for a year with 100,000 sales and
 * once for a year with a hundred sales.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteDatabase } from '../app/services/database.server.ts'
import { migrate } from '../db/migrate.ts'
import type { Bench, Found } from './areas.ts'
import { below } from './checks.ts'
import { signIn } from './customers.ts'
import { median, ms, stamp, table, times, formatInteger } from './report.ts'
import { OWNER, serveShop } from './served-shop.ts'

const MANY = 100_000
const FEW = 100
const ROUNDS = 7
const PART = 500
const YEAR = new Date().getUTCFullYear() - 1
const DAY = 86_400_000

export async function measureReports({ folder, say }: Bench): Promise<Found> {
  say(`reports: a year of ${formatInteger(MANY)} sales`)
  const many = await measureShop(join(folder, 'many'), MANY)
  const few = await measureShop(join(folder, 'few'), FEW)
  const row = (what: string, name: keyof typeof many) => [
    what,
    ms(many[name]),
    ms(few[name]),
    times(many[name], few[name]),
  ]
  const text = `## Sales and reports

A year with ${formatInteger(MANY)} sales is compared with a year with ${formatInteger(FEW)}. The shop streams the CSV of all sales, so its time grows with its rows. ${stamp('reports')}

${table(
  ['page', `${formatInteger(MANY)} sales, ms`, `${formatInteger(FEW)} sales, ms`, 'ratio'],
  [
    row('Sales', 'screen'),
    row('Reports', 'page'),
    row('Sales of a month', 'list'),
    row('All sales as CSV', 'sales'),
    row('All receipts as CSV', 'receipts'),
  ],
)}`
  return {
    text,
    checks: [
      below(`Reports of ${formatInteger(MANY)} sales`, 500, ' ms', [
        { name: 'the year', value: Math.round(many.page) },
      ]),
    ],
  }
}

async function measureShop(dataDir: string, count: number) {
  await mkdir(dataDir, { recursive: true })
  await fillShop(dataDir, count)
  const shop = await serveShop(dataDir)
  try {
    const { cookie } = await signIn(shop.origin, OWNER)
    const ask = async (path: string): Promise<number> => {
      const begun = performance.now()
      const answer = await fetch(shop.origin + path, { headers: { cookie } })
      const { length } = await answer.text()
      if (!answer.ok || length < 100) throw new Error(`${path} answers ${answer.status}`)
      return performance.now() - begun
    }
    const often = async (path: string, rounds = ROUNDS) => {
      // The first request is not measured, because it loads modules.
      await ask(path)
      const took: number[] = []
      for (let round = 0; round < rounds; round++) took.push(await ask(path))
      return median(took)
    }
    return {
      screen: await often('/manage/sales/'),
      page: await often(`/manage/reports/?year=${YEAR}`),
      list: await often(`/manage/reports/sales/?year=${YEAR}&month=6`),
      sales: await often('/manage/sales.csv', 3),
      receipts: await often('/manage/receipts.csv', 3),
    }
  } finally {
    await shop.stop()
  }
}

/**
 * Adds 2,000 items in 20 categories, and `count` sales of these items to 20,000 buyers. A receipt
 * has two sales, and each sale has a request.
 */
async function fillShop(dataDir: string, count: number): Promise<void> {
  const { db, dialect, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  const start = Date.UTC(YEAR, 0, 2)
  const sales = Array.from({ length: count }, (_, at) => ({
    id: `s${at}`,
    buyerId: `b${at % 20_000}`,
    buyerName: `Buyer ${at % 20_000}`,
    buyerEmail: `b${at}@mail.test`,
    buyerPhotoURL: '',
    itemId: `i${at % 2000}`,
    itemName: `Piece ${at % 2000}`,
    itemPriceCents: 5000,
    salePriceCents: 3000 + (at % 2001),
    receiptTag: `t${Math.floor(at / 2)}`,
    createdAt: start + Math.floor((at / count) * 360 * DAY),
    categoryId: `c${at % 20}`,
    categoryTitle: `Category ${at % 20}`,
  }))
  await db.transaction().execute(async (tx) => {
    for (let at = 0; at < sales.length; at += PART) {
      const part = sales.slice(at, at + PART)
      await tx.insertInto('sales').values(part).execute()
      const requests = part.map(
        ({ id, buyerId, itemId, categoryId, categoryTitle, createdAt }) => ({
          id: `r${id}`,
          orderId: buyerId,
          itemId,
          categoryId,
          categoryTitle,
          at: createdAt,
          saleId: id,
        }),
      )
      await tx.insertInto('requests').values(requests).execute()
    }
  })
  await close()
}
