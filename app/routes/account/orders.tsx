import { readOwnOrders } from '#account/own-orders/own-orders.server.ts'
import { OwnOrdersPage } from '#account/own-orders/own-orders-page.tsx'
import { ownOrdersTexts } from '#account/texts.ts'
import { appContext, userContext } from '#services/context.ts'
import { unlistedTitle } from '#routes/page-title.ts'
import type { Route } from './+types/orders'

export const loader = ({ context }: Route.LoaderArgs) =>
  readOwnOrders(context.get(appContext), context.get(userContext)!)

export const meta: Route.MetaFunction = unlistedTitle(ownOrdersTexts.title)

export default function Orders({ loaderData }: Route.ComponentProps) {
  return <OwnOrdersPage {...loaderData} />
}
