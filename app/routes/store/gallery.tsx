import { redirect } from 'react-router'
import { GalleryPage } from '#catalog/gallery-page.tsx'
import { readGallery } from '#catalog/gallery.server.ts'
import { appContext, userContext } from '#services/context.ts'
import type { Route } from './+types/gallery'

export const handle = { hasFooter: true }

export async function loader({ params: { categoryid }, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  const params = url.searchParams
  const isFavorites = categoryid === undefined && params.has('favorites')
  if (isFavorites && !user) throw redirect('/gallery/')
  const wholeGallery = isFavorites ? 'favorites' : 'everything'
  const view = categoryid === undefined ? wholeGallery : { categoryId: categoryid }
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
