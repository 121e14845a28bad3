import { sql, type SqlBool } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { inBatches } from './catalog.server.ts'
import { isListed, lastChangedFirst } from './shown-items.server.ts'

/** Makes other bulk changes of items wait until this transaction ends. Otherwise two bulk changes of the same rows could cause a deadlock. */
export const lockBulkChanges = (tx: Tx) =>
  tx
    .insertInto('keyValues')
    .values({ key: 'discounts', value: '' })
    .onConflict((known) => known.column('key').doUpdateSet({ value: '' }))
    .execute()

/** Stores the current order of the items. Call this function before a bulk change sets the same `createdAt` for many items, so that they stay in this order. [S-130] */
export const keepOrderOfItems = (tx: Tx) =>
  sql`update "items" set "tieRank" = "ranked"."rank"
    from (select "id", row_number() over (order by ${lastChangedFirst}) as "rank" from "items") as "ranked"
    where "ranked"."id" = "items"."id" and "items"."tieRank" <> "ranked"."rank"`.execute(tx)

/** Gives each listed item its own position in the current sequence, unless every listed item already has one. [S-295] */
export async function numberItems(tx: Tx): Promise<void> {
  const isWrong = sql<SqlBool>`"position" = 0 or count(*) > 1`
  const wrong = tx
    .selectFrom('items')
    .select('position')
    .where(isListed)
    .groupBy('position')
    .having(isWrong)
    .limit(1)
  if (!(await wrong.executeTakeFirst())) return
  await sql`update "items" set "position" = "ranked"."rank"
    from (select "id", row_number() over (order by "position", ${lastChangedFirst}) as "rank" from "items" where ${isListed}) as "ranked"
    where "ranked"."id" = "items"."id" and "items"."position" <> "ranked"."rank"`.execute(tx)
}

/** Stores new positions of items. `places` contains each item id with its position. */
export async function writePositions(
  tx: Tx,
  places: readonly (readonly [id: string, position: number])[],
): Promise<void> {
  for (const part of inBatches(places)) {
    const rows = sql.join(part.map(([id, position]) => sql`(${id}, ${position})`))
    // In a list of values, PostgreSQL and SQLite give the columns the names column1 and column2.
    await sql`update "items" set "position" = cast("place"."column2" as integer)
      from (values ${rows}) as "place" where "place"."column1" = "items"."id"`.execute(tx)
  }
}
