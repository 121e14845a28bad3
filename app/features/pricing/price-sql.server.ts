import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Cents } from './money.ts'

/**
 * Computes `discountedPrice`, with `bigint` because cents times 10,000 exceed PostgreSQL's
 * integers.
 */
export const discountedPriceSql = sql<Cents>`(case
  when "items"."discountType" is null then "items"."priceCents"
  when "items"."discountType" = 'amount' and "items"."discountValue" < "items"."priceCents"
    then "items"."priceCents" - "items"."discountValue"
  when "items"."discountType" = 'percent' and "items"."discountValue" < 10000
    then (cast("items"."priceCents" as bigint) * (10000 - "items"."discountValue") + 5000) / 10000
  else 0 end)`

export async function hasItemOnSale(db: Db) {
  const item = await db
    .selectFrom('items')
    .select('id')
    .where('state', '=', 'listed')
    .where(sql<boolean>`${discountedPriceSql} < "items"."priceCents"`)
    .limit(1)
    .executeTakeFirst()
  return item !== undefined
}
