import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Cents } from './money.ts'

/** This SQL expression computes the same price as `discountedPrice` in money.ts. The price is cast to bigint, because an integer of PostgreSQL is too small for cents times 10,000. */
export const discountedPriceSql: RawBuilder<Cents> = sql<Cents>`(case
  when "items"."discountType" is null then "items"."priceCents"
  when "items"."discountType" = 'amount' and "items"."discountValue" < "items"."priceCents"
    then "items"."priceCents" - "items"."discountValue"
  when "items"."discountType" = 'percent' and "items"."discountValue" < 10000
    then (cast("items"."priceCents" as bigint) * (10000 - "items"."discountValue") + 5000) / 10000
  else 0 end)`

/** Returns true if at least one listed item costs less than its original price. [OWN-05] */
export async function hasItemOnSale(db: Db): Promise<boolean> {
  const isReduced = sql<boolean>`${discountedPriceSql} < "items"."priceCents"`
  return (
    (await db
      .selectFrom('items')
      .select('id')
      .where('state', '=', 'listed')
      .where(isReduced)
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}
