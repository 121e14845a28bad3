import { readOwnOrders } from '#app/features/account/own-orders/own-orders.server.ts'
import { OwnOrdersPage } from '#app/features/account/own-orders/own-orders-page.tsx'
import { ownOrdersTexts } from '#app/features/account/texts.ts'
import { appContext, userContext } from '#app/services/context.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/orders'

export const loader = ({ context }: Route.LoaderArgs) =>
  readOwnOrders(context.get(appContext), context.get(userContext)!)

export const meta: Route.MetaFunction = ({ matches }) => [
  pageTitle(matches, ownOrdersTexts.title),
  { name: 'robots', content: 'noindex' },
]

export default function Orders({ loaderData }: Route.ComponentProps) {
  return <OwnOrdersPage {...loaderData} />
}
