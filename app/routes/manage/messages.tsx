import { data } from 'react-router'
import { readConversation } from '#app/features/messaging/conversations.server.ts'
import { listConversations } from '#app/features/messaging/conversation-list.server.ts'
import { readConversationSearch } from '#app/features/messaging/conversation-search.ts'
import { beforeOf } from '#app/ui/message-address.ts'
import type { Refused } from '#app/features/messaging/chat.tsx'
import { ConversationsPage } from '#app/features/messaging/conversations-page.tsx'
import { listOrderLines } from '#app/features/orders/orders.server.ts'
import { handleConversationAction } from '#app/features/messaging/conversation.action.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/messages'

export const meta: Route.MetaFunction = () => [{ title: 'Messages' }]

/** MSG-01, ROLES-24; an unknown id shows the list with nothing chosen. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { db, timeZone } = context.get(shopContext)
  const viewerId = context.get(userContext)!.id
  const conversation = params.orderid ? await readConversation(db, params.orderid, viewerId, beforeOf(url.search)) : null
  return {
    list: await listConversations(db, readConversationSearch(url.searchParams), viewerId),
    conversation,
    items: conversation ? await listOrderLines(db, conversation.id) : [],
    timeZone,
    viewerId,
  }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const acted = await handleConversationAction(context.get(shopContext), context.get(userContext)!, params.orderid ?? '', form)
  const message = textOf(form, 'message')
  // S-133: without script the page itself comes back, with the refused reply in its box.
  if (acted.answer.field === 'message' && form.has('back'))
    return data<Answer & Refused>({ ...acted.answer, message }, { status: acted.status })
  return answer(context.get(pageContext), form, acted.answer, acted.status)
}

export default function Messages({ loaderData, actionData }: Route.ComponentProps) {
  const refused =
    actionData && 'message' in actionData && typeof actionData.message === 'string'
      ? { message: actionData.message, error: actionData.error }
      : null
  return <ConversationsPage {...loaderData} refused={refused} />
}
