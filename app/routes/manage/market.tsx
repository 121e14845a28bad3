import { OFFLINE_COPY_HEADER } from '#market-stall/direct-sale.ts'
import { readMarket } from '#market-stall/direct-sales.server.ts'
import { MarketPage } from '#market-stall/market-page.tsx'
import { stayWhenLoggedOut } from '#market-stall/sale-queue.ts'
import { marketTexts } from '#market-stall/texts.ts'
import { undoSaleActions } from '#orders/order.actions.server.ts'
import { handleForm } from '#lib/http/form-actions.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { appContext } from '#services/context.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/market'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [stayWhenLoggedOut]
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })
export const meta: Route.MetaFunction = () => [
  { title: marketTexts.title },
  // A browser uses only the first manifest, so this one stands before that of root.tsx. With
  // `crossOrigin`, the browser sends the owner's cookie.
  {
    tagName: 'link',
    rel: 'manifest',
    href: '/manage/market/app.webmanifest',
    crossOrigin: 'use-credentials',
  },
]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readMarket(context.get(appContext), { isCopy: request.headers.has(OFFLINE_COPY_HEADER) })

export async function action(args: Route.ActionArgs) {
  const { app, form, reply } = await readForm(args)
  return reply(await handleForm(undoSaleActions, { app }, form))
}

export default function Market({ loaderData }: Route.ComponentProps) {
  return <MarketPage {...loaderData} />
}
