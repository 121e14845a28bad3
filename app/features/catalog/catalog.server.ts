import type { Selectable } from 'kysely'
import type { Db, Tx, ItemTable } from '#db/schema.ts'
import { readDiscount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { smallestUrl } from '#app/ui/picture-url.ts'
import { toImageView } from '#app/features/images/image-view.server.ts'
import {
  type Category,
  type Color,
  HOME_COLORS,
  cardView,
  type Item,
  type ItemCard,
} from './catalog.ts'
import {
  isCategoryShown,
  isListed,
  isShownInGallery,
  lastChangedFirst,
} from './shown-items.server.ts'
import { availabilityTexts } from './availability-texts.ts'
import type { AppServices } from '#app/services/context.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'

type JoinedImage = {
  path: string | null
  pictureWidth: number | null
  pictureHeight: number | null
  widths: string | null
  placeholder: string | null
}

/** The width and height of an image have aliases, because an item has a column `width`, too. */
export const pictureColumns = [
  'pictures.path',
  'pictures.width as pictureWidth',
  'pictures.height as pictureHeight',
  'pictures.widths',
  'pictures.placeholder',
] as const

export function toJoinedImageView(row: JoinedImage): PictureView | null {
  if (row.path === null) return null
  return toImageView({
    path: row.path,
    width: row.pictureWidth ?? 0,
    height: row.pictureHeight ?? 0,
    widths: row.widths ?? '[]',
    placeholder: row.placeholder ?? '',
  })
}

/** Lists all categories, also hidden ones. Callers show visitors only categories with `isShown`. */
export async function listCategories(db: Db | Tx): Promise<Category[]> {
  const rows = await db
    .selectFrom('categories')
    .leftJoin('pictures', 'pictures.id', 'categories.pictureId')
    .select([
      'categories.id',
      'categories.title',
      'categories.color',
      'categories.isHidden',
      ...pictureColumns,
    ])
    .select(isCategoryShown.as('isShown'))
    .orderBy('categories.position')
    .orderBy('categories.title')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    color: row.color,
    picture: toJoinedImageView(row),
    isHidden: row.isHidden === 1,
    isShown: Boolean(row.isShown),
  }))
}

export const getCategoriesCached = (app: Pick<AppServices, 'db' | 'live'>): Promise<Category[]> =>
  cached(app, ['catalog'], 'categories', () => listCategories(app.db))

const colorColumns = [
  'colors.id',
  'colors.name',
  'colors.isAvailable',
  'colors.isLowOnStock',
  'colors.discountType',
  'colors.discountValue',
  ...pictureColumns,
] as const

const selectColors = (db: Db | Tx) =>
  db
    .selectFrom('colors')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .select(colorColumns)

type Row = Awaited<ReturnType<ReturnType<typeof selectColors>['execute']>>[number]

const toColor = (row: Row): Color => ({
  id: row.id,
  name: row.name,
  picture: toJoinedImageView(row),
  isAvailable: row.isAvailable === 1,
  isLowOnStock: row.isLowOnStock === 1,
  discount: readDiscount(row),
})

export async function listColors(db: Db | Tx): Promise<Color[]> {
  return (await selectColors(db).orderBy('colors.name').orderBy('colors.id').execute()).map(toColor)
}

/** Lists the colors, with available colors first. It returns at most 12 colors unless `isAll` is true. [DATA-105, DATA-106, HOME-13, S-025] */
export async function listHomeColors(db: Db | Tx, { isAll = false } = {}): Promise<Color[]> {
  const query = selectColors(db)
    .orderBy('colors.isAvailable', 'desc')
    .orderBy('colors.firstCreatedAt')
    .orderBy('colors.id')
  return (await (isAll ? query : query.limit(HOME_COLORS)).execute()).map(toColor)
}

/** A query contains at most this many ids. [S-056] */
const BATCH_SIZE = 500

export const inBatches = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / BATCH_SIZE) }, (_, at) =>
    list.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  )

export const cardColumns = [
  'items.id',
  'items.name',
  'items.categoryId',
  'items.state',
  'items.priceCents',
  'items.discountType',
  'items.discountValue',
] as const
type CardRow = Pick<
  Selectable<ItemTable>,
  'id' | 'name' | 'categoryId' | 'state' | 'priceCents' | 'discountType' | 'discountValue'
>

/** Lists the user's favorites with the newest first, without items that are deleted or not for sale. [FAV-05, S-057, S-294] */
export async function listFavoriteItems(
  db: Db | Tx,
  userId: string,
  { showsSold = false } = {},
): Promise<ItemCard[]> {
  const query = db
    .selectFrom('favorites')
    .innerJoin('items', 'items.id', 'favorites.itemId')
    .where('favorites.userId', '=', userId)
    .where(isShownInGallery(showsSold))
  return readCards(
    db,
    await query
      .select(cardColumns)
      .orderBy('favorites.createdAt', 'desc')
      .orderBy('items.id')
      .execute(),
  )
}

/** Lists the items with the most orders and sales. The list is empty before the first order or sale. [S-060] */
async function listMostOrdered(db: Db | Tx, limit: number): Promise<ItemCard[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom((all) =>
          all
            .selectFrom('orderItems')
            .select('itemId')
            .unionAll(all.selectFrom('sales').select('itemId').where('cancels', 'is', null))
            .as('each'),
        )
        .select(['itemId', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('itemId')
        .as('wanted'),
    )
    .innerJoin('items', 'items.id', 'wanted.itemId')
    .where(isListed)
    .select(cardColumns)
    .orderBy('wanted.count', 'desc')
    .orderBy('items.id')
    .limit(limit)
    .execute()
  return readCards(db, rows)
}

/** Lists one item of each category as a sample. A page shows these samples where a list would otherwise be empty. [S-060] */
export async function listSamples(db: Db | Tx, limit = 8): Promise<ItemCard[]> {
  // In each category, the subquery finds the item with the smallest id, which needs only one index lookup.
  const first = db.selectFrom('categories').select((category) =>
    category
      .selectFrom('items as other')
      .whereRef('other.categoryId', '=', 'categories.id')
      .where('other.state', '=', 'listed')
      .select((c) => c.fn.min('other.id').as('id'))
      .as('id'),
  )
  const rows = await db
    .selectFrom('items')
    .select(cardColumns)
    .where('items.id', 'in', first)
    .orderBy('items.id')
    .limit(limit)
    .execute()
  return readCards(db, rows)
}

const MOST_ORDERED = 8

/** `except` is the id of the item whose page shows the list. The list leaves this item out. [OWN-96] */
export async function getMostOrderedCached(app: Pick<AppServices, 'db' | 'live'>, except?: string) {
  const { items, areSamples } = await cached(
    app,
    ['catalog', 'orders', 'sales'],
    'most ordered',
    async () => {
      const ordered = await listMostOrdered(app.db, MOST_ORDERED + 1)
      const areSamples = ordered.length === 0
      return {
        items: (areSamples ? await listSamples(app.db, MOST_ORDERED + 1) : ordered).map((item) =>
          cardView(item),
        ),
        areSamples,
      }
    },
  )
  return { mostOrdered: items.filter(({ id }) => id !== except).slice(0, MOST_ORDERED), areSamples }
}

/** Returns at most eight listed items of the category. If the category has none, returns samples of other categories. */
export const getSimilarCached = (
  app: Pick<AppServices, 'db' | 'live'>,
  { categoryId }: Pick<Item, 'categoryId'>,
) =>
  cached(app, ['catalog'], `similar ${categoryId}`, async () => {
    const rows = await app.db
      .selectFrom('items')
      .select(cardColumns)
      .where('categoryId', '=', categoryId)
      .where(isListed)
      .orderBy(lastChangedFirst)
      .limit(8)
      .execute()
    const similar = rows.length > 0 ? await readCards(app.db, rows) : await listSamples(app.db)
    return { mostOrdered: similar.map((item) => cardView(item)), areSamples: false }
  })

/** Adds the first image and the colors to each item, with two queries per batch of items. */
export async function readCards(db: Db | Tx, rows: CardRow[]): Promise<ItemCard[]> {
  const cards: ItemCard[] = []
  for (const part of inBatches(rows)) {
    const ids = part.map((row) => row.id)
    const pictures = new Map(
      (await readFirstPictures(db, ids)).map((row) => [row.itemId, toJoinedImageView(row)]),
    )
    const colors = Map.groupBy(await readColorsOf(db, ids), (color) => color.itemId)
    for (const { id, name, categoryId, state, priceCents, ...off } of part)
      cards.push({
        id,
        name,
        categoryId,
        state,
        priceCents,
        discount: readDiscount(off),
        picture: pictures.get(id) ?? null,
        colors: distinctColors(colors.get(id) ?? []),
        ...(state === 'sold' && { mark: availabilityTexts.soldCard }),
      })
  }
  return cards
}

export const readFirstPictures = (db: Db | Tx, itemIds: string[]) =>
  db
    .selectFrom('itemPictures')
    .innerJoin('pictures', 'pictures.id', 'itemPictures.pictureId')
    .where('itemPictures.itemId', 'in', itemIds)
    .where('itemPictures.position', '=', (c) =>
      c
        .selectFrom('itemPictures as other')
        .whereRef('other.itemId', '=', 'itemPictures.itemId')
        .select((o) => o.fn.min('other.position').as('first')),
    )
    .select(['itemPictures.itemId', ...pictureColumns])
    .execute()

/** Returns the URL of the smallest variant of each item's first image. */
export async function readThumbnails(
  db: Db | Tx,
  items: readonly { id: string }[],
): Promise<Map<string, string>> {
  const pictures: [string, string][] = []
  for (const part of inBatches(items.map(({ id }) => id)))
    for (const row of await readFirstPictures(db, part))
      pictures.push([row.itemId, smallestUrl(toJoinedImageView(row)!)])
  return new Map(pictures)
}

export async function readColorsOf(db: Db | Tx, itemIds: string[]) {
  const rows = await db
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .innerJoin('colors', 'colors.id', 'itemPictureColors.colorId')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .where('itemPictures.itemId', 'in', itemIds)
    .select(['itemPictures.itemId', 'itemPictures.id as itemPictureId', ...colorColumns])
    .orderBy('itemPictures.position')
    .orderBy('colors.name')
    .execute()
  // All cards share one object per color, so that the page's data contains each color only once.
  const colors = new Map(rows.map((row) => [row.id, toColor(row)]))
  return rows.flatMap(({ itemId, itemPictureId, id }) => {
    const color = colors.get(id)
    return color ? [{ itemId, itemPictureId, color }] : []
  })
}

export const distinctColors = (rows: { color: Color }[]): Color[] => [
  ...new Map(rows.map(({ color }) => [color.id, color])).values(),
]
