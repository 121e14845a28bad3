import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/schema.ts'
import { itemValueColumns } from '#app/features/catalog/catalog.ts'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import type { TableStyle } from '#app/lib/text/csv.ts'
import { BOM, csvRows } from '#app/lib/text/csv.server.ts'
import { pictureUrl } from '#app/features/images/image-upload.ts'
import { categoryNames, columns, itemCells, type ExportedItem } from './item-columns.ts'

/** The number of items that the export reads at a time. Between two batches, the process can handle other HTTP requests. */
const BATCH_SIZE = 250

export async function findExportedItems(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, ExportedItem>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('items')
    .select(['id', 'state', ...itemValueColumns])
    .where('id', 'in', ids)
    .execute()
  const items = new Map(rows.map((row) => [row.id, { ...row, pictures: [] as string[] }]))
  const pictures = await db
    .selectFrom('itemPictures')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .select(['itemPictures.itemId', 'pictures.path'])
    .where('itemPictures.itemId', 'in', ids)
    .orderBy('itemPictures.position')
    .orderBy('itemPictures.id')
    .execute()
  for (const { itemId, path } of pictures) items.get(itemId)?.pictures.push(pictureUrl(path))
  return items
}

/** Exports the items of one category after another, the oldest item first. This sequence stays the same when the owner edits an item. */
export async function* exportItems(db: Db, style: TableStyle): AsyncGenerator<string> {
  const categories = await listCategories(db)
  const names = categoryNames(categories)
  yield BOM + csvRows([Object.values(columns).map(({ title }) => title)], style)
  for (const { id } of categories) {
    const rows = await db
      .selectFrom('items')
      .select('id')
      .where('categoryId', '=', id)
      .orderBy('firstCreatedAt')
      .orderBy('id')
      .execute()
    for (let start = 0; start < rows.length; start += BATCH_SIZE) {
      const ids = rows.slice(start, start + BATCH_SIZE).map((row) => row.id)
      const found = await findExportedItems(db, ids)
      const items = ids.flatMap((id) => found.get(id) ?? [])
      const lines = items.map((item) => Object.values(itemCells(item, names, style)))
      yield csvRows(lines, style)
      await nextTurn()
    }
  }
}
