/** What the Sales screen shows for an address. */
import { formatDate } from '#app/ui/dates.ts'
import type { Db } from '#db/schema.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { monthName, periodRange, readPeriod, stepMonth, stepWeek, weekName, type Period, type Range } from './period.ts'
import { listReceipts, sumSales, type Place } from './sales.server.ts'

export async function readSalesPage(shop: Shop, address: URL) {
  const period = readPeriod(address.searchParams, shop.now(), shop.timeZone)
  const range = periodRange(period, shop.timeZone)
  const [from, to] = [formatDate(range.from, shop.timeZone), formatDate(range.to, shop.timeZone)]
  // ERR-04, ERR-05: the page shows itself without what could not be read.
  const unread = (error: unknown) => void shop.log.error('The sales could not be read.', error)
  const before = readPlace(address.searchParams.get('before'))
  const { receipts, older, total } = (await readSales(shop.db, range, before).catch(unread)) ?? { receipts: [], older: null, total: 0 }
  return {
    period: {
      here: searchOf(period, before),
      month: monthName(period),
      week: weekName(period.week),
      range: from === to ? from : `${from}\u00a0– ${to}`,
      previousMonth: searchOf(stepMonth(period, -1)),
      nextMonth: searchOf(stepMonth(period, 1)),
      previousWeek: searchOf(stepWeek(period, -1)),
      nextWeek: searchOf(stepWeek(period, 1)),
    },
    receipts,
    total,
    pages: { newest: before && searchOf(period), older: older && searchOf(period, older) },
  }
}

/** Of one moment, so that the list and its total always agree (S-187). */
const readSales = (db: Db, range: Range, before: Place | null) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => ({ ...(await listReceipts(tx, range, before)), total: await sumSales(tx, range) }))

const searchOf = ({ month, week }: Period, before: Place | null = null): string =>
  `?month=${month}${week ? `&week=${week}` : ''}${before ? `&before=${before.createdAt}.${encodeURIComponent(before.id)}` : ''}`

/** null: from the newest on, also for what no page has written. */
function readPlace(text: string | null): Place | null {
  const [, createdAt, id] = /^(\d{1,15})\.(.{1,500})$/u.exec(text ?? '') ?? []
  return createdAt && id && isReadable(id) ? { createdAt: Number(createdAt), id } : null
}

export type SalesPage = Awaited<ReturnType<typeof readSalesPage>>
