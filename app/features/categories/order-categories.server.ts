/** Putting the categories in order (decision 019). */
import type { Tx } from '#db/tables.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { orderAfter, orderAfterStep } from './category-order.ts'

export type Reorder = { wanted: string[] } | { id: string; by: -1 | 1 }

/**
 * The whole order is written in one transaction, so that of two wishes at once one is what stays. Home's ring follows: its records keep their
 * places on it and change who stands there. false: it names a category that is not there.
 */
export async function orderCategories(shop: Shop, actor: string, reorder: Reorder): Promise<boolean> {
  const done = await transact(shop.db, async (tx) => {
    const present = await lockOrder(tx)
    if ('id' in reorder && !present.includes(reorder.id)) return null
    const order = 'id' in reorder ? orderAfterStep(present, reorder.id, reorder.by) : orderAfter(present, reorder.wanted)
    if (order.every((id, at) => id === present[at])) return 'same'
    for (const [position, id] of order.entries()) await tx.updateTable('categories').set({ position }).where('id', '=', id).execute()
    await orderShowcase(tx)
    await recordAct(tx, { at: shop.now(), actor, act: 'order-categories', subject: 'category', detail: { order } })
    return 'changed'
  })
  if (done === 'changed') shop.live.changed('catalogue')
  return done !== null
}

/** The present order. Whoever writes the first row has the order to himself until the end of the transaction. */
async function lockOrder(tx: Tx): Promise<string[]> {
  const first = tx.selectFrom('categories').select((c) => c.fn.min('id').as('id'))
  await tx
    .updateTable('categories')
    .set((c) => ({ position: c.ref('position') }))
    .where('id', '=', first)
    .execute()
  const rows = await tx.selectFrom('categories').select('id').orderBy('position').orderBy('title').execute()
  return rows.map(({ id }) => id)
}

/** S-020: a record's `deg` is its place on the ring; the places stay, the records take them in the order of their categories. */
async function orderShowcase(tx: Tx): Promise<void> {
  const places = await tx.selectFrom('showcase').select(['id', 'deg', 'position']).orderBy('position').orderBy('id').execute()
  const records = await tx
    .selectFrom('showcase')
    .innerJoin('categories', 'categories.id', 'showcase.categoryId')
    .select('showcase.id')
    .orderBy('categories.position')
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  for (const [at, { id }] of records.entries()) {
    const { deg, position } = places[at]!
    await tx.updateTable('showcase').set({ deg, position }).where('id', '=', id).execute()
  }
}
