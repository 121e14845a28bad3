/** What the sums of all reports consist of, as SQL that both databases read alike. */
import { sql, type AliasedRawBuilder, type RawBuilder } from 'kysely'
import type { Kind, Sum } from './report.ts'

const discount = sql<number>`case when "itemPriceCents" > "salePriceCents" then "itemPriceCents" - "salePriceCents" else 0 end`

export const sums = [
  sql<number>`count(*)`.as('sales'),
  sql<number>`coalesce(sum("salePriceCents"), 0)`.as('revenue'),
  sql<number>`coalesce(sum(${discount}), 0)`.as('discounts'),
  sql<number>`coalesce(sum(case when "itemPriceCents" > "salePriceCents" then 1 else 0 end), 0)`.as('reduced'),
] satisfies AliasedRawBuilder<number, keyof Sum>[]

/** By what sales belong together: by id, and where an old record has none by what it was called. */
export const keyOf: Record<Kind | 'receipt', RawBuilder<string>> = {
  category: sql<string>`"sales"."categoryId"`,
  item: sql<string>`coalesce(nullif("sales"."itemId", ''), "sales"."itemName")`,
  buyer: sql<string>`coalesce(nullif("sales"."buyerId", ''), nullif("sales"."buyerEmail", ''), "sales"."buyerName")`,
  receipt: sql<string>`coalesce(nullif("sales"."receiptTag", ''), "sales"."id")`,
}
