import type { AppServices } from '#services/context.ts'
import { toImageView, type ImageColumns } from '#images/image-view.server.ts'
import { readDiscount } from '#pricing/money.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { smallestUrl } from '#ui/image-url.ts'
import type { Db, Tx } from '#db/schema.ts'
import { availabilityTexts } from './availability.ts'
import {
  cardView,
  colorName,
  HOME_COLORS,
  mayVisit,
  type Category,
  type Color,
  type Item,
  type ItemCard,
} from './catalog.ts'
import { splitColors } from './joined-colors.ts'
import { itemTextColumns } from './item-fields.ts'
import {
  isCategoryShown,
  isListed,
  isShownInGallery,
  lastChangedFirst,
} from './shown-items.server.ts'

type CacheServices = Pick<AppServices, 'db' | 'live'>
type DiscountColumns = Parameters<typeof readDiscount>[0]

export const imageColumns = [
  'images.path',
  'images.width',
  'images.height',
  'images.widths',
  'images.placeholder',
] as const

type JoinedImage = { [Column in keyof ImageColumns]: ImageColumns[Column] | null }

export const toJoinedImageView = (image: JoinedImage) =>
  image.path === null ? null : toImageView(image as ImageColumns)

export async function listCategories(db: Db): Promise<Category[]> {
  const rows = await db
    .selectFrom('categories')
    .leftJoin('images', 'images.id', 'categories.imageId')
    .select(['categories.id', 'title', 'color', 'isHidden', ...imageColumns])
    .select(isCategoryShown.as('isShown'))
    .orderBy('categories.position')
    .orderBy('title')
    .execute()
  return rows.map(({ id, title, color, isHidden, isShown, ...image }) => ({
    id,
    title,
    color,
    image: toJoinedImageView(image),
    isHidden,
    isShown: Boolean(isShown),
  }))
}

export async function countItems(db: Db) {
  const rows = await db
    .selectFrom('items')
    .select(['categoryId', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('categoryId')
    .execute()
  return new Map(rows.map(({ categoryId, count }) => [categoryId, count]))
}

/** Transactions that change the order of categories or of the ring on Home wait for each other. */
export async function lockCategories(tx: Tx) {
  const first = tx.selectFrom('categories').select(({ fn }) => fn.min('id').as('id'))
  await tx.selectFrom('categories').select('id').where('id', '=', first).forNoKeyUpdate().execute()
}

/** Returns false if visitors cannot see the item. */
export async function setFavorite(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  userId: string,
  itemId: string,
  isWanted: boolean,
) {
  const changedRows = await inTransaction(app.db, async (tx) => {
    if (!isWanted) {
      const { numDeletedRows } = await tx
        .deleteFrom('favorites')
        .where('userId', '=', userId)
        .where('itemId', '=', itemId)
        .executeTakeFirst()
      return numDeletedRows
    }
    const item = tx
      .selectFrom('items')
      .select('id')
      .where('id', '=', itemId)
      .where('state', 'in', ['listed', 'sold'])
    if (!(await item.executeTakeFirst())) return null
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('favorites')
      .values({ userId, itemId, createdAt: app.now() })
      .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows
  })
  if (changedRows) app.live.changed(`user:${userId}`)
  return changedRows !== null
}

export const getCategoriesCached = (app: CacheServices) =>
  cached(app, ['catalog'], 'categories', () => listCategories(app.db))

const colorColumns = [
  'colors.id',
  'colors.name',
  'colors.isAvailable',
  'colors.isLowOnStock',
  'colors.discountType',
  'colors.discountValue',
  ...imageColumns,
] as const

const selectColors = (db: Db) =>
  db.selectFrom('colors').leftJoin('images', 'images.id', 'colors.imageId').select(colorColumns)

type ColorRow = Omit<Color, 'image' | 'discount'> & DiscountColumns & JoinedImage

const toColor = ({ id, name, isAvailable, isLowOnStock, ...row }: ColorRow) => ({
  id,
  name,
  image: toJoinedImageView(row),
  isAvailable,
  isLowOnStock,
  discount: readDiscount(row),
})

export async function listColors(db: Db): Promise<Color[]> {
  const rows = await selectColors(db).orderBy('colors.name').orderBy('colors.id').execute()
  return rows.map(toColor)
}

export async function listHomeColors(db: Db, { isAll = false } = {}): Promise<Color[]> {
  const query = selectColors(db)
    .orderBy('colors.isAvailable', 'desc')
    .orderBy('colors.firstCreatedAt')
    .orderBy('colors.id')
  const rows = await (isAll ? query : query.limit(HOME_COLORS)).execute()
  return rows.map(toColor)
}

const BATCH_SIZE = 500

export const inBatches = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / BATCH_SIZE) }, (_, index) =>
    list.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )

async function readInBatches<Row>(
  ids: readonly string[],
  readBatch: (ids: string[]) => Promise<Row[]>,
) {
  const rows: Row[] = []
  for (const batch of inBatches(ids)) rows.push(...(await readBatch(batch)))
  return rows
}

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
  ItemCard,
  'id' | 'name' | 'categoryId' | 'state' | 'priceCents' | 'isAvailable'
> &
  DiscountColumns

export async function readCards(db: Db, rows: CardRow[]): Promise<ItemCard[]> {
  const ids = rows.map(({ id }) => id)
  const images = await readFirstImages(db, ids)
  const colors = Map.groupBy(await readColorsOf(db, ids), ({ itemId }) => itemId)
  return rows.map(({ discountType, discountValue, ...item }) => ({
    ...item,
    discount: readDiscount({ discountType, discountValue }),
    image: images.get(item.id) ?? null,
    colors: distinctColors(colors.get(item.id) ?? []),
    ...(item.state === 'sold' && { mark: availabilityTexts.soldCard }),
  }))
}

export const sortedItemImages = (db: Db) =>
  db
    .selectFrom('itemImages')
    .innerJoin('images', 'images.id', 'itemImages.imageId')
    .orderBy('itemImages.position')
    .orderBy('itemImages.id')

export async function readFirstImages(db: Db, itemIds: readonly string[]) {
  const rows = await readInBatches(itemIds, (ids) =>
    db
      .selectFrom('itemImages')
      .innerJoin('images', 'images.id', 'itemImages.imageId')
      .where('itemImages.itemId', 'in', ids)
      .where('itemImages.position', '=', (eb) =>
        eb
          .selectFrom('itemImages as sibling')
          .whereRef('sibling.itemId', '=', 'itemImages.itemId')
          .select(({ fn }) => fn.min('sibling.position').as('first')),
      )
      .select(['itemImages.itemId', ...imageColumns])
      .execute(),
  )
  return new Map(rows.map((row) => [row.itemId, toJoinedImageView(row)!]))
}

type PieceInColor = { itemId: string; color: string }

/** Returns a function that finds a piece's first image in a color, or else its first image. */
export async function readPieceImages(db: Db, itemIds: readonly string[]) {
  const rows = await readInBatches([...new Set(itemIds)], (ids) =>
    sortedItemImages(db)
      .leftJoin('itemImageColors', 'itemImageColors.itemImageId', 'itemImages.id')
      .leftJoin('colors', 'colors.id', 'itemImageColors.colorId')
      .where('itemImages.itemId', 'in', ids)
      .select(['itemImages.itemId', 'colors.name', ...imageColumns])
      .execute(),
  )
  const images = Map.groupBy(rows, ({ itemId }) => itemId)
  return ({ itemId, color }: PieceInColor) => {
    const ofPiece = images.get(itemId) ?? []
    const wanted = splitColors(color).map((name) => name.toLowerCase())
    const isWanted = (name: string | null) =>
      name !== null && wanted.includes(colorName({ name }).toLowerCase())
    const image = ofPiece.find(({ name }) => isWanted(name)) ?? ofPiece[0]
    return image ? toJoinedImageView(image) : null
  }
}

export async function readExistingIds(db: Db, itemIds: readonly string[]) {
  const rows = await readInBatches([...new Set(itemIds)], (ids) =>
    db.selectFrom('items').select('id').where('id', 'in', ids).execute(),
  )
  return new Set(rows.map(({ id }) => id))
}

export async function readThumbnails(db: Db, items: readonly { id: string }[]) {
  const images = await readFirstImages(
    db,
    items.map(({ id }) => id),
  )
  return new Map([...images].map(([id, image]) => [id, smallestUrl(image)]))
}

async function readColorsOf(db: Db, itemIds: readonly string[]) {
  const rows = await readInBatches(itemIds, (ids) =>
    db
      .selectFrom('itemImages')
      .innerJoin('itemImageColors', 'itemImageColors.itemImageId', 'itemImages.id')
      .innerJoin('colors', 'colors.id', 'itemImageColors.colorId')
      .leftJoin('images', 'images.id', 'colors.imageId')
      .where('itemImages.itemId', 'in', ids)
      .select(['itemImages.itemId', 'itemImages.id as itemImageId', ...colorColumns])
      .orderBy('itemImages.position')
      .orderBy('colors.name')
      .execute(),
  )
  // Cards share one object per color, so that the page's data contains it only once.
  const colors = new Map(rows.map((row) => [row.id, toColor(row)]))
  return rows.map(({ itemId, itemImageId, id }) => ({
    itemId,
    itemImageId,
    color: colors.get(id)!,
  }))
}

const distinctColors = (rows: { color: Color }[]) => [...new Set(rows.map(({ color }) => color))]

const unknownItem = new Error('no such item')

export async function getItemCached(app: CacheServices, id: string) {
  const read = async () => {
    const item = await findItem(app.db, id)
    if (!item) throw unknownItem
    return item
  }
  return cached(app, ['catalog'], `item ${id}`, read).catch((error: unknown) => {
    if (error !== unknownItem) throw error
    return null
  })
}

export async function findVisibleItem(db: Db, id: string) {
  const item = await findItem(db, id)
  return item && mayVisit(item.state) ? item : null
}

export async function findItem(db: Db, id: string): Promise<Item | null> {
  const row = await db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', id)
    .select([
      ...cardColumns,
      ...itemTextColumns.map((column) => `items.${column}` as const),
      'items.kind',
      'categories.title',
      'categories.isHidden',
    ])
    .executeTakeFirst()
  if (!row) return null
  const images = await sortedItemImages(db)
    .where('itemImages.itemId', '=', id)
    .selectAll('images')
    .select(['itemImages.id as itemImageId', 'isAvailable'])
    .execute()
  const colors = await readColorsOf(db, [id])
  const { discountType, discountValue, title, isHidden, ...item } = row
  return {
    ...item,
    categoryTitle: isHidden ? '' : title,
    discount: readDiscount({ discountType, discountValue }),
    colors: distinctColors(colors),
    images: images.map((image) => ({
      id: image.itemImageId,
      image: toImageView(image),
      isAvailable: image.isAvailable,
      colorIds: colors
        .filter(({ itemImageId }) => itemImageId === image.itemImageId)
        .map(({ color }) => color.id),
    })),
  }
}

export async function listFavoriteItems(db: Db, userId: string, { showsSold = false } = {}) {
  const rows = await db
    .selectFrom('favorites')
    .innerJoin('items', 'items.id', 'favorites.itemId')
    .where('favorites.userId', '=', userId)
    .where(isShownInGallery(showsSold))
    .select(cardColumns)
    .orderBy('favorites.createdAt', 'desc')
    .orderBy('items.id')
    .execute()
  return readCards(db, rows)
}

/** Returns one item of each category, for a list that would otherwise be empty. [S-060] */
export async function listSamples(db: Db, limit = 8) {
  // The database finds the smallest id of a category with one index lookup.
  const firstIds = db.selectFrom('categories').select((eb) =>
    eb
      .selectFrom('items as member')
      .whereRef('member.categoryId', '=', 'categories.id')
      .where('member.state', '=', 'listed')
      .select(({ fn }) => fn.min('member.id').as('id'))
      .as('id'),
  )
  const rows = await db
    .selectFrom('items')
    .select(cardColumns)
    .where('items.id', 'in', firstIds)
    .orderBy('items.id')
    .limit(limit)
    .execute()
  return readCards(db, rows)
}

const MOST_ORDERED = 8

/** `except` is the id of the item whose page shows the list. [OWN-96] */
export async function getMostOrderedCached(app: CacheServices, except?: string) {
  const topics = ['catalog', 'orders', 'sales'] as const
  const { items, areSamples } = await cached(app, topics, 'most ordered', async () => {
    const ordered = await listMostOrdered(app.db)
    const areSamples = ordered.length === 0
    const cards = areSamples ? await listSamples(app.db, MOST_ORDERED + 1) : ordered
    return { items: cards.map((item) => cardView(item)), areSamples }
  })
  return { mostOrdered: items.filter(({ id }) => id !== except).slice(0, MOST_ORDERED), areSamples }
}

async function listMostOrdered(db: Db) {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom((all) =>
          all
            .selectFrom('orderItems')
            .select('itemId')
            .unionAll(all.selectFrom('sales').select('itemId').where('cancels', 'is', null))
            .as('requests'),
        )
        .select(['itemId', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('itemId')
        .as('ordered'),
    )
    .innerJoin('items', 'items.id', 'ordered.itemId')
    .where(isListed)
    .select(cardColumns)
    .orderBy('ordered.count', 'desc')
    .orderBy('items.id')
    .limit(MOST_ORDERED + 1)
    .execute()
  return readCards(db, rows)
}

export const getSimilarCached = (app: CacheServices, { categoryId }: Pick<Item, 'categoryId'>) =>
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
