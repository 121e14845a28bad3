import { cached } from '#app/lib/db/topic-cache.server.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import type { AppServices } from '#app/services/context.ts'
import type { Db, Tx, Tables } from '#db/schema.ts'
import { cardView, colorName, FIRST_ROW_SIZE, swatchUrl, type Category, type ItemCard } from './catalog.ts'
import { listCategories, cardColumns, readCards } from './catalog.server.ts'
import { galleryLinks, parseGallerySearch, type GallerySearch, type GalleryView, priceRange, searchWords } from './gallery-search.ts'
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'
import { discountedPriceSql } from '#app/features/pricing/price-sql.server.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { galleryTexts } from './gallery-texts.ts'
import { isAvailable, isListed, newestFirst } from './shown-items.server.ts'

type GalleryRequest = { view: GalleryView; params: URLSearchParams; userId: string | null }

/** null: unknown category. [S-053] */
export function galleryTitle(view: GalleryView, categories: Category[]): string | null {
  if (view === 'everything') return galleryTexts.allItemsTitle
  if (view === 'favorites') return galleryTexts.favoritesTitle
  return categories.find(({ id }) => id === view.categoryId)?.title ?? null
}

/** `userId` null: a visitor, who sees no heart buttons [FAV-04]. Cached unless the visitor searches. [S-052, S-055, DATA-113] */
export async function readGallery(
  { db, live, currency }: Pick<AppServices, 'db' | 'live' | 'currency'>,
  { view, params, userId }: GalleryRequest,
) {
  const typed = parseGallerySearch(params)
  const query = { view, typed, hasFavorites: userId !== null, currency }
  const isOwn = view === 'favorites' || typed.text !== '' || typed.from !== '' || typed.to !== ''
  const pieces = isOwn
    ? await readPieces(db, { ...query, userId })
    : await cached({ db, live }, ['catalog'], `gallery ${JSON.stringify(query)}`, () => readPieces(db, { ...query, userId: null }))
  const ids = pieces.items.map(({ id }) => id)
  const favorites = db.selectFrom('favorites').select('itemId').where('userId', '=', userId).where('itemId', 'in', ids)
  const rows = ids.length > 0 && userId !== null ? await favorites.execute() : []
  return { ...pieces, favoriteIds: userId === null ? null : rows.map(({ itemId }) => itemId) }
}

type PiecesRequest = { view: GalleryView; typed: GallerySearch; userId: string | null; hasFavorites: boolean; currency: Currency }

/** Ignores unknown colors in the URL. */
async function readPieces(db: Db | Tx, { view, typed, userId, hasFavorites, currency }: PiecesRequest) {
  const placed = db.selectFrom('items').select('id').where(isListed).where('position', '>', 0).limit(1)
  const [categories, colors, isArranged] = await Promise.all([
    listCategories(db),
    listFilterColors(db, { view, search: typed, userId }),
    placed.executeTakeFirst().then((row) => row !== undefined),
  ])
  const search = { ...typed, colorIds: colors.flatMap(({ id }) => (typed.colorIds.includes(id) ? [id] : [])) }
  const { items, count, page, lastPage } = await findItems(db, { view, search, userId, isArranged })
  // The page's data contains each color once; cards and filters refer to it.
  const shownColors = colors.map(({ id, name }, at) => ({ id, name, swatch: `var(--swatch-${at})` }))
  const known = new Map(shownColors.map((color) => [color.id, color]))
  return {
    swatches: Object.fromEntries(colors.map((color, at) => [`--swatch-${at}`, swatchUrl(color)])),
    colors: shownColors,
    chosen: view,
    title: galleryTitle(view, categories),
    items: items.map((item, at) => cardView(item, { isInSight: at < FIRST_ROW_SIZE, known })),
    count,
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

export const PAGE_SIZE = 24

/** `userId` is needed only for the favorites. */
type ItemQuery = {
  view: GalleryView
  search: GallerySearch
  userId: string | null
  size?: number
  /** The owner also sees drafts and items that are not for sale. */
  isOwner?: boolean
  /** the owner has arranged the items */
  isArranged?: boolean
}
type ItemExpressions = ExpressionBuilder<Tables, 'items'>

/** Begins with the index of colors. */
const itemsWithColors = (build: ItemExpressions, colorIds: string[]) =>
  build
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .where('itemPictureColors.colorId', 'in', colorIds)
    .select('itemPictures.itemId')

type SearchTerm = { word: string; categoryIds: string[]; colorIds: string[] }

/** There are few categories and colors [COLOR-04], so they are matched here and not in the query. */
async function resolveSearchTerms(db: Db | Tx, words: string[]): Promise<SearchTerm[]> {
  if (words.length === 0) return []
  const categories = await db.selectFrom('categories').select(['id', 'title as name']).execute()
  const colors = await db.selectFrom('colors').select(['id', 'name']).execute()
  const shown = colors.map((color) => ({ id: color.id, name: colorName(color) }))
  const holding = (word: string, named: { id: string; name: string }[]) =>
    named.flatMap(({ id, name }) => (normalizeForSearch(name).includes(word) ? [id] : []))
  return words.map((word) => ({ word, categoryIds: holding(word, categories), colorIds: holding(word, shown) }))
}

function matchesTerm(build: ItemExpressions, { word, categoryIds, colorIds }: SearchTerm): Expression<SqlBool> {
  const ways: Expression<SqlBool>[] = [contains(sql`"items"."searchText"`, word)]
  if (categoryIds.length > 0) ways.push(build('items.categoryId', 'in', categoryIds))
  if (colorIds.length > 0) ways.push(build('items.id', 'in', itemsWithColors(build, colorIds)))
  return build.or(ways)
}

const contains = (text: RawBuilder<unknown>, word: string) => sql<SqlBool>`instr(${text}, ${word}) > 0`

const favoritesOf = (build: ItemExpressions, userId: string | null) =>
  build
    .selectFrom('favorites')
    .select('favorites.itemId')
    .where('favorites.userId', '=', userId ?? '')

function conditions(build: ItemExpressions, { view, search, userId, isOwner }: ItemQuery, places: SearchTerm[]): Expression<SqlBool>[] {
  const { min, max } = priceRange(search)
  const all = places.map((place) => matchesTerm(build, place))
  if (!isOwner) all.push(isListed)
  if (typeof view === 'object') all.push(build('items.categoryId', '=', view.categoryId))
  if (view === 'favorites') all.push(build('items.id', 'in', favoritesOf(build, userId)))
  if (min !== null) all.push(build(discountedPriceSql, '>=', min))
  if (max !== null) all.push(build(discountedPriceSql, '<=', max))
  if (search.colorIds.length > 0) all.push(build('items.id', 'in', itemsWithColors(build, search.colorIds)))
  if (search.isOnSale) all.push(build(discountedPriceSql, '<', build.ref('items.priceCents')))
  if (search.isAvailable) all.push(isAvailable(build))
  return all
}

const matching = (db: Db | Tx, query: ItemQuery, places: SearchTerm[]) =>
  db.selectFrom('items').where((build) => build.and(conditions(build, query, places)))

type Matching = ReturnType<typeof matching>

/** The default order is the owner's [S-295], or by the last change [S-130]; favorites are sorted by the newest favorite, searches by matches in the name. */
function sorted(query: Matching, { view, search, userId, isArranged }: ItemQuery): Matching {
  const words = searchWords(search)
  const byAge = (rows: Matching) => rows.orderBy(newestFirst)
  if (search.sort === 'newest') return byAge(query)
  if (search.sort === 'name') return query.orderBy('items.searchName').orderBy('items.id')
  if (search.sort) return byAge(query.orderBy(discountedPriceSql, search.sort === 'price-up' ? 'asc' : 'desc'))
  const inName = (build: ItemExpressions) => build.and(words.map((word) => contains(sql`"items"."searchName"`, word)))
  const ranked = words.length > 0 ? query.orderBy((build) => build.case().when(inName(build)).then(0).else(1).end()) : query
  if (view !== 'favorites') return byAge(isArranged && words.length === 0 ? ranked.orderBy('items.position') : ranked)
  const lovedAt = (build: ItemExpressions) => favoritesOf(build, userId).whereRef('favorites.itemId', '=', 'items.id').clearSelect()
  return byAge(ranked.orderBy((build) => lovedAt(build).select('favorites.createdAt'), 'desc'))
}

export async function countPages(db: Db | Tx, categoryId?: string): Promise<number> {
  const all = db
    .selectFrom('items')
    .where(isListed)
    .select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await (categoryId === undefined ? all : all.where('categoryId', '=', categoryId)).executeTakeFirstOrThrow()
  return pageCount(count)
}

const pageCount = (count: number, size = PAGE_SIZE): number => Math.max(1, Math.ceil(count / size))

/** Reads one page of cards with a fixed number of queries; a page number beyond the end means the last page. [GALLERY-02, S-052, FAV-04] */
export async function findItems(
  db: Db | Tx,
  query: ItemQuery,
): Promise<{ items: ItemCard[]; count: number; page: number; lastPage: number }> {
  const { size = PAGE_SIZE, search } = query
  const places = await resolveSearchTerms(db, searchWords(search))
  const { count } = await matching(db, query, places)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const lastPage = pageCount(count, size)
  const page = Math.min(search.page, lastPage)
  const sortedIds = sorted(matching(db, query, places), query).select('items.id')
  // Reads only ids up to a late page, and whole rows for that page.
  const ids = (
    await sortedIds
      .limit(size)
      .offset((page - 1) * size)
      .execute()
  ).map(({ id }) => id)
  return { items: await readShownCards(db, ids), count, page, lastPage }
}

async function readShownCards(db: Db | Tx, ids: string[]): Promise<ItemCard[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('items')
    .select(cardColumns)
    .select((build) => build.case().when(isAvailable(build)).then(1).else(0).end().as('isAvailable'))
    .where('items.id', 'in', ids)
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  const inOrder = ids.flatMap((id) => found.get(id) ?? [])
  const cards = await readCards(db, inOrder)
  return cards.map((card, at) => ({ ...card, isAvailable: inOrder[at]?.isAvailable === 1 }))
}

/** Lists the colors of all listed items in the view, regardless of other filters, and the selected colors. */
function listFilterColors(db: Db | Tx, { view, search, userId }: ItemQuery) {
  const worn = db
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .innerJoin('items', 'items.id', 'itemPictures.itemId')
    .where(isListed)
    .select('itemPictureColors.colorId')
  const ofView =
    view === 'favorites'
      ? worn.innerJoin('favorites', 'favorites.itemId', 'items.id').where('favorites.userId', '=', userId ?? '')
      : typeof view === 'object'
        ? worn.where('items.categoryId', '=', view.categoryId)
        : null
  return db
    .selectFrom('colors')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .select(['colors.id', 'colors.name', 'pictures.placeholder'])
    .where((build) =>
      build.or([
        // Looks up each color once for all items; the items of the view are read once.
        ofView ? build('colors.id', 'in', ofView) : build.exists(worn.where('itemPictureColors.colorId', '=', build.ref('colors.id'))),
        ...(search.colorIds.length > 0 ? [build('colors.id', 'in', search.colorIds)] : []),
      ]),
    )
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
}
