/** What visitors see of items and categories: every query for them uses these conditions. */
import { sql, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Tables } from '#db/schema.ts'

/** true: visitors find the item in lists, searches and the sitemap, and may request it. [S-294] */
export const isListed = sql<SqlBool>`"items"."state" = 'listed'`

/** true: the owner has not hidden the category, and it contains a listed item. [S-296] */
export const isCategoryShown = sql<SqlBool>`("categories"."isHidden" = 0 and exists (
  select 1 from "items" as "listed" where "listed"."categoryId" = "categories"."id" and "listed"."state" = 'listed'))`

/** false: the page of the item's category is empty, like that of an unknown one; elsewhere the item is shown. [OWN-118] */
export const isInOpenCategory = sql<SqlBool>`"items"."categoryId" not in (select "id" from "categories" where "isHidden" = 1)`

/** Items that one bulk change has changed at the same time stay in their order. [S-130] */
export const newestFirst = sql`"items"."createdAt" desc, "items"."tieRank", "items"."id"`
export const latestFirst = sql`"items"."firstCreatedAt" desc, "items"."tieRank", "items"."id"`

/** An item is available if one of its images is available and has an available color. [S-061] */
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
        return picture.or([picture.exists(worn.where('colors.isAvailable', '=', 1)), picture.not(picture.exists(worn))])
      })
      .select('itemPictures.id'),
  )
