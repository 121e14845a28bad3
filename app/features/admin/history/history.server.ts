import { sql, type SqlBool } from 'kysely'
import type { Db } from '#db/schema.ts'
import { aboutPageTexts } from '#about/about.server.ts'
import { findUndoable } from '#discounts/discount-changes.server.ts'
import { shortDiscountText } from '#discounts/discount.ts'
import { homePageTexts } from '#home/home-declarations.server.ts'
import { formatMoney } from '#pricing/money.ts'
import { settingLabels } from '#settings/setting-declarations.server.ts'
import { settingsTexts } from '#settings/texts.ts'
import type { Currency } from '#lib/text/currency.ts'
import { type AuditDetail, isAuditDetail } from '#services/audit-actions.ts'
import { auditSearchText, parseAuditDetail } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import { formatIsoDay, isDay } from '#ui/format-date.ts'
import {
  type HistorySearch,
  type SubjectType,
  actionsIn,
  areas,
  auditMessageOf,
  formatEvent,
  isDiscount,
  subjectUrls,
} from './history.ts'

export const PER_PAGE = 30

export async function readHistory(
  { db, currency }: Pick<AppServices, 'db' | 'currency'>,
  search: HistorySearch,
) {
  const rows = await newestEvents(db, search)
  const page = rows.slice(0, PER_PAGE)
  const undoable = await findUndoable(
    db,
    page.map(({ seq }) => seq),
  )
  const names = await currentNames(db, page)
  const lines = page.map(({ seq, at, act, subject, name, detail: text }) => {
    const message = auditMessageOf(act)
    const detail = parseAuditDetail(text)
    const namesOfPlace = message && names.get(message.place)
    return {
      seq,
      at,
      text: formatEvent(act, name || (namesOfPlace?.get(subject) ?? ''), detail, currency),
      kind: message ? areas[message.kind] : '',
      changes: fieldChanges(detail, currency, act),
      to:
        message && (!namesOfPlace || namesOfPlace.has(subject))
          ? subjectUrls[message.place](subject)
          : null,
      canUndo: undoable.has(seq),
    }
  })
  return { search, lines, older: rows.length > PER_PAGE ? page.at(-1)!.seq : null }
}

export type HistoryView = Awaited<ReturnType<typeof readHistory>>

type Row = Awaited<ReturnType<typeof newestEvents>>[number]

function newestEvents(db: Db, { kind, name, before }: HistorySearch) {
  const word = auditSearchText(name)
  return db
    .selectFrom('audit')
    .select(['seq', 'at', 'act', 'subject', 'name', 'detail'])
    .$if(before !== null, (query) => query.where('seq', '<', before!))
    .$if(kind !== null, (query) => query.where('act', 'in', actionsIn(kind!)))
    .$if(word !== '', (query) => query.where(sql<SqlBool>`instr("words", ${word}) > 0`))
    .orderBy('seq', 'desc')
    .limit(PER_PAGE + 1)
    .execute()
}

const nameColumns = {
  item: ['items', 'name'],
  color: ['colors', 'name'],
  category: ['categories', 'title'],
  order: ['orders', 'userName'],
} as const

async function currentNames(db: Db, rows: Row[]) {
  const names = new Map<SubjectType, Map<string, string>>()
  for (const place of Object.keys(nameColumns) as (keyof typeof nameColumns)[]) {
    const ids = new Set(
      rows
        .filter(({ act, subject }) => subject !== '' && auditMessageOf(act)?.place === place)
        .map(({ subject }) => subject),
    )
    const [table, column] = nameColumns[place]
    const subjects =
      ids.size === 0
        ? []
        : await db
            .selectFrom(table as 'items')
            .select(['id', sql.ref<string>(column).as('name')])
            .where('id', 'in', [...ids])
            .execute()
    names.set(place, new Map(subjects.map(({ id, name }) => [id, name])))
  }
  return names
}

const settingNames: Record<string, string> = {
  ...settingLabels,
  ...homePageTexts.labels,
  ...aboutPageTexts.labels,
  logo: settingsTexts.logo,
}

/** Skips keys such as `password`, although events should contain no secrets. [OWN-134] */
export function fieldChanges({ before, after }: AuditDetail, currency: Currency, act = '') {
  if (!isAuditDetail(after) || !isAuditDetail(before)) return []
  const labels = act === 'change-settings' ? settingNames : {}
  return Object.keys(after)
    .filter((key) => !/password|secret|token|key$/i.test(key))
    .map((key) => ({
      what: Object.hasOwn(labels, key) ? labels[key]! : labelOf(key),
      before: formatValue(key, before[key], currency),
      after: formatValue(key, after[key], currency),
    }))
    .filter((change) => change.before !== change.after)
}

function labelOf(key: string) {
  const words = key
    .replace(/^is(?=[A-Z])|Cents$|Id$/g, '')
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const MAX_VALUE_LENGTH = 140

function formatValue(key: string, value: unknown, currency: Currency) {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (key === 'logo') return 'a picture'
  if (isDiscount(value)) return shortDiscountText(value, currency)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    return key.endsWith('Cents') ? formatMoney(value, currency) : String(value)
  }
  if (typeof value === 'string' && isDay(value)) return formatIsoDay(value)
  const values = Array.isArray(value) ? value : [value]
  const text = values.filter((entry) => typeof entry === 'string').join(', ')
  return text.length > MAX_VALUE_LENGTH
    ? `${text.slice(0, MAX_VALUE_LENGTH).trimEnd()}…`
    : text || 'something else'
}
