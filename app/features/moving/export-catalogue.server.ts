/** The catalogue as documents of section 3, each with a field `shop` for what section 3 has no field for (022). */
import type { Tx } from '#db/tables.ts'
import { categoryDocument } from '#app/features/catalog/category-document.ts'
import { colorDocument } from '#app/features/catalog/color-document.ts'
import { itemDocument } from '#app/features/catalog/item-document.ts'
import { readDiscount } from '#app/features/money/money.ts'
import { showcaseDocument } from '#app/features/showcase/showcase-document.ts'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'
import { timestamp } from './moment.ts'
import type { FoundDocument } from './moving.ts'
import { inChunks, inOrder, sortedIds } from './sorted-ids.ts'

type Documents = AsyncGenerator<FoundDocument>
const urlOf = (path: string | null) => (path === null ? '' : pictureUrl(path))

export async function* exportCategories(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'categories'))) {
    const rows = await tx
      .selectFrom('categories')
      .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
      .selectAll('categories')
      .select('pictures.path')
      .where('categories.id', 'in', ids)
      .execute()
    for (const row of inOrder(ids, rows)) {
      const { createdAt, ...document } = categoryDocument({ ...row, url: urlOf(row.path) })
      const shop = { position: row.position, firstCreatedAt: timestamp(row.firstCreatedAt) }
      yield { id: row.id, fields: { ...document, createdAt: timestamp(createdAt), shop } }
    }
  }
}

export async function* exportColors(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'colors'))) {
    const rows = await tx
      .selectFrom('colors')
      .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
      .selectAll('colors')
      .select('pictures.path')
      .where('colors.id', 'in', ids)
      .execute()
    for (const row of inOrder(ids, rows)) {
      const { id, name, createdAt, firstCreatedAt } = row
      const [isAvailable, isLowOnStock] = [row.isAvailable === 1, row.isLowOnStock === 1]
      const document = colorDocument({ id, name, url: urlOf(row.path), isAvailable, isLowOnStock, discount: readDiscount(row), createdAt })
      yield { id, fields: { ...document, createdAt: timestamp(createdAt), shop: { firstCreatedAt: timestamp(firstCreatedAt) } } }
    }
  }
}

export async function* exportItems(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'items'))) {
    const rows = await tx.selectFrom('items').selectAll().where('id', 'in', ids).execute()
    const images = await tx
      .selectFrom('itemPictures')
      .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
      .select(['itemPictures.id', 'itemPictures.itemId', 'itemPictures.isAvailable', 'itemPictures.position', 'pictures.path'])
      .where('itemPictures.itemId', 'in', ids)
      .execute()
    const imagesOf = Map.groupBy(
      images.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)),
      (row) => row.itemId,
    )
    const colorsOf = await colorsOfImages(tx, ids)
    for (const row of inOrder(ids, rows)) {
      const own = imagesOf.get(row.id) ?? []
      const { id, name, categoryId, priceCents, description, width, soleType, size, createdAt } = row
      const document = itemDocument({
        ...{ id, name, categoryId, priceCents, description, width, soleType, size, createdAt },
        discount: readDiscount(row),
        images: own.map((image) => ({
          url: pictureUrl(image.path),
          colorIds: (colorsOf.get(image.id) ?? []).toSorted(),
          isAvailable: image.isAvailable === 1,
        })),
      })
      const kept = document.images.map((image, index) => ({ ...image, id: own[index]!.id }))
      const shop = { firstCreatedAt: timestamp(row.firstCreatedAt) }
      yield { id, fields: { ...document, images: kept, createdAt: timestamp(createdAt), shop } }
    }
  }
}

async function colorsOfImages(tx: Tx, itemIds: string[]): Promise<Map<string, string[]>> {
  const rows = await tx
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .select(['itemPictureColors.itemPictureId', 'itemPictureColors.colorId'])
    .where('itemPictures.itemId', 'in', itemIds)
    .execute()
  const grouped = Map.groupBy(rows, (row) => row.itemPictureId)
  return new Map([...grouped].map(([id, colors]) => [id, colors.map((color) => color.colorId)]))
}

export async function* exportShowcase(tx: Tx): Documents {
  for (const ids of inChunks(await sortedIds(tx, 'showcase'))) {
    const rows = await tx
      .selectFrom('showcase')
      .leftJoin('pictures', 'pictures.id', 'showcase.pictureId')
      .selectAll('showcase')
      .select('pictures.path')
      .where('showcase.id', 'in', ids)
      .execute()
    for (const { id, title, categoryId, deg, position, path } of inOrder(ids, rows)) {
      const document = showcaseDocument({ id, title, categoryId, deg, url: urlOf(path) })
      yield { id, fields: { ...document, shop: { position } } }
    }
  }
}
