import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/schema.ts'
import { itemValueColumns } from '#catalog/item-fields.ts'
import { inBatches, listCategories, sortedItemImages } from '#catalog/catalog.server.ts'
import type { TableStyle } from '#lib/text/csv.ts'
import { BOM, csvRows } from '#lib/text/csv.server.ts'
import { imageUrl } from '#images/image-upload.ts'
import { categoryNames, columns, itemCells, type ExportedItem } from './item-columns.ts'

export async function findExportedItems(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, ExportedItem>()
  const rows = await db
    .selectFrom('items')
    .select(['id', 'state', ...itemValueColumns])
    .where('id', 'in', ids)
    .execute()
  const items = new Map<string, ExportedItem>(rows.map((row) => [row.id, { ...row, images: [] }]))
  const images = await sortedItemImages(db)
    .select(['itemImages.itemId', 'images.path'])
    .where('itemImages.itemId', 'in', ids)
    .execute()
  for (const { itemId, path } of images) items.get(itemId)?.images.push(imageUrl(path))
  return items
}

/** Sorts by category and age, so that editing an item does not move its row. */
export async function* exportItems(db: Db, style: TableStyle) {
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
    for (const ids of inBatches(rows.map((row) => row.id))) {
      const itemsById = await findExportedItems(db, ids)
      const items = ids.flatMap((itemId) => itemsById.get(itemId) ?? [])
      const lines = items.map((item) => Object.values(itemCells(item, names, style)))
      yield csvRows(lines, style)
      await nextTurn()
    }
  }
}
