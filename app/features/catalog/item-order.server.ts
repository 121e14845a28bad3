import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { inBatches } from './catalog.server.ts'
import { newestFirst } from './shown-items.server.ts'

/** Bulk changes of items run one after the other: they lock many rows, and would deadlock. */
export const lockBulkChanges = (tx: Tx) =>
  tx
    .insertInto('keyValues')
    .values({ key: 'discounts', value: '' })
    .onConflict((known) => known.column('key').doUpdateSet({ value: '' }))
    .execute()

/** Call it before a bulk change gives many items one createdAt, so that they stay in their order. [S-130] */
export const keepOrderOfItems = (tx: Tx) =>
  sql`update "items" set "tieRank" = "ranked"."rank"
    from (select "id", row_number() over (order by ${newestFirst}) as "rank" from "items") as "ranked"
    where "ranked"."id" = "items"."id" and "items"."tieRank" <> "ranked"."rank"`.execute(tx)

/** `places`: item ids with their new positions */
export async function writePositions(tx: Tx, places: readonly (readonly [id: string, position: number])[]): Promise<void> {
  for (const part of inBatches(places)) {
    const rows = sql.join(part.map(([id, position]) => sql`(${id}, ${position})`))
    // Both databases name the columns of a list of values column1 and column2.
    await sql`update "items" set "position" = cast("place"."column2" as integer)
      from (values ${rows}) as "place" where "place"."column1" = "items"."id"`.execute(tx)
  }
}
