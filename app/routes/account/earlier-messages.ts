import { canAccess, readMessages } from '#app/features/messaging/conversations.server.ts'
import { readBefore } from '#app/ui/message-panel-url.ts'
import { appContext, userContext } from '#app/services/context.ts'
import type { Route } from './+types/earlier-messages'

/** Returns the earlier messages of a conversation to its customer and to the owner. For another customer's conversation, the HTTP status is 404. [S-164] */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [user, before] = [context.get(userContext), readBefore(url.search)]
  const isAllowed = user !== null && canAccess(user, params.orderid)
  const page =
    isAllowed && before
      ? await readMessages(context.get(appContext).db, params.orderid, before)
      : null
  return Response.json(page, {
    status: page ? 200 : 404,
    headers: { 'Cache-Control': 'private, no-store' },
  })
}
