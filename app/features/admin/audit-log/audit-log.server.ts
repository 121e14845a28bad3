import { sql, type SqlBool } from 'kysely'
import type { Db } from '#db/schema.ts'
import { findUndoable } from '#app/features/discounts/discount-changes.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { auditSearchText, parseAuditDetail } from '#app/services/audit-log.server.ts'
import type { AuditLogEntry, AuditLogSearch, AuditLogView, SubjectType } from './audit-log.ts'
import { actionsIn, areas, subjectUrls, formatEvent, auditMessageOf } from './audit-log.ts'
import { fieldChanges } from './field-changes.ts'

export const PER_PAGE = 30

export async function readAuditLog(
  { db, currency }: Pick<AppServices, 'db' | 'currency'>,
  search: AuditLogSearch,
): Promise<AuditLogView> {
  const rows = await newestEvents(db, search)
  const shown = rows.slice(0, PER_PAGE)
  const undoable = await findUndoable(
    db,
    shown.map(({ seq }) => seq),
  )
  const names = await currentNames(db, shown)
  const lines = shown.map(({ seq, at, act, subject, name, detail: text }): AuditLogEntry => {
    const [message, detail] = [auditMessageOf(act), parseAuditDetail(text)]
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
  return { search, lines, older: rows.length > PER_PAGE ? shown.at(-1)!.seq : null }
}

type Row = Awaited<ReturnType<typeof newestEvents>>[number]

function newestEvents(db: Db, { kind, name, before }: AuditLogSearch) {
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

const subjectTables = {
  item: ['items', 'name'],
  color: ['colors', 'name'],
  category: ['categories', 'title'],
  order: ['orders', 'userName'],
} as const

/** Returns the current names of the items, colors, categories and customers in these events, without deleted records. */
async function currentNames(db: Db, rows: Row[]): Promise<Map<SubjectType, Map<string, string>>> {
  const found = new Map<SubjectType, Map<string, string>>()
  for (const place of Object.keys(subjectTables) as (keyof typeof subjectTables)[]) {
    const ids = [
      ...new Set(
        rows
          .filter(({ act, subject }) => subject !== '' && auditMessageOf(act)?.place === place)
          .map(({ subject }) => subject),
      ),
    ]
    const [table, column] = subjectTables[place]
    const named =
      ids.length === 0
        ? []
        : await db
            .selectFrom(table as 'items')
            .select(['id', sql.ref<string>(column).as('name')])
            .where('id', 'in', ids)
            .execute()
    found.set(place, new Map(named.map(({ id, name }) => [id, name])))
  }
  return found
}
