import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/schema.ts'
import { listCategories } from '#catalog/catalog.server.ts'
import { isChosenFile } from '#images/image-upload.ts'
import { parsePageNumber } from '#lib/http/page-number.ts'
import { BOM, csvRows } from '#lib/text/csv.server.ts'
import { newSecretId } from '#lib/text/ids.ts'
import { storableText } from '#lib/text/storable-text.ts'
import type { AppServices } from '#services/context.ts'
import { type ActionOutcome, refused } from '#ui/action-result.ts'
import { type ChangedRow, diffRows, type PreviewRows, type SeenRows } from './diff-rows.server.ts'
import { categoryNames, changeTitles, columns } from './item-columns.ts'
import { openCsv, UnreadableCsvError } from './parse-csv.server.ts'
import { importTexts, kindNames } from './texts.ts'

const noCounts = { rows: 0, unchanged: 0, changed: 0, added: 0, noted: 0, refused: 0 }

/** Any process can apply a preview for an hour. The file itself is not stored. */
export type ImportPreview = {
  id: string
  fileName: string
  at: number
  counts: typeof noCounts
  columns: { title: string; count: number }[]
  missing: string[]
  notice: string | null
}

/** `leftOut` counts the rows whose items had changed since the preview. */
export type ImportResult = {
  updated: number
  added: number
  leftOut: number
  left: { row: number; name: string; text: string }[]
}

const PAGE_SIZE = 50
const BATCH_SIZE = 500
const HOUR_MS = 3_600_000

/** Ids begin with the time. A random part follows, so that nobody can guess an id. */
const idPrefix = (at: number) => String(Math.max(at, 0)).padStart(13, '0')
const oldestId = (now: number) => idPrefix(now - HOUR_MS)

export async function previewImport(
  app: AppServices,
  file: FormDataEntryValue | null,
): Promise<{ id: string } | ActionOutcome> {
  const refuse = (error: string, status = 422) => refused(status, { error, field: 'file' })
  if (!isChosenFile(file)) return refuse(importTexts.noFile)
  const { db } = app
  const id = `${idPrefix(app.now())}-${newSecretId()}`
  try {
    await db.deleteFrom('importPreviews').where('checkId', '<', oldestId(app.now())).execute()
    const plan = await diffTable(app, id, file)
    await db
      .insertInto('importPreviews')
      .values(partOf(id, 'plan', 0, plan))
      .execute()
    return { id }
  } catch (error) {
    // If this deletion also fails, a later preview deletes the rows.
    await db
      .deleteFrom('importPreviews')
      .where('checkId', '=', id)
      .execute()
      .catch(() => {})
    if (error instanceof UnreadableCsvError) return refuse(error.message)
    app.log.error('a CSV file could not be checked', error)
    return refuse(importTexts.failed, 500)
  }
}

/** The plan is saved last, so that every preview in the database is complete. */
async function diffTable(app: AppServices, id: string, file: File): Promise<ImportPreview> {
  const table = await openCsv(file)
  const names = categoryNames(await listCategories(app.db))
  const counts = { ...noCounts }
  const perColumn = new Map<string, number>()
  const seen: SeenRows = { ids: new Map(), images: new Set() }
  for await (const rows of table.rows) {
    const preview = await diffRows(app.db, rows, { names, currency: app.currency }, seen)
    count(counts, preview, rows.length)
    for (const { kind, changes } of preview.changes) {
      if (kind !== 'change') continue
      for (const { column } of changes) perColumn.set(column, (perColumn.get(column) ?? 0) + 1)
    }
    await saveRows(app.db, id, preview)
    await nextTurn()
  }
  if (counts.rows === 0) throw new UnreadableCsvError(importTexts.noRows)
  return {
    id,
    fileName: storableText(file.name.slice(0, 120)),
    at: app.now(),
    counts,
    columns: changeTitles.flatMap((title) => {
      const rowCount = perColumn.get(title)
      return rowCount ? [{ title, count: rowCount }] : []
    }),
    missing: table.missing.map((column) => columns[column].title),
    notice: table.notice,
  }
}

const countNames = { change: 'changed', add: 'added', note: 'noted' } as const

function count(counts: ImportPreview['counts'], { changes, refused }: PreviewRows, rows: number) {
  for (const { kind } of changes) counts[countNames[kind]] += 1
  counts.rows += rows
  counts.refused += refused.length
  counts.unchanged += rows - changes.length - refused.length
}

const partOf = (checkId: string, part: string, page: number, content: object) => ({
  checkId,
  part,
  page,
  content: JSON.stringify(content),
})

async function saveRows(db: Db, id: string, { changes, refused }: PreviewRows) {
  const parts = [
    ...changes.map((change) => partOf(id, 'changes', change.row, change)),
    ...refused.map((row) => partOf(id, 'refused', row.row, row)),
  ]
  if (parts.length > 0) await db.insertInto('importPreviews').values(parts).execute()
}

export async function findPreview({ db, now }: Pick<AppServices, 'db' | 'now'>, id: string) {
  if (!/^\d{13}-[A-Za-z0-9]{22}$/.test(id) || id < oldestId(now())) return null
  const rows = await db
    .selectFrom('importPreviews')
    .select(['part', 'content'])
    .where('checkId', '=', id)
    .where('part', 'in', ['plan', 'applied'])
    .execute()
  const contentOf = (part: string) =>
    JSON.parse(rows.find((row) => row.part === part)?.content ?? 'null')
  const plan = contentOf('plan') as ImportPreview | null
  return plan && { plan, applied: contentOf('applied') as ImportResult | null }
}

const selectRows = (db: Db, id: string, list: keyof PreviewRows) =>
  db
    .selectFrom('importPreviews')
    .select(['page as row', 'content'])
    .where('checkId', '=', id)
    .where('part', '=', list)
    .orderBy('page')

const parseRows = <List extends keyof PreviewRows>(rows: { content: string }[]) =>
  rows.map((row) => JSON.parse(row.content)) as PreviewRows[List]

async function listRows<List extends keyof PreviewRows>(
  db: Db,
  id: string,
  list: List,
  page: number,
) {
  const offset = (page - 1) * PAGE_SIZE
  const rows = await selectRows(db, id, list).limit(PAGE_SIZE).offset(offset).execute()
  return parseRows<List>(rows)
}

export async function* eachRows<List extends keyof PreviewRows>(db: Db, id: string, list: List) {
  for (let last = 0; ;) {
    const rows = await selectRows(db, id, list).where('page', '>', last).limit(BATCH_SIZE).execute()
    if (rows.length > 0) yield parseRows<List>(rows)
    if (rows.length < BATCH_SIZE) return
    last = rows.at(-1)!.row
  }
}

export async function readImportExportPage(app: AppServices, search: URLSearchParams) {
  const { db } = app
  const { count: items } = await db
    .selectFrom('items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const id = search.get('check')
  const preview = id === null ? null : await findPreview(app, id)
  if (!preview) return { items, check: null, isGone: id !== null }
  const { refused, changed, added, noted } = preview.plan.counts
  const totals = { changes: changed + added + noted, refused }
  const list = listOf(search.get('show'), totals.changes)
  const pages = Math.max(1, Math.ceil(totals[list] / PAGE_SIZE))
  const page = Math.min(parsePageNumber(search), pages)
  const changedRows = list === 'changes' ? await listRows(db, preview.plan.id, list, page) : []
  return {
    items,
    check: {
      ...preview,
      totals,
      list,
      page,
      pages,
      changes: changedRows.map(({ row, kind, name, changes, notes }) => ({
        row,
        kind,
        name,
        changes,
        notes,
      })),
      refused: list === 'refused' ? await listRows(db, preview.plan.id, list, page) : [],
    },
    isGone: false,
  }
}

function listOf(requested: string | null, changeCount: number): keyof PreviewRows {
  if (requested === 'refused' || requested === 'changes') return requested
  return changeCount > 0 ? 'changes' : 'refused'
}

const reportTitles = ['row', 'result', 'id', 'name', 'column', 'before', 'after', 'text']

export async function* importReport({ db }: AppServices, previewId: string) {
  yield BOM + csvRows([reportTitles])
  for await (const rows of eachRows(db, previewId, 'refused')) {
    yield csvRows(
      rows.map(({ row, id, name, column, cell, text }) => [
        String(row),
        kindNames.refused,
        id,
        name,
        column ?? '',
        cell,
        '',
        text,
      ]),
    )
  }
  for await (const rows of eachRows(db, previewId, 'changes')) {
    yield csvRows(rows.flatMap(reportRows))
  }
}

function reportRows({ row, kind, id, name, changes, notes }: ChangedRow) {
  const start = [String(row), kindNames[kind], id, name]
  return [
    ...changes.map(({ column, before, after }) => [...start, column, before, after, '']),
    ...notes.map((note) => [...start, '', '', '', note]),
  ]
}
