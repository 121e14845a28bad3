import type { Db } from '#db/schema.ts'
import { readDiscount } from '#pricing/money.ts'
import { sortedItemImages } from './catalog.server.ts'
import { itemTextColumns } from './item-fields.ts'
import { imageUrl } from '#images/image-upload.ts'

const urlOf = (path: string | null) => (path === null ? '' : imageUrl(path))

function discountDocument(row: Parameters<typeof readDiscount>[0]) {
  const discount = readDiscount(row)
  return discount && { discount: { type: discount.type, price: discount.value / 100 } }
}

/** An ordinary item that is listed has no `state`, `kind` or `soldSaleId`. [S-134] */
export async function listItemDocuments(db: Db) {
  const items = await db
    .selectFrom('items')
    .select([
      'id',
      ...itemTextColumns,
      'categoryId as category',
      'priceCents',
      'discountType',
      'discountValue',
      'createdAt',
      'state',
      'kind',
      'soldSaleId',
    ])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  const images = await sortedItemImages(db)
    .select(['itemImages.id', 'itemImages.itemId', 'itemImages.isAvailable', 'images.path'])
    .execute()
  const colors = await db.selectFrom('itemImageColors').selectAll().orderBy('colorId').execute()
  const colorsOf = Map.groupBy(colors, ({ itemImageId }) => itemImageId)
  const imagesOf = Map.groupBy(images, ({ itemId }) => itemId)
  return items.map((row) => {
    const { discountType, discountValue, priceCents, state, kind, soldSaleId, ...item } = row
    return {
      ...item,
      price: priceCents / 100,
      ...discountDocument({ discountType, discountValue }),
      ...(state !== 'listed' && { state }),
      ...(kind && { kind }),
      ...(soldSaleId && { soldSaleId }),
      images: (imagesOf.get(item.id) ?? []).map(({ id, path, isAvailable }) => ({
        url: imageUrl(path),
        colors: (colorsOf.get(id) ?? []).map(({ colorId }) => colorId),
        isAvailable,
      })),
    }
  })
}

export async function listColorDocuments(db: Db) {
  const rows = await db
    .selectFrom('colors')
    .leftJoin('images', 'images.id', 'colors.imageId')
    .selectAll('colors')
    .select('images.path')
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: urlOf(row.path),
    isAvailable: row.isAvailable,
    isLowOnStock: row.isLowOnStock,
    ...discountDocument(row),
    createdAt: row.createdAt,
  }))
}

export async function listCategoryDocuments(db: Db) {
  const rows = await db
    .selectFrom('categories')
    .leftJoin('images', 'images.id', 'categories.imageId')
    .select(['categories.id', 'title', 'color', 'categories.createdAt', 'path'])
    .orderBy('categories.position')
    .orderBy('categories.title')
    .execute()
  return rows.map(({ path, ...row }) => ({ ...row, url: urlOf(path) }))
}

export async function listShowcaseDocuments(db: Db) {
  const rows = await db
    .selectFrom('showcase')
    .leftJoin('images', 'images.id', 'showcase.imageId')
    .select(['showcase.id', 'title', 'categoryId as categoryID', 'deg', 'path'])
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  return rows.map(({ path, ...row }) => ({ ...row, url: urlOf(path) }))
}
