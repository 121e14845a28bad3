/** All documents of the catalogue, for the export (DATA-107 to DATA-109). */
import type { Db, Tx } from '#db/tables.ts'
import { readDiscount } from '#app/features/money/money.ts'
import { showcaseDocument, type ShowcaseDocument } from '#app/features/showcase/showcase-document.ts'
import { categoryDocument, type CategoryDocument } from './category-document.ts'
import { colorDocument, type ColorDocument } from './color-document.ts'
import { itemDocument, type ItemDocument } from './item-document.ts'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'

const urlOf = (path: string | null): string => (path === null ? '' : pictureUrl(path))

export async function listItemDocuments(db: Db | Tx): Promise<ItemDocument[]> {
  const items = await db
    .selectFrom('items')
    .select([
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
    ])
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
  const colors = Map.groupBy(await db.selectFrom('itemPictureColors').selectAll().orderBy('colorId').execute(), (row) => row.itemPictureId)
  const imagesOf = Map.groupBy(images, (row) => row.itemId)
  return items.map(({ discountType, discountValue, ...item }) =>
    itemDocument({
      ...item,
      discount: readDiscount({ discountType, discountValue }),
      images: (imagesOf.get(item.id) ?? []).map((image) => ({
        url: pictureUrl(image.path),
        colorIds: (colors.get(image.id) ?? []).map((color) => color.colorId),
        isAvailable: image.isAvailable === 1,
      })),
    }),
  )
}

export async function listColorDocuments(db: Db | Tx): Promise<ColorDocument[]> {
  const rows = await db
    .selectFrom('colors')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .selectAll('colors')
    .select('pictures.path')
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
  return rows.map((row) =>
    colorDocument({
      id: row.id,
      name: row.name,
      url: urlOf(row.path),
      isAvailable: row.isAvailable === 1,
      isLowOnStock: row.isLowOnStock === 1,
      discount: readDiscount(row),
      createdAt: row.createdAt,
    }),
  )
}

export async function listCategoryDocuments(db: Db | Tx): Promise<CategoryDocument[]> {
  const rows = await db
    .selectFrom('categories')
    .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
    .select(['categories.id', 'categories.title', 'categories.color', 'categories.createdAt', 'pictures.path'])
    .orderBy('categories.position')
    .orderBy('categories.title')
    .execute()
  return rows.map(({ path, ...row }) => categoryDocument({ ...row, url: urlOf(path) }))
}

export async function listShowcaseDocuments(db: Db | Tx): Promise<ShowcaseDocument[]> {
  const rows = await db
    .selectFrom('showcase')
    .leftJoin('pictures', 'pictures.id', 'showcase.pictureId')
    .select(['showcase.id', 'showcase.title', 'showcase.categoryId', 'showcase.deg', 'pictures.path'])
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  return rows.map(({ path, ...row }) => showcaseDocument({ ...row, url: urlOf(path) }))
}
