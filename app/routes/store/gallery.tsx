import { redirect } from 'react-router'
import { GalleryPage } from '#app/features/catalog/gallery-page.tsx'
import { readGallery } from '#app/features/catalog/gallery.server.ts'
import { appContext, userContext } from '#app/services/context.ts'
import type { Route } from './+types/gallery'

export const handle = { hasFooter: true }

export async function loader({ params: { categoryid }, request, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  const params = new URL(request.url).searchParams
  const isFavorites = categoryid === undefined && params.has('favorites')
  // A visitor has no favorites, so the shop redirects her to the gallery. [FAV-01, S-055]
  if (isFavorites && !user) throw redirect('/gallery/')
  const view =
    categoryid === undefined
      ? isFavorites
        ? 'favorites'
        : 'everything'
      : { categoryId: categoryid }
  return readGallery(context.get(appContext), { view, params, userId: user?.id ?? null })
}

export default function GalleryRoute({ loaderData }: Route.ComponentProps) {
  return (
    <main
      className="page"
      id="main"
    >
      <GalleryPage {...loaderData} />
    </main>
  )
}
