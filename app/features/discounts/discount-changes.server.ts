import { type SqlBool, sql } from 'kysely'
import type { Db, PreviousDiscountTable, Tx } from '#db/schema.ts'
import { colorName } from '#catalog/catalog.ts'
import { type Discount, discountedPrice, readDiscount } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import { change } from '#services/change.server.ts'
import type { AppServices } from '#services/context.ts'
import { cardColumns, inBatches, readCards } from '#catalog/catalog.server.ts'
import { keepOrderOfItems, lockBulkChanges } from '#catalog/item-order.server.ts'
import { refuse } from '#lib/refusal.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
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

const UNDO_RETENTION_MS = 30 * 24 * 3_600_000
const MAX_SEARCH_WORDS_LENGTH = 20_000
const changeOptions = { failure: 'a discount could not be written' }

type DiscountColumns = Pick<PreviousDiscountTable, 'discountType' | 'discountValue'>
const areEqual = (left: DiscountColumns, right: DiscountColumns) =>
  left.discountType === right.discountType && left.discountValue === right.discountValue

type Noun = UndoOffer['noun']
/** Kysely needs one type, and both tables have all the columns used here. */
const targetTable = (noun: Noun) => (noun === 'items' ? 'items' : 'colors') as 'items'
const targetName = (noun: Noun, target: { name: string }) =>
  noun === 'color' ? colorName(target) : target.name

const lockRows = (tx: Tx, noun: Noun, ids: readonly string[]) =>
  tx
    .selectFrom(targetTable(noun))
    .select(['id', 'name', 'discountType', 'discountValue'])
    .where('id', 'in', ids)
    .forNoKeyUpdate()
    .execute()
type LockedRows = Awaited<ReturnType<typeof lockRows>>

const clearUndoOffer = (tx: Tx) =>
  tx.updateTable('discountChanges').set({ isOffered: false }).where('isOffered', '=', true)

/** If `discount` is null, removes the discount of the color. [DISC-16] */
export const setColorDiscount = (
  app: AppServices,
  actor: string,
  id: string,
  discount: Discount | null,
) =>
  change(app, changeOptions, async (tx, now) => {
    await lockBulkChanges(tx)
    const lockedRows = await lockRows(tx, 'color', [id])
    if (lockedRows.length === 0) return refuse('not-found')
    await applyDiscount(tx, now, actor, 'color', lockedRows, discount)
    return { topics: ['catalog'] }
  })

/** Writes nothing until the owner has confirmed the current numbers of items. [DISC-47] */
export const setItemsDiscount = (
  app: AppServices,
  actor: string,
  selection: Selection,
  discount: Discount | null,
  confirmed: Confirmed,
) =>
  change(app, changeOptions, async (tx, now) => {
    await lockBulkChanges(tx)
    // Sorted ids keep concurrent changes from a deadlock.
    const ids =
      'ids' in selection ? [...new Set(selection.ids)].sort() : await readIds(tx, selection)
    if (ids.length === 0) return refuse('no-items')
    const lockedRows: LockedRows = []
    for (const part of inBatches(ids)) lockedRows.push(...(await lockRows(tx, 'items', part)))
    if ('ids' in selection && lockedRows.length < ids.length) return refuse('deleted')
    const count = lockedRows.length
    const { free, names } = await findFreeItems(tx, ids, discount)
    if (confirmed?.count !== count || confirmed.free !== free) {
      return refuse('unconfirmed', { change: { count, free, names } })
    }
    await applyDiscount(tx, now, actor, 'items', lockedRows, discount)
    return { topics: ['catalog'] }
  })

async function readIds(tx: Tx, { search, except }: Extract<Selection, { except: string[] }>) {
  const excluded = new Set(except)
  const rows = await selectItems(tx, search).select('items.id').orderBy('items.id').execute()
  return rows.map(({ id }) => id).filter((id) => !excluded.has(id))
}

async function findFreeItems(tx: Tx, ids: readonly string[], discount: Discount | null) {
  const names: string[] = []
  for (const part of discount ? inBatches(ids) : []) {
    const rows = await tx
      .selectFrom('items')
      .select(['name', 'priceCents'])
      .where('id', 'in', part)
      .orderBy('name')
      .orderBy('id')
      .execute()
    for (const { name, priceCents } of rows) {
      if (priceCents > 0 && discountedPrice(priceCents, discount) === 0) names.push(name)
    }
  }
  return { free: names.length, names: names.slice(0, 3) }
}

const acts = {
  items: { start: 'discount-items', end: 'end-items-discount' },
  color: { start: 'discount-color', end: 'end-color-discount' },
} as const

async function applyDiscount(
  tx: Tx,
  now: number,
  actor: string,
  noun: Noun,
  lockedRows: LockedRows,
  discount: Discount | null,
) {
  const columns = {
    discountType: discount?.type ?? null,
    discountValue: discount?.value ?? null,
  }
  if (await isRepeated(tx, noun, lockedRows, columns)) return
  const [first] = lockedRows
  const single = lockedRows.length === 1 ? first : undefined
  const seq = await recordAuditEvent(tx, {
    at: now,
    actor,
    act: acts[noun][discount ? 'start' : 'end'],
    subject: single?.id ?? '',
    name: single ? targetName(noun, single) : '',
    also: single
      ? ''
      : lockedRows
          .map(({ name }) => name)
          .join(', ')
          .slice(0, MAX_SEARCH_WORDS_LENGTH),
    detail: {
      count: lockedRows.length,
      ...(single && { before: { discount: readDiscount(single) } }),
      after: { discount },
    },
  })
  if (noun === 'items' && !single) await keepOrderOfItems(tx)
  for (const part of inBatches(lockedRows)) {
    const ids = part.map(({ id }) => id)
    await setDiscountColumns(tx, noun, ids, columns, now)
    await tx
      .insertInto('previousDiscounts')
      .values(part.map((row) => ({ seq, ...row })))
      .execute()
  }
  await clearUndoOffer(tx).execute()
  await deleteOldChanges(tx, now - UNDO_RETENTION_MS)
  await tx
    .insertInto('discountChanges')
    .values({ seq, at: now, noun, ...columns, count: lockedRows.length, isOffered: true })
    .execute()
}

/** A repeated submission counts as one change, so that an undo restores the original discounts. */
async function isRepeated(tx: Tx, noun: Noun, lockedRows: LockedRows, columns: DiscountColumns) {
  const last = await tx
    .selectFrom('discountChanges')
    .selectAll()
    .where('isOffered', '=', true)
    .executeTakeFirst()
  if (last?.noun !== noun || last.count !== lockedRows.length) return false
  if (![last, ...lockedRows].every((row) => areEqual(row, columns))) return false
  const previousRows = await tx
    .selectFrom('previousDiscounts')
    .select('id')
    .where('seq', '=', last.seq)
    .execute()
  const ids = new Set(previousRows.map(({ id }) => id))
  return lockedRows.every(({ id }) => ids.has(id))
}

const setDiscountColumns = (
  tx: Tx,
  noun: Noun,
  ids: string[],
  { discountType, discountValue }: DiscountColumns,
  createdAt: number,
) =>
  tx
    .updateTable(targetTable(noun))
    .set({ discountType, discountValue, createdAt })
    .where('id', 'in', ids)
    .execute()

async function deleteOldChanges(tx: Tx, before: number) {
  const oldChanges = tx.selectFrom('discountChanges').select('seq').where('at', '<', before)
  await tx.deleteFrom('previousDiscounts').where('seq', 'in', oldChanges).execute()
  await tx.deleteFrom('discountChanges').where('at', '<', before).execute()
}

export async function readUndoOffer(db: Db) {
  const row = await db
    .selectFrom('discountChanges as change')
    .select(['seq', 'noun', 'count', 'discountType', 'discountValue'])
    .select((eb) =>
      eb
        .selectFrom('previousDiscounts as previous')
        .whereRef('previous.seq', '=', 'change.seq')
        .select(({ fn }) => fn.min('previous.name').as('name'))
        .as('name'),
    )
    .where('isOffered', '=', true)
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
  change(app, changeOptions, async (tx) => {
    await clearUndoOffer(tx).where('seq', '=', seq).execute()
    return {}
  })

export async function findUndoable(db: Db, seqs: readonly number[]) {
  if (seqs.length === 0) return new Set<number>()
  const rows = await db
    .selectFrom('discountChanges')
    .select('seq')
    .where('seq', 'in', seqs)
    .execute()
  return new Set(rows.map(({ seq }) => seq))
}

export const undoDiscountChange = (app: AppServices, actor: string, seq: number) =>
  change(app, changeOptions, async (tx, now) => {
    await lockBulkChanges(tx)
    // Only the transaction that deletes this row undoes the change.
    const bulkChange = await tx
      .deleteFrom('discountChanges')
      .where('seq', '=', seq)
      .returningAll()
      .executeTakeFirst()
    if (!bulkChange) return refuse('nothing-to-undo')
    const { noun } = bulkChange
    await clearUndoOffer(tx).execute()
    const previousRows = await tx
      .deleteFrom('previousDiscounts')
      .where('seq', '=', seq)
      .returningAll()
      .execute()
    previousRows.sort((left, right) => (left.id < right.id ? -1 : 1))
    if (noun === 'items') await keepOrderOfItems(tx)
    const result: UndoResult = { restored: 0, changedNames: [], deleted: 0 }
    for (const part of inBatches(previousRows)) {
      const rows = await selectRestorable(tx, bulkChange, part, result)
      const withSameDiscount = Map.groupBy(
        rows,
        ({ discountType, discountValue }) => `${discountType} ${discountValue}`,
      )
      for (const group of withSameDiscount.values()) {
        const ids = group.map(({ id }) => id)
        await setDiscountColumns(tx, noun, ids, group[0]!, now)
      }
      result.restored += rows.length
    }
    const [first] = previousRows
    const single = previousRows.length === 1 ? first : undefined
    const name = first ? targetName(noun, first) : ''
    const { restored, deleted, changedNames } = result
    return {
      audit: {
        actor,
        act: 'undo-discount',
        subject: single?.id ?? '',
        name: single ? name : '',
        detail: {
          undone: seq,
          what: undoOfferText(
            { ...bulkChange, discount: readDiscount(bulkChange), name },
            app.currency,
          ),
          count: restored,
          gone: deleted,
          leftCount: changedNames.length,
          left: changedNames.slice(0, 10),
        },
      },
      topics: ['catalog'],
      value: result,
    }
  })

async function selectRestorable<Row extends { id: string }>(
  tx: Tx,
  bulkChange: DiscountColumns & { seq: number; noun: Noun },
  rows: readonly Row[],
  result: UndoResult,
) {
  const { noun, seq } = bulkChange
  const ids = rows.map(({ id }) => id)
  const lockedRows = new Map((await lockRows(tx, noun, ids)).map((row) => [row.id, row]))
  const laterRows = await tx
    .selectFrom('previousDiscounts')
    .select('id')
    .where('id', 'in', ids)
    .where('seq', '>', seq)
    .execute()
  const changedIds = new Set(laterRows.map(({ id }) => id))
  return rows.filter(({ id }) => {
    const lockedRow = lockedRows.get(id)
    if (!lockedRow) {
      result.deleted += 1
      return false
    }
    const isRestorable = !changedIds.has(id) && areEqual(lockedRow, bulkChange)
    if (!isRestorable) result.changedNames.push(targetName(noun, lockedRow))
    return isRestorable
  })
}

const operators = { '>=': '>=', '==': '=', '<=': '<=' } as const

function selectItems(db: Db, search: ItemSearch) {
  const name = normalizeForSearch(search.name.trim())
  const price = parseMoney(search.price)
  let query = db.selectFrom('items')
  if (search.isOnSale) query = query.where('items.discountType', 'is not', null)
  if (name) query = query.where(sql<SqlBool>`instr("items"."searchName", ${name}) > 0`)
  if (price && search.comparison) {
    query = query.where('items.priceCents', operators[search.comparison], price)
  }
  if (search.categoryId) query = query.where('items.categoryId', '=', search.categoryId)
  return query
}

/** Sorts by name, because a new discount must not change the sequence. */
export async function findItemsToDiscount(db: Db, search: ItemSearch) {
  const query = selectItems(db, search)
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(cardColumns)
    .orderBy('items.searchName')
    .orderBy('items.id')
    .limit(search.parts * PART_SIZE)
    .execute()
  return { total, items: await readCards(db, rows) }
}
