/** Reading the categories. */
import type { Db, Tx } from '#db/tables.ts'
import type { Category } from './catalog.ts'
import { pictureColumns, readJoinedPicture } from './picture-rows.server.ts'

/** All categories in the owner's order (DATA-110). */
export async function listCategories(db: Db | Tx): Promise<Category[]> {
  const rows = await db
    .selectFrom('categories')
    .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
    .select(['categories.id', 'categories.title', 'categories.color', ...pictureColumns])
    .orderBy('categories.position')
    .orderBy('categories.title')
    .execute()
  return rows.map((row) => ({ id: row.id, title: row.title, color: row.color, picture: readJoinedPicture(row) }))
}
