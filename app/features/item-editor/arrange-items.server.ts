import type { Db, Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { type ActionOutcome, foundOutcome, refused } from '#app/ui/action-result.ts'
import { cardColumns, listCategories, readCards } from '#app/features/catalog/catalog.server.ts'
import { lockBulkChanges, writePositions } from '#app/features/catalog/item-order.server.ts'
import { isListed, lastChangedFirst } from '#app/features/catalog/shown-items.server.ts'
import { MAX_ARRANGED, orderAfterMove, withOrderOf } from './arrange-items.ts'

const listed = (db: Db | Tx) => db.selectFrom('items').where(isListed).orderBy('position').orderBy(lastChangedFirst)

/** Reads the listed items of one category, or of all categories if `categoryId` is null or unknown. */
export async function readArrangement(db: Db, categoryId: string | null) {
  const categories = (await listCategories(db)).filter(({ isShown }) => isShown)
  const chosen = categories.some(({ id }) => id === categoryId) ? categoryId : null
  const some = chosen === null ? listed(db) : listed(db).where('categoryId', '=', chosen)
  const cards = await readCards(
    db,
    await some
      .select(cardColumns)
      .limit(MAX_ARRANGED + 1)
      .execute(),
  )
  const placed = await db.selectFrom('items').select('id').where('position', '>', 0).limit(1).executeTakeFirst()
  return {
    categories: categories.map(({ id, title }) => ({ id, title })),
    categoryId: chosen,
    pieces: cards.slice(0, MAX_ARRANGED).map(({ id, name, picture }) => ({ id, name, picture })),
    isCut: cards.length > MAX_ARRANGED,
    isArranged: placed !== undefined,
  }
}
export type Arrangement = Awaited<ReturnType<typeof readArrangement>>

export async function handleArrangement(app: AppServices, actor: string, form: FormData): Promise<ActionOutcome> {
  const intent = formText(form, 'intent')
  if (intent === 'newest-first') return foundOutcome(await arrange(app, actor, 'newest-first'))
  if (intent === 'order')
    return foundOutcome(await arrange(app, actor, { order: form.getAll('order').filter((id) => typeof id === 'string') }))
  if (intent !== 'move') return refused(400)
  const move = { id: formText(form, 'id'), to: Number(formText(form, 'to')), categoryId: formText(form, 'category') }
  return foundOutcome(await arrange(app, actor, move))
}

/** `order` contains the ids on the page in their new sequence. `to` is the new place of an item among the items of its category, or among all items if `categoryId` is ''. */
type Change = { order: string[] } | { id: string; to: number; categoryId: string } | 'newest-first'

/** Returns false if the item or the place is unknown. The first change gives every listed item a position. Items that the owner adds later come before the items with a position. [S-295] */
async function arrange(app: AppServices, actor: string, change: Change): Promise<boolean> {
  const done = await inTransaction(app.db, async (tx) => {
    await lockBulkChanges(tx)
    if (change === 'newest-first') await tx.updateTable('items').set({ position: 0 }).where('position', '>', 0).execute()
    else {
      const rows = await listed(tx).select(['id', 'position', 'categoryId']).execute()
      const wanted = 'order' in change ? change.order : moved(rows, change)
      if (!wanted) return false
      const positions = new Map(rows.map(({ id, position }) => [id, position]))
      const order = withOrderOf([...positions.keys()], wanted)
      await writePositions(
        tx,
        order.map((id, at) => [id, at + 1] as const).filter(([id, position]) => positions.get(id) !== position),
      )
    }
    await recordAuditEvent(tx, { at: app.now(), actor, act: 'order-items', subject: '' })
    return true
  })
  if (done) app.live.changed('catalog')
  return done
}

const moved = (rows: { id: string; categoryId: string }[], { id, to, categoryId }: { id: string; to: number; categoryId: string }) =>
  orderAfterMove(
    rows.filter((row) => categoryId === '' || row.categoryId === categoryId).map((row) => row.id),
    id,
    to,
  )
