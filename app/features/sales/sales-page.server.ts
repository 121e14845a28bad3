/** What the Sales screen shows for an address. */
import { readOpenReceipt } from '#app/features/papers/open-receipt.server.ts'
import { formatDate } from '#app/ui/dates.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { monthName, periodRange, readPeriod, stepMonth, stepWeek, weekName, type Period } from './period.ts'
import { groupReceipts, totalOf } from './receipt.ts'
import { listSales } from './sales.server.ts'

/** `origin`: of the request, for links on paper when no PUBLIC_URL is set (S-115). */
export async function readSalesPage(shop: Shop, address: URL, origin: string) {
  const period = readPeriod(address.searchParams, shop.now(), shop.timeZone)
  const range = periodRange(period, shop.timeZone)
  const [from, to] = [formatDate(range.from, shop.timeZone), formatDate(range.to, shop.timeZone)]
  // ERR-04, ERR-05: the page shows itself without what could not be read.
  const unread = (error: unknown) => void shop.log.error('The sales could not be read.', error)
  const receipts = groupReceipts((await listSales(shop.db, range).catch(unread)) ?? [])
  const key = address.searchParams.get('receipt')
  return {
    period: {
      here: searchOf(period),
      month: monthName(period),
      week: weekName(period.week),
      range: from === to ? from : `${from}\u00a0– ${to}`,
      previousMonth: searchOf(stepMonth(period, -1)),
      nextMonth: searchOf(stepMonth(period, 1)),
      previousWeek: searchOf(stepWeek(period, -1)),
      nextWeek: searchOf(stepWeek(period, 1)),
    },
    receipts,
    total: totalOf(receipts),
    open: key && isReadable(key) ? ((await readOpenReceipt(shop, key, origin).catch(unread)) ?? null) : null,
  }
}

const searchOf = ({ month, week }: Period): string => `?month=${month}${week ? `&week=${week}` : ''}`

export type SalesPage = Awaited<ReturnType<typeof readSalesPage>>
