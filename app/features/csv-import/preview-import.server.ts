/** Previews an import without changing the catalog. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { categoryNames, changeTitles, columns } from './item-columns.ts'
import { importTexts } from './texts.ts'
import { diffRows, type SeenRows } from './diff-rows.server.ts'
import { openCsv, UnreadableCsvError } from './parse-csv.server.ts'
import type { PreviewRows, ImportPreview } from './import-preview-store.server.ts'
import {
  deleteOldPreviews,
  deletePreview,
  newPreviewId,
  saveRows,
  savePreview,
} from './import-preview-store.server.ts'

type PreviewResult = { ok: true; planId: string } | { ok: false; text: string; status: 422 | 500 }

export async function previewImport(
  app: AppServices,
  file: FormDataEntryValue | null,
): Promise<PreviewResult> {
  if (!(file instanceof File) || (file.size === 0 && file.name === ''))
    return { ok: false, text: importTexts.noFile, status: 422 }
  const id = newPreviewId(app.now())
  try {
    await deleteOldPreviews(app)
    await savePreview(app.db, await diffTable(app, id, file))
    return { ok: true, planId: id }
  } catch (error) {
    // Deletes the rows that were already saved. If this deletion fails, a later preview deletes these rows.
    await deletePreview(app.db, id).catch(() => {})
    if (error instanceof UnreadableCsvError) return { ok: false, text: error.message, status: 422 }
    app.log.error('a CSV file could not be checked', error)
    return { ok: false, text: importTexts.failed, status: 500 }
  }
}

async function diffTable(app: AppServices, id: string, file: File): Promise<ImportPreview> {
  const table = await openCsv(file)
  const names = categoryNames(await listCategories(app.db))
  const counts = { rows: 0, unchanged: 0, changed: 0, added: 0, noted: 0, refused: 0 }
  const perColumn = new Map<string, number>()
  const seen: SeenRows = { ids: new Map(), pictures: new Set(), etsyNames: new Set() }
  for await (const rows of table.rows) {
    const found = await diffRows(app.db, rows, { names, currency: app.currency }, seen)
    count(counts, found, rows.length)
    for (const { kind, changes } of found.changes)
      if (kind === 'change')
        for (const { column } of changes) perColumn.set(column, (perColumn.get(column) ?? 0) + 1)
    await saveRows(app.db, id, found)
    await nextTurn()
  }
  if (counts.rows === 0) throw new UnreadableCsvError(importTexts.noRows)
  return {
    id,
    // Removes the character U+0000, because PostgreSQL could not store the name in the audit log.
    fileName: file.name.replaceAll('\0', '').slice(0, 120).toWellFormed(),
    at: app.now(),
    counts,
    columns: changeTitles.flatMap((title) =>
      perColumn.has(title) ? [{ title, count: perColumn.get(title)! }] : [],
    ),
    missing: table.missing.map((column) => columns[column].title),
    notice: table.notice,
  }
}

function count(
  counts: ImportPreview['counts'],
  { changes, refused }: PreviewRows,
  rows: number,
): void {
  const names = { change: 'changed', add: 'added', note: 'noted' } as const
  for (const { kind } of changes) counts[names[kind]] += 1
  counts.rows += rows
  counts.refused += refused.length
  counts.unchanged += rows - changes.length - refused.length
}
