import { redirect } from 'react-router'
import { GalleryPage } from '#app/features/catalog/gallery-page.tsx'
import { readGallery } from '#app/features/catalog/gallery.server.ts'
import { shopContext, userContext } from '#app/platform/context.ts'
import type { Route } from './+types/gallery'

export const handle = { hasFooter: true }

export async function loader({ params: { categoryid }, request, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  const params = new URL(request.url).searchParams
  const isFavourites = categoryid === undefined && params.has('favorites')
  // FAV-01, S-055: the favourites are for those who are signed in.
  if (isFavourites && !user) throw redirect('/gallery/')
  const view = categoryid === undefined ? (isFavourites ? 'favourites' : 'everything') : { categoryId: categoryid }
  return readGallery(context.get(shopContext), { view, params, userId: user?.id ?? null })
}

export default function GalleryRoute({ loaderData }: Route.ComponentProps) {
  return (
    <main className="page" id="main">
      <GalleryPage {...loaderData} />
    </main>
  )
}
