import { data } from 'react-router'
import { readConversation } from '#app/features/messaging/conversations.server.ts'
import { listConversations } from '#app/features/messaging/conversation-list.server.ts'
import { parseConversationSearch } from '#app/features/messaging/conversation-search.ts'
import { readBefore } from '#app/ui/message-panel-url.ts'
import type { RefusedMessage } from '#app/features/messaging/chat.tsx'
import { ConversationsPage } from '#app/features/messaging/conversations-page.tsx'
import { conversationsTexts } from '#app/features/messaging/owner-texts.ts'
import { listOrderLines } from '#app/features/orders/order-lines.server.ts'
import { readAgreements } from '#app/features/offers/read-offers.server.ts'
import { readHolds } from '#app/features/holds/holds.server.ts'
import { handleConversationAction } from '#app/features/messaging/conversation.action.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/messages'

export const meta: Route.MetaFunction = () => [{ title: conversationsTexts.title }]

/** If the id in the URL is unknown, the page shows the list without an open conversation. [MSG-01, ROLES-24] */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const { db, timeZone } = app
  const viewerId = context.get(userContext)!.id
  const conversation = params.orderid
    ? await readConversation(db, params.orderid, viewerId, readBefore(url.search))
    : null
  return {
    list: await listConversations(app, parseConversationSearch(url.searchParams), viewerId),
    conversation,
    items: conversation ? await listOrderLines(db, conversation.id) : [],
    hasAgreement: conversation !== null && (await readAgreements(db, conversation.id)).length > 0,
    holds: conversation ? await readHolds(app, conversation.id) : {},
    timeZone,
    viewerId,
  }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const acted = await handleConversationAction(
    context.get(appContext),
    context.get(userContext)!,
    params.orderid ?? '',
    form,
  )
  const message = formText(form, 'message')
  // Without JavaScript, the response is the same page, with the refused reply in its field. [S-133]
  if (acted.answer.field === 'message' && form.has('back'))
    return data<ActionResult & RefusedMessage>(
      { ...acted.answer, message },
      { status: acted.status },
    )
  return respond(context.get(requestInfoContext), form, acted.answer, acted.status)
}

export default function Messages({ loaderData, actionData }: Route.ComponentProps) {
  const refused =
    actionData && 'message' in actionData && typeof actionData.message === 'string'
      ? { message: actionData.message, error: actionData.error }
      : null
  return (
    <ConversationsPage
      {...loaderData}
      refused={refused}
    />
  )
}
