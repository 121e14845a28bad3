/** Shows the market stall. The route is outside of the layout of the admin area, because the page works offline as an installed app. */
import { readMarket } from '#app/features/market-stall/direct-sales.server.ts'
import { MarketPage } from '#app/features/market-stall/market-page.tsx'
import { stayWhenLoggedOut } from '#app/features/market-stall/stay-when-logged-out.ts'
import { marketTexts } from '#app/features/market-stall/texts.ts'
import { appContext } from '#app/services/context.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/market'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [stayWhenLoggedOut]
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })
export const meta: Route.MetaFunction = () => [
  { title: marketTexts.title },
  // The browser uses the first manifest of a page, so the installed app opens the market stall. It requests this manifest with the owner's cookie.
  {
    tagName: 'link',
    rel: 'manifest',
    href: '/manage/market/app.webmanifest',
    crossOrigin: 'use-credentials',
  },
]

export const loader = ({ context }: Route.LoaderArgs) => readMarket(context.get(appContext))

export default function Market({ loaderData, matches }: Route.ComponentProps) {
  return (
    <MarketPage
      {...loaderData}
      timeZone={matches[0].loaderData.timeZone}
    />
  )
}
