import { sql, type SqlBool } from 'kysely'
import type { Db } from '#db/schema.ts'
import { findUndoable } from '#app/features/discounts/discount-changes.server.ts'
import { fold } from '#app/platform/fold.ts'
import { readDetail } from '#app/platform/audit.server.ts'
import {
  type HistoryLine,
  type HistorySearch,
  type HistoryView,
  type Place,
  actsOf,
  changesOf,
  kinds,
  places,
  sentenceOf,
  tellingOf,
} from './history.ts'

export const PER_PAGE = 30

export async function readHistory(db: Db, search: HistorySearch): Promise<HistoryView> {
  const rows = await newest(db, search)
  const shown = rows.slice(0, PER_PAGE)
  const undoable = await findUndoable(
    db,
    shown.map(({ seq }) => seq),
  )
  const names = await namesOf(db, shown)
  const lines = shown.map(({ seq, at, act, subject, name, detail: text }): HistoryLine => {
    const [telling, detail] = [tellingOf(act), readDetail(text)]
    const there = telling && names.get(telling.place)
    return {
      seq,
      at,
      text: sentenceOf(act, name || (there?.get(subject) ?? ''), detail),
      kind: telling ? kinds[telling.kind] : '',
      changes: changesOf(detail),
      to: telling && (!there || there.has(subject)) ? places[telling.place](subject) : null,
      canUndo: undoable.has(seq),
    }
  })
  return { search, lines, older: rows.length > PER_PAGE ? shown.at(-1)!.seq : null }
}

type Row = Awaited<ReturnType<typeof newest>>[number]

function newest(db: Db, { kind, name, before }: HistorySearch) {
  // COLOR-04: she reads a color's name with spaces, and types it so.
  const word = fold(name.trim()).replaceAll('_', ' ')
  return db
    .selectFrom('audit')
    .select(['seq', 'at', 'act', 'subject', 'name', 'detail'])
    .$if(before !== null, (query) => query.where('seq', '<', before!))
    .$if(kind !== null, (query) => query.where('act', 'in', actsOf(kind!)))
    .$if(word !== '', (query) => query.where(sql<SqlBool>`instr(replace("words", '_', ' '), ${word}) > 0`))
    .orderBy('seq', 'desc')
    .limit(PER_PAGE + 1)
    .execute()
}

const tables = {
  item: ['items', 'name'],
  color: ['colors', 'name'],
  category: ['categories', 'title'],
  order: ['orders', 'userName'],
} as const

/** What still exists of the things on this page, with today's name, by place and id. Places that are whole pages always exist. */
async function namesOf(db: Db, rows: Row[]): Promise<Map<Place, Map<string, string>>> {
  const found = new Map<Place, Map<string, string>>()
  for (const place of Object.keys(tables) as (keyof typeof tables)[]) {
    const ids = [
      ...new Set(rows.filter(({ act, subject }) => subject !== '' && tellingOf(act)?.place === place).map(({ subject }) => subject)),
    ]
    const [table, column] = tables[place]
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
