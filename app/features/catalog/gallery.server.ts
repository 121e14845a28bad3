/** All that the gallery's page shows, read for one address. */
import { listFavouriteIds } from '#app/features/catalog/favorites/favourites.server.ts'
import { keep } from '#app/platform/kept.server.ts'
import type { Shop } from '#app/platform/context.ts'
import type { Db, Tx } from '#db/schema.ts'
import { cardView, FIRST_ROW, swatchOf, withoutPlaceholder, type Category, type Color } from './catalog.ts'
import { listCategories } from './catalog.server.ts'
import { findItems, listFilterColors } from './gallery-items.server.ts'
import { galleryLinks, readGallerySearch, type GallerySearch, type GalleryView } from './gallery-search.ts'

type Asked = { view: GalleryView; params: URLSearchParams; userId: string | null }

/** What the page is called; null for an unknown category, which has no title (S-053). */
export function titleOf(view: GalleryView, categories: Category[]): string | null {
  if (view === 'everything') return 'Everything Handmade'
  if (view === 'favourites') return 'Your Favorites'
  return categories.find(({ id }) => id === view.categoryId)?.title ?? null
}

/** S-052, S-055, DATA-113: `userId` null is a visitor, who has no hearts. Colours that the shop does not know are not looked for. */
export async function readGallery(db: Db | Tx, { view, params, userId }: Asked) {
  return withHearts(db, await readPieces(db, { view, typed: readGallerySearch(params), userId, hasFavourites: userId !== null }), userId)
}

/** 040: the same, and what is the same for everybody from memory; what somebody types into the search is not kept. */
export async function readGalleryKept({ db, live }: Pick<Shop, 'db' | 'live'>, { view, params, userId }: Asked) {
  const typed = readGallerySearch(params)
  if (view === 'favourites' || typed.text !== '' || typed.from !== '' || typed.to !== '') return readGallery(db, { view, params, userId })
  const hasFavourites = userId !== null
  const key = `gallery ${JSON.stringify([view, typed, hasFavourites])}`
  return withHearts(
    db,
    await keep({ db, live }, ['catalogue'], key, () => readPieces(db, { view, typed, userId: null, hasFavourites })),
    userId,
  )
}

const withHearts = async (db: Db | Tx, pieces: Pieces, userId: string | null) => ({
  ...pieces,
  favouriteIds:
    userId === null
      ? null
      : await listFavouriteIds(
          db,
          userId,
          pieces.items.map(({ id }) => id),
        ),
})

type Wanted = { view: GalleryView; typed: GallerySearch; userId: string | null; hasFavourites: boolean }

async function readPieces(db: Db | Tx, { view, typed, userId, hasFavourites }: Wanted) {
  const [allCategories, colors] = await Promise.all([listCategories(db), listFilterColors(db, { view, search: typed, userId })])
  const search = { ...typed, colorIds: colors.flatMap(({ id }) => (typed.colorIds.includes(id) ? [id] : [])) }
  const { items, count, page, lastPage } = await findItems(db, { view, search, userId })
  const categories = allCategories.map((category) => ({ ...category, picture: withoutPlaceholder(category.picture) }))
  // Each swatch is sent once; cards and filters name it.
  const places = new Map(colors.map(({ id }, at) => [id, `--swatch-${at}`]))
  const swatch = (color: Color) => (places.has(color.id) ? `var(${places.get(color.id)})` : swatchOf(color))
  return {
    swatches: Object.fromEntries(colors.map(({ placeholder }, at) => [`--swatch-${at}`, `url("${placeholder ?? ''}")`])),
    categories,
    chosen: view,
    title: titleOf(view, categories),
    items: items.map((item, at) => cardView(item, { isInSight: at < FIRST_ROW, swatch })),
    count,
    links: galleryLinks({ view, search, categories, hasFavourites, colors, page, lastPage }),
  }
}

type Pieces = Awaited<ReturnType<typeof readPieces>>
export type Gallery = Awaited<ReturnType<typeof readGallery>>
