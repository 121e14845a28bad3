/** The whole of a check as a table, for files of which a page shows only the beginning. */
import type { Shop } from '#app/platform/context.ts'
import type { ChangeLine } from './import-plan.ts'
import { BOM, csvLines } from './items-table.server.ts'
import { planPages } from './kept-plans.server.ts'
import { kindNames } from './table-texts.ts'

const titles = ['row', 'result', 'id', 'name', 'column', 'before', 'after', 'text']

/** First what is refused, since that asks for work. */
export async function* reportOf(shop: Shop, id: string): AsyncGenerator<string> {
  yield BOM + csvLines([titles])
  for await (const lines of planPages(shop.db, id, 'refused'))
    yield csvLines(
      lines.map((line) => [String(line.row), kindNames.refused, line.id, line.name, line.column ?? '', line.cell, '', line.text]),
    )
  for await (const lines of planPages(shop.db, id, 'changes')) yield csvLines(lines.flatMap(rowsOf))
}

const rowsOf = ({ row, kind, id, name, changes, notes }: ChangeLine): string[][] => {
  const start = [String(row), kindNames[kind], id, name]
  return [
    ...changes.map(({ column, before, after }) => [...start, column, before, after, '']),
    ...notes.map((note) => [...start, '', '', '', note]),
  ]
}
