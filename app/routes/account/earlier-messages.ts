import { canAccess } from '#conversation/conversation.ts'
import { readMessages } from '#messaging/messages.server.ts'
import { readBefore } from '#ui/message-panel-url.ts'
import { appContext, userContext } from '#services/context.ts'
import type { Route } from './+types/earlier-messages'

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  const before = readBefore(url.search)
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
