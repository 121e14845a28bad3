/** Writes what the check of a table found: everything in one transaction, and only where the item is still as it was then. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '#db/tables.ts'
import { raiseRevisions } from '#app/features/merchandise/item-revision.server.ts'
import { isUnused, lockPictures } from '#app/features/uploads/used-pictures.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { toApply, type Applied, type ChangeLine, type LeftOut } from './import-plan.ts'
import type { ItemValues } from './item-table.ts'
import { findTableItems, type StoredItem } from './items-table.server.ts'
import { findPlan, keepApplied, planPages } from './kept-plans.server.ts'
import { appliedText, tableTexts } from './table-texts.ts'

export type AppliedAnswer = { ok: true; text: string } | { ok: false; text: string; status: 404 | 409 | 500 }

/** How many rows that were left out are told by name. */
const TOLD = 50
/** How many items the audit log names. */
const NAMED = 500

type Tally = { updated: string[]; added: string[]; left: LeftOut[] }

export async function applyPlan(shop: Shop, actor: string, id: string): Promise<AppliedAnswer> {
  const found = await findPlan(shop, id)
  if (!found) return { ok: false, text: tableTexts.gone, status: 404 }
  if (found.applied) return { ok: false, text: tableTexts.again, status: 409 }
  if (toApply(found.plan.counts) === 0) return { ok: false, text: tableTexts.nothingToApply, status: 409 }
  try {
    const { updated, added, left } = await transact(shop.db, (tx) => writePlan(shop, tx, actor, id, found.plan.fileName))
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

async function writePlan(shop: Shop, tx: Tx, actor: string, id: string, fileName: string): Promise<Tally> {
  const at = shop.now()
  const tally: Tally = { updated: [], added: [], left: [] }
  const categories = new Set((await tx.selectFrom('categories').select('id').execute()).map((row) => row.id))
  for await (const lines of linesInParts(tx, id)) {
    const current = await findTableItems(
      tx,
      lines.map((line) => line.id),
    )
    const ready: ChangeLine[] = []
    for (const line of lines) {
      const item = current.get(line.id)
      // What is already so, for instance because the button was pressed in two tabs, is neither done again nor told.
      if (item && isSame(item, line.after)) continue
      const reason = reasonAgainst(line, item, categories)
      if (reason) tally.left.push({ row: line.row, name: line.name, text: reason })
      else ready.push(line)
    }
    const changed = await updateItems(
      tx,
      at,
      ready.filter((line) => line.kind === 'change'),
      current,
    )
    for (const line of ready.filter(({ kind }) => kind === 'change'))
      if (changed.has(line.id)) tally.updated.push(line.id)
      else tally.left.push({ row: line.row, name: line.name, text: tableTexts.changedMeanwhile })
    for (const line of ready.filter(({ kind }) => kind === 'add')) {
      const reason = await addItem(tx, at, line)
      if (reason) tally.left.push({ row: line.row, name: line.name, text: reason })
      else tally.added.push(line.id)
    }
    await nextTurn()
  }
  const { updated, added, left } = tally
  if (updated.length + added.length > 0) {
    const detail = { updated: updated.length, added: added.length, leftOut: left.length, ids: [...updated, ...added].slice(0, NAMED) }
    await recordAct(tx, { at, actor, act: 'import-items', subject: '', name: fileName, detail })
  }
  return tally
}

/** So many in one statement. */
const PART = 500

async function* linesInParts(tx: Tx, id: string): AsyncGenerator<ChangeLine[]> {
  let part: ChangeLine[] = []
  for await (const page of planPages(tx, id, 'changes')) {
    part.push(...page.filter((line) => line.kind !== 'note'))
    if (part.length < PART) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

const compared = [
  'name',
  'categoryId',
  'priceCents',
  'description',
  'width',
  'soleType',
  'size',
  'discountType',
  'discountValue',
] as const satisfies (keyof ItemValues)[]
const isSame = (one: ItemValues, other: ItemValues): boolean => compared.every((column) => one[column] === other[column])

const discountOf = ({ discountType, discountValue }: ItemValues) => ({ discountType, discountValue })

function reasonAgainst(line: ChangeLine, item: StoredItem | undefined, categories: ReadonlySet<string>): string | null {
  if (line.before && !item) return tableTexts.goneMeanwhile
  if (line.before && item && !isSame(item, line.before)) return tableTexts.changedMeanwhile
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
  const rows = lines.map(({ id, after }) => {
    const { name, categoryId, priceCents, description, width, soleType, size, discountType, discountValue } = after
    const cells = [id, name, categoryId, description, width, soleType, size, discountType]
    const { createdAt, revision } = current.get(id)!
    const numbers = [priceCents, discountValue, createdAt, revision].map((number) => (number === null ? null : String(number)))
    return sql`(${sql.join([...cells, ...numbers])})`
  })
  const done = await sql<{ id: string }>`
    update "items" set
      "name" = v.column2, "categoryId" = v.column3, "description" = v.column4, "width" = v.column5, "soleType" = v.column6,
      "size" = v.column7, "discountType" = v.column8, "priceCents" = cast(v.column9 as integer),
      "discountValue" = cast(v.column10 as integer), "createdAt" = ${at}
    from (values ${sql.join(rows)}) as v
    where "items"."id" = v.column1 and "items"."createdAt" = cast(v.column11 as bigint)
      and "items"."revision" = cast(v.column12 as integer)
    returning "items"."id" as "id"`.execute(tx)
  const changed = new Set(done.rows.map((row) => row.id))
  // An open item form is told (018); it does not show the discount.
  const shown = lines.filter(({ id, before, after }) => changed.has(id) && before && !isSame({ ...after, ...discountOf(before) }, before))
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
