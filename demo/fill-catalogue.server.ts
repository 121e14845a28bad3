/** The rows of the demo shop's catalogue. */
import type { Tx } from '#db/tables.ts'
import type { StoredPicture } from '#app/platform/pictures.server.ts'
import { categories, colors, items, showcase } from './catalogue.ts'
import type { DemoDiscount } from './record.ts'

const MINUTE = 60_000

const discountColumns = (discount: DemoDiscount | undefined) => ({
  discountType: discount?.type ?? null,
  discountValue: discount?.value ?? null,
})

export async function fillCatalogue(tx: Tx, pictureIds: Map<string, StoredPicture>, now: number): Promise<void> {
  const pictureId = (key: string) => pictureIds.get(key)?.id ?? null
  await tx
    .insertInto('pictures')
    .values([...pictureIds.values()])
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
  await fillItems(tx, pictureIds, now)
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

async function fillItems(tx: Tx, pictures: Map<string, StoredPicture>, now: number): Promise<void> {
  for (const [position, item] of items.entries()) {
    // The gallery shows the newest first: the list's order is the gallery's.
    const at = now - (position + 1) * MINUTE
    const { id, name, categoryId, priceCents, description, width, soleType, size } = item
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
        size,
        ...discountColumns(item.discount),
        createdAt: at,
        firstCreatedAt: at,
      })
      .execute()
    for (const [index, picture] of item.pictures.entries()) {
      const itemPictureId = `${id}-${index + 1}`
      await tx
        .insertInto('itemPictures')
        .values({
          id: itemPictureId,
          itemId: id,
          pictureId: pictures.get(`items/${categoryId}/${itemPictureId}`)!.id,
          position: index,
          isAvailable: picture.isAvailable ? 1 : 0,
        })
        .execute()
      const colorIds = [...new Set(picture.colorIds)]
      if (colorIds.length > 0)
        await tx
          .insertInto('itemPictureColors')
          .values(colorIds.map((colorId) => ({ itemPictureId, colorId })))
          .execute()
    }
  }
}
