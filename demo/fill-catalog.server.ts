/** Inserts the catalog of the demo shop. */
import type { Tx } from '#db/schema.ts'
import type { StoredImage } from '#app/lib/images/image-store.server.ts'
import {
  categories,
  colors,
  isAvailable,
  itemImage,
  items,
  showcase,
  type DemoDiscount,
} from './catalog.ts'

const MINUTE = 60_000

const discountColumns = (discount: DemoDiscount | undefined) => ({
  discountType: discount?.type ?? null,
  discountValue: discount?.value ?? null,
})

export async function fillCatalog(
  tx: Tx,
  pictures: Map<string, StoredImage>,
  now: number,
): Promise<void> {
  const pictureId = (key: string) => pictures.get(key)!.id
  await tx
    .insertInto('pictures')
    .values([...pictures.values()])
    .execute()
  await tx
    .insertInto('categories')
    .values(
      categories.map(({ id, title, color }, position) => ({
        id,
        title,
        color,
        pictureId: pictureId(`category/${id}`),
        position,
        createdAt: now,
        firstCreatedAt: now,
      })),
    )
    .execute()
  await tx
    .insertInto('colors')
    .values(
      colors.map((color) => ({
        id: color.id,
        name: color.name,
        pictureId: pictureId(`colors/${color.id}`),
        isAvailable: color.isAvailable ? 1 : 0,
        isLowOnStock: color.isLowOnStock ? 1 : 0,
        ...discountColumns(color.discount),
        createdAt: now,
        firstCreatedAt: now,
      })),
    )
    .execute()
  await fillItems(tx, pictures, now)
  await tx
    .insertInto('showcase')
    .values(
      showcase.map(({ title, categoryId, deg }, position) => ({
        id: `showcase-${categoryId}`,
        title,
        pictureId: pictureId(`category/${categoryId}`),
        categoryId,
        deg,
        position,
      })),
    )
    .execute()
}

async function fillItems(tx: Tx, pictures: Map<string, StoredImage>, now: number): Promise<void> {
  for (const [position, item] of items.entries()) {
    // Each item is a minute older than the previous item in the list, because the gallery shows the newest items first.
    const at = now - (position + 1) * MINUTE
    const {
      id,
      name,
      categoryId,
      priceCents,
      description,
      width,
      soleType = '',
      size,
      kind = '',
    } = item
    await tx
      .insertInto('items')
      .values({
        id,
        name,
        categoryId,
        priceCents,
        description,
        width,
        soleType,
        kind,
        size,
        ...discountColumns(item.discount),
        createdAt: at,
        firstCreatedAt: at,
      })
      .execute()
    for (const [index, colorIds] of item.images.entries()) {
      const itemPictureId = `${id}-${index + 1}`
      await tx
        .insertInto('itemPictures')
        .values({
          id: itemPictureId,
          itemId: id,
          pictureId: pictures.get(itemImage(item, index))!.id,
          position: index,
          isAvailable: isAvailable(colorIds) ? 1 : 0,
        })
        .execute()
      await tx
        .insertInto('itemPictureColors')
        .values(colorIds.map((colorId) => ({ itemPictureId, colorId })))
        .execute()
    }
  }
}
