import { robotsText } from '#app/features/seo/robots.ts'
import { requestInfoContext } from '#app/services/context.ts'
import type { Route } from './+types/robots'

export const loader = ({ context }: Route.LoaderArgs) =>
  new Response(robotsText(context.get(requestInfoContext).origin), {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    },
  })
