/** The items that a search of the discounts section finds (DISC-28 to DISC-31, S-119 to S-122). */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Db, Tables, Tx } from '#db/tables.ts'
import type { ItemCard } from '#app/features/catalog/catalog.ts'
import { cardColumns, readCards } from '#app/features/catalog/items.server.ts'
import { parseMoney } from '#app/features/money/money.ts'
import { fold } from '#app/platform/fold.ts'
import { PART_SIZE, type ItemSearch } from './item-search.ts'

const operators = { '>=': '>=', '==': '=', '<=': '<=' } as const

/** An item passes all filters that apply; a price of 0, blank or unreadable is no filter. Compared is the original price. */
function conditions(build: ExpressionBuilder<Tables, 'items' | 'itemWords'>, search: ItemSearch): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  const name = fold(search.name.trim())
  const price = parseMoney(search.price) ?? 0
  if (search.isOnSale) all.push(build('items.discountType', 'is not', null))
  if (name !== '') all.push(sql<SqlBool>`instr("itemWords"."name", ${name}) > 0`)
  if (price !== 0) all.push(build('items.priceCents', operators[search.comparison], price))
  if (search.categoryId !== '') all.push(build('items.categoryId', '=', search.categoryId))
  return all
}

/** Names stand folded in a table of their own (042). */
const matching = (db: Db | Tx, search: ItemSearch) =>
  db
    .selectFrom('itemWords')
    .innerJoin('items', 'items.id', 'itemWords.itemId')
    .where((build) => build.and(conditions(build, search)))

/** By name, so that nothing changes its place when it goes on sale. */
export async function findItems(db: Db | Tx, search: ItemSearch): Promise<{ items: ItemCard[]; total: number }> {
  const found = matching(db, search)
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const shown = found.select(cardColumns).orderBy('itemWords.name').orderBy('itemWords.itemId')
  return { total, items: await readCards(db, await shown.limit(search.parts * PART_SIZE).execute()) }
}

/** All that the search finds, however many cards are shown. */
export const findItemIds = async (db: Db | Tx, search: ItemSearch): Promise<string[]> =>
  (await matching(db, search).select('items.id').orderBy('items.id').execute()).map(({ id }) => id)
