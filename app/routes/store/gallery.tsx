import { redirect } from 'react-router'
import { listCategories } from '#app/features/catalog/categories.server.ts'
import { GalleryPage } from '#app/features/catalog/gallery-page.tsx'
import { listFavouriteItems, listItems } from '#app/features/catalog/items.server.ts'
import { listFavouriteIds } from '#app/features/favourites/favourites.server.ts'
import { Footer } from '#app/features/settings/footer.tsx'
import { shopContext, userContext } from '#app/platform/context.ts'
import type { Route } from './+types/gallery'

export async function loader({ params: { categoryid }, request, context }: Route.LoaderArgs) {
  const { db } = context.get(shopContext)
  const user = context.get(userContext)
  const isFavourites = categoryid === undefined && new URL(request.url).searchParams.has('favorites')
  // FAV-01, S-055: the favourites are for those who are signed in.
  if (isFavourites && !user) throw redirect('/gallery/')
  const [categories, items, favouriteIds] = await Promise.all([
    listCategories(db),
    isFavourites && user ? listFavouriteItems(db, user.id) : listItems(db, { categoryId: categoryid }),
    user ? listFavouriteIds(db, user.id) : null,
  ])
  const chosen = categoryid === undefined ? (isFavourites ? ('favourites' as const) : ('everything' as const)) : { categoryId: categoryid }
  return { categories, chosen, items, favouriteIds }
}

export default function GalleryRoute({ loaderData, matches }: Route.ComponentProps) {
  return (
    <>
      <main className="page" id="main">
        <GalleryPage {...loaderData} />
      </main>
      <Footer settings={matches[0].loaderData.settings} />
    </>
  )
}
