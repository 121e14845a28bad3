/** Reading the showcase: what stands on Home's ring of categories. */
import type { Db, Tx } from '#db/tables.ts'
import { pictureColumns, readJoinedPicture } from '#app/features/catalog/picture-rows.server.ts'
import type { ShowcaseView } from './showcase.ts'

/** DATA-104: all records, in the owner's order. */
export async function listShowcase(db: Db | Tx): Promise<ShowcaseView[]> {
  const rows = await db
    .selectFrom('showcase')
    .innerJoin('categories', 'categories.id', 'showcase.categoryId')
    // A record without a picture of its own shows its category's.
    .leftJoin('pictures', (join) => join.on('pictures.id', '=', (c) => c.fn.coalesce('showcase.pictureId', 'categories.pictureId')))
    .select([
      'showcase.id',
      'showcase.title',
      'showcase.categoryId',
      'showcase.deg',
      'categories.title as categoryTitle',
      ...pictureColumns,
    ])
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  return rows.map(({ id, title, categoryId, deg, categoryTitle, ...joined }) => ({
    id,
    title,
    categoryId,
    deg,
    categoryTitle,
    picture: readJoinedPicture(joined),
  }))
}
