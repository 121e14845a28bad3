/** Reading the owner's acts, the newest first, a part at a time; quick however many there are (docs/decisions/020-discounts-and-history.md). */
import { sql, type SqlBool } from 'kysely'
import type { Db } from '#db/tables.ts'
import { findUndoable } from '#app/features/discounts/undo-discounts.server.ts'
import { fold } from '#app/platform/fold.ts'
import { isDetail, type Detail, type Place } from './acts.ts'
import { actsOf, changesOf, sentenceOf, tellingOf, type HistoryLine, type HistorySearch, type HistoryView } from './history.ts'
import { kinds } from './acts.ts'

export const PER_PAGE = 30

export async function readHistory(db: Db, search: HistorySearch): Promise<HistoryView> {
  // Each act has its own run of the index, so the newest of a rare kind are found without passing all the others.
  const runs = search.kind ? actsOf(search.kind) : [null]
  const found = await Promise.all(runs.map((act) => newest(db, search, act)))
  const rows = found
    .flat()
    .sort((one, other) => other.seq - one.seq)
    .slice(0, PER_PAGE + 1)
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
      to: telling && (!there || there.has(subject)) ? addressOf(telling.place, subject) : null,
      canUndo: undoable.has(seq),
    }
  })
  return { search, lines, older: rows.length > PER_PAGE ? shown.at(-1)!.seq : null }
}

type Row = Awaited<ReturnType<typeof newest>>[number]

/** So many acts are looked at one by one; what is rarer among them is found by its name. */
const WINDOW = 2000

async function newest(db: Db, { name, before }: HistorySearch, act: string | null) {
  // COLOR-04: she reads a colour's name with spaces, and types it so.
  const word = fold(name.trim()).replaceAll('_', ' ')
  const page = acts(db, before)
    .orderBy('seq', 'desc')
    .limit(PER_PAGE + 1)
  const ofKind = act === null ? page : page.where('act', '=', act)
  if (word === '') return ofKind.execute()
  const named = sql<SqlBool>`instr(replace("words", '_', ' '), ${word}) > 0`
  const last = before ?? (await db.selectFrom('audit').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0
  const near = await ofKind
    .where('seq', '>=', last - WINDOW)
    .where(named)
    .execute()
  if (near.length > PER_PAGE) return near
  const names = db.selectFrom('actNames').select('words').where(named)
  // Not along the sequence, which would pass all acts: the few names lead to theirs.
  const all = acts(db, before).where('words', 'in', names)
  return (act === null ? all : all.where(sql<SqlBool>`coalesce("act", '') = ${act}`))
    .orderBy(sql`"seq" + 0`, 'desc')
    .limit(PER_PAGE + 1)
    .execute()
}

const acts = (db: Db, before: number | null) =>
  db
    .selectFrom('audit')
    .select(['seq', 'at', 'act', 'subject', 'name', 'detail'])
    .$if(before !== null, (query) => query.where('seq', '<', before!))

/** An odd one reads as empty. */
export function readDetail(text: string): Detail {
  try {
    const detail: unknown = JSON.parse(text)
    return isDetail(detail) ? detail : {}
  } catch {
    return {}
  }
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

const addressOf = (place: Place, subject: string): string =>
  ({
    item: `/manage/item/${encodeURIComponent(subject)}`,
    color: '/manage/colors/',
    category: '/manage/category/',
    order: `/manage/messages/${encodeURIComponent(subject)}`,
    testimony: '/manage/testimonials/',
    receipt: `/manage/sales/?receipt=${encodeURIComponent(subject)}`,
    letter: '/manage/mail/',
    discounts: '/manage/discount/',
    settings: '/manage/settings/',
    replies: '/manage/replies/',
    backups: '/manage/backups/',
    account: '/account/',
  })[place]
