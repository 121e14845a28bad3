import type { Db, Tx } from '#db/schema.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import { type Period, type Range, monthName, periodRange, readPeriod, stepMonth, stepWeek, weekName } from './period.ts'
import { type Receipt, type Sale, groupReceipts } from './receipt.ts'
import { formatDate } from '#app/ui/dates.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'

/** Where a page of receipts ends: the newest line of its last receipt. */
export type Place = { createdAt: number; id: string }

export const RECEIPTS_PER_PAGE = 50

const salesIn = (db: Db | Tx, { from, to }: Range) =>
  db.selectFrom('sales as s').where('s.createdAt', '>=', from).where('s.createdAt', '<=', to)

/**
 * DATA-117 to DATA-119, SALES-17, S-187: the receipts of a period, newest first. A receipt stands where its newest line of the period does, and
 * only there. Followed line by line along the index, so that a page costs what it shows.
 */
export async function listReceipts(
  db: Db | Tx,
  range: Range,
  before: Place | null = null,
): Promise<{ receipts: Receipt[]; older: Place | null }> {
  const newest = await salesIn(db, before ? { ...range, to: Math.min(range.to, before.createdAt) } : range)
    .select(['s.id', 's.receiptTag', 's.createdAt'])
    .$if(before !== null, (query) =>
      query.where((row) => row.or([row('s.createdAt', '<', before!.createdAt), row('s.id', '>', before!.id)])),
    )
    .where(({ not, exists, selectFrom }) => {
      const others = selectFrom('sales as n').select('n.id').whereRef('n.receiptTag', '=', 's.receiptTag').where('n.receiptTag', '!=', '')
      const newer = others.whereRef('n.createdAt', '>', 's.createdAt').where('n.createdAt', '<=', range.to)
      return not(exists(newer))
    })
    .where(({ not, exists, selectFrom }) => {
      const others = selectFrom('sales as n').select('n.id').whereRef('n.receiptTag', '=', 's.receiptTag').where('n.receiptTag', '!=', '')
      return not(exists(others.whereRef('n.createdAt', '=', 's.createdAt').whereRef('n.id', '<', 's.id')))
    })
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .limit(RECEIPTS_PER_PAGE + 1)
    .execute()
  const shown = newest.slice(0, RECEIPTS_PER_PAGE)
  const { createdAt, id } = shown.at(-1) ?? { createdAt: 0, id: '' }
  const lines = await linesOf(db, range, shown)
  return { receipts: groupReceipts(lines), older: newest.length > shown.length ? { createdAt, id } : null }
}

async function linesOf(db: Db | Tx, range: Range, shown: Pick<Sale, 'id' | 'receiptTag'>[]): Promise<Sale[]> {
  if (shown.length === 0) return []
  const tags = shown.flatMap(({ receiptTag }) => receiptTag || [])
  const loose = shown.filter(({ receiptTag }) => !receiptTag).map(({ id }) => id)
  return salesIn(db, range)
    .selectAll()
    .where((row) =>
      row.or([...(tags.length > 0 ? [row('s.receiptTag', 'in', tags)] : []), ...(loose.length > 0 ? [row('s.id', 'in', loose)] : [])]),
    )
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute()
}

/** SALES-25: of the whole period, whichever page is shown. */
export async function sumSales(db: Db | Tx, range: Range): Promise<Cents> {
  const { sum } = await salesIn(db, range)
    .select((eb) => eb.fn.sum<number | string | null>('s.salePriceCents').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** The whole purchase, also where a part of it lies beyond the chosen period: what goes into the parcel must be complete. */
export async function findReceipt(db: Db | Tx, key: string): Promise<Receipt | null> {
  const sales = await db
    .selectFrom('sales')
    .selectAll()
    .where((row) =>
      row.or([
        row('receiptTag', '=', key),
        row.and([row('id', '=', key), row.or([row('receiptTag', 'is', null), row('receiptTag', '=', '')])]),
      ]),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return groupReceipts(sales)[0] ?? null
}

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
