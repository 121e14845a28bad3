import { readEarlier } from '#app/features/messaging/conversations.server.ts'
import { beforeOf } from '#app/ui/message-address.ts'
import { shopContext, userContext } from '#app/platform/context.ts'
import type { Route } from './+types/earlier-messages'

/** S-164: earlier messages as one scrolls, for the customer herself and for the owner. A conversation of somebody else is not there. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const before = beforeOf(url.search)
  const page = before && (await readEarlier(context.get(shopContext).db, context.get(userContext), params.orderid, before))
  return Response.json(page || null, { status: page ? 200 : 404, headers: { 'Cache-Control': 'private, no-store' } })
}
