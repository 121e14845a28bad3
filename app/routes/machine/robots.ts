import { robotsText } from '#app/features/seo/robots.ts'
import { pageContext } from '#app/platform/context.ts'
import type { Route } from './+types/robots'

export const loader = ({ context }: Route.LoaderArgs) =>
  new Response(robotsText(context.get(pageContext).origin), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
