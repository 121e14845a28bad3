/** Reads items with their pictures, and writes all of them as CSV while the browser downloads (021). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/schema.ts'
import { itemValueColumns } from '#app/features/catalog/catalog.ts'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import type { TableStyle } from '#app/lib/csv.ts'
import { BOM, csvLines } from '#app/lib/csv.server.ts'
import { pictureUrl } from '#app/features/images/picture-upload.ts'
import { categoryNames, columns, itemCells, type TableItem } from './item-table.ts'

/** So many at a time; between two parts others get their turn. */
const PART = 250

/** Those of the ids that there are, by their id. */
export async function findTableItems(db: Db, ids: readonly string[]): Promise<Map<string, TableItem>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('items')
    .select(['id', ...itemValueColumns])
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

/**
 * The file that the owner downloads, part by part: category by category, the oldest first, an order that no change of a price or a name turns
 * over. The ids are sorted once, since no index knows that order.
 */
export async function* exportItems(db: Db, style: TableStyle): AsyncGenerator<string> {
  const categories = await listCategories(db)
  const names = categoryNames(categories)
  yield BOM + csvLines([Object.values(columns).map(({ title }) => title)], style)
  for (const { id } of categories) {
    const rows = await db.selectFrom('items').select('id').where('categoryId', '=', id).orderBy('firstCreatedAt').orderBy('id').execute()
    for (let start = 0; start < rows.length; start += PART) {
      const ids = rows.slice(start, start + PART).map((row) => row.id)
      const found = await findTableItems(db, ids)
      const items = ids.flatMap((id) => found.get(id) ?? [])
      const lines = items.map((item) => Object.values(itemCells(item, names, style)))
      yield csvLines(lines, style)
      await nextTurn()
    }
  }
}
