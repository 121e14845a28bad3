import { mayUse, readMessages } from '#app/features/messaging/conversations.server.ts'
import { beforeOf } from '#app/ui/message-address.ts'
import { shopContext, userContext } from '#app/platform/context.ts'
import type { Route } from './+types/earlier-messages'

/** S-164: earlier messages as one scrolls, for the customer herself and for the owner. A conversation of somebody else is not there. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [user, before] = [context.get(userContext), beforeOf(url.search)]
  const isAllowed = user !== null && mayUse(user, params.orderid)
  const page = isAllowed && before ? await readMessages(context.get(shopContext).db, params.orderid, before) : null
  return Response.json(page, { status: page ? 200 : 404, headers: { 'Cache-Control': 'private, no-store' } })
}
