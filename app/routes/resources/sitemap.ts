import { renderSitemap } from '#app/features/seo/sitemap.server.ts'
import { sitemapTexts } from '#app/features/seo/texts.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import type { Route } from './+types/sitemap'

export async function loader({ request, context }: Route.LoaderArgs) {
  const part = new URL(request.url).searchParams.get('part')
  const map = await renderSitemap(
    context.get(appContext),
    context.get(requestInfoContext).origin,
    part,
  )
  if (!map) return new Response(sitemapTexts.notFound, { status: 404 })
  return new Response(map, {
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
    },
  })
}
