import { redirect } from 'react-router'
import { GalleryPage, galleryTitle } from '#app/features/catalog/gallery-page.tsx'
import { readGallery } from '#app/features/catalog/gallery.server.ts'
import { Footer } from '#app/features/settings/footer.tsx'
import { shopContext, userContext } from '#app/platform/context.ts'
import { pageTitle, shopNameIn } from '../page-title.ts'
import type { Route } from './+types/gallery'

export async function loader({ params: { categoryid }, request, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  const params = new URL(request.url).searchParams
  const isFavourites = categoryid === undefined && params.has('favorites')
  // FAV-01, S-055: the favourites are for those who are signed in.
  if (isFavourites && !user) throw redirect('/gallery/')
  const view = categoryid === undefined ? (isFavourites ? 'favourites' : 'everything') : { categoryId: categoryid }
  return readGallery(context.get(shopContext).db, { view, params, userId: user?.id ?? null })
}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const shop = shopNameIn(matches)
  const title = loaderData && galleryTitle(loaderData)
  const description =
    title && typeof loaderData.chosen === 'object'
      ? `${title}, knotted by hand by ${shop}: see every piece with its colors and price.`
      : `Every handmade macrame piece of ${shop}: wall hangings, plant hangers, key chains, coasters and more.`
  const named = `${title ?? 'Gallery'}${loaderData && loaderData.links.page > 1 ? `, page ${loaderData.links.page}` : ''}`
  return [
    pageTitle(matches, named),
    { name: 'description', content: description },
    // What somebody looks for is no page for search engines.
    ...(loaderData && !loaderData.links.isPlain ? [{ name: 'robots', content: 'noindex' }] : []),
  ]
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
