import { cacheControl, renderSitemap } from '#seo/sitemap.server.ts'
import { sitemapTexts } from '#seo/texts.ts'
import { requestInfoContext, appContext } from '#services/context.ts'
import type { Route } from './+types/sitemap'

export async function loader({ url, context }: Route.LoaderArgs) {
  const { origin } = context.get(requestInfoContext)
  const app = context.get(appContext)
  const map = await renderSitemap(app, origin, url.searchParams.get('part'))
  if (!map) return new Response(sitemapTexts.notFound, { status: 404 })
  return new Response(map, {
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': cacheControl(app, 300),
    },
  })
}
