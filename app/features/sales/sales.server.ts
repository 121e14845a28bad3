import type { ExpressionBuilder } from 'kysely'
import type { Db, Tables } from '#db/schema.ts'
import { isOfReceipt } from '#conversation/conversation.server.ts'
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
import { type Sale, groupReceipts } from './receipt.ts'
import { formatDate } from '#ui/format-date.ts'
import type { AppServices } from '#services/context.ts'
import { isStorableText } from '#lib/http/form-data.server.ts'

export type ReceiptCursor = { createdAt: number; id: string }

export const RECEIPTS_PER_PAGE = 50

const salesIn = (db: Db, { from, to }: Range) =>
  db.selectFrom('sales as s').where('s.createdAt', '>=', from).where('s.createdAt', '<=', to)

/**
 * Returns one page of receipts, newest first. The cost depends only on the size of the page.
 * [DATA-117]
 */
export async function listReceipts(db: Db, range: Range, before: ReceiptCursor | null = null) {
  const newest = await salesIn(
    db,
    before ? { ...range, to: Math.min(range.to, before.createdAt) } : range,
  )
    .select(['s.id', 's.receiptTag', 's.createdAt'])
    .$if(before !== null, (query) =>
      query.where(({ or, eb }) =>
        or([eb('s.createdAt', '<', before!.createdAt), eb('s.id', '>', before!.id)]),
      ),
    )
    .where(({ and, not, exists, selectFrom }) => {
      const others = selectFrom('sales as n')
        .select('n.id')
        .whereRef('n.receiptTag', '=', 's.receiptTag')
        .where('n.receiptTag', '!=', '')
      const newer = others
        .whereRef('n.createdAt', '>', 's.createdAt')
        .where('n.createdAt', '<=', range.to)
      const sameTime = others
        .whereRef('n.createdAt', '=', 's.createdAt')
        .whereRef('n.id', '<', 's.id')
      return and([not(exists(newer)), not(exists(sameTime))])
    })
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .limit(RECEIPTS_PER_PAGE + 1)
    .execute()
  const page = newest.slice(0, RECEIPTS_PER_PAGE)
  const { createdAt, id } = page.at(-1) ?? { createdAt: 0, id: '' }
  const lines = page.length > 0 ? await readReceiptLines(db, range, page) : []
  return {
    receipts: groupReceipts(lines),
    older: newest.length > page.length ? { createdAt, id } : null,
  }
}

const canceledBy = (eb: ExpressionBuilder<Tables & { s: Tables['sales'] }, 's'>) =>
  eb
    .selectFrom('sales as entry')
    .select('entry.id')
    .whereRef('entry.cancels', '=', 's.id')
    .as('canceledBy')

function readReceiptLines(db: Db, range: Range, sales: Pick<Sale, 'id' | 'receiptTag'>[]) {
  const tags = sales.flatMap(({ receiptTag }) => receiptTag || [])
  const idsWithoutTag = sales.filter(({ receiptTag }) => !receiptTag).map(({ id }) => id)
  return salesIn(db, range)
    .selectAll()
    .select(canceledBy)
    .where(({ or, eb }) =>
      or([
        ...(tags.length > 0 ? [eb('s.receiptTag', 'in', tags)] : []),
        ...(idsWithoutTag.length > 0 ? [eb('s.id', 'in', idsWithoutTag)] : []),
      ]),
    )
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute()
}

export async function sumSales(db: Db, range: Range) {
  const { sum } = await salesIn(db, range)
    .select((eb) => eb.fn.sum<number | string | null>('s.salePriceCents').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

export const findReceipt = async (db: Db, key: string) =>
  groupReceipts(await listReceiptSales(db, key))[0] ?? null

export const listReceiptSales = (db: Db, key: string) =>
  db
    .selectFrom('sales as s')
    .selectAll()
    .select(canceledBy)
    .where(isOfReceipt(key))
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute()

export async function readSalesPage(app: AppServices, address: URL) {
  const period = parsePeriod(address.searchParams, app.now(), app.timeZone)
  const range = periodRange(period, app.timeZone)
  const from = formatDate(range.from, app.timeZone)
  const to = formatDate(range.to, app.timeZone)
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

const readSales = (db: Db, range: Range, before: ReceiptCursor | null) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => ({
      ...(await listReceipts(tx, range, before)),
      total: await sumSales(tx, range),
    }))

const periodSearch = ({ month, week }: Period, before: ReceiptCursor | null = null) =>
  `?month=${month}${week ? `&week=${week}` : ''}${before ? `&before=${before.createdAt}.${encodeURIComponent(before.id)}` : ''}`

function parseCursor(text: string | null) {
  const [, createdAt, id] = /^(\d{1,15})\.(.{1,500})$/u.exec(text ?? '') ?? []
  return createdAt && id && isStorableText(id) ? { createdAt: Number(createdAt), id } : null
}

export type SalesPage = Awaited<ReturnType<typeof readSalesPage>>
