/** Changes the discounts of many items or colors in one transaction, and stores the previous discounts, so that the owner can undo the change. [S-125] */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, PreviousDiscountTable, Tables, Tx } from '#db/schema.ts'
import { type ItemCard, colorName } from '#app/features/catalog/catalog.ts'
import {
  type Discount,
  discountedPrice,
  parseMoney,
  readDiscount,
} from '#app/features/pricing/money.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { cardColumns, inBatches, readCards } from '#app/features/catalog/catalog.server.ts'
import { keepOrderOfItems, lockBulkChanges } from '#app/features/catalog/item-order.server.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import {
  undoOfferText,
  type BulkChange,
  type UndoOffer,
  type UndoResult,
  type ItemSearch,
  PART_SIZE,
} from './discount.ts'

export type Selection = { ids: string[] } | { search: ItemSearch; except: string[] }

export type Confirmed = Pick<BulkChange, 'count' | 'free'> | null

/** The shop has written the change only if the result is `done`. The result is `ask` if the owner has not confirmed this change, `none` if no item is selected, and `gone` if a selected item was deleted. */
type ChangeResult = { result: 'done' | 'none' | 'gone' } | { result: 'ask'; change: BulkChange }

const UNDO_RETENTION_MS = 30 * 24 * 3_600_000
/** The audit log stores this many characters of the items' names, so that a search finds a bulk change by these names. */
const MAX_SEARCH_WORDS_LENGTH = 20_000

type DiscountColumns = Pick<PreviousDiscountTable, 'discountType' | 'discountValue'>
const discountColumns = (discount: Discount | null): DiscountColumns => ({
  discountType: discount?.type ?? null,
  discountValue: discount?.value ?? null,
})
const areEqual = (one: DiscountColumns, other: DiscountColumns) =>
  one.discountType === other.discountType && one.discountValue === other.discountValue

type DiscountTarget = UndoOffer['noun']
/** The return type is always 'items', because Kysely needs one table. The tables `items` and `colors` have the same columns id, name, discountType and discountValue. */
const targetTable = (noun: DiscountTarget): 'items' =>
  (noun === 'items' ? 'items' : 'colors') as 'items'
const targetName = (noun: DiscountTarget, target: { name: string }): string =>
  noun === 'color' ? colorName(target) : target.name

/** Locks the rows of these items or colors until the transaction ends. */
const lockRows = (tx: Tx, noun: DiscountTarget, ids: readonly string[]) =>
  tx
    .updateTable(targetTable(noun))
    .set((build) => ({ discountType: build.ref('discountType') }))
    .where('id', 'in', ids)
    .returning(['id', 'name', 'discountType', 'discountValue'])
    .execute()
type LockedRows = Awaited<ReturnType<typeof lockRows>>

const clearUndoOffer = (db: Db | Tx) =>
  db.updateTable('discountChanges').set({ isOffered: 0 }).where('isOffered', '=', 1)

/** Sets the discount of a color, or removes the discount if `discount` is null. Returns false if the color does not exist. [DISC-16, DISC-17] */
export async function setColorDiscount(
  app: AppServices,
  actor: string,
  id: string,
  discount: Discount | null,
): Promise<boolean> {
  const isThere = await inTransaction(app.db, async (tx) => {
    await lockBulkChanges(tx)
    const held = await lockRows(tx, 'color', [id])
    if (held.length > 0) await applyDiscount(tx, app.now(), actor, 'color', held, discount)
    return held.length > 0
  })
  if (isThere) app.live.changed('catalog')
  return isThere
}

/** Replaces the discount of the selected items. Writes nothing until the owner has confirmed the current numbers of items. [DISC-47 to DISC-53, S-127] */
export async function setItemsDiscount(
  app: AppServices,
  actor: string,
  selection: Selection,
  discount: Discount | null,
  agreed: Confirmed,
): Promise<ChangeResult> {
  const changed = await inTransaction(app.db, async (tx): Promise<ChangeResult> => {
    await lockBulkChanges(tx)
    // The ids are sorted, so that concurrent changes cannot deadlock.
    const ids =
      'ids' in selection ? [...new Set(selection.ids)].sort() : await selectedIds(tx, selection)
    if (ids.length === 0) return { result: 'none' }
    const held: LockedRows = []
    for (const part of inBatches(ids)) held.push(...(await lockRows(tx, 'items', part)))
    if ('ids' in selection && held.length < ids.length) return { result: 'gone' }
    const change = { count: held.length, ...(await findFreeItems(tx, held, discount)) }
    if (agreed?.count !== change.count || agreed.free !== change.free)
      return { result: 'ask', change }
    await applyDiscount(tx, app.now(), actor, 'items', held, discount)
    return { result: 'done' }
  })
  if (changed.result === 'done') app.live.changed('catalog')
  return changed
}

async function selectedIds(
  tx: Tx,
  { search, except }: { search: ItemSearch; except: string[] },
): Promise<string[]> {
  const out = new Set(except)
  const rows = await matching(tx, search).select('items.id').orderBy('items.id').execute()
  return rows.map(({ id }) => id).filter((id) => !out.has(id))
}

/** Counts the items that would cost nothing after the change, and names up to three of them. [S-064] */
async function findFreeItems(
  tx: Tx,
  held: LockedRows,
  discount: Discount | null,
): Promise<Pick<BulkChange, 'free' | 'names'>> {
  if (!discount) return { free: 0, names: [] }
  const names: string[] = []
  for (const part of inBatches(held.map(({ id }) => id))) {
    const rows = await tx
      .selectFrom('items')
      .select(['name', 'priceCents'])
      .where('id', 'in', part)
      .orderBy('name')
      .orderBy('id')
      .execute()
    for (const { name, priceCents } of rows)
      if (priceCents > 0 && discountedPrice(priceCents, discount) === 0) names.push(name)
  }
  return { free: names.length, names: names.slice(0, 3) }
}

async function applyDiscount(
  tx: Tx,
  at: number,
  actor: string,
  noun: DiscountTarget,
  held: LockedRows,
  discount: Discount | null,
): Promise<void> {
  const columns = discountColumns(discount)
  // If the same form is sent twice, the shop stores only one change, so that an undo restores the original discounts.
  const last = await tx
    .selectFrom('discountChanges')
    .selectAll()
    .where('isOffered', '=', 1)
    .executeTakeFirst()
  if (
    last?.noun === noun &&
    last.count === held.length &&
    [last, ...held].every((row) => areEqual(row, columns))
  ) {
    const former = await tx
      .selectFrom('previousDiscounts')
      .select('id')
      .where('seq', '=', last.seq)
      .execute()
    const ids = new Set(former.map(({ id }) => id))
    if (held.every(({ id }) => ids.has(id))) return
  }

  const [first] = held
  const isOne = held.length === 1 && first !== undefined
  const before = isOne
    ? { before: { discount: readDiscount(first) }, after: { discount } }
    : { after: { discount } }
  const seq = await recordAuditEvent(tx, {
    at,
    actor,
    act:
      noun === 'color'
        ? discount
          ? 'discount-color'
          : 'end-color-discount'
        : discount
          ? 'discount-items'
          : 'end-items-discount',
    subject: isOne ? first.id : '',
    name: isOne ? targetName(noun, first) : '',
    also: isOne
      ? ''
      : held
          .map(({ name }) => name)
          .join(', ')
          .slice(0, MAX_SEARCH_WORDS_LENGTH),
    detail: { count: held.length, ...before },
  })
  if (noun === 'items' && !isOne) await keepOrderOfItems(tx)
  for (const part of inBatches(held)) {
    const ids = part.map(({ id }) => id)
    await tx
      .updateTable(targetTable(noun))
      .set({ ...columns, createdAt: at })
      .where('id', 'in', ids)
      .execute()
    await tx
      .insertInto('previousDiscounts')
      .values(part.map((row) => ({ seq, ...row })))
      .execute()
  }
  await clearUndoOffer(tx).execute()
  await deleteOldChanges(tx, at)
  await tx
    .insertInto('discountChanges')
    .values({ seq, at, noun, ...columns, count: held.length, isOffered: 1 })
    .execute()
}

async function deleteOldChanges(tx: Tx, at: number): Promise<void> {
  const old = tx
    .selectFrom('discountChanges')
    .select('seq')
    .where('at', '<', at - UNDO_RETENTION_MS)
  await tx.deleteFrom('previousDiscounts').where('seq', 'in', old).execute()
  await tx
    .deleteFrom('discountChanges')
    .where('at', '<', at - UNDO_RETENTION_MS)
    .execute()
}

export async function readUndoOffer(db: Db): Promise<UndoOffer | null> {
  const row = await db
    .selectFrom('discountChanges as change')
    .select(['seq', 'noun', 'count', 'discountType', 'discountValue'])
    .select((build) =>
      build
        .selectFrom('previousDiscounts as former')
        .whereRef('former.seq', '=', 'change.seq')
        .select(({ fn }) => fn.min('former.name').as('name'))
        .as('name'),
    )
    .where('isOffered', '=', 1)
    .executeTakeFirst()
  if (!row) return null
  const { seq, noun, count, name } = row
  return {
    seq,
    noun,
    count,
    discount: readDiscount(row),
    name: targetName(noun, { name: name ?? '' }),
  }
}

export const dismissUndoOffer = (app: AppServices, seq: number) =>
  clearUndoOffer(app.db).where('seq', '=', seq).execute()

export async function findUndoable(db: Db, seqs: readonly number[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set()
  const rows = await db
    .selectFrom('discountChanges')
    .select('seq')
    .where('seq', 'in', seqs)
    .execute()
  return new Set(rows.map(({ seq }) => seq))
}

/** Restores the discount of each item that was neither changed nor deleted after the bulk change. Returns null if there is nothing to undo. */
export async function undoDiscountChange(
  app: AppServices,
  actor: string,
  seq: number,
): Promise<UndoResult | null> {
  const at = app.now()
  const undone = await inTransaction(app.db, async (tx): Promise<UndoResult | null> => {
    await lockBulkChanges(tx)
    // The transaction that deletes this row undoes the change. A concurrent transaction finds no row and undoes nothing.
    const change = await tx
      .deleteFrom('discountChanges')
      .where('seq', '=', seq)
      .returningAll()
      .executeTakeFirst()
    if (!change) return null
    await clearUndoOffer(tx).execute()
    const { noun } = change
    const all = await tx
      .deleteFrom('previousDiscounts')
      .where('seq', '=', seq)
      .returningAll()
      .execute()
    all.sort((one, other) => (one.id < other.id ? -1 : 1))
    if (noun === 'items') await keepOrderOfItems(tx)
    const done: UndoResult = { count: 0, left: [], gone: 0 }
    for (const part of inBatches(all)) {
      const ids = part.map(({ id }) => id)
      const held = new Map((await lockRows(tx, noun, ids)).map((row) => [row.id, row]))
      const later = await tx
        .selectFrom('previousDiscounts')
        .select('id')
        .where('id', 'in', ids)
        .where('seq', '>', seq)
        .execute()
      const changedAgain = new Set(later.map(({ id }) => id))
      const back = part.filter(({ id }) => {
        const now = held.get(id)
        if (!now) done.gone += 1
        else if (changedAgain.has(id) || !areEqual(now, change))
          done.left.push(targetName(noun, now))
        else return true
        return false
      })
      done.count += back.length
      // Restores all items with the same previous discount in one statement.
      for (const alike of Map.groupBy(
        back,
        ({ discountType, discountValue }) => `${discountType} ${discountValue}`,
      ).values()) {
        const [{ discountType, discountValue } = discountColumns(null)] = alike
        const sameIds = alike.map(({ id }) => id)
        await tx
          .updateTable(targetTable(noun))
          .set({ discountType, discountValue, createdAt: at })
          .where('id', 'in', sameIds)
          .execute()
      }
    }
    const [first] = all
    const name = first ? targetName(noun, first) : ''
    const { count, gone, left } = done
    await recordAuditEvent(tx, {
      at,
      actor,
      act: 'undo-discount',
      subject: all.length === 1 ? first!.id : '',
      name: all.length === 1 ? name : '',
      detail: {
        undone: seq,
        what: undoOfferText({ ...change, discount: readDiscount(change), name }, app.currency),
        count,
        gone,
        leftCount: left.length,
        left: left.slice(0, 10),
      },
    })
    return done
  })
  if (undone) app.live.changed('catalog')
  return undone
}

const operators = { '>=': '>=', '==': '=', '<=': '<=' } as const

/** Returns all conditions of a search. Compares the price in the search with original prices, and ignores this price if it is invalid or zero. */
function conditions(
  build: ExpressionBuilder<Tables, 'items'>,
  search: ItemSearch,
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  const name = normalizeForSearch(search.name.trim())
  const price = parseMoney(search.price) ?? 0
  if (search.isOnSale) all.push(build('items.discountType', 'is not', null))
  if (name !== '') all.push(sql<SqlBool>`instr("items"."searchName", ${name}) > 0`)
  if (price !== 0) all.push(build('items.priceCents', operators[search.comparison], price))
  if (search.categoryId !== '') all.push(build('items.categoryId', '=', search.categoryId))
  return all
}

const matching = (db: Db | Tx, search: ItemSearch) =>
  db.selectFrom('items').where((build) => build.and(conditions(build, search)))

/** Finds the items of a search and sorts them by name. A new discount does not change this sequence. */
export async function findItemsToDiscount(
  db: Db | Tx,
  search: ItemSearch,
): Promise<{ items: ItemCard[]; total: number }> {
  const found = matching(db, search)
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const shown = found.select(cardColumns).orderBy('items.searchName').orderBy('items.id')
  return {
    total,
    items: await readCards(db, await shown.limit(search.parts * PART_SIZE).execute()),
  }
}
