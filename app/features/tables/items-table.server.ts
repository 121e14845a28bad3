/** Items as rows of a table: reading them in parts, and writing all of them as CSV while the browser downloads. */
import { ReadableStream as NodeStream } from 'node:stream/web'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { Db, Tx } from '#db/tables.ts'
import { listCategories } from '#app/features/catalog/categories.server.ts'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'
import { categoryNames, columnTitles, delimiterOf, itemCells, itemColumns, type TableItem, type TableStyle } from './item-table.ts'
import { guardCell } from './safe-cell.ts'

const columns = [
  'id',
  'name',
  'categoryId',
  'priceCents',
  'description',
  'width',
  'soleType',
  'size',
  'discountType',
  'discountValue',
  'createdAt',
  'revision',
] as const

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
  const rows = await db.selectFrom('items').select(columns).where('id', 'in', ids).execute()
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

/** RFC 4180, for people and their spreadsheets: UTF-8 that says so, lines that end in CRLF, no cell that would run as a formula. */
export const csvLines = (rows: readonly (readonly string[])[], style: TableStyle = 'comma'): string =>
  stringify(
    rows.map((row) => row.map(guardCell)),
    { delimiter: delimiterOf[style], record_delimiter: '\r\n', quoted_match: /[\r\n\t]|^\s|\s$/ },
  )
export const BOM = '\uFEFF'

/** The file that the owner downloads, part by part. */
export async function* exportItems(db: Db, style: TableStyle): AsyncGenerator<string> {
  const categories = await listCategories(db)
  const names = categoryNames(categories)
  yield BOM + csvLines([itemColumns.map((column) => columnTitles[column])], style)
  const ids = categories.map((category) => category.id)
  for await (const part of itemParts(db, ids))
    yield csvLines(
      part.map((item) => {
        const cells = itemCells(item, names, style)
        return itemColumns.map((column) => cells[column])
      }),
      style,
    )
}

async function* encoded(parts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const part of parts) if (part !== '') yield encoder.encode(part)
}

/** A text in parts as the body of a download with a name of its own. */
export function csvDownload(parts: AsyncGenerator<string>, fileName: string): Response {
  // The browser's types do not know `from`.
  const bytes = NodeStream.from(encoded(parts))
  return new Response(bytes as unknown as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    },
  })
}
