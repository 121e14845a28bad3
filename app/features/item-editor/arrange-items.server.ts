import type { Db, Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { type ActionOutcome, foundOutcome, refused } from '#app/ui/action-result.ts'
import { inBatches, listCategories, readThumbnails } from '#app/features/catalog/catalog.server.ts'
import {
  lockBulkChanges,
  numberItems,
  writePositions,
} from '#app/features/catalog/item-order.server.ts'
import { isListed, lastChangedFirst } from '#app/features/catalog/shown-items.server.ts'
import { MAX_ARRANGED, orderAfterMove, withOrderOf } from './arrange-items.ts'

const listed = (db: Db | Tx) =>
  db.selectFrom('items').where(isListed).orderBy('position').orderBy(lastChangedFirst)

/** Reads the listed items of one category, or of all categories if `categoryId` is null or unknown. */
export async function readArrangement(db: Db, categoryId: string | null) {
  const categories = (await listCategories(db)).filter(({ isShown }) => isShown)
  const chosen = categories.some(({ id }) => id === categoryId) ? categoryId : null
  const some = chosen === null ? listed(db) : listed(db).where('categoryId', '=', chosen)
  const rows = await some
    .select(['id', 'name'])
    .limit(MAX_ARRANGED + 1)
    .execute()
  const pieces = rows.slice(0, MAX_ARRANGED)
  const images = await readThumbnails(db, pieces)
  const placed = await db
    .selectFrom('items')
    .select('id')
    .where('position', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return {
    categories: categories.map(({ id, title }) => ({ id, title })),
    categoryId: chosen,
    pieces: pieces.map(({ id, name }) => ({ id, name, image: images.get(id) ?? null })),
    isCut: rows.length > MAX_ARRANGED,
    isArranged: placed !== undefined,
  }
}
export type Arrangement = Awaited<ReturnType<typeof readArrangement>>

export async function handleArrangement(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome> {
  const intent = formText(form, 'intent')
  if (intent === 'newest-first') return foundOutcome(await arrange(app, actor, 'newest-first'))
  if (intent === 'order')
    return foundOutcome(
      await arrange(app, actor, {
        order: form.getAll('order').filter((id) => typeof id === 'string'),
      }),
    )
  if (intent !== 'move') return refused(400)
  const move = {
    id: formText(form, 'id'),
    to: Number(formText(form, 'to')),
    categoryId: formText(form, 'category'),
  }
  return foundOutcome(await arrange(app, actor, move))
}

/** `to` is the new place of an item among the items of its category, or among all items if `categoryId` is ''. */
type Move = { id: string; to: number; categoryId: string }
/** `order` contains the ids on the page in their new sequence. */
type Change = { order: string[] } | Move | 'newest-first'

/** Returns false if the item or the place is unknown. The first change gives every listed item a position. Items that the owner adds later come before the items with a position. [S-295] */
async function arrange(app: AppServices, actor: string, change: Change): Promise<boolean> {
  const done = await inTransaction(app.db, async (tx) => {
    await lockBulkChanges(tx)
    if (change === 'newest-first')
      await tx.updateTable('items').set({ position: 0 }).where('position', '>', 0).execute()
    else {
      if ('order' in change) await numberItems(tx)
      const wanted = 'order' in change ? change.order : await orderAround(tx, change)
      if (!wanted) return false
      const rows: { id: string; position: number }[] = []
      for (const part of inBatches(wanted))
        rows.push(
          ...(await listed(tx).select(['id', 'position']).where('id', 'in', part).execute()),
        )
      const positions = new Map(
        rows
          .toSorted((one, other) => one.position - other.position)
          .map(({ id, position }) => [id, position]),
      )
      const [places, order] = [[...positions.values()], withOrderOf([...positions.keys()], wanted)]
      await writePositions(
        tx,
        order
          .map((id, at) => [id, places[at]!] as const)
          .filter(([id, position]) => positions.get(id) !== position),
      )
    }
    await recordAuditEvent(tx, { at: app.now(), actor, act: 'order-items', subject: '' })
    return true
  })
  if (done) app.live.changed('catalog')
  return done
}

/** Returns the ids of the items from the old to the new place of the moved item in their new sequence. All other items keep their places, so a move costs the same in a large shop. Returns null if the item or the place is unknown. */
async function orderAround(tx: Tx, { id, to, categoryId }: Move): Promise<string[] | null> {
  const all = categoryId === '' ? listed(tx) : listed(tx).where('categoryId', '=', categoryId)
  const moved = all.select('position').where('id', '=', id)
  if (!Number.isSafeInteger(to) || to < 1 || !(await moved.executeTakeFirst())) return null
  await numberItems(tx)
  const from = await moved.executeTakeFirstOrThrow()
  // The item with this place is missing if the place is beyond the end.
  const atPlace = all.select('position').offset(to - 1)
  const target = await atPlace.limit(1).executeTakeFirst()
  const isDown = !target || target.position > from.position
  const side = all.select('id').where('position', isDown ? '>=' : '<=', from.position)
  const rows = await (
    target ? side.where('position', isDown ? '<=' : '>=', target.position) : side
  ).execute()
  return orderAfterMove(
    rows.map((row) => row.id),
    id,
    isDown ? rows.length : 1,
  )
}
