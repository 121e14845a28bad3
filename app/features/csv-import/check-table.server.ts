/** The dry run: reads an uploaded table against the items and stores what it would change. Writes nothing of the catalogue. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { categoryNames, changeTitles, columns, tableTexts } from './item-table.ts'
import { judgePart, type Seen } from './judge-rows.server.ts'
import { openTable, UnreadableTable } from './read-table.server.ts'
import { deleteOldPlans, deletePlan, newPlanId, saveLines, savePlan, type Found, type Plan } from './table-checks.server.ts'

type Checked = { ok: true; planId: string } | { ok: false; text: string; status: 422 | 500 }

export async function checkTable(shop: Shop, file: FormDataEntryValue | null): Promise<Checked> {
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return { ok: false, text: tableTexts.noFile, status: 422 }
  const id = newPlanId(shop.now())
  try {
    await deleteOldPlans(shop)
    await savePlan(shop.db, await judgeTable(shop, id, file))
    return { ok: true, planId: id }
  } catch (error) {
    // A check that cannot be deleted now is deleted by a later check of a table.
    await deletePlan(shop.db, id).catch(() => {})
    if (error instanceof UnreadableTable) return { ok: false, text: error.message, status: 422 }
    shop.log.error('a table could not be checked', error)
    return { ok: false, text: tableTexts.failed, status: 500 }
  }
}

async function judgeTable(shop: Shop, id: string, file: File): Promise<Plan> {
  const table = await openTable(file)
  const names = categoryNames(await listCategories(shop.db))
  const counts = { rows: 0, unchanged: 0, changed: 0, added: 0, noted: 0, refused: 0 }
  const perColumn = new Map<string, number>()
  const seen: Seen = { ids: new Map(), pictures: new Set() }
  for await (const rows of table.rows) {
    const found = await judgePart(shop.db, rows, names, seen)
    count(counts, found, rows.length)
    for (const { kind, changes } of found.changes)
      if (kind === 'change') for (const { column } of changes) perColumn.set(column, (perColumn.get(column) ?? 0) + 1)
    await saveLines(shop.db, id, found)
    await nextTurn()
  }
  if (counts.rows === 0) throw new UnreadableTable(tableTexts.noRows)
  return {
    id,
    // The history keeps it, and PostgreSQL takes no zero byte.
    fileName: file.name.replaceAll('\0', '').slice(0, 120).toWellFormed(),
    at: shop.now(),
    counts,
    columns: changeTitles.flatMap((title) => (perColumn.has(title) ? [{ title, count: perColumn.get(title)! }] : [])),
    missing: table.missing.map((column) => columns[column].title),
    notice: table.notice,
  }
}

function count(counts: Plan['counts'], { changes, refused }: Found, rows: number): void {
  const names = { change: 'changed', add: 'added', note: 'noted' } as const
  for (const { kind } of changes) counts[names[kind]] += 1
  counts.rows += rows
  counts.refused += refused.length
  counts.unchanged += rows - changes.length - refused.length
}
