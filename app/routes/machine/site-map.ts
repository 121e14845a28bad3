import { drawSiteMap } from '#app/features/seo/site-map.server.ts'
import { pageContext, shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/site-map'

export async function loader({ request, context }: Route.LoaderArgs) {
  const part = new URL(request.url).searchParams.get('part')
  const map = await drawSiteMap(context.get(shopContext).db, context.get(pageContext).origin, part)
  if (!map) return new Response('There is no such part.', { status: 404 })
  return new Response(map, {
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
  })
}
