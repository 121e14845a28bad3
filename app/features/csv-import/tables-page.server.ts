/** What the page of tables shows: how many items there are, and the check that its address names; and the whole of a check as a table. */
import { BOM, csvLines } from '#app/lib/csv.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { countItems } from './items-table.server.ts'
import {
  findPlan,
  PLAN_PAGE,
  planParts,
  readPlanPage,
  sweepPlans,
  type Applied,
  type ChangeLine,
  type Plan,
  type PlanList,
  type RefusedLine,
} from './kept-plans.server.ts'
import { kindNames } from './table-texts.ts'

/** Only what is shown travels to the browser: a description may have 10,000 letters. */
export type ShownChange = Pick<ChangeLine, 'row' | 'kind' | 'name' | 'changes' | 'notes'>
export type ShownLines = { list: 'changes'; lines: ShownChange[] } | { list: 'refused'; lines: RefusedLine[] }
export type ShownCheck = { plan: Plan; applied: Applied | null; shown: ShownLines; page: number; pages: number }
export type TablesPage = { items: number; check: ShownCheck | null; isGone: boolean }

export async function readTablesPage(shop: Shop, search: URLSearchParams): Promise<TablesPage> {
  await sweepPlans(shop)
  const items = await countItems(shop.db)
  const id = search.get('check')
  if (id === null) return { items, check: null, isGone: false }
  const found = await findPlan(shop, id)
  if (!found) return { items, check: null, isGone: true }
  const { refused, changed, added, noted } = found.plan.counts
  const count = { refused, changes: changed + added + noted }
  const asked = search.get('show')
  const list: PlanList = asked === 'refused' || asked === 'changes' ? asked : count.changes > 0 ? 'changes' : 'refused'
  const pages = Math.max(1, Math.ceil(count[list] / PLAN_PAGE))
  const page = Math.min(readPageNumber(search), pages)
  return { items, check: { ...found, shown: await readShown(shop, id, list, page), page, pages }, isGone: false }
}

async function readShown(shop: Shop, id: string, list: PlanList, page: number): Promise<ShownLines> {
  if (list === 'refused') return { list, lines: await readPlanPage(shop.db, id, list, page) }
  const lines = await readPlanPage(shop.db, id, list, page)
  return { list, lines: lines.map(({ row, kind, name, changes, notes }) => ({ row, kind, name, changes, notes })) }
}

const titles = ['row', 'result', 'id', 'name', 'column', 'before', 'after', 'text']

/** For files of which a page shows only the beginning; first what is refused, since that asks for work. */
export async function* reportOf(shop: Shop, id: string): AsyncGenerator<string> {
  yield BOM + csvLines([titles])
  for await (const lines of planParts(shop.db, id, 'refused'))
    yield csvLines(
      lines.map((line) => [String(line.row), kindNames.refused, line.id, line.name, line.column ?? '', line.cell, '', line.text]),
    )
  for await (const lines of planParts(shop.db, id, 'changes')) yield csvLines(lines.flatMap(rowsOf))
}

const rowsOf = ({ row, kind, id, name, changes, notes }: ChangeLine): string[][] => {
  const start = [String(row), kindNames[kind], id, name]
  return [
    ...changes.map(({ column, before, after }) => [...start, column, before, after, '']),
    ...notes.map((note) => [...start, '', '', '', note]),
  ]
}
