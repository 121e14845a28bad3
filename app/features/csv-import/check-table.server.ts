/** The dry run: reads an uploaded table against the items and keeps what it would change. Writes nothing of the catalogue. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { categoryNames, changeTitles, columns } from './item-table.ts'
import { judgePart, type Seen } from './judge-rows.server.ts'
import { beginPlan, sweepPlans, type ChangeLine, type Counts, type Found } from './kept-plans.server.ts'
import { BrokenTable, openTable, type Table } from './read-table.server.ts'
import { tableTexts } from './table-texts.ts'

export type Checked = { ok: true; planId: string } | { ok: false; text: string; status: 422 | 500 }

export async function checkTable(shop: Shop, file: FormDataEntryValue | null): Promise<Checked> {
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return { ok: false, text: tableTexts.noFile, status: 422 }
  try {
    await sweepPlans(shop)
    const opened = await openTable(file)
    if (!opened.ok) return { ok: false, text: opened.text, status: 422 }
    return await judgeTable(shop, file.name, opened.table)
  } catch (error) {
    if (error instanceof BrokenTable) return { ok: false, text: error.message, status: 422 }
    shop.log.error('a table could not be checked', error)
    return { ok: false, text: tableTexts.failed, status: 500 }
  }
}

async function judgeTable(shop: Shop, fileName: string, table: Table): Promise<Checked> {
  const names = categoryNames(await listCategories(shop.db))
  const writer = await beginPlan(shop)
  try {
    const counts: Counts = { rows: 0, unchanged: 0, changed: 0, added: 0, noted: 0, refused: 0 }
    const perColumn = new Map<string, number>()
    const seen: Seen = { ids: new Map(), pictures: new Set() }
    for await (const rows of table.rows) {
      const found = await judgePart(shop.db, rows, names, seen)
      count(counts, found, rows.length)
      for (const { kind, changes } of found.changes)
        if (kind === 'change') for (const { column } of changes) perColumn.set(column, (perColumn.get(column) ?? 0) + 1)
      await writer.add(found)
      await nextTurn()
    }
    if (counts.rows === 0) {
      await writer.drop()
      return { ok: false, text: tableTexts.noRows, status: 422 }
    }
    await writer.finish({
      id: writer.id,
      // The history keeps it, and PostgreSQL takes no zero byte.
      fileName: fileName.replaceAll('\0', '').slice(0, 120).toWellFormed(),
      at: shop.now(),
      counts,
      columns: changeTitles.flatMap((title) => (perColumn.has(title) ? [{ title, count: perColumn.get(title)! }] : [])),
      missing: table.missing.map((column) => columns[column].title),
      notice: table.notice,
    })
    return { ok: true, planId: writer.id }
  } catch (error) {
    await writer.drop()
    throw error
  }
}

function count(counts: Counts, { changes, refused }: Found, rows: number): void {
  const of = (kind: ChangeLine['kind']) => changes.filter((line) => line.kind === kind).length
  counts.rows += rows
  counts.changed += of('change')
  counts.added += of('add')
  counts.noted += of('note')
  counts.refused += refused.length
  counts.unchanged += rows - changes.length - refused.length
}
