/** All that the gallery's page shows, read for one address. */
import { listFavouriteIds } from '#app/features/favourites/favourites.server.ts'
import type { Db, Tx } from '#db/tables.ts'
import type { Category } from './catalog.ts'
import { listCategories } from './categories.server.ts'
import { findItems, listFilterColors } from './gallery-items.server.ts'
import { galleryLinks } from './gallery-links.ts'
import { readGallerySearch, type GalleryView } from './gallery-search.ts'

type Asked = { view: GalleryView; params: URLSearchParams; userId: string | null }

/** What the page is called; null for an unknown category, which has no title (S-053). */
export function titleOf(view: GalleryView, categories: Category[]): string | null {
  if (view === 'everything') return 'Everything Handmade'
  if (view === 'favourites') return 'Your Favorites'
  return categories.find(({ id }) => id === view.categoryId)?.title ?? null
}

/** S-052, S-055, DATA-113: `userId` null is a visitor, who has no hearts. Colours that the shop does not know are not looked for. */
export async function readGallery(db: Db | Tx, { view, params, userId }: Asked) {
  const typed = readGallerySearch(params)
  const [categories, colors] = await Promise.all([listCategories(db), listFilterColors(db, { view, search: typed, userId })])
  const search = { ...typed, colorIds: colors.flatMap(({ id }) => (typed.colorIds.includes(id) ? [id] : [])) }
  const { items, count, page, lastPage } = await findItems(db, { view, search, userId })
  const ids = items.map(({ id }) => id)
  return {
    categories,
    chosen: view,
    title: titleOf(view, categories),
    items,
    count,
    favouriteIds: userId === null ? null : await listFavouriteIds(db, userId, ids),
    links: galleryLinks({ view, search, categories, hasFavourites: userId !== null, colors, page, lastPage }),
  }
}

export type Gallery = Awaited<ReturnType<typeof readGallery>>
