/** Contains the conditions that decide which items and categories visitors see. All queries for visitors use these conditions. */
import { sql, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Tables } from '#db/schema.ts'

/** The condition is true if visitors find the item in lists, searches and the sitemap, and may order it. [S-294] */
export const isListed = sql<SqlBool>`"items"."state" = 'listed'`

/** The condition is true for listed items, and also for sold items if the owner shows sold items in the gallery. [AGREE-27] */
export const isShownInGallery = (showsSold: boolean, state = sql.ref('items.state')) =>
  showsSold ? sql<SqlBool>`${state} in ('listed', 'sold')` : sql<SqlBool>`${state} = 'listed'`

/** Like `isShownInGallery`, for queries of favorites. With the plain column, SQLite would read the index of all listed items; with `coalesce`, it begins with the favorites of the user. */
export const isShownFavorite = (showsSold: boolean) =>
  isShownInGallery(showsSold, sql`coalesce("items"."state", '')`)

/** The condition is true if the item is on hold for a customer at the time `now`. */
export const onHoldCondition = (now: number) =>
  sql<SqlBool>`("items"."kind" = 'unique' and exists (select 1 from "holds" where "holds"."itemId" = "items"."id" and "holds"."until" > ${now}))`

/** The condition is true if the category contains a listed item and the owner has not hidden the category. [S-296] */
export const isCategoryShown = sql<SqlBool>`("categories"."isHidden" = 0 and exists (
  select 1 from "items" as "listed" where "listed"."categoryId" = "categories"."id" and "listed"."state" = 'listed'))`

/** The condition is false for items in a hidden category. The page of this category is empty, but other pages show the items. [OWN-118] */
export const isInVisibleCategory = sql<SqlBool>`"items"."categoryId" not in (select "id" from "categories" where "isHidden" = 1)`

/** Sorts items by their last change. For items that one bulk change has changed together, `tieRank` preserves their previous sequence. [S-130] */
export const lastChangedFirst = sql`"items"."createdAt" desc, "items"."tieRank", "items"."id"`
export const lastAddedFirst = sql`"items"."firstCreatedAt" desc, "items"."tieRank", "items"."id"`

/** The condition is true if an available image of the item has an available color or no color. [S-061] */
export const isAvailable = (build: ExpressionBuilder<Tables, 'items'>) =>
  build.exists(
    build
      .selectFrom('itemPictures')
      .whereRef('itemPictures.itemId', '=', 'items.id')
      .where('itemPictures.isAvailable', '=', 1)
      .where((picture) => {
        const worn = picture
          .selectFrom('itemPictureColors')
          .innerJoin('colors', 'colors.id', 'itemPictureColors.colorId')
          .whereRef('itemPictureColors.itemPictureId', '=', 'itemPictures.id')
          .select('colors.id')
        return picture.or([
          picture.exists(worn.where('colors.isAvailable', '=', 1)),
          picture.not(picture.exists(worn)),
        ])
      })
      .select('itemPictures.id'),
  )
