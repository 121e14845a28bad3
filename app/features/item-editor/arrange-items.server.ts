import type { Db, Tx } from '#db/schema.ts'
import type { AppServices } from '#services/context.ts'
import { change } from '#services/change.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { type ActionTable, outcomeOf } from '#lib/http/form-actions.server.ts'
import { refuse } from '#lib/refusal.ts'
import { reorderAction } from '#lib/http/reorder-action.server.ts'
import { inBatches, listCategories, readThumbnails } from '#catalog/catalog.server.ts'
import { isGalleryArranged } from '#catalog/gallery.server.ts'
import { lockBulkChanges, numberItems, writePositions } from '#catalog/item-order.server.ts'
import { isListed, lastChangedFirst } from '#catalog/shown-items.server.ts'
import { type Reorder, reordered } from '#ui/list-order.ts'

/** If the list is longer, the owner must choose a category, because dragging would be slow. */
const MAX_ARRANGED = 150

function listedItems(db: Db, categoryId: string | null = null) {
  const items = db.selectFrom('items').where(isListed)
  const chosen = categoryId ? items.where('categoryId', '=', categoryId) : items
  return chosen.orderBy('position').orderBy(lastChangedFirst)
}

/** Reads all listed items if `categoryId` is null or unknown. */
export async function readArrangement(db: Db, categoryId: string | null) {
  const categories = (await listCategories(db)).filter(({ isShown }) => isShown)
  const chosenId = categories.find(({ id }) => id === categoryId)?.id ?? null
  const rows = await listedItems(db, chosenId)
    .select(['id', 'name'])
    .limit(MAX_ARRANGED + 1)
    .execute()
  const pieces = rows.slice(0, MAX_ARRANGED)
  const images = await readThumbnails(db, pieces)
  return {
    categories: categories.map(({ id, title }) => ({ id, title })),
    categoryId: chosenId,
    pieces: pieces.map(({ id, name }) => ({ id, name, image: images.get(id) ?? null })),
    limit: rows.length > MAX_ARRANGED ? MAX_ARRANGED : null,
    isArranged: await isGalleryArranged(db),
  }
}
export type Arrangement = Awaited<ReturnType<typeof readArrangement>>

type ArrangeContext = { app: AppServices; actor: string }

const reorderItems = reorderAction<ArrangeContext>((context, order, form) =>
  arrange(context, (tx) => reorder(tx, order, formText(form, 'category'))),
)

export const arrangementActions: ActionTable<ArrangeContext> = {
  'newest-first': async (context) =>
    outcomeOf(await arrange(context, forgetPositions), {
      'not-found': { status: 404 },
      failed: { status: 500 },
    }),
  order: reorderItems,
  move: reorderItems,
}

/** `write` returns false, and changes nothing, if it does not find the item to move. */
const arrange = ({ app, actor }: ArrangeContext, write: (tx: Tx) => Promise<boolean>) =>
  change(app, { failure: 'items could not be sorted' }, async (tx) => {
    await lockBulkChanges(tx)
    if (!(await write(tx))) return refuse('not-found')
    return { audit: { actor, act: 'order-items', subject: '' }, topics: ['catalog'] }
  })

async function forgetPositions(tx: Tx) {
  await tx.updateTable('items').set({ position: 0 }).where('position', '>', 0).execute()
  return true
}

/** Sorts some items among the places that they have; all other items keep their places. */
async function reorder(tx: Tx, change: Reorder, categoryId: string) {
  const order =
    'to' in change ? await orderAround(tx, change, categoryId) : await listedOrder(tx, change)
  if (!order) return false
  const positions = await readPositions(tx, order)
  const places = [...positions.values()].toSorted((left, right) => left - right)
  await writePositions(
    tx,
    order
      .filter((id) => positions.has(id))
      .map((id, index) => [id, places[index]!] as const)
      .filter(([id, position]) => positions.get(id) !== position),
  )
  return true
}

async function listedOrder(tx: Tx, change: Reorder) {
  if (!('order' in change)) return null
  await numberItems(tx)
  return [...new Set(change.order)]
}

async function readPositions(tx: Tx, ids: readonly string[]) {
  const positions = new Map<string, number>()
  for (const batch of inBatches(ids)) {
    const rows = await listedItems(tx).select(['id', 'position']).where('id', 'in', batch).execute()
    for (const { id, position } of rows) positions.set(id, position)
  }
  return positions
}

/**
 * Returns the items between the old and the new place in their new order, or null for an unknown
 * id.
 */
async function orderAround(tx: Tx, { id, to }: { id: string; to: number }, categoryId: string) {
  const items = listedItems(tx, categoryId)
  const movedItem = items.select('position').where('id', '=', id)
  if (!(await movedItem.executeTakeFirst())) return null
  await numberItems(tx)
  const from = await movedItem.executeTakeFirstOrThrow()
  const target = await items
    .select('position')
    .offset(to - 1)
    .limit(1)
    .executeTakeFirst()
  const isDown = !target || target.position > from.position
  const onSide = items.select('id').where('position', isDown ? '>=' : '<=', from.position)
  const between = target ? onSide.where('position', isDown ? '<=' : '>=', target.position) : onSide
  const ids = (await between.execute()).map((row) => row.id)
  return reordered(ids, { id, to: isDown ? ids.length : 1 })
}
