import type { Tx } from '#db/schema.ts'
import type { StoredImage } from '#services/image-store.server.ts'
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

export async function fillCatalog(tx: Tx, images: Map<string, StoredImage>, now: number) {
  const imageId = (key: string) => images.get(key)!.id
  await tx
    .insertInto('images')
    .values([...images.values()])
    .execute()
  await tx
    .insertInto('categories')
    .values(
      categories.map(({ id, title, color }, position) => ({
        id,
        title,
        color,
        imageId: imageId(`category/${id}`),
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
        imageId: imageId(`colors/${color.id}`),
        isAvailable: color.isAvailable,
        isLowOnStock: color.isLowOnStock,
        ...discountColumns(color.discount),
        createdAt: now,
        firstCreatedAt: now,
      })),
    )
    .execute()
  await fillItems(tx, images, now)
  await tx
    .insertInto('showcase')
    .values(
      showcase.map(({ title, categoryId, deg }, position) => ({
        id: `showcase-${categoryId}`,
        title,
        imageId: imageId(`category/${categoryId}`),
        categoryId,
        deg,
        position,
      })),
    )
    .execute()
}

async function fillItems(tx: Tx, images: Map<string, StoredImage>, now: number) {
  for (const [position, item] of items.entries()) {
    // The gallery shows the newest items first.
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
      const itemImageId = `${id}-${index + 1}`
      await tx
        .insertInto('itemImages')
        .values({
          id: itemImageId,
          itemId: id,
          imageId: images.get(itemImage(item, index))!.id,
          position: index,
          isAvailable: isAvailable(colorIds),
        })
        .execute()
      await tx
        .insertInto('itemImageColors')
        .values(colorIds.map((colorId) => ({ itemImageId, colorId })))
        .execute()
    }
  }
}
