import type { Db, Tx } from '#db/schema.ts'
import { readDiscount } from '#app/features/pricing/money.ts'
import { itemTextColumns } from './catalog.ts'
import { pictureUrl } from '#app/features/images/image-upload.ts'

const urlOf = (path: string | null): string => (path === null ? '' : pictureUrl(path))

function discountDocument(row: Parameters<typeof readDiscount>[0]) {
  const discount = readDiscount(row)
  return discount && { discount: { type: discount.type, price: discount.value / 100 } }
}

/** The fields `state`, `kind` and `soldSaleId` are not in the specification. A document has them only if they differ from those of an ordinary item for sale. [S-134, S-294] */
export async function listItemDocuments(db: Db | Tx) {
  const items = await db
    .selectFrom('items')
    .select([
      'id',
      ...itemTextColumns,
      'categoryId',
      'priceCents',
      'discountType',
      'discountValue',
      'createdAt',
    ])
    .select(['state', 'kind', 'soldSaleId'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  const images = await db
    .selectFrom('itemPictures')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .select(['itemPictures.id', 'itemPictures.itemId', 'itemPictures.isAvailable', 'pictures.path'])
    .orderBy('itemPictures.position')
    .orderBy('itemPictures.id')
    .execute()
  const colors = Map.groupBy(
    await db.selectFrom('itemPictureColors').selectAll().orderBy('colorId').execute(),
    (row) => row.itemPictureId,
  )
  const imagesOf = Map.groupBy(images, (row) => row.itemId)
  return items.map(
    ({
      discountType,
      discountValue,
      categoryId,
      priceCents,
      state,
      kind,
      soldSaleId,
      ...item
    }) => ({
      ...item,
      category: categoryId,
      price: priceCents / 100,
      ...discountDocument({ discountType, discountValue }),
      ...(state !== 'listed' && { state }),
      ...(kind && { kind }),
      ...(soldSaleId && { soldSaleId }),
      images: (imagesOf.get(item.id) ?? []).map((image) => ({
        url: pictureUrl(image.path),
        colors: (colors.get(image.id) ?? []).map((color) => color.colorId),
        isAvailable: image.isAvailable === 1,
      })),
    }),
  )
}

export async function listColorDocuments(db: Db | Tx) {
  const rows = await db
    .selectFrom('colors')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .selectAll('colors')
    .select('pictures.path')
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: urlOf(row.path),
    isAvailable: row.isAvailable === 1,
    isLowOnStock: row.isLowOnStock === 1,
    ...discountDocument(row),
    createdAt: row.createdAt,
  }))
}

export async function listCategoryDocuments(db: Db | Tx) {
  const rows = await db
    .selectFrom('categories')
    .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
    .select([
      'categories.id',
      'categories.title',
      'categories.color',
      'categories.createdAt',
      'pictures.path',
    ])
    .orderBy('categories.position')
    .orderBy('categories.title')
    .execute()
  return rows.map(({ path, ...row }) => ({ ...row, url: urlOf(path) }))
}

export async function listShowcaseDocuments(db: Db | Tx) {
  const rows = await db
    .selectFrom('showcase')
    .leftJoin('pictures', 'pictures.id', 'showcase.pictureId')
    .select([
      'showcase.id',
      'showcase.title',
      'showcase.categoryId as categoryID',
      'showcase.deg',
      'pictures.path',
    ])
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  return rows.map(({ path, ...row }) => ({ ...row, url: urlOf(path) }))
}
