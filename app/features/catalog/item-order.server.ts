import { sql, type SqlBool } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { inBatches } from './catalog.server.ts'
import { isListed, lastChangedFirst } from './shown-items.server.ts'

/**
 * Two bulk changes of the same rows could deadlock, so the second waits for the end of the first.
 */
export const lockBulkChanges = (tx: Tx) =>
  tx
    .insertInto('keyValues')
    .values({ key: 'discounts', value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '' }))
    .execute()

/** Stores the present order before a bulk change gives many items one `createdAt`. [S-130] */
export const keepOrderOfItems = (tx: Tx) =>
  sql`update "items" set "tieRank" = "ranked"."rank"
    from (select "id", row_number() over (order by ${lastChangedFirst}) as "rank" from "items") as "ranked"
    where "ranked"."id" = "items"."id" and "items"."tieRank" <> "ranked"."rank"`.execute(tx)

/** Gives each listed item its own position, unless all have one already. [S-295] */
export async function numberItems(tx: Tx) {
  const wrongPosition = await tx
    .selectFrom('items')
    .select('position')
    .where(isListed)
    .groupBy('position')
    .having(sql<SqlBool>`"position" = 0 or count(*) > 1`)
    .limit(1)
    .executeTakeFirst()
  if (!wrongPosition) return
  await sql`update "items" set "position" = "ranked"."rank"
    from (select "id", row_number() over (order by "position", ${lastChangedFirst}) as "rank" from "items" where ${isListed}) as "ranked"
    where "ranked"."id" = "items"."id" and "items"."position" <> "ranked"."rank"`.execute(tx)
}

export async function writePositions(
  tx: Tx,
  places: readonly (readonly [id: string, position: number])[],
) {
  for (const batch of inBatches(places)) {
    const rows = sql.join(batch.map(([id, position]) => sql`(${id}, ${position})`))
    // Both databases name the columns of a list of values column1 and column2.
    await sql`update "items" set "position" = cast("place"."column2" as integer)
      from (values ${rows}) as "place" where "place"."column1" = "items"."id"`.execute(tx)
  }
}
