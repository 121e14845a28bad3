import { handleOutboxAction, readOutbox } from '#app/features/admin/email-outbox/outbox.server.ts'
import { handleMailboxAction } from '#app/features/admin/email-outbox/mailbox.server.ts'
import { OutboxPage } from '#app/features/admin/email-outbox/outbox-page.tsx'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { formText, parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { outboxTexts } from '#app/features/admin/email-outbox/texts.ts'
import type { Route } from './+types/email-outbox'

export const meta: Route.MetaFunction = () => [{ title: outboxTexts.title }]

export const loader = async ({ context }: Route.LoaderArgs) => ({ outbox: await readOutbox(context.get(appContext)) })

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const handle = formText(form, 'intent').endsWith('-mailbox') ? handleMailboxAction : handleOutboxAction
  const acted = await handle(context.get(appContext), context.get(userContext)!.id, form)
  return respond(context.get(requestInfoContext), form, acted.answer, acted.status)
}

export default function Mail({ loaderData, matches }: Route.ComponentProps) {
  return <OutboxPage outbox={loaderData.outbox} timeZone={matches[0].loaderData.timeZone} />
}
