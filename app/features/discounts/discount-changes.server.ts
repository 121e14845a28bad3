/**
 * Giving discounts and taking them away: each change is one transaction, all or none (S-125), and keeps what was before, so that it can be
 * undone (docs/decisions/020-discounts-and-history.md).
 */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables, Tx } from '#db/schema.ts'
import { type ItemCard, colorName } from '#app/features/catalog/catalog.ts'
import { type Discount, discountedPrice, parseMoney, readDiscount } from '#app/features/pricing/money.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { cardColumns, readCards } from '#app/features/catalog/items.server.ts'
import { fold } from '#app/platform/fold.ts'
import type { Asked } from './discount-texts.ts'
import { type ItemSearch, PART_SIZE } from './item-search.ts'

/** The ticked items, or all that a search finds, some of them taken out again. */
export type Selection = { ids: string[] } | { search: ItemSearch; except: string[] }

/** What the owner was asked before her Yes; null: nothing yet. */
export type Agreed = Pick<Asked, 'count' | 'free'> | null

/** `ask`: nothing is written, since she has not agreed to exactly this. `gone`: one of the ticked items is not there any more. */
export type Changed = { result: 'done' } | { result: 'none' } | { result: 'gone' } | { result: 'ask'; asked: Asked }

/** One statement takes so many ids. */
const PART = 500
/** After so long nobody undoes a change any more. */
const UNDO_FOR = 30 * 24 * 3_600_000
/** Letters of names by which the history finds a change of many items. */
const LONGEST_WORDS = 20_000

export const parts = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / PART) }, (_, at) => list.slice(at * PART, (at + 1) * PART))

export const columnsOf = (discount: Discount | null) => ({
  discountType: discount?.type ?? null,
  discountValue: discount?.value ?? null,
})

export type Noun = 'items' | 'color'
/** Both tables hold id, name and discount alike; for these columns one may stand for the other. */
export const tableOf = (noun: Noun): 'items' => (noun === 'items' ? 'items' : 'colors') as 'items'

/** The rows as they are, and until the transaction ends nobody else changes them. */
export const hold = (tx: Tx, noun: Noun, ids: readonly string[]) =>
  tx
    .updateTable(tableOf(noun))
    .set((build) => ({ discountType: build.ref('discountType') }))
    .where('id', 'in', ids)
    .returning(['id', 'name', 'discountType', 'discountValue'])
    .execute()
type Held = Awaited<ReturnType<typeof hold>>

/**
 * A change or an undo comes first to this row, so that two at once wait for each other here and nowhere else, also where nothing is offered
 * yet. Gives what was offered.
 */
export async function endOffer(tx: Tx): Promise<number | null> {
  await tx
    .insertInto('marks')
    .values({ key: 'discounts', value: '' })
    .onConflict((known) => known.column('key').doUpdateSet({ value: '' }))
    .execute()
  const ended = await tx.updateTable('discountChanges').set({ isOffered: 0 }).where('isOffered', '=', 1).returning('seq').execute()
  return ended.length === 0 ? null : Math.max(...ended.map(({ seq }) => seq))
}

/**
 * Whether the last change comes once more, since its form was sent twice: it is none, or what was before it could not be brought back by undoing
 * the last one.
 */
async function isAgain(tx: Tx, offered: number | null, noun: Noun, held: Held, discount: Discount | null): Promise<boolean> {
  const { discountType, discountValue } = columnsOf(discount)
  if (offered === null || !held.every((row) => row.discountType === discountType && row.discountValue === discountValue)) return false
  const last = await tx.selectFrom('discountChanges').selectAll().where('seq', '=', offered).executeTakeFirst()
  if (last?.noun !== noun || last.count !== held.length) return false
  if (last.discountType !== discountType || last.discountValue !== discountValue) return false
  const former = await tx.selectFrom('formerDiscounts').select('id').where('seq', '=', offered).execute()
  const ids = new Set(former.map(({ id }) => id))
  return held.every(({ id }) => ids.has(id))
}

const offerAgain = (tx: Tx, offered: number | null) =>
  tx.updateTable('discountChanges').set({ isOffered: 1 }).where('seq', '=', offered).execute()

/** Nothing of the transaction may stay. */
class Back extends Error {
  readonly changed: Changed
  constructor(changed: Changed) {
    super(changed.result)
    this.changed = changed
  }
}

/** DISC-16, DISC-17; null ends the sale. false: there is no such colour. */
export async function setColorDiscount(shop: Shop, actor: string, id: string, discount: Discount | null): Promise<boolean> {
  const isThere = await transact(shop.db, async (tx) => {
    const offered = await endOffer(tx)
    const held = await hold(tx, 'color', [id])
    if (await isAgain(tx, offered, 'color', held, discount)) await offerAgain(tx, offered)
    else if (held[0]) await change(tx, shop.now(), actor, 'color', held, discount)
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
    const offered = await endOffer(tx)
    // In one order everywhere, so that two such changes at once cannot block each other.
    const ids = 'ids' in selection ? [...new Set(selection.ids)].sort() : await idsOf(tx, selection)
    if (ids.length === 0) throw new Back({ result: 'none' })
    const held: Held = []
    for (const part of parts(ids)) held.push(...(await hold(tx, 'items', part)))
    if ('ids' in selection && held.length < ids.length) throw new Back({ result: 'gone' })
    const asked = { count: held.length, ...(await freeOnes(tx, held, discount)) }
    if (agreed?.count !== asked.count || agreed.free !== asked.free) throw new Back({ result: 'ask', asked })
    if (await isAgain(tx, offered, 'items', held, discount)) await offerAgain(tx, offered)
    else await change(tx, shop.now(), actor, 'items', held, discount)
    return { result: 'done' }
  }).catch((error: unknown) => {
    if (error instanceof Back) return error.changed
    throw error
  })
  if (changed.result === 'done') shop.live.changed('catalogue')
  return changed
}

async function idsOf(tx: Tx, { search, except }: { search: ItemSearch; except: string[] }): Promise<string[]> {
  const out = new Set(except)
  return (await findItemIds(tx, search)).filter((id) => !out.has(id))
}

/** Those that would cost nothing with this discount (S-064); every item costs something without one. */
async function freeOnes(tx: Tx, held: Held, discount: Discount | null): Promise<Pick<Asked, 'free' | 'names'>> {
  if (!discount) return { free: 0, names: [] }
  const names: string[] = []
  for (const part of parts(held.map(({ id }) => id))) {
    const rows = await tx.selectFrom('items').select(['name', 'priceCents']).where('id', 'in', part).orderBy('name').orderBy('id').execute()
    for (const { name, priceCents } of rows) if (discountedPrice(priceCents, discount) === 0) names.push(name)
  }
  return { free: names.length, names: names.slice(0, 3) }
}

/** Writes the discount, the act, and what was before. */
async function change(tx: Tx, at: number, actor: string, noun: Noun, held: Held, discount: Discount | null): Promise<void> {
  const [first] = held
  const isOne = held.length === 1 && first !== undefined
  const name = noun === 'color' && first ? colorName(first) : isOne ? first.name : ''
  const before = isOne ? { before: { discount: readDiscount(first) }, after: { discount } } : { after: { discount } }
  const seq = await recordAct(tx, {
    at,
    actor,
    act: noun === 'color' ? (discount ? 'discount-color' : 'end-color-discount') : discount ? 'discount-items' : 'end-items-discount',
    subject: isOne ? first.id : '',
    name,
    also: isOne ? '' : wordsOf(held),
    detail: { count: held.length, ...before },
  })
  for (const part of parts(held)) {
    const ids = part.map(({ id }) => id)
    const written = { ...columnsOf(discount), createdAt: at }
    await tx.updateTable(tableOf(noun)).set(written).where('id', 'in', ids).execute()
    await tx
      .insertInto('formerDiscounts')
      .values(part.map((row) => ({ seq, ...row })))
      .execute()
  }
  await forgetOldChanges(tx, at)
  await tx
    .insertInto('discountChanges')
    .values({ seq, at, noun, ...columnsOf(discount), count: held.length, isOffered: 1 })
    .execute()
}

const wordsOf = (held: Held): string =>
  held
    .map(({ name }) => name)
    .join(', ')
    .slice(0, LONGEST_WORDS)

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

/** All that the search finds, however many cards are shown. */
export const findItemIds = async (db: Db | Tx, search: ItemSearch): Promise<string[]> =>
  (await matching(db, search).select('items.id').orderBy('items.id').execute()).map(({ id }) => id)
