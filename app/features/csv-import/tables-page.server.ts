/** What the page of tables shows: how many items there are, and the check that its address names; and the whole of a check as a table. */
import { BOM, csvLines } from '#app/lib/csv.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { eachLines, findPlan, listLines, PLAN_PAGE } from './table-checks.server.ts'
import type { Applied, ChangeLine, Plan, PlanList, RefusedLine } from './table-checks.server.ts'
import { kindNames } from './item-table.ts'

/** Only what is shown travels to the browser: a description may have 10,000 letters. */
export type ShownChange = Pick<ChangeLine, 'row' | 'kind' | 'name' | 'changes' | 'notes'>
export type ShownCheck = {
  plan: Plan
  applied: Applied | null
  list: PlanList
  changes: ShownChange[]
  refused: RefusedLine[]
  page: number
  pages: number
}
export type TablesPage = { items: number; check: ShownCheck | null; isGone: boolean }

export async function readTablesPage(shop: Shop, search: URLSearchParams): Promise<TablesPage> {
  const { db } = shop
  const counted = db.selectFrom('items').select(({ fn }) => fn.countAll<number>().as('count'))
  const { count: items } = await counted.executeTakeFirstOrThrow()
  const id = search.get('check')
  const found = id === null ? null : await findPlan(shop, id)
  if (!found) return { items, check: null, isGone: id !== null }
  const { refused, changed, added, noted } = found.plan.counts
  const count = { refused, changes: changed + added + noted }
  const asked = search.get('show')
  const list: PlanList = asked === 'refused' || asked === 'changes' ? asked : count.changes > 0 ? 'changes' : 'refused'
  const pages = Math.max(1, Math.ceil(count[list] / PLAN_PAGE))
  const page = Math.min(readPageNumber(search), pages)
  const lines = list === 'changes' ? await listLines(db, found.plan.id, list, page) : []
  const changes = lines.map(({ row, kind, name, changes, notes }) => ({ row, kind, name, changes, notes }))
  const refusedLines = list === 'refused' ? await listLines(db, found.plan.id, list, page) : []
  return { items, check: { ...found, list, changes, refused: refusedLines, page, pages }, isGone: false }
}

const titles = ['row', 'result', 'id', 'name', 'column', 'before', 'after', 'text']

/** For files of which a page shows only the beginning; first what is refused, since that asks for work. */
export async function* reportOf(shop: Shop, id: string): AsyncGenerator<string> {
  yield BOM + csvLines([titles])
  for await (const lines of eachLines(shop.db, id, 'refused'))
    yield csvLines(
      lines.map((line) => [String(line.row), kindNames.refused, line.id, line.name, line.column ?? '', line.cell, '', line.text]),
    )
  for await (const lines of eachLines(shop.db, id, 'changes')) yield csvLines(lines.flatMap(rowsOf))
}

const rowsOf = ({ row, kind, id, name, changes, notes }: ChangeLine): string[][] => {
  const start = [String(row), kindNames[kind], id, name]
  return [
    ...changes.map(({ column, before, after }) => [...start, column, before, after, '']),
    ...notes.map((note) => [...start, '', '', '', note]),
  ]
}
