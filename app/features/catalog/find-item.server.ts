/** Finds one item with its pictures and colors. */
import { cardColumns, distinctColors, readColorsOf } from './catalog.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { readDiscount } from '#app/features/pricing/money.ts'
import { toImageView } from '#app/features/images/image-view.server.ts'
import { type Item, mayVisit } from './catalog.ts'
import type { AppServices } from '#app/services/context.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'

export const noItem = new Error('no such item')

/** Reads an item from the cache or the database. Unknown ids are not cached. */
export async function getItemCached(
  app: Pick<AppServices, 'db' | 'live'>,
  id: string,
): Promise<Item | null> {
  const read = async () => {
    const item = await findItem(app.db, id)
    if (!item) throw noItem
    return item
  }
  return cached(app, ['catalog'], `item ${id}`, read).catch((error: unknown) => {
    if (error !== noItem) throw error
    return null
  })
}

/** Returns null if the item does not exist or is a draft item. */
export async function findVisibleItem(db: Db | Tx, id: string): Promise<Item | null> {
  const item = await findItem(db, id)
  return item && mayVisit(item.state) ? item : null
}

/** Returns null if the item does not exist. [DATA-114, S-058] */
export async function findItem(db: Db | Tx, id: string): Promise<Item | null> {
  const row = await db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', id)
    .select([
      ...cardColumns,
      'items.description',
      'items.width',
      'items.soleType',
      'items.size',
      'items.kind',
      'categories.title',
      'categories.isHidden',
    ])
    .executeTakeFirst()
  if (!row) return null
  const pictures = await db
    .selectFrom('itemPictures')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .where('itemPictures.itemId', '=', id)
    .select([
      'itemPictures.id as itemPictureId',
      'itemPictures.isAvailable',
      'path',
      'width',
      'height',
      'widths',
      'placeholder',
    ])
    .orderBy('itemPictures.position')
    .orderBy('itemPictures.id')
    .execute()
  const colors = await readColorsOf(db, [id])
  const { discountType, discountValue, title, isHidden, ...shown } = row
  return {
    ...shown,
    categoryTitle: isHidden === 1 ? '' : title,
    discount: readDiscount({ discountType, discountValue }),
    colors: distinctColors(colors),
    pictures: pictures.map((picture) => ({
      id: picture.itemPictureId,
      picture: toImageView(picture),
      isAvailable: picture.isAvailable === 1,
      colorIds: colors
        .filter((color) => color.itemPictureId === picture.itemPictureId)
        .map((color) => color.color.id),
    })),
  }
}
