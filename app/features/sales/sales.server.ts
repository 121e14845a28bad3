import type { ExpressionBuilder } from 'kysely'
import type { Db, Tables, Tx } from '#db/schema.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import {
  type Period,
  type Range,
  monthName,
  periodRange,
  parsePeriod,
  stepMonth,
  stepWeek,
  weekName,
} from './period.ts'
import { type Receipt, type Sale, groupReceipts } from './receipt.ts'
import { formatDate } from '#app/ui/format-date.ts'
import type { AppServices } from '#app/services/context.ts'
import { isStorableText } from '#app/lib/http/form-data.server.ts'

/** The cursor is the newest sale of the last receipt on a page. The next page begins with the receipt after this sale. */
export type ReceiptCursor = { createdAt: number; id: string }

export const RECEIPTS_PER_PAGE = 50

const salesIn = (db: Db | Tx, { from, to }: Range) =>
  db.selectFrom('sales as s').where('s.createdAt', '>=', from).where('s.createdAt', '<=', to)

/**
 * Lists one page of the receipts in a period. The receipt with the newest sale in the period is first. The query uses an index, so that
 * its cost depends only on the size of the page. [DATA-117 to DATA-119, SALES-17, S-187]
 */
export async function listReceipts(
  db: Db | Tx,
  range: Range,
  before: ReceiptCursor | null = null,
): Promise<{ receipts: Receipt[]; older: ReceiptCursor | null }> {
  const newest = await salesIn(
    db,
    before ? { ...range, to: Math.min(range.to, before.createdAt) } : range,
  )
    .select(['s.id', 's.receiptTag', 's.createdAt'])
    .$if(before !== null, (query) =>
      query.where((row) =>
        row.or([row('s.createdAt', '<', before!.createdAt), row('s.id', '>', before!.id)]),
      ),
    )
    .where(({ not, exists, selectFrom }) => {
      const others = selectFrom('sales as n')
        .select('n.id')
        .whereRef('n.receiptTag', '=', 's.receiptTag')
        .where('n.receiptTag', '!=', '')
      const newer = others
        .whereRef('n.createdAt', '>', 's.createdAt')
        .where('n.createdAt', '<=', range.to)
      return not(exists(newer))
    })
    .where(({ not, exists, selectFrom }) => {
      const others = selectFrom('sales as n')
        .select('n.id')
        .whereRef('n.receiptTag', '=', 's.receiptTag')
        .where('n.receiptTag', '!=', '')
      return not(
        exists(others.whereRef('n.createdAt', '=', 's.createdAt').whereRef('n.id', '<', 's.id')),
      )
    })
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .limit(RECEIPTS_PER_PAGE + 1)
    .execute()
  const shown = newest.slice(0, RECEIPTS_PER_PAGE)
  const { createdAt, id } = shown.at(-1) ?? { createdAt: 0, id: '' }
  const lines = shown.length > 0 ? await readReceiptLines(db, range, shown) : []
  return {
    receipts: groupReceipts(lines),
    older: newest.length > shown.length ? { createdAt, id } : null,
  }
}

const canceledBy = (eb: ExpressionBuilder<Tables & { s: Tables['sales'] }, 's'>) =>
  eb
    .selectFrom('sales as entry')
    .select('entry.id')
    .whereRef('entry.cancels', '=', 's.id')
    .as('canceledBy')

async function readReceiptLines(
  db: Db | Tx,
  range: Range,
  shown: Pick<Sale, 'id' | 'receiptTag'>[],
) {
  const tags = shown.flatMap(({ receiptTag }) => receiptTag || [])
  const loose = shown.filter(({ receiptTag }) => !receiptTag).map(({ id }) => id)
  return salesIn(db, range)
    .selectAll()
    .select(canceledBy)
    .where((row) =>
      row.or([
        ...(tags.length > 0 ? [row('s.receiptTag', 'in', tags)] : []),
        ...(loose.length > 0 ? [row('s.id', 'in', loose)] : []),
      ]),
    )
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute()
}

/** Sums the sales of the whole period. [SALES-25] */
export async function sumSales(db: Db | Tx, range: Range): Promise<Cents> {
  const { sum } = await salesIn(db, range)
    .select((eb) => eb.fn.sum<number | string | null>('s.salePriceCents').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Finds a receipt with all its sales, because the owner packs all pieces together. The Sales screen may show only some of these sales. */
export const findReceipt = async (db: Db | Tx, key: string): Promise<Receipt | null> =>
  groupReceipts(await listReceiptSales(db, key))[0] ?? null

/** Lists the sales of a receipt in the same sequence as `items` of the receipt. */
export const listReceiptSales = (db: Db | Tx, key: string) =>
  db
    .selectFrom('sales as s')
    .selectAll()
    .select(canceledBy)
    .where((row) =>
      row.or([
        row('s.receiptTag', '=', key),
        row.and([
          row('s.id', '=', key),
          row.or([row('s.receiptTag', 'is', null), row('s.receiptTag', '=', '')]),
        ]),
      ]),
    )
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute()

export async function readSalesPage(app: AppServices, address: URL) {
  const period = parsePeriod(address.searchParams, app.now(), app.timeZone)
  const range = periodRange(period, app.timeZone)
  const [from, to] = [formatDate(range.from, app.timeZone), formatDate(range.to, app.timeZone)]
  // If the sales cannot be read, the error is logged, and the page shows no sales. [ERR-04, ERR-05]
  const unread = (error: unknown) => void app.log.error('The sales could not be read.', error)
  const before = parseCursor(address.searchParams.get('before'))
  const { receipts, older, total } = (await readSales(app.db, range, before).catch(unread)) ?? {
    receipts: [],
    older: null,
    total: 0,
  }
  return {
    period: {
      here: periodSearch(period, before),
      month: monthName(period),
      week: weekName(period.week),
      range: from === to ? from : `${from}\u00a0– ${to}`,
      previousMonth: periodSearch(stepMonth(period, -1)),
      nextMonth: periodSearch(stepMonth(period, 1)),
      previousWeek: periodSearch(stepWeek(period, -1)),
      nextWeek: periodSearch(stepWeek(period, 1)),
    },
    receipts,
    total,
    pages: { newest: before && periodSearch(period), older: older && periodSearch(period, older) },
  }
}

/** Reads the receipts and the total in one transaction, so that the total matches the receipts even if a sale is added meanwhile. [S-187] */
const readSales = (db: Db, range: Range, before: ReceiptCursor | null) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => ({
      ...(await listReceipts(tx, range, before)),
      total: await sumSales(tx, range),
    }))

const periodSearch = ({ month, week }: Period, before: ReceiptCursor | null = null): string =>
  `?month=${month}${week ? `&week=${week}` : ''}${before ? `&before=${before.createdAt}.${encodeURIComponent(before.id)}` : ''}`

/** Reads the cursor from the URL. Returns null if the text is not a valid cursor, and the list then begins with the newest sale. */
function parseCursor(text: string | null): ReceiptCursor | null {
  const [, createdAt, id] = /^(\d{1,15})\.(.{1,500})$/u.exec(text ?? '') ?? []
  return createdAt && id && isStorableText(id) ? { createdAt: Number(createdAt), id } : null
}

export type SalesPage = Awaited<ReturnType<typeof readSalesPage>>
