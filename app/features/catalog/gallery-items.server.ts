/** The database's part of the gallery: which items match, how many, and one page of their cards. */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { shownPrice } from '#app/features/money/price-sql.server.ts'
import type { Db, Tables, Tx } from '#db/tables.ts'
import type { ItemCard } from './catalog.ts'
import { priceRange, searchWords, type GallerySearch, type GalleryView } from './gallery-search.ts'
import { cardColumns, readCards } from './items.server.ts'

export const PAGE_SIZE = 24

/** `userId` is asked for in the view of the favourites only. */
export type Wanted = {
  view: GalleryView
  search: GallerySearch
  userId: string | null
  /** how many stand on a page */
  size?: number
}
type Build = ExpressionBuilder<Tables, 'items' | 'categories'>

/** Both are folded already; what LIKE would take for a wildcard stands for itself. */
const contains = (text: Expression<string>, word: string): Expression<SqlBool> =>
  sql<SqlBool>`${text} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** The colours that an item's pictures wear. */
const colorsOf = (build: Build) =>
  build
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .innerJoin('colors', 'colors.id', 'itemPictureColors.colorId')
    .whereRef('itemPictures.itemId', '=', 'items.id')
    .select('colors.id')

const LINE = sql.lit('\n')

/** All that an item can be found by: its name, its description, its category, its colours by the name that is shown (COLOR-04). */
const foundBy = sql<string>`"items"."name" || ${LINE} || "items"."description" || ${LINE} || "categories"."title" || ${LINE} || coalesce("worn"."names", '')`

/**
 * Each item's texts are put together and folded once, however many words are looked for, and all colours are read at once: anybody may
 * ask for a dozen words, and whoever asks makes all others wait. No word holds a line end, so none reaches from one text into the next.
 */
function holdsWords(build: Build, words: string[]): Expression<SqlBool> {
  const texts = build
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.categoryId')
    .leftJoin(
      (from) =>
        from
          .selectFrom('itemPictures')
          .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
          .innerJoin('colors', 'colors.id', 'itemPictureColors.colorId')
          .groupBy('itemPictures.itemId')
          .select(['itemPictures.itemId', sql<string>`string_agg(replace("colors"."name", '_', ' '), ${LINE})`.as('names')])
          .as('worn'),
      (join) => join.onRef('worn.itemId', '=', 'items.id'),
    )
    .select(['items.id', sql<string>`fold(${foundBy})`.as('folded')])
  const all = words.map((word) => contains(sql.ref('texts.folded'), word))
  return sql`"items"."id" in (with texts as materialized ${texts} select id from texts where ${sql.join(all, sql` and `)})`
}

/** S-061: it can be had as one of its pictures shows it: the picture is not marked, nor are all the colours of the picture. */
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

const favouriteOf = (build: Build, userId: string | null) =>
  build
    .selectFrom('favourites')
    .whereRef('favourites.itemId', '=', 'items.id')
    .where('favourites.userId', '=', userId ?? '')

function conditions(build: Build, { view, search, userId }: Wanted): Expression<SqlBool>[] {
  const { min, max } = priceRange(search)
  const words = searchWords(search)
  const all: Expression<SqlBool>[] = words.length > 0 ? [holdsWords(build, words)] : []
  if (typeof view === 'object') all.push(build('items.categoryId', '=', view.categoryId))
  if (view === 'favourites') all.push(build.exists(favouriteOf(build, userId).select('favourites.itemId')))
  if (min !== null) all.push(build(shownPrice, '>=', min))
  if (max !== null) all.push(build(shownPrice, '<=', max))
  if (search.colorIds.length > 0) all.push(build.exists(colorsOf(build).where('colors.id', 'in', search.colorIds)))
  if (search.isOnSale) all.push(build(shownPrice, '<', build.ref('items.priceCents')))
  if (search.isAvailable) all.push(isAvailable(build))
  return all
}

const matching = (db: Db | Tx, wanted: Wanted) =>
  db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.categoryId')
    .where((build) => build.and(conditions(build, wanted)))

type Matching = ReturnType<typeof matching>

const foldedName = sql<string>`fold("items"."name")`

/** The last changed first (S-130) where nothing else decides; favourites the newest first; a search by name before all others. */
function sorted(query: Matching, { view, search, userId }: Wanted): Matching {
  const words = searchWords(search)
  const byAge = (rows: Matching) => rows.orderBy('items.createdAt', 'desc').orderBy('items.id')
  if (search.sort === 'newest') return byAge(query)
  if (search.sort === 'name') return query.orderBy(foldedName).orderBy('items.id')
  if (search.sort) return byAge(query.orderBy(shownPrice, search.sort === 'price-up' ? 'asc' : 'desc'))
  const inName = (build: Build) => build.and(words.map((word) => contains(foldedName, word)))
  const ranked = words.length > 0 ? query.orderBy((build) => build.case().when(inName(build)).then(0).else(1).end()) : query
  if (view !== 'favourites') return byAge(ranked)
  return byAge(ranked.orderBy((build) => favouriteOf(build, userId).select('favourites.createdAt'), 'desc'))
}

/** How many pages a category has, or everything; never less than one. */
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
  const query = matching(db, wanted)
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const { size = PAGE_SIZE } = wanted
  const lastPage = pagesOf(count, size)
  const page = Math.min(wanted.search.page, lastPage)
  const rows = await sorted(query, wanted)
    .select(cardColumns)
    .select((build) => build.case().when(isAvailable(build)).then(1).else(0).end().as('isAvailable'))
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const cards = await readCards(db, rows)
  return { items: cards.map((card, at) => ({ ...card, isAvailable: rows[at]?.isAvailable === 1 })), count, page, lastPage }
}

/** The colours that pieces of this view wear, whatever else is looked for, and those that are chosen. */
export function listFilterColors(db: Db | Tx, { view, search, userId }: Wanted) {
  const plain = { view, userId, search: { ...search, text: '', from: '', to: '', colorIds: [], isOnSale: false, isAvailable: false } }
  const worn = db
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .where('itemPictures.itemId', 'in', matching(db, plain).select('items.id'))
    .select('itemPictureColors.colorId')
  return db
    .selectFrom('colors')
    .leftJoin('pictures', 'pictures.id', 'colors.pictureId')
    .select(['colors.id', 'colors.name', 'pictures.placeholder'])
    .where((build) =>
      build.or([build('colors.id', 'in', worn), ...(search.colorIds.length > 0 ? [build('colors.id', 'in', search.colorIds)] : [])]),
    )
    .orderBy('colors.name')
    .orderBy('colors.id')
    .execute()
}
