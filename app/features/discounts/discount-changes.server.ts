/**
 * Giving discounts and taking them away: each change is one transaction, all or none (S-125), and keeps what was before, so that it can be
 * undone (docs/decisions/020-discounts-and-history.md).
 */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, FormerDiscountTable, Tables, Tx } from '#db/schema.ts'
import { type ItemCard, colorName } from '#app/features/catalog/catalog.ts'
import { type Discount, discountedPrice, parseMoney, readDiscount } from '#app/features/pricing/money.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { cardColumns, inParts, readCards } from '#app/features/catalog/catalog.server.ts'
import { fold } from '#app/platform/fold.ts'
import { offerText, type Asked, type Offer, type Undone, type ItemSearch, PART_SIZE } from './discount-texts.ts'

export type Selection = { ids: string[] } | { search: ItemSearch; except: string[] }

export type Agreed = Pick<Asked, 'count' | 'free'> | null

/** `ask`: nothing is written, since she has not agreed to exactly this. `gone`: one of the ticked items is not there any more. */
type Changed = { result: 'done' | 'none' | 'gone' } | { result: 'ask'; asked: Asked }

/** After so long nobody undoes a change any more. */
const UNDO_FOR = 30 * 24 * 3_600_000
/** Letters of names by which the history finds a change of many items. */
const LONGEST_WORDS = 20_000

type Columns = Pick<FormerDiscountTable, 'discountType' | 'discountValue'>
const columnsOf = (discount: Discount | null): Columns => ({
  discountType: discount?.type ?? null,
  discountValue: discount?.value ?? null,
})
const areSame = (one: Columns, other: Columns) => one.discountType === other.discountType && one.discountValue === other.discountValue

type Noun = Offer['noun']
/** Both tables hold id, name and discount alike; for these columns one may stand for the other. */
const tableOf = (noun: Noun): 'items' => (noun === 'items' ? 'items' : 'colors') as 'items'
/** COLOR-04 */
const nameOf = (noun: Noun, thing: { name: string }): string => (noun === 'color' ? colorName(thing) : thing.name)

/** Changes and undos write this row first, so that two at once wait for each other here and nowhere else. */
const lockDiscounts = (tx: Tx) =>
  tx
    .insertInto('marks')
    .values({ key: 'discounts', value: '' })
    .onConflict((known) => known.column('key').doUpdateSet({ value: '' }))
    .execute()

/** The rows as they are, and until the transaction ends nobody else changes them. */
const lockRows = (tx: Tx, noun: Noun, ids: readonly string[]) =>
  tx
    .updateTable(tableOf(noun))
    .set((build) => ({ discountType: build.ref('discountType') }))
    .where('id', 'in', ids)
    .returning(['id', 'name', 'discountType', 'discountValue'])
    .execute()
type Held = Awaited<ReturnType<typeof lockRows>>

const withdrawOffer = (db: Db | Tx) => db.updateTable('discountChanges').set({ isOffered: 0 }).where('isOffered', '=', 1)

/** DISC-16, DISC-17; null ends the sale. false: there is no such color. */
export async function setColorDiscount(shop: Shop, actor: string, id: string, discount: Discount | null): Promise<boolean> {
  const isThere = await transact(shop.db, async (tx) => {
    await lockDiscounts(tx)
    const held = await lockRows(tx, 'color', [id])
    if (held.length > 0) await change(tx, shop.now(), actor, 'color', held, discount)
    return held.length > 0
  })
  if (isThere) shop.live.changed('catalogue')
  return isThere
}

/** DISC-47 to DISC-53, S-127: the new discount replaces the old one, of exactly those items that she has agreed to. */
export async function setItemsDiscount(
  shop: Shop,
  actor: string,
  selection: Selection,
  discount: Discount | null,
  agreed: Agreed,
): Promise<Changed> {
  const changed = await transact(shop.db, async (tx): Promise<Changed> => {
    await lockDiscounts(tx)
    // In one order everywhere, so that two such changes at once cannot block each other.
    const ids = 'ids' in selection ? [...new Set(selection.ids)].sort() : await idsOf(tx, selection)
    if (ids.length === 0) return { result: 'none' }
    const held: Held = []
    for (const part of inParts(ids)) held.push(...(await lockRows(tx, 'items', part)))
    if ('ids' in selection && held.length < ids.length) return { result: 'gone' }
    const asked = { count: held.length, ...(await freeOnes(tx, held, discount)) }
    if (agreed?.count !== asked.count || agreed.free !== asked.free) return { result: 'ask', asked }
    await change(tx, shop.now(), actor, 'items', held, discount)
    return { result: 'done' }
  })
  if (changed.result === 'done') shop.live.changed('catalogue')
  return changed
}

async function idsOf(tx: Tx, { search, except }: { search: ItemSearch; except: string[] }): Promise<string[]> {
  const out = new Set(except)
  const rows = await matching(tx, search).select('items.id').orderBy('items.id').execute()
  return rows.map(({ id }) => id).filter((id) => !out.has(id))
}

/** Those that would cost nothing with this discount (S-064); every item costs something without one. */
async function freeOnes(tx: Tx, held: Held, discount: Discount | null): Promise<Pick<Asked, 'free' | 'names'>> {
  if (!discount) return { free: 0, names: [] }
  const names: string[] = []
  for (const part of inParts(held.map(({ id }) => id))) {
    const rows = await tx.selectFrom('items').select(['name', 'priceCents']).where('id', 'in', part).orderBy('name').orderBy('id').execute()
    for (const { name, priceCents } of rows) if (discountedPrice(priceCents, discount) === 0) names.push(name)
  }
  return { free: names.length, names: names.slice(0, 3) }
}

async function change(tx: Tx, at: number, actor: string, noun: Noun, held: Held, discount: Discount | null): Promise<void> {
  const columns = columnsOf(discount)
  // The same form sent twice is one change, or undoing it would not bring back what was before.
  const last = await tx.selectFrom('discountChanges').selectAll().where('isOffered', '=', 1).executeTakeFirst()
  if (last?.noun === noun && last.count === held.length && [last, ...held].every((row) => areSame(row, columns))) {
    const former = await tx.selectFrom('formerDiscounts').select('id').where('seq', '=', last.seq).execute()
    const ids = new Set(former.map(({ id }) => id))
    if (held.every(({ id }) => ids.has(id))) return
  }

  const [first] = held
  const isOne = held.length === 1 && first !== undefined
  const before = isOne ? { before: { discount: readDiscount(first) }, after: { discount } } : { after: { discount } }
  const seq = await recordAct(tx, {
    at,
    actor,
    act: noun === 'color' ? (discount ? 'discount-color' : 'end-color-discount') : discount ? 'discount-items' : 'end-items-discount',
    subject: isOne ? first.id : '',
    name: isOne ? nameOf(noun, first) : '',
    also: isOne
      ? ''
      : held
          .map(({ name }) => name)
          .join(', ')
          .slice(0, LONGEST_WORDS),
    detail: { count: held.length, ...before },
  })
  for (const part of inParts(held)) {
    const ids = part.map(({ id }) => id)
    await tx
      .updateTable(tableOf(noun))
      .set({ ...columns, createdAt: at })
      .where('id', 'in', ids)
      .execute()
    await tx
      .insertInto('formerDiscounts')
      .values(part.map((row) => ({ seq, ...row })))
      .execute()
  }
  await withdrawOffer(tx).execute()
  await forgetOldChanges(tx, at)
  await tx
    .insertInto('discountChanges')
    .values({ seq, at, noun, ...columns, count: held.length, isOffered: 1 })
    .execute()
}

async function forgetOldChanges(tx: Tx, at: number): Promise<void> {
  const old = tx
    .selectFrom('discountChanges')
    .select('seq')
    .where('at', '<', at - UNDO_FOR)
  await tx.deleteFrom('formerDiscounts').where('seq', 'in', old).execute()
  await tx
    .deleteFrom('discountChanges')
    .where('at', '<', at - UNDO_FOR)
    .execute()
}

export async function readOffer(db: Db): Promise<Offer | null> {
  const row = await db
    .selectFrom('discountChanges as change')
    .select(['seq', 'noun', 'count', 'discountType', 'discountValue'])
    .select((build) =>
      build
        .selectFrom('formerDiscounts as former')
        .whereRef('former.seq', '=', 'change.seq')
        .select(({ fn }) => fn.min('former.name').as('name'))
        .as('name'),
    )
    .where('isOffered', '=', 1)
    .executeTakeFirst()
  if (!row) return null
  const { seq, noun, count, name } = row
  return { seq, noun, count, discount: readDiscount(row), name: nameOf(noun, { name: name ?? '' }) }
}

export const dismissOffer = (shop: Shop, seq: number) => withdrawOffer(shop.db).where('seq', '=', seq).execute()

export async function findUndoable(db: Db, seqs: readonly number[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set()
  const rows = await db.selectFrom('discountChanges').select('seq').where('seq', 'in', seqs).execute()
  return new Set(rows.map(({ seq }) => seq))
}

/** Everything gets back the discount that it had, unless it was changed again since or is gone. null: there is nothing to undo (any more). */
export async function undoChange(shop: Shop, actor: string, seq: number): Promise<Undone | null> {
  const at = shop.now()
  const undone = await transact(shop.db, async (tx): Promise<Undone | null> => {
    await lockDiscounts(tx)
    // Who takes the row away does the undo; of two at once the other finds nothing.
    const change = await tx.deleteFrom('discountChanges').where('seq', '=', seq).returningAll().executeTakeFirst()
    if (!change) return null
    await withdrawOffer(tx).execute()
    const { noun } = change
    const all = await tx.deleteFrom('formerDiscounts').where('seq', '=', seq).returningAll().execute()
    all.sort((one, other) => (one.id < other.id ? -1 : 1))
    const done: Undone = { count: 0, left: [], gone: 0 }
    for (const part of inParts(all)) {
      const ids = part.map(({ id }) => id)
      const held = new Map((await lockRows(tx, noun, ids)).map((row) => [row.id, row]))
      const later = await tx.selectFrom('formerDiscounts').select('id').where('id', 'in', ids).where('seq', '>', seq).execute()
      const changedAgain = new Set(later.map(({ id }) => id))
      const back = part.filter(({ id }) => {
        const now = held.get(id)
        if (!now) done.gone += 1
        else if (changedAgain.has(id) || !areSame(now, change)) done.left.push(nameOf(noun, now))
        else return true
        return false
      })
      done.count += back.length
      // One statement for all that had the same discount.
      for (const alike of Map.groupBy(back, ({ discountType, discountValue }) => `${discountType} ${discountValue}`).values()) {
        const [{ discountType, discountValue } = columnsOf(null)] = alike
        const sameIds = alike.map(({ id }) => id)
        await tx.updateTable(tableOf(noun)).set({ discountType, discountValue, createdAt: at }).where('id', 'in', sameIds).execute()
      }
    }
    const [first] = all
    const name = first ? nameOf(noun, first) : ''
    const { count, gone, left } = done
    await recordAct(tx, {
      at,
      actor,
      act: 'undo-discount',
      subject: all.length === 1 ? first!.id : '',
      name: all.length === 1 ? name : '',
      detail: {
        undone: seq,
        what: offerText({ ...change, discount: readDiscount(change), name }),
        count,
        gone,
        leftCount: left.length,
        left: left.slice(0, 10),
      },
    })
    return done
  })
  if (undone) shop.live.changed('catalogue')
  return undone
}

const operators = { '>=': '>=', '==': '=', '<=': '<=' } as const

/** An item passes all filters that apply; a price of 0, blank or unreadable is no filter. Compared is the original price. */
function conditions(build: ExpressionBuilder<Tables, 'items'>, search: ItemSearch): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  const name = fold(search.name.trim())
  const price = parseMoney(search.price) ?? 0
  if (search.isOnSale) all.push(build('items.discountType', 'is not', null))
  if (name !== '') all.push(sql<SqlBool>`instr("items"."searchName", ${name}) > 0`)
  if (price !== 0) all.push(build('items.priceCents', operators[search.comparison], price))
  if (search.categoryId !== '') all.push(build('items.categoryId', '=', search.categoryId))
  return all
}

const matching = (db: Db | Tx, search: ItemSearch) => db.selectFrom('items').where((build) => build.and(conditions(build, search)))

/** By name, so that nothing changes its place when it goes on sale. */
export async function findItems(db: Db | Tx, search: ItemSearch): Promise<{ items: ItemCard[]; total: number }> {
  const found = matching(db, search)
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const shown = found.select(cardColumns).orderBy('items.searchName').orderBy('items.id')
  return { total, items: await readCards(db, await shown.limit(search.parts * PART_SIZE).execute()) }
}
