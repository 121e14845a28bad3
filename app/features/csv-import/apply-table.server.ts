/** Writes what the check of a table found: everything in one transaction, and only where the item is still as it was then (021). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import type { Tables, Tx } from '#db/schema.ts'
import { itemFormColumns, itemValueColumns, type ItemValues } from '#app/features/catalog/catalog.ts'
import { isUnused, lockPictures } from '#app/features/images/edit-pictures.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { areSame, tableTexts } from './item-table.ts'
import { eachLines, findPlan, type Applied, type ChangeLine, type Plan } from './table-checks.server.ts'

type NotApplied = { text: string; status: 404 | 409 | 500 }

/** How many rows that were left out are told by name. */
const TOLD = 50
/** How many items the audit log names. */
const NAMED = 500

/** Returns why nothing was written, or null. */
export async function applyPlan(shop: Shop, actor: string, id: string): Promise<NotApplied | null> {
  const found = await findPlan(shop, id)
  if (!found) return { text: tableTexts.gone, status: 404 }
  if (found.plan.counts.changed + found.plan.counts.added === 0) return { text: tableTexts.nothingToApply, status: 409 }
  try {
    const applied = await transact(shop.db, (tx) => writePlan(tx, shop.now(), actor, found.plan))
    if (!applied) return { text: tableTexts.again, status: 409 }
    if (applied.updated + applied.added > 0) shop.live.changed('catalogue')
    return null
  } catch (error) {
    shop.log.error('the changes of a table could not be written', error)
    return { text: tableTexts.applyFailed, status: 500 }
  }
}

/** Returns null when the plan was applied before. */
async function writePlan(tx: Tx, at: number, actor: string, { id, fileName, counts }: Plan): Promise<Applied | null> {
  // Of two tabs the one whose row comes first does the work; the other one waits here for it.
  const claimed = await tx
    .insertInto('tableChecks')
    .values({ checkId: id, part: 'applied', page: 0, content: '' })
    .onConflict((same) => same.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 0n) return null
  // Tables and discounts write many items each. All of them come first to this row, as in endOffer, so that no two block each other.
  await tx
    .insertInto('marks')
    .values({ key: 'discounts', value: '' })
    .onConflict((known) => known.column('key').doUpdateSet({ value: '' }))
    .execute()
  const applied: Applied = { updated: 0, added: 0, leftOut: 0, left: [] }
  const ids: string[] = []
  const categories = new Set((await tx.selectFrom('categories').select('id').execute()).map((row) => row.id))
  let lines = 0
  for await (const part of eachLines(tx, id, 'changes')) {
    lines += part.length
    const items = await lockItems(
      tx,
      part.map((line) => line.id),
    )
    const changed: Insertable<Tables['items']>[] = []
    for (const line of part.filter(({ kind }) => kind !== 'note')) {
      const item = items.get(line.id)
      const reason = reasonAgainst(line, item, categories) ?? (line.before ? null : await addItem(tx, at, line))
      if (reason === null) {
        applied[line.before ? 'updated' : 'added'] += 1
        ids.push(line.id)
        // The revision tells an open item form of the change (018); the form does not show the discount.
        const revision = item && item.revision + (areSame(line.after, item, itemFormColumns) ? 0 : 1)
        if (item) changed.push({ ...line.after, id: line.id, createdAt: at, firstCreatedAt: at, revision })
      } else {
        applied.leftOut += 1
        if (applied.left.length < TOLD) applied.left.push({ row: line.row, name: line.name, text: reason })
      }
    }
    if (changed.length > 0) await updateItems(tx, changed)
    await nextTurn()
  }
  if (lines !== counts.changed + counts.added + counts.noted) throw new Error('lines of the check of a table are gone')
  const ofPlan = tx.updateTable('tableChecks').where('checkId', '=', id).where('part', '=', 'applied')
  await ofPlan.set({ content: JSON.stringify(applied) }).execute()
  if (ids.length > 0) {
    const { updated, added, leftOut } = applied
    const detail = { updated, added, leftOut, ids: ids.slice(0, NAMED) }
    await recordAct(tx, { at, actor, act: 'import-items', subject: '', name: fileName, detail })
  }
  return applied
}

type CurrentItem = ItemValues & { revision: number }

/** Those of the ids that there are, as they are now; nobody else writes or deletes them before the transaction ends. */
async function lockItems(tx: Tx, ids: readonly string[]): Promise<Map<string, CurrentItem>> {
  const lock = tx.updateTable('items').set(({ ref }) => ({ revision: ref('revision') }))
  const rows = await lock
    .where('id', 'in', ids)
    .returning(['id', 'revision', ...itemValueColumns])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function reasonAgainst(line: ChangeLine, item: CurrentItem | undefined, categories: ReadonlySet<string>): string | null {
  if (line.before && !item) return tableTexts.goneMeanwhile
  if (line.before && item && !areSame(item, line.before)) return tableTexts.changedMeanwhile
  return categories.has(line.after.categoryId) ? null : tableTexts.categoryGone
}

/** One statement for all. They are locked, so each of them meets its row. */
async function updateItems(tx: Tx, rows: Insertable<Tables['items']>[]): Promise<void> {
  const columns = [...itemValueColumns, 'createdAt', 'revision'] as const
  await tx
    .insertInto('items')
    .values(rows)
    .onConflict((same) =>
      same.column('id').doUpdateSet(({ ref }) => Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}`)]))),
    )
    .execute()
}

/** Returns why the item was left out, or null: one of its pictures is used elsewhere by now, or deleted. */
async function addItem(tx: Tx, at: number, { id, after, pictureIds }: ChangeLine): Promise<string | null> {
  await lockPictures(tx, pictureIds)
  const free = await tx.selectFrom('pictures').select('id').where('id', 'in', pictureIds).where(isUnused).execute()
  if (free.length !== pictureIds.length) return tableTexts.picturesGone
  await tx
    .insertInto('items')
    .values({ id, ...after, createdAt: at, firstCreatedAt: at })
    .execute()
  const pictures = pictureIds.map((pictureId, position) => ({ id: newId15(), itemId: id, pictureId, position, isAvailable: 1 as const }))
  await tx.insertInto('itemPictures').values(pictures).execute()
  return null
}
