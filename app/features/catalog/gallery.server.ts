import { keep } from '#app/platform/kept.server.ts'
import type { Shop } from '#app/platform/context.ts'
import type { Db, Tx, Tables } from '#db/schema.ts'
import { cardView, colorName, FIRST_ROW, swatchOf, type Category, type ItemCard } from './catalog.ts'
import { listCategories, cardColumns, readCards } from './catalog.server.ts'
import { galleryLinks, readGallerySearch, type GallerySearch, type GalleryView, priceRange, searchWords } from './gallery-search.ts'
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'
import { shownPrice } from '#app/features/pricing/price-sql.server.ts'
import { fold } from '#app/platform/fold.ts'

type Asked = { view: GalleryView; params: URLSearchParams; userId: string | null }

/** What the page is called; null for an unknown category, which has no title (S-053). */
export function titleOf(view: GalleryView, categories: Category[]): string | null {
  if (view === 'everything') return 'Everything Handmade'
  if (view === 'favourites') return 'Your Favorites'
  return categories.find(({ id }) => id === view.categoryId)?.title ?? null
}

/**
 * S-052, S-055, DATA-113: `userId` null is a visitor, who has no hearts (FAV-04). What is the same for everybody comes from memory (040); what
 * somebody types into the search is not kept.
 */
export async function readGallery({ db, live }: Pick<Shop, 'db' | 'live'>, { view, params, userId }: Asked) {
  const typed = readGallerySearch(params)
  const asked = { view, typed, hasFavourites: userId !== null }
  const isOwn = view === 'favourites' || typed.text !== '' || typed.from !== '' || typed.to !== ''
  const pieces = isOwn
    ? await readPieces(db, { ...asked, userId })
    : await keep({ db, live }, ['catalogue'], `gallery ${JSON.stringify(asked)}`, () => readPieces(db, { ...asked, userId: null }))
  const ids = pieces.items.map(({ id }) => id)
  const favourites = db.selectFrom('favourites').select('itemId').where('userId', '=', userId).where('itemId', 'in', ids)
  const rows = ids.length > 0 && userId !== null ? await favourites.execute() : []
  return { ...pieces, favouriteIds: userId === null ? null : rows.map(({ itemId }) => itemId) }
}

type Read = { view: GalleryView; typed: GallerySearch; userId: string | null; hasFavourites: boolean }

/** Colors that the shop does not know are not looked for. */
async function readPieces(db: Db | Tx, { view, typed, userId, hasFavourites }: Read) {
  const [categories, colors] = await Promise.all([listCategories(db), listFilterColors(db, { view, search: typed, userId })])
  const search = { ...typed, colorIds: colors.flatMap(({ id }) => (typed.colorIds.includes(id) ? [id] : [])) }
  const { items, count, page, lastPage } = await findItems(db, { view, search, userId })
  // Each color and each swatch is sent once; cards and filters refer to it.
  const shownColors = colors.map(({ id, name }, at) => ({ id, name, swatch: `var(--swatch-${at})` }))
  const known = new Map(shownColors.map((color) => [color.id, color]))
  return {
    swatches: Object.fromEntries(colors.map((color, at) => [`--swatch-${at}`, swatchOf(color)])),
    colors: shownColors,
    chosen: view,
    title: titleOf(view, categories),
    items: items.map((item, at) => cardView(item, { isInSight: at < FIRST_ROW, known })),
    count,
    links: galleryLinks({ view, search, categories, hasFavourites, colors, page, lastPage }),
  }
}

export type Gallery = Awaited<ReturnType<typeof readGallery>>

export const PAGE_SIZE = 24

/** `userId` is asked for in the view of the favourites only. */
type Wanted = {
  view: GalleryView
  search: GallerySearch
  userId: string | null
  size?: number
}
type Build = ExpressionBuilder<Tables, 'items'>

/** The items whose pictures wear one of these colours; from the colour, so that no other item is looked at. */
const wearing = (build: Build, colorIds: string[]) =>
  build
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .where('itemPictureColors.colorId', 'in', colorIds)
    .select('itemPictures.itemId')

type Place = { word: string; categoryIds: string[]; colorIds: string[] }

/** The few names of categories and colors (by the name that is shown, COLOR-04) are folded here: usually none contains the word. */
async function placesOf(db: Db | Tx, words: string[]): Promise<Place[]> {
  if (words.length === 0) return []
  const categories = await db.selectFrom('categories').select(['id', 'title as name']).execute()
  const colors = await db.selectFrom('colors').select(['id', 'name']).execute()
  const shown = colors.map((color) => ({ id: color.id, name: colorName(color) }))
  const holding = (word: string, named: { id: string; name: string }[]) =>
    named.flatMap(({ id, name }) => (fold(name).includes(word) ? [id] : []))
  return words.map((word) => ({ word, categoryIds: holding(word, categories), colorIds: holding(word, shown) }))
}

function holdsWord(build: Build, { word, categoryIds, colorIds }: Place): Expression<SqlBool> {
  const ways: Expression<SqlBool>[] = [holds(sql`"items"."searchText"`, word)]
  if (categoryIds.length > 0) ways.push(build('items.categoryId', 'in', categoryIds))
  if (colorIds.length > 0) ways.push(build('items.id', 'in', wearing(build, colorIds)))
  return build.or(ways)
}

const holds = (text: RawBuilder<unknown>, word: string) => sql<SqlBool>`instr(${text}, ${word}) > 0`

/** S-061: the item is available when one of its pictures is not marked, nor are all colors of that picture. */
const isAvailable = (build: Build) =>
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

const favouritesOf = (build: Build, userId: string | null) =>
  build
    .selectFrom('favourites')
    .select('favourites.itemId')
    .where('favourites.userId', '=', userId ?? '')

function conditions(build: Build, { view, search, userId }: Wanted, places: Place[]): Expression<SqlBool>[] {
  const { min, max } = priceRange(search)
  const all = places.map((place) => holdsWord(build, place))
  if (typeof view === 'object') all.push(build('items.categoryId', '=', view.categoryId))
  if (view === 'favourites') all.push(build('items.id', 'in', favouritesOf(build, userId)))
  if (min !== null) all.push(build(shownPrice, '>=', min))
  if (max !== null) all.push(build(shownPrice, '<=', max))
  if (search.colorIds.length > 0) all.push(build('items.id', 'in', wearing(build, search.colorIds)))
  if (search.isOnSale) all.push(build(shownPrice, '<', build.ref('items.priceCents')))
  if (search.isAvailable) all.push(isAvailable(build))
  return all
}

const matching = (db: Db | Tx, wanted: Wanted, places: Place[]) =>
  db.selectFrom('items').where((build) => build.and(conditions(build, wanted, places)))

type Matching = ReturnType<typeof matching>

/** The last changed first (S-130) where nothing else decides; favourites the newest first; a search by name before all others. */
function sorted(query: Matching, { view, search, userId }: Wanted): Matching {
  const words = searchWords(search)
  const byAge = (rows: Matching) => rows.orderBy('items.createdAt', 'desc').orderBy('items.id')
  if (search.sort === 'newest') return byAge(query)
  if (search.sort === 'name') return query.orderBy('items.searchName').orderBy('items.id')
  if (search.sort) return byAge(query.orderBy(shownPrice, search.sort === 'price-up' ? 'asc' : 'desc'))
  const inName = (build: Build) => build.and(words.map((word) => holds(sql`"items"."searchName"`, word)))
  const ranked = words.length > 0 ? query.orderBy((build) => build.case().when(inName(build)).then(0).else(1).end()) : query
  if (view !== 'favourites') return byAge(ranked)
  const lovedAt = (build: Build) => favouritesOf(build, userId).whereRef('favourites.itemId', '=', 'items.id').clearSelect()
  return byAge(ranked.orderBy((build) => lovedAt(build).select('favourites.createdAt'), 'desc'))
}

export async function countPages(db: Db | Tx, categoryId?: string): Promise<number> {
  const all = db.selectFrom('items').select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await (categoryId === undefined ? all : all.where('categoryId', '=', categoryId)).executeTakeFirstOrThrow()
  return pagesOf(count)
}

const pagesOf = (count: number, size = PAGE_SIZE): number => Math.max(1, Math.ceil(count / size))

/** GALLERY-02, S-052, FAV-04: one page of cards; a page beyond the last is the last. The number of queries is always the same. */
export async function findItems(
  db: Db | Tx,
  wanted: Wanted,
): Promise<{ items: ItemCard[]; count: number; page: number; lastPage: number }> {
  const { size = PAGE_SIZE, search } = wanted
  const places = await placesOf(db, searchWords(search))
  const { count } = await matching(db, wanted, places)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const lastPage = pagesOf(count, size)
  const page = Math.min(search.page, lastPage)
  const sortedIds = sorted(matching(db, wanted, places), wanted).select('items.id')
  // The query that skips to a late page reads ids alone; whole cards are read for this page only.
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

/** The colours that pieces of this view wear, whatever else is looked for, and those that are chosen. */
function listFilterColors(db: Db | Tx, { view, search, userId }: Wanted) {
  const worn = db
    .selectFrom('itemPictureColors')
    .innerJoin('itemPictures', 'itemPictures.id', 'itemPictureColors.itemPictureId')
    .select('itemPictureColors.colorId')
  const ofView =
    view === 'favourites'
      ? worn.innerJoin('favourites', 'favourites.itemId', 'itemPictures.itemId').where('favourites.userId', '=', userId ?? '')
      : typeof view === 'object'
        ? worn.innerJoin('items', 'items.id', 'itemPictures.itemId').where('items.categoryId', '=', view.categoryId)
        : null
  return db
    .selectFrom('colors')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .select(['colors.id', 'colors.name', 'pictures.placeholder'])
    .where((build) =>
      build.or([
        // Of everything the first piece of a colour answers; of a view its pieces are gone through, each once.
        ofView
          ? build('colors.id', 'in', ofView)
          : build.exists(build.selectFrom('itemPictureColors as any').select('any.colorId').whereRef('any.colorId', '=', 'colors.id')),
        ...(search.colorIds.length > 0 ? [build('colors.id', 'in', search.colorIds)] : []),
      ]),
    )
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
}
