/** The database's part of the gallery: which items match, how many, and one page of their cards. */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { shownPrice } from '#app/features/money/price-sql.server.ts'
import type { Db, Tables, Tx } from '#db/tables.ts'
import type { ItemCard } from './catalog.ts'
import { priceRange, searchWords, type GallerySearch, type GalleryView } from './gallery-search.ts'
import { cardColumns, readCards } from './items.server.ts'

export const PAGE_SIZE = 24

/** `userId` is asked for in the view of the favourites only. */
export type Wanted = { view: GalleryView; search: GallerySearch; userId: string | null }
type Build = ExpressionBuilder<Tables, 'items' | 'categories'>

/** `word` is folded already; what LIKE would take for a wildcard stands for itself. */
const contains = (text: Expression<string>, word: string): Expression<SqlBool> =>
  sql<SqlBool>`fold(${text}) like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** The colours that an item's pictures wear. */
const colorsOf = (build: Build) =>
  build
    .selectFrom('itemPictures')
    .innerJoin('itemPictureColors', 'itemPictureColors.itemPictureId', 'itemPictures.id')
    .innerJoin('colors', 'colors.id', 'itemPictureColors.colorId')
    .whereRef('itemPictures.itemId', '=', 'items.id')
    .select('colors.id')

/** COLOR-04: a colour is found by the name that is shown. */
const holdsWord = (build: Build, word: string) =>
  build.or([
    contains(build.ref('items.name'), word),
    contains(build.ref('items.description'), word),
    contains(build.ref('categories.title'), word),
    build.exists(colorsOf(build).where(contains(sql<string>`replace("colors"."name", '_', ' ')`, word))),
  ])

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
  const all: Expression<SqlBool>[] = searchWords(search).map((word) => holdsWord(build, word))
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

/** The last changed first (S-130) where nothing else decides; favourites the newest first; a search by name before all others. */
function sorted(query: Matching, { view, search, userId }: Wanted): Matching {
  const words = searchWords(search)
  const byAge = (rows: Matching) => rows.orderBy('items.createdAt', 'desc').orderBy('items.id')
  if (search.sort === 'newest') return byAge(query)
  if (search.sort === 'name') return query.orderBy(sql`fold("items"."name")`).orderBy('items.id')
  if (search.sort) return byAge(query.orderBy(shownPrice, search.sort === 'price-up' ? 'asc' : 'desc'))
  const inName = (build: Build) => build.and(words.map((word) => contains(build.ref('items.name'), word)))
  const ranked = words.length > 0 ? query.orderBy((build) => build.case().when(inName(build)).then(0).else(1).end()) : query
  if (view !== 'favourites') return byAge(ranked)
  return byAge(ranked.orderBy((build) => favouriteOf(build, userId).select('favourites.createdAt'), 'desc'))
}

/** GALLERY-02, S-052, FAV-04: one page of cards; a page beyond the last is the last. The number of queries is always the same. */
export async function findItems(
  db: Db | Tx,
  wanted: Wanted,
): Promise<{ items: ItemCard[]; count: number; page: number; lastPage: number }> {
  const query = matching(db, wanted)
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const lastPage = Math.max(1, Math.ceil(count / PAGE_SIZE))
  const page = Math.min(wanted.search.page, lastPage)
  const rows = await sorted(query, wanted)
    .select(cardColumns)
    .select((build) => build.case().when(isAvailable(build)).then(1).else(0).end().as('isAvailable'))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
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
