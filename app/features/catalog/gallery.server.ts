import { sql, type ExpressionBuilder } from 'kysely'
import { cached } from '#lib/db/topic-cache.server.ts'
import type { Currency } from '#lib/text/currency.ts'
import type { AppServices } from '#services/context.ts'
import type { Db, Tables } from '#db/schema.ts'
import { discountedPriceSql } from '#pricing/price-sql.server.ts'
import { getSettingsCached } from '#settings/settings.server.ts'
import {
  cardView,
  colorName,
  FIRST_ROW_SIZE,
  swatchUrl,
  type Category,
  type ItemCard,
} from './catalog.ts'
import {
  cardColumns,
  getCategoriesCached,
  getMostOrderedCached,
  readCards,
  readPieceImages,
} from './catalog.server.ts'
import {
  galleryLinks,
  parseGallerySearch,
  priceRange,
  searchWords,
  type GallerySearch,
  type GalleryView,
} from './gallery-search.ts'
import { galleryTexts } from './gallery-texts.ts'
import { markHolds } from './item-holds.server.ts'
import {
  expandSearch,
  getVocabularyCached,
  isInName,
  itemsWithColors,
  matchesTerm,
  type SearchTerm,
  type SearchVocabulary,
} from './search-terms.server.ts'
import {
  isAvailable,
  isInVisibleCategory,
  isListed,
  isShownFavorite,
  isShownInGallery,
  lastChangedFirst,
  onHoldCondition,
} from './shown-items.server.ts'

export function galleryTitle(view: GalleryView, categories: Category[]) {
  if (view === 'everything') return galleryTexts.allItemsTitle
  if (view === 'favorites') return galleryTexts.favoritesTitle
  return categories.find(({ id, isHidden }) => id === view.categoryId && !isHidden)?.title ?? null
}

export type Gallery = Awaited<ReturnType<typeof readGallery>>
type GalleryQuery = {
  view: GalleryView
  typed: GallerySearch
  hasFavorites: boolean
  currency: Currency
  showsSold: boolean
}

/** `userId` is null for visitors, who see no heart buttons. [FAV-04] */
export async function readGallery(
  app: Pick<AppServices, 'db' | 'live' | 'currency' | 'now' | 'timeZone'>,
  { view, params, userId }: { view: GalleryView; params: URLSearchParams; userId: string | null },
) {
  const typed = parseGallerySearch(params)
  const query = {
    view,
    typed,
    hasFavorites: userId !== null,
    currency: app.currency,
    showsSold: (await getSettingsCached(app)).soldPieces === 'shown',
  }
  const isCached = view !== 'favorites' && typed.text + typed.from + typed.to === ''
  const gallery = await (isCached
    ? cached(app, ['catalog'], `gallery ${JSON.stringify(query)}`, () =>
        readPieces(app, query, null),
      )
    : readPieces(app, query, userId))
  const { items, count, links } = gallery
  const suggestions =
    count === 0 && !links.isPlain ? (await getMostOrderedCached(app)).mostOrdered : []
  return {
    ...gallery,
    items: await markHolds(app, items, userId),
    suggestions,
    favoriteIds: userId === null ? null : await listFavoriteIds(app.db, userId, items),
  }
}

async function listFavoriteIds(db: Db, userId: string, items: { id: string }[]) {
  const ids = items.map(({ id }) => id)
  if (ids.length === 0) return []
  const favorites = db.selectFrom('favorites').select('itemId').where('userId', '=', userId)
  const rows = await favorites.where('itemId', 'in', ids).execute()
  return rows.map(({ itemId }) => itemId)
}

async function readPieces(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  query: GalleryQuery,
  userId: string | null,
) {
  const { view, typed, showsSold } = query
  const categories = await getCategoriesCached(app)
  const readFilters = async () => ({
    isArranged: await isGalleryArranged(app.db),
    colors: await listFilterColors(app.db, { view, search: typed, userId }),
  })
  // Only the usual view is cached, because URLs with any category and colors would fill the cache.
  const { colors, isArranged } = await (view === 'everything' && typed.colorIds.length === 0
    ? cached(app, ['catalog'], 'gallery filters', readFilters)
    : readFilters())
  const colorIds = colors.map(({ id }) => id).filter((id) => typed.colorIds.includes(id))
  const search = { ...typed, colorIds }
  const { items, count, page, lastPage, isClose } = await findItems(app, {
    view,
    search,
    userId,
    isArranged,
    showsSold,
  })
  const cards: ChosenCard[] =
    colorIds.length > 0 ? await inChosenColor(app.db, items, colorIds) : items
  const colorViews = new Map(
    colors.map(({ id, name }, index) => [id, { id, name, swatch: `var(--swatch-${index})` }]),
  )
  return {
    swatches: Object.fromEntries(
      colors.map((color, index) => [`--swatch-${index}`, swatchUrl(color)]),
    ),
    colors: [...colorViews.values()],
    view,
    title: galleryTitle(view, categories),
    items: cards.map(({ chosenColorId, ...item }, index) => ({
      ...cardView(item, { isInSight: index < FIRST_ROW_SIZE, colorViews }),
      ...(chosenColorId && { chosenColorId }),
    })),
    count,
    isClose,
    links: galleryLinks({
      ...query,
      search,
      categories: categories.filter(({ isShown }) => isShown),
      colors,
      page,
      lastPage,
      isArranged,
    }),
  }
}

type ChosenCard = ItemCard & { chosenColorId?: string | undefined }

/** A filtered gallery shows and links each piece in the chosen color. */
async function inChosenColor(db: Db, items: ItemCard[], colorIds: string[]): Promise<ChosenCard[]> {
  const imageOf = await readPieceImages(
    db,
    items.map(({ id }) => id),
  )
  return items.map((item) => {
    const color = item.colors.find(({ id }) => colorIds.includes(id))
    if (!color) return item
    const image = imageOf({ itemId: item.id, color: colorName(color) })
    return { ...item, image, chosenColorId: color.id }
  })
}

export async function isGalleryArranged(db: Db) {
  const item = await db
    .selectFrom('items')
    .select('id')
    .where(isListed)
    .where('position', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return item !== undefined
}

type ColorQuery = { view: GalleryView; search: GallerySearch; userId: string | null }

function listFilterColors(db: Db, { view, search, userId }: ColorQuery) {
  const wornColors = db
    .selectFrom('itemImageColors')
    .innerJoin('itemImages', 'itemImages.id', 'itemImageColors.itemImageId')
    .innerJoin('items', 'items.id', 'itemImages.itemId')
    .where(view === 'favorites' ? isShownFavorite(false) : isListed)
    .select('itemImageColors.colorId')
  return db
    .selectFrom('colors')
    .leftJoin('images', 'images.id', 'colors.imageId')
    .select(['colors.id', 'colors.name', 'images.placeholder'])
    .where((eb) => {
      const isChosen = search.colorIds.length > 0 ? [eb('colors.id', 'in', search.colorIds)] : []
      if (view === 'everything') {
        // Looking for one item of each color is faster than listing the colors of all items.
        const itemsOfColor = wornColors.where('itemImageColors.colorId', '=', eb.ref('colors.id'))
        return eb.or([eb.exists(itemsOfColor), ...isChosen])
      }
      const wornInView =
        view === 'favorites'
          ? wornColors
              .innerJoin('favorites', 'favorites.itemId', 'items.id')
              .where('favorites.userId', '=', userId ?? '')
          : wornColors.where('items.categoryId', '=', view.categoryId).where(isInVisibleCategory)
      return eb.or([eb('colors.id', 'in', wornInView), ...isChosen])
    })
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
}

export const GALLERY_PAGE_SIZE = 24

type ItemQuery = ColorQuery & {
  size?: number
  /** The owner also finds draft, retired and sold items. */
  isOwner?: boolean
  isArranged?: boolean
  showsSold?: boolean
}

/** `isClose` is true if only names that differ by one typo match. [GALLERY-02] */
export async function findItems(app: Pick<AppServices, 'db' | 'live' | 'now'>, query: ItemQuery) {
  const { db } = app
  const now = app.now()
  const words = searchWords(query.search)
  const vocabulary = words.length > 0 ? await getVocabularyCached(app) : null
  const terms = vocabulary ? expandSearch(words, vocabulary) : []
  let result = await findPage(db, { ...query, terms, vocabulary, now })
  let isClose = false
  if (result.count === 0 && vocabulary) {
    const similarTerms = expandSearch(words, vocabulary, { toleratesTypos: true })
    if (JSON.stringify(similarTerms) !== JSON.stringify(terms)) {
      result = await findPage(db, { ...query, terms: similarTerms, vocabulary, now })
      isClose = result.count > 0
    }
  }
  const { ids, count, page } = result
  return {
    items: await readCardsInOrder(db, ids),
    count,
    page,
    lastPage: pageCount(count, query.size),
    isClose,
  }
}

export async function countPages(
  db: Db,
  { categoryId, showsSold }: { categoryId: string | undefined; showsSold: boolean },
) {
  const items = db.selectFrom('items').where(isShownInGallery(showsSold))
  const query =
    categoryId === undefined
      ? items
      : items.where('categoryId', '=', categoryId).where(isInVisibleCategory)
  const { count } = await query.select(countAll).executeTakeFirstOrThrow()
  return pageCount(count)
}

const pageCount = (count: number, size = GALLERY_PAGE_SIZE) => Math.max(1, Math.ceil(count / size))

const countAll = sql<number>`count(*)`.as('count')

type PreparedQuery = ItemQuery & {
  terms: SearchTerm[]
  vocabulary: SearchVocabulary | null
  now: number
}

async function findPage(db: Db, query: PreparedQuery) {
  const { size = GALLERY_PAGE_SIZE, search } = query
  const matching = db.selectFrom('items').where((eb) => eb.and(conditions(eb, query)))
  const readIds = async (page: number) => {
    const offset = (page - 1) * size
    const rows = await sorted(matching, query)
      .select('items.id')
      .limit(size)
      .offset(offset)
      .execute()
    return rows.map(({ id }) => id)
  }
  const ids = await readIds(search.page)
  const isLastPage = ids.length < size && (ids.length > 0 || search.page === 1)
  if (isLastPage) return { ids, count: (search.page - 1) * size + ids.length, page: search.page }
  const { count } = await matching.select(countAll).executeTakeFirstOrThrow()
  const page = Math.min(search.page, pageCount(count, size))
  return { ids: page === search.page ? ids : await readIds(page), count, page }
}

type ItemExpressions = ExpressionBuilder<Tables, 'items'>

function conditions(eb: ItemExpressions, query: PreparedQuery) {
  const { view, search, userId, isOwner, showsSold = false, terms, vocabulary, now } = query
  const { min, max } = priceRange(search)
  const all = vocabulary ? terms.map((term) => matchesTerm(eb, term, vocabulary)) : []
  if (!isOwner) {
    const isShown = view === 'favorites' ? isShownFavorite : isShownInGallery
    all.push(isShown(showsSold && !search.isAvailable))
  }
  if (typeof view === 'object') all.push(eb('items.categoryId', '=', view.categoryId))
  if (typeof view === 'object' && !isOwner) all.push(isInVisibleCategory)
  if (view === 'favorites') {
    all.push(eb('items.id', 'in', favoritesOf(eb, userId).select('favorites.itemId')))
  }
  if (min !== null) all.push(eb(discountedPriceSql, '>=', min))
  if (max !== null) all.push(eb(discountedPriceSql, '<=', max))
  if (search.colorIds.length > 0) {
    all.push(eb('items.id', 'in', itemsWithColors(eb, search.colorIds)))
  }
  if (search.isOnSale) all.push(eb(discountedPriceSql, '<', eb.ref('items.priceCents')))
  if (search.isAvailable) all.push(isAvailable(eb), eb.not(onHoldCondition(now)))
  return all
}

const favoritesOf = (eb: ItemExpressions, userId: string | null) =>
  eb.selectFrom('favorites').where('favorites.userId', '=', userId ?? '')

const selectItems = (db: Db) => db.selectFrom('items')

function sorted(items: ReturnType<typeof selectItems>, query: PreparedQuery) {
  const { view, search, userId, isArranged, isOwner, showsSold, terms } = query
  let rows = items
  if (showsSold && !isOwner) {
    rows = rows.orderBy((eb) =>
      eb.case().when('items.state', '=', 'sold').then(true).else(false).end(),
    )
  }
  switch (search.sort) {
    case 'newest':
      break
    case 'name':
      return rows.orderBy('items.searchName').orderBy('items.id')
    case 'price-up':
    case 'price-down':
      rows = rows.orderBy(discountedPriceSql, search.sort === 'price-up' ? 'asc' : 'desc')
      break
    default:
      if (terms.length > 0) {
        rows = rows.orderBy((eb) => {
          const isNamed = eb.and(terms.map((term) => isInName(eb, term)))
          return eb.case().when(isNamed).then(0).else(1).end()
        })
      }
      if (view === 'favorites') {
        rows = rows.orderBy(
          (eb) =>
            favoritesOf(eb, userId)
              .whereRef('favorites.itemId', '=', 'items.id')
              .select('favorites.createdAt'),
          'desc',
        )
      } else if (isArranged && terms.length === 0) rows = rows.orderBy('items.position')
  }
  return rows.orderBy(lastChangedFirst)
}

async function readCardsInOrder(db: Db, ids: string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('items')
    .select(cardColumns)
    .select((eb) => eb.case().when(isAvailable(eb)).then(true).else(false).end().as('isAvailable'))
    .where('items.id', 'in', ids)
    .execute()
  const cards = await readCards(db, rows)
  return cards.toSorted((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id))
}
