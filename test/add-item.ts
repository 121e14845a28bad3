/** The smallest item that can be ordered, in a category of its own. */
import type { TestShop } from './open-test-shop.ts'

export async function addItem(shop: TestShop, id: string, name: string, priceCents: number) {
  await shop.db
    .insertInto('categories')
    .values({ id: 'walls', title: 'Walls', color: '#aabbcc', pictureId: null, position: 1, createdAt: 1, firstCreatedAt: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const texts = { description: 'Knotted by hand', width: '', soleType: '', size: '' }
  await shop.db
    .insertInto('items')
    .values({
      id,
      name,
      categoryId: 'walls',
      priceCents,
      ...texts,
      discountType: null,
      discountValue: null,
      createdAt: 1,
      firstCreatedAt: 1,
    })
    .execute()
}
