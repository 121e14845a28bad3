/** Writes what the check of a table found: everything in one transaction, and only where the item is still as it was then. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { itemFormColumns, itemValueColumns } from '#app/features/catalog/catalog.ts'
import { raiseRevisions } from '#app/features/item-editor/edit-items.server.ts'
import { isUnused, lockPictures } from '#app/features/images/edit-pictures.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { areSame } from './item-table.ts'
import { findTableItems, type StoredItem } from './items-table.server.ts'
import { findPlan, keepApplied, planParts, type Applied, type ChangeLine, type LeftOut } from './kept-plans.server.ts'
import { appliedText, tableTexts } from './table-texts.ts'

export type AppliedAnswer = { ok: true; text: string } | { ok: false; text: string; status: 404 | 409 | 500 }

/** How many rows that were left out are told by name. */
const TOLD = 50
/** How many items the audit log names. */
const NAMED = 500

export async function applyPlan(shop: Shop, actor: string, id: string): Promise<AppliedAnswer> {
  const found = await findPlan(shop, id)
  if (!found) return { ok: false, text: tableTexts.gone, status: 404 }
  if (found.applied) return { ok: false, text: tableTexts.again, status: 409 }
  if (found.plan.counts.changed + found.plan.counts.added === 0) return { ok: false, text: tableTexts.nothingToApply, status: 409 }
  try {
    const { updated, added, left } = await transact(shop.db, (tx) => writePlan(tx, shop.now(), actor, id, found.plan.fileName))
    if (updated.length + added.length > 0) shop.live.changed('catalogue')
    const applied: Applied = { updated: updated.length, added: added.length, leftOut: left.length, left: left.slice(0, TOLD) }
    // What is written is written: nobody is told otherwise because the note of it could not be kept.
    await keepApplied(shop, id, applied).catch((error: unknown) => shop.log.error('what a table changed could not be noted', error))
    return { ok: true, text: appliedText(updated.length, added.length) }
  } catch (error) {
    shop.log.error('the changes of a table could not be written', error)
    return { ok: false, text: tableTexts.applyFailed, status: 500 }
  }
}

async function writePlan(tx: Tx, at: number, actor: string, id: string, fileName: string) {
  const [updated, added, left]: [string[], string[], LeftOut[]] = [[], [], []]
  const leaveOut = ({ row, name }: ChangeLine, text: string) => void left.push({ row, name, text })
  const categories = new Set((await tx.selectFrom('categories').select('id').execute()).map((row) => row.id))
  for await (const lines of planParts(tx, id, 'changes')) {
    const ids = lines.map((line) => line.id)
    const current = await findTableItems(tx, ids)
    const ready: ChangeLine[] = []
    for (const line of lines) {
      const item = current.get(line.id)
      // What is already so, for instance because the button was pressed in two tabs, is neither done again nor told.
      if (line.kind === 'note' || (item && areSame(item, line.after))) continue
      const reason = reasonAgainst(line, item, categories)
      if (reason) leaveOut(line, reason)
      else ready.push(line)
    }
    const changes = ready.filter(({ kind }) => kind === 'change')
    const changed = await updateItems(tx, at, changes, current)
    for (const line of ready) {
      const isChange = line.kind === 'change'
      const reason = !isChange ? await addItem(tx, at, line) : changed.has(line.id) ? null : tableTexts.changedMeanwhile
      if (reason) leaveOut(line, reason)
      else (isChange ? updated : added).push(line.id)
    }
    await nextTurn()
  }
  if (updated.length + added.length > 0) {
    const detail = { updated: updated.length, added: added.length, leftOut: left.length, ids: [...updated, ...added].slice(0, NAMED) }
    await recordAct(tx, { at, actor, act: 'import-items', subject: '', name: fileName, detail })
  }
  return { updated, added, left }
}

function reasonAgainst(line: ChangeLine, item: StoredItem | undefined, categories: ReadonlySet<string>): string | null {
  if (line.before && !item) return tableTexts.goneMeanwhile
  if (line.before && item && !areSame(item, line.before)) return tableTexts.changedMeanwhile
  if (!line.before && item) return tableTexts.changedMeanwhile
  return categories.has(line.after.categoryId) ? null : tableTexts.categoryGone
}

/** One statement for all, under the condition that nobody has written the item since it was read. Gives back whom it has changed. */
async function updateItems(
  tx: Tx,
  at: number,
  lines: readonly ChangeLine[],
  current: ReadonlyMap<string, StoredItem>,
): Promise<Set<string>> {
  if (lines.length === 0) return new Set()
  const columns = ['id', ...itemValueColumns, 'createdAt', 'revision'] as const
  const rows = lines.map(({ id, after }) => {
    const { createdAt, revision } = current.get(id)!
    const row = { id, ...after, createdAt, revision }
    return sql`(${sql.join(columns.map((column) => (row[column] === null ? null : String(row[column]))))})`
  })
  const numbers: readonly string[] = ['priceCents', 'discountValue', 'createdAt', 'revision']
  const value = (column: (typeof columns)[number]) => {
    const cell = sql.ref(`v.column${columns.indexOf(column) + 1}`)
    return numbers.includes(column) ? sql`cast(${cell} as bigint)` : cell
  }
  const done = await sql<{ id: string }>`
    update "items" set ${sql.join(itemValueColumns.map((column) => sql`${sql.ref(column)} = ${value(column)}`))}, "createdAt" = ${at}
    from (values ${sql.join(rows)}) as v
    where "items"."id" = ${value('id')} and "items"."createdAt" = ${value('createdAt')} and "items"."revision" = ${value('revision')}
    returning "items"."id" as "id"`.execute(tx)
  const changed = new Set(done.rows.map((row) => row.id))
  // An open item form is told (018); it does not show the discount.
  const shown = lines.filter(({ id, before, after }) => changed.has(id) && before && !areSame(after, before, itemFormColumns))
  await raiseRevisions(
    tx,
    shown.map((line) => line.id),
  )
  return changed
}

/** Gives back why it could not be: one of its pictures hangs elsewhere by now, or is swept away. */
async function addItem(tx: Tx, at: number, { id, after, pictureIds }: ChangeLine): Promise<string | null> {
  await lockPictures(tx, pictureIds)
  const free = await tx.selectFrom('pictures').select('id').where('id', 'in', pictureIds).where(isUnused).execute()
  if (free.length !== pictureIds.length) return tableTexts.picturesGone
  const row = await tx
    .insertInto('items')
    .values({ id, ...after, createdAt: at, firstCreatedAt: at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return tableTexts.changedMeanwhile
  const pictures = pictureIds.map((pictureId, position) => ({ id: newId15(), itemId: id, pictureId, position, isAvailable: 1 as const }))
  await tx.insertInto('itemPictures').values(pictures).execute()
  return null
}
