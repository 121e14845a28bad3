import { cached } from '#app/lib/db/topic-cache.server.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import type { AppServices } from '#app/services/context.ts'
import type { Db, Tx, Tables } from '#db/schema.ts'
import { cardView, FIRST_ROW_SIZE, swatchUrl, type Category, type ItemCard } from './catalog.ts'
import {
  getCategoriesCached,
  cardColumns,
  getMostOrderedCached,
  readCards,
} from './catalog.server.ts'
import {
  galleryLinks,
  parseGallerySearch,
  type GallerySearch,
  type GalleryView,
  priceRange,
  searchWords,
} from './gallery-search.ts'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { discountedPriceSql } from '#app/features/pricing/price-sql.server.ts'
import { galleryTexts } from './gallery-texts.ts'
import {
  isAvailable,
  isInVisibleCategory,
  isListed,
  onHoldCondition,
  isShownFavorite,
  isShownInGallery,
  lastChangedFirst,
} from './shown-items.server.ts'
import { markHolds } from './holds.server.ts'
import { getSettingsCached } from '#app/features/settings/settings.server.ts'
import { expandSearch, type SearchTerm } from './search-terms.ts'
import {
  getVocabularyCached,
  isInName,
  itemsWithColors,
  matchesTerm,
  type SearchVocabulary,
} from './search-terms.server.ts'

type GalleryRequest = { view: GalleryView; params: URLSearchParams; userId: string | null }

/** Returns null if the category is unknown or hidden. [S-053, S-296] */
export function galleryTitle(view: GalleryView, categories: Category[]): string | null {
  if (view === 'everything') return galleryTexts.allItemsTitle
  if (view === 'favorites') return galleryTexts.favoritesTitle
  return categories.find(({ id, isHidden }) => id === view.categoryId && !isHidden)?.title ?? null
}

/** Reads the data of a gallery page. The items are cached, except for favorites and for searches by words or price. `userId` is null for visitors, who see no heart buttons. [FAV-04, S-052, S-055, DATA-113] */
export async function readGallery(
  app: Pick<AppServices, 'db' | 'live' | 'currency' | 'now' | 'timeZone'>,
  { view, params, userId }: GalleryRequest,
) {
  const { db, currency } = app
  const typed = parseGallerySearch(params)
  const showsSold = (await getSettingsCached(app)).soldPieces === 'shown'
  const query = { view, typed, hasFavorites: userId !== null, currency, showsSold }
  const isOwn = view === 'favorites' || typed.text !== '' || typed.from !== '' || typed.to !== ''
  const pieces = isOwn
    ? await readPieces(app, { ...query, userId })
    : await cached(app, ['catalog'], `gallery ${JSON.stringify(query)}`, () =>
        readPieces(app, { ...query, userId: null }),
      )
  const ids = pieces.items.map(({ id }) => id)
  const favorites = db
    .selectFrom('favorites')
    .select('itemId')
    .where('userId', '=', userId)
    .where('itemId', 'in', ids)
  const rows = ids.length > 0 && userId !== null ? await favorites.execute() : []
  const suggestions =
    pieces.count === 0 && !pieces.links.isPlain ? await getMostOrderedCached(app) : null
  const items = await markHolds(app, pieces.items, userId)
  return {
    ...pieces,
    items,
    suggestions: suggestions?.mostOrdered ?? [],
    favoriteIds: userId === null ? null : rows.map(({ itemId }) => itemId),
  }
}

type PiecesRequest = {
  view: GalleryView
  typed: GallerySearch
  userId: string | null
  hasFavorites: boolean
  currency: Currency
  showsSold: boolean
}

/** Reads the items, colors and links of a gallery page. Unknown colors in the URL are ignored. */
async function readPieces(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  { view, typed, userId, hasFavorites, currency, showsSold }: PiecesRequest,
) {
  const { db } = app
  const categories = await getCategoriesCached(app)
  const readFilters = async () => {
    const placed = await db
      .selectFrom('items')
      .select('id')
      .where(isListed)
      .where('position', '>', 0)
      .limit(1)
      .executeTakeFirst()
    return {
      colors: await listFilterColors(db, { view, search: typed, userId }),
      isArranged: placed !== undefined,
    }
  }
  // Only one result is cached, because visitors can type any category and colors into the URL and would fill the cache.
  const isCached = view === 'everything' && typed.colorIds.length === 0
  const { colors, isArranged } = await (isCached
    ? cached(app, ['catalog'], 'gallery filters', readFilters)
    : readFilters())
  const search = {
    ...typed,
    colorIds: colors.flatMap(({ id }) => (typed.colorIds.includes(id) ? [id] : [])),
  }
  const { items, count, page, lastPage, isClose } = await findItems(app, {
    view,
    search,
    userId,
    isArranged,
    showsSold,
  })
  // The page defines each swatch once as a CSS variable, and cards and filters refer to this variable.
  const shownColors = colors.map(({ id, name }, at) => ({
    id,
    name,
    swatch: `var(--swatch-${at})`,
  }))
  const known = new Map(shownColors.map((color) => [color.id, color]))
  return {
    swatches: Object.fromEntries(colors.map((color, at) => [`--swatch-${at}`, swatchUrl(color)])),
    colors: shownColors,
    chosen: view,
    title: galleryTitle(view, categories),
    items: items.map((item, at) => cardView(item, { isInSight: at < FIRST_ROW_SIZE, known })),
    count,
    isClose,
    links: galleryLinks({
      view,
      search,
      categories: categories.filter(({ isShown }) => isShown),
      hasFavorites,
      colors,
      page,
      lastPage,
      isArranged,
      currency,
    }),
  }
}

export type Gallery = Awaited<ReturnType<typeof readGallery>>

export const GALLERY_PAGE_SIZE = 24

/** Describes which items to find. `userId` is needed only for the favorites. */
type ItemQuery = {
  view: GalleryView
  search: GallerySearch
  userId: string | null
  size?: number
  /** If this is true, the result also contains draft, retired and sold items. */
  isOwner?: boolean
  /** Is true if the owner has arranged the items. Then her order is the default sort order. */
  isArranged?: boolean
  /** If this is true, the result ends with the sold items. */
  showsSold?: boolean
}
type ItemExpressions = ExpressionBuilder<Tables, 'items'>

const favoritesOf = (build: ItemExpressions, userId: string | null) =>
  build
    .selectFrom('favorites')
    .select('favorites.itemId')
    .where('favorites.userId', '=', userId ?? '')

function conditions(
  build: ItemExpressions,
  { view, search, userId, isOwner, showsSold = false }: ItemQuery,
  { terms, vocabulary, now }: Places,
): Expression<SqlBool>[] {
  const { min, max } = priceRange(search)
  const all = vocabulary ? terms.map((term) => matchesTerm(build, term, vocabulary)) : []
  if (!isOwner)
    all.push(
      (view === 'favorites' ? isShownFavorite : isShownInGallery)(showsSold && !search.isAvailable),
    )
  if (typeof view === 'object') all.push(build('items.categoryId', '=', view.categoryId))
  if (typeof view === 'object' && !isOwner) all.push(isInVisibleCategory)
  if (view === 'favorites') all.push(build('items.id', 'in', favoritesOf(build, userId)))
  if (min !== null) all.push(build(discountedPriceSql, '>=', min))
  if (max !== null) all.push(build(discountedPriceSql, '<=', max))
  if (search.colorIds.length > 0)
    all.push(build('items.id', 'in', itemsWithColors(build, search.colorIds)))
  if (search.isOnSale) all.push(build(discountedPriceSql, '<', build.ref('items.priceCents')))
  if (search.isAvailable) all.push(isAvailable(build), build.not(onHoldCondition(now)))
  return all
}

/** Contains the search terms of the typed words. `vocabulary` is null if the visitor has typed no words. */
type Places = { terms: SearchTerm[]; vocabulary: SearchVocabulary | null; now: number }

const matching = (db: Db | Tx, query: ItemQuery, places: Places) =>
  db.selectFrom('items').where((build) => build.and(conditions(build, query, places)))

type Matching = ReturnType<typeof matching>

/** Favorites begin with the newest favorite, and search results with items whose name matches. All other lists have the owner's sequence, or begin with the item that was changed last. Sold items are always last. [S-130, S-295] */
function sorted(
  found: Matching,
  { view, search, userId, isArranged, isOwner, showsSold }: ItemQuery,
  { terms }: Places,
): Matching {
  const isSold = (build: ItemExpressions) =>
    build.case().when('items.state', '=', 'sold').then(1).else(0).end()
  const query = showsSold && !isOwner ? found.orderBy(isSold) : found
  const byAge = (rows: Matching) => rows.orderBy(lastChangedFirst)
  if (search.sort === 'newest') return byAge(query)
  if (search.sort === 'name') return query.orderBy('items.searchName').orderBy('items.id')
  if (search.sort)
    return byAge(query.orderBy(discountedPriceSql, search.sort === 'price-up' ? 'asc' : 'desc'))
  const inName = (build: ItemExpressions) => build.and(terms.map((term) => isInName(build, term)))
  const ranked =
    terms.length > 0
      ? query.orderBy((build) => build.case().when(inName(build)).then(0).else(1).end())
      : query
  if (view !== 'favorites')
    return byAge(isArranged && terms.length === 0 ? ranked.orderBy('items.position') : ranked)
  const lovedAt = (build: ItemExpressions) =>
    favoritesOf(build, userId).whereRef('favorites.itemId', '=', 'items.id').clearSelect()
  return byAge(ranked.orderBy((build) => lovedAt(build).select('favorites.createdAt'), 'desc'))
}

export async function countPages(
  db: Db | Tx,
  { categoryId, showsSold }: { categoryId: string | undefined; showsSold: boolean },
): Promise<number> {
  const all = db
    .selectFrom('items')
    .where(isShownInGallery(showsSold))
    .select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await (
    categoryId === undefined
      ? all
      : all.where('categoryId', '=', categoryId).where(isInVisibleCategory)
  ).executeTakeFirstOrThrow()
  return pageCount(count)
}

const pageCount = (count: number, size = GALLERY_PAGE_SIZE): number =>
  Math.max(1, Math.ceil(count / size))

/**
 * Reads one page of cards with a fixed number of queries. A page number beyond the end means the last page. If a search has
 * no results, it runs again with the names that differ from a typed word by one typo. `isClose` is true if only this second search has results. [GALLERY-02, S-052, FAV-04]
 */
export async function findItems(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  query: ItemQuery,
): Promise<{ items: ItemCard[]; count: number; page: number; lastPage: number; isClose: boolean }> {
  const { db } = app
  const { size = GALLERY_PAGE_SIZE, search } = query
  const now = app.now()
  const words = searchWords(search)
  const vocabulary = words.length > 0 ? await getVocabularyCached(app) : null
  const expanded = (options?: { toleratesTypos: boolean }) => ({
    terms: vocabulary ? expandSearch(words, vocabulary, options) : [],
    vocabulary,
    now,
  })
  const exact = expanded()
  let found = await findPage(db, query, exact)
  const typoTolerant = found.count === 0 && vocabulary ? expanded({ toleratesTypos: true }) : exact
  const addsWords = JSON.stringify(typoTolerant.terms) !== JSON.stringify(exact.terms)
  if (addsWords) found = await findPage(db, query, typoTolerant)
  const { ids, count, page } = found
  return {
    items: await readShownCards(db, ids),
    count,
    page,
    lastPage: pageCount(count, size),
    isClose: addsWords && count > 0,
  }
}

/** Reads the ids of one page, and counts the items of all pages. Counting reads all matching items. A page that is not full must be the last one, so its number and length give the count without that query. */
async function findPage(
  db: Db | Tx,
  query: ItemQuery,
  places: Places,
): Promise<{ ids: string[]; count: number; page: number }> {
  const { size = GALLERY_PAGE_SIZE, search } = query
  // The database must read and skip all earlier pages, so this query reads only ids. Whole rows are read only for the requested page.
  const readIds = async (page: number) => {
    const all = sorted(matching(db, query, places), query, places).select('items.id')
    const rows = await all
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    return rows.map(({ id }) => id)
  }
  const ids = await readIds(search.page)
  const isLastPage = ids.length < size && (ids.length > 0 || search.page === 1)
  if (isLastPage) return { ids, count: (search.page - 1) * size + ids.length, page: search.page }
  const all = matching(db, query, places).select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await all.executeTakeFirstOrThrow()
  const page = Math.min(search.page, pageCount(count, size))
  return { ids: page === search.page ? ids : await readIds(page), count, page }
}

async function readShownCards(db: Db | Tx, ids: string[]): Promise<ItemCard[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('items')
    .select(cardColumns)
    .select((build) =>
      build.case().when(isAvailable(build)).then(1).else(0).end().as('isAvailable'),
    )
    .where('items.id', 'in', ids)
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  const inOrder = ids.flatMap((id) => found.get(id) ?? [])
  const cards = await readCards(db, inOrder)
  return cards.map((card, at) => ({ ...card, isAvailable: inOrder[at]?.isAvailable === 1 }))
}

/** Lists the colors to filter by: the colors of all listed items in the view, and the selected colors. Active filters do not shorten this list. */
function listFilterColors(db: Db | Tx, { view, search, userId }: ItemQuery) {
  const worn = db
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .innerJoin('items', 'items.id', 'itemPictures.itemId')
    .where(view === 'favorites' ? isShownFavorite(false) : isListed)
    .select('itemPictureColors.colorId')
  const ofView =
    view === 'favorites'
      ? worn
          .innerJoin('favorites', 'favorites.itemId', 'items.id')
          .where('favorites.userId', '=', userId ?? '')
      : typeof view === 'object'
        ? worn.where('items.categoryId', '=', view.categoryId).where(isInVisibleCategory)
        : null
  return db
    .selectFrom('colors')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .select(['colors.id', 'colors.name', 'pictures.placeholder'])
    .where((build) =>
      build.or([
        // For all items, the query only checks whether each color is used. For a category or the favorites, it lists the colors of these items.
        ofView
          ? build('colors.id', 'in', ofView)
          : build.exists(worn.where('itemPictureColors.colorId', '=', build.ref('colors.id'))),
        ...(search.colorIds.length > 0 ? [build('colors.id', 'in', search.colorIds)] : []),
      ]),
    )
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
}
