import { BOM, csvRows } from '#app/lib/text/csv.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { parsePageNumber } from '#app/lib/http/page-number.ts'
import {
  eachRows,
  findPreview,
  listRows,
  PREVIEW_PAGE_SIZE,
} from './import-preview-store.server.ts'
import type {
  ImportResult,
  ChangedRow,
  ImportPreview,
  PreviewList,
  RefusedRow,
} from './import-preview-store.server.ts'
import { kindNames } from './texts.ts'

/** The fields of a change that the import page shows. The server does not send the full values, because they may be very long. */
export type ShownChange = Pick<ChangedRow, 'row' | 'kind' | 'name' | 'changes' | 'notes'>
export type ShownPreview = {
  plan: ImportPreview
  applied: ImportResult | null
  list: PreviewList
  changes: ShownChange[]
  refused: RefusedRow[]
  page: number
  pages: number
}
export type ImportPageData = { items: number; check: ShownPreview | null; isGone: boolean }

export async function readImportPage(
  app: AppServices,
  search: URLSearchParams,
): Promise<ImportPageData> {
  const { db } = app
  const counted = db.selectFrom('items').select(({ fn }) => fn.countAll<number>().as('count'))
  const { count: items } = await counted.executeTakeFirstOrThrow()
  const id = search.get('check')
  const found = id === null ? null : await findPreview(app, id)
  if (!found) return { items, check: null, isGone: id !== null }
  const { refused, changed, added, noted } = found.plan.counts
  const count = { refused, changes: changed + added + noted }
  const requested = search.get('show')
  const list: PreviewList =
    requested === 'refused' || requested === 'changes'
      ? requested
      : count.changes > 0
        ? 'changes'
        : 'refused'
  const pages = Math.max(1, Math.ceil(count[list] / PREVIEW_PAGE_SIZE))
  const page = Math.min(parsePageNumber(search), pages)
  const lines = list === 'changes' ? await listRows(db, found.plan.id, list, page) : []
  const changes = lines.map(({ row, kind, name, changes, notes }) => ({
    row,
    kind,
    name,
    changes,
    notes,
  }))
  const refusedLines = list === 'refused' ? await listRows(db, found.plan.id, list, page) : []
  return {
    items,
    check: { ...found, list, changes, refused: refusedLines, page, pages },
    isGone: false,
  }
}

const titles = ['row', 'result', 'id', 'name', 'column', 'before', 'after', 'text']

/** Reports the refused rows first, and then the rows with changes or remarks. */
export async function* importReport(app: AppServices, id: string): AsyncGenerator<string> {
  yield BOM + csvRows([titles])
  for await (const lines of eachRows(app.db, id, 'refused'))
    yield csvRows(
      lines.map((line) => [
        String(line.row),
        kindNames.refused,
        line.id,
        line.name,
        line.column ?? '',
        line.cell,
        '',
        line.text,
      ]),
    )
  for await (const lines of eachRows(app.db, id, 'changes'))
    yield csvRows(lines.flatMap(reportRows))
}

const reportRows = ({ row, kind, id, name, changes, notes }: ChangedRow): string[][] => {
  const start = [String(row), kindNames[kind], id, name]
  return [
    ...changes.map(({ column, before, after }) => [...start, column, before, after, '']),
    ...notes.map((note) => [...start, '', '', '', note]),
  ]
}
