import { sql, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Tables } from '#db/schema.ts'

export const isListed = sql<SqlBool>`"items"."state" = 'listed'`

export const isShownInGallery = (showsSold: boolean, state = sql.ref('items.state')) =>
  showsSold ? sql<SqlBool>`${state} in ('listed', 'sold')` : sql<SqlBool>`${state} = 'listed'`

/** `coalesce` keeps SQLite from reading the index of all listed items. */
export const isShownFavorite = (showsSold: boolean) =>
  isShownInGallery(showsSold, sql`coalesce("items"."state", '')`)

export const onHoldCondition = (now: number) =>
  sql<SqlBool>`("items"."kind" = 'unique' and exists (select 1 from "holds" where "holds"."itemId" = "items"."id" and "holds"."until" > ${now}))`

export const isCategoryShown = sql<SqlBool>`("categories"."isHidden" = 0 and exists (
  select 1 from "items" as "listed" where "listed"."categoryId" = "categories"."id" and "listed"."state" = 'listed'))`

/** A hidden category has an empty page, but other pages still show its items. [OWN-118] */
export const isInVisibleCategory = sql<SqlBool>`"items"."categoryId" not in (select "id" from "categories" where "isHidden" = 1)`

/** `tieRank` keeps the sequence of items to which a bulk change has given the same date. [S-130] */
export const lastChangedFirst = sql`"items"."createdAt" desc, "items"."tieRank", "items"."id"`
export const lastAddedFirst = sql`"items"."firstCreatedAt" desc, "items"."tieRank", "items"."id"`

/** This is `isItemAvailable` in SQL. [S-061] */
export const isAvailable = (eb: ExpressionBuilder<Tables, 'items'>) =>
  eb.exists(
    eb
      .selectFrom('itemImages')
      .whereRef('itemImages.itemId', '=', 'items.id')
      .where('itemImages.isAvailable', '=', true)
      .where((image) => {
        const colors = image
          .selectFrom('itemImageColors')
          .innerJoin('colors', 'colors.id', 'itemImageColors.colorId')
          .whereRef('itemImageColors.itemImageId', '=', 'itemImages.id')
          .select('colors.id')
        return image.or([
          image.exists(colors.where('colors.isAvailable', '=', true)),
          image.not(image.exists(colors)),
        ])
      })
      .select('itemImages.id'),
  )
