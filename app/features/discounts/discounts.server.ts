/** Putting colours and items on sale; each act is one transaction, all or none (S-125). */
import type { Shop } from '#app/platform/context.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Discount } from '#app/features/money/money.ts'

const columnsOf = (discount: Discount | null) => ({ discountType: discount?.type ?? null, discountValue: discount?.value ?? null })
const actOf = (discount: Discount | null, noun: 'color' | 'items') => (discount ? `discount-${noun}` : `end-${noun}-discount`)

/** DISC-16, DISC-17; null ends the sale. false: there is no such colour. */
export async function setColorDiscount(shop: Shop, actor: string, id: string, discount: Discount | null): Promise<boolean> {
  const at = shop.now()
  const isThere = await shop.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('colors')
      .set({ ...columnsOf(discount), createdAt: at })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (row) await recordAct(tx, { at, actor, act: actOf(discount, 'color'), subject: id, detail: { discount } })
    return row !== undefined
  })
  if (isThere) shop.live.changed('catalogue')
  return isThere
}

/** One statement takes so many ids. */
const PART = 500

/** DISC-52, DISC-53, S-127: the new discount replaces the old one. Throws, and writes nothing, when one of the items is gone. */
export async function setItemsDiscount(shop: Shop, actor: string, itemIds: readonly string[], discount: Discount | null): Promise<void> {
  const at = shop.now()
  // In one order everywhere, so that two such acts at once cannot block each other.
  const ids = [...new Set(itemIds)].sort()
  await shop.db.transaction().execute(async (tx) => {
    for (let start = 0; start < ids.length; start += PART) {
      const part = ids.slice(start, start + PART)
      const rows = await tx
        .updateTable('items')
        .set({ ...columnsOf(discount), createdAt: at })
        .where('id', 'in', part)
        .returning('id')
        .execute()
      if (rows.length !== part.length) throw new Error('an item of the selection is gone')
    }
    await recordAct(tx, { at, actor, act: actOf(discount, 'items'), subject: 'items', detail: { ids, discount } })
  })
  shop.live.changed('catalogue')
}
