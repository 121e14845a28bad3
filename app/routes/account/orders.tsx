import { readOwnOrders } from '#account/own-orders/own-orders.server.ts'
import { OwnOrdersPage } from '#account/own-orders/own-orders-page.tsx'
import { ownOrdersTexts } from '#account/texts.ts'
import { appContext, userContext } from '#services/context.ts'
import { href, redirect } from 'react-router'
import { unlistedTitle } from '#routes/page-title.ts'
import type { Route } from './+types/orders'

export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    if (!context.get(userContext)) throw redirect(href('/login'))
  },
]

export { headers } from './layout.tsx'

export const loader = ({ context }: Route.LoaderArgs) =>
  readOwnOrders(context.get(appContext), context.get(userContext)!)

export const meta: Route.MetaFunction = unlistedTitle(ownOrdersTexts.title)

export default function Orders({ loaderData, matches }: Route.ComponentProps) {
  const isGuest = matches[0].loaderData.user?.role === 'guest'
  return (
    <OwnOrdersPage
      {...loaderData}
      isGuest={isGuest}
    />
  )
}
