/** Items as rows of a table: reading them in parts, and writing all of them as CSV while the browser downloads. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Tx } from '#db/schema.ts'
import { itemValueColumns } from '#app/features/catalog/catalog.ts'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import type { TableStyle } from '#app/lib/csv.ts'
import { BOM, csvLines } from '#app/lib/csv.server.ts'
import { pictureUrl } from '#app/features/images/picture-upload.ts'
import { categoryNames, columns, itemCells, type TableItem } from './item-table.ts'

const stored = ['id', ...itemValueColumns, 'createdAt', 'revision'] as const
export type StoredItem = TableItem & { createdAt: number; revision: number }

/** So many at a time; between two parts others get their turn. */
const PART = 250

async function withPictures(db: Db | Tx, rows: Omit<StoredItem, 'pictures'>[]): Promise<StoredItem[]> {
  if (rows.length === 0) return []
  const pictures = await db
    .selectFrom('itemPictures')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .select(['itemPictures.itemId', 'pictures.path'])
    .where(
      'itemPictures.itemId',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('itemPictures.position')
    .orderBy('itemPictures.id')
    .execute()
  const urls = new Map<string, string[]>(rows.map((row) => [row.id, []]))
  for (const { itemId, path } of pictures) urls.get(itemId)?.push(pictureUrl(path))
  return rows.map((row) => Object.assign(row, { pictures: urls.get(row.id) ?? [] }))
}

/** Those of the ids that there are, by their id. */
export async function findTableItems(db: Db | Tx, ids: readonly string[]): Promise<Map<string, StoredItem>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('items').select(stored).where('id', 'in', ids).execute()
  return new Map((await withPictures(db, rows)).map((item) => [item.id, item]))
}

export async function countItems(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('items')
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * All items, category by category, the oldest first: an order that no change of a price or a name turns over. The ids are sorted once, since
 * no index knows that order.
 */
async function* itemParts(db: Db, categoryIds: readonly string[]): AsyncGenerator<StoredItem[]> {
  for (const categoryId of categoryIds) {
    const rows = await db
      .selectFrom('items')
      .select('id')
      .where('categoryId', '=', categoryId)
      .orderBy('firstCreatedAt')
      .orderBy('id')
      .execute()
    for (let start = 0; start < rows.length; start += PART) {
      const ids = rows.slice(start, start + PART).map((row) => row.id)
      const found = await findTableItems(db, ids)
      yield ids.map((id) => found.get(id)).filter((item) => item !== undefined)
      await nextTurn()
    }
  }
}

/** The file that the owner downloads, part by part. */
export async function* exportItems(db: Db, style: TableStyle): AsyncGenerator<string> {
  const categories = await listCategories(db)
  const names = categoryNames(categories)
  yield BOM + csvLines([Object.values(columns).map(({ title }) => title)], style)
  const ids = categories.map((category) => category.id)
  for await (const part of itemParts(db, ids))
    yield csvLines(
      part.map((item) => Object.values(itemCells(item, names, style))),
      style,
    )
}
