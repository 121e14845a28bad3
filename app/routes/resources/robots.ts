import { cacheControl, robotsText } from '#seo/sitemap.server.ts'
import { requestInfoContext, appContext } from '#services/context.ts'
import type { Route } from './+types/robots'

export const loader = ({ context }: Route.LoaderArgs) =>
  new Response(robotsText(context.get(requestInfoContext).origin), {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': cacheControl(context.get(appContext), 3600),
    },
  })
