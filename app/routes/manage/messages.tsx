import { data } from 'react-router'
import { readConversation } from '#messaging/messages.server.ts'
import { listConversations } from '#messaging/list/conversation-list.server.ts'
import { parseConversationSearch } from '#messaging/list/conversation-search.ts'
import { readBefore } from '#ui/message-panel-url.ts'
import type { RefusedMessage } from '#messaging/chat/composer.tsx'
import { ConversationsPage } from '#messaging/list/conversations-page.tsx'
import { conversationsTexts } from '#messaging/owner-texts.ts'
import { listOrderLines } from '#conversation/order-lines.server.ts'
import { readAgreements } from '#offers/offers.server.ts'
import { readReadyMessage } from '#production-queue/production-queue.server.ts'
import { holdActions, readHolds } from '#holds/holds.server.ts'
import { messageActions } from '#messaging/message.actions.server.ts'
import { readSaleUndos } from '#orders/sale-undo.server.ts'
import { orderActions } from '#orders/order.actions.server.ts'
import { handleForm } from '#lib/http/form-actions.server.ts'
import { appContext, userContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import type { ActionResult } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/messages'

export const meta: Route.MetaFunction = () => [{ title: conversationsTexts.title }]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const { db } = app
  const viewerId = context.get(userContext)!.id
  const conversation = params.orderid
    ? await readConversation(db, params.orderid, viewerId, readBefore(url.search))
    : null
  const items = conversation ? await listOrderLines(db, conversation.id) : []
  return {
    list: await listConversations(app, parseConversationSearch(url.searchParams), viewerId),
    conversation,
    items,
    undos: await readSaleUndos(
      db,
      items.flatMap(({ sale }) => sale?.id ?? []),
    ),
    hasAgreement: conversation !== null && (await readAgreements(db, conversation.id)).length > 0,
    holds: conversation ? await readHolds(app, conversation.id) : {},
    prepared: conversation ? await readReadyMessage(app, conversation.id, url.searchParams) : '',
    viewerId,
  }
}

const actions = { ...messageActions, ...orderActions, ...holdActions }

export async function action({ params, ...args }: Route.ActionArgs) {
  const { app, user, form, reply } = await readForm(args)
  const conversation = { app, owner: user!, orderId: params.orderid ?? '' }
  const outcome = await handleForm(actions, conversation, form)
  const { answer, status } = outcome
  // Without JavaScript, the page must contain the refused reply.
  if (answer.field === 'message' && form.has('back')) {
    const message = formText(form, 'message')
    return data<ActionResult & RefusedMessage>({ ...answer, message }, { status })
  }
  return reply(outcome)
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
