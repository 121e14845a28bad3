/** The price rule of money.ts as SQL, for lists that the database filters and sorts; a test holds the two against each other. */
import { sql, type RawBuilder } from 'kysely'
import type { Cents } from './money.ts'

/** DISC-55, DISC-56, S-064, S-065: `discountedPrice` of an item's row. PostgreSQL's integer is too small for cents times 10,000. */
export const shownPrice: RawBuilder<Cents> = sql<Cents>`(case
  when "items"."discountType" is null then "items"."priceCents"
  when "items"."discountType" = 'amount' and "items"."discountValue" < "items"."priceCents"
    then "items"."priceCents" - "items"."discountValue"
  when "items"."discountType" = 'percent' and "items"."discountValue" < 10000
    then (cast("items"."priceCents" as bigint) * (10000 - "items"."discountValue") + 5000) / 10000
  else 0 end)`
