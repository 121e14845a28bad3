import { handleOutboxAction, readOutbox } from '#app/features/admin/email-outbox/outbox.server.ts'
import { handleMailboxAction } from '#app/features/admin/email-outbox/mailbox.server.ts'
import { OutboxPage } from '#app/features/admin/email-outbox/outbox-page.tsx'
import { readReauthMethod } from '#app/features/auth/reauthenticate.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { formText, parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { outboxTexts } from '#app/features/admin/email-outbox/texts.ts'
import type { Route } from './+types/email-outbox'

export const meta: Route.MetaFunction = () => [{ title: outboxTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  return {
    outbox: await readOutbox(app),
    reauthMethod: await readReauthMethod(app, context.get(userContext)!),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, owner] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext)!,
  ]
  const form = await parseForm(request)
  const acted = formText(form, 'intent').endsWith('-mailbox')
    ? await handleMailboxAction({ app, info, request }, owner, form)
    : await handleOutboxAction(app, owner.id, form)
  return respond(info, form, acted.answer, acted.status)
}

export default function Mail({ loaderData, matches }: Route.ComponentProps) {
  return (
    <OutboxPage
      {...loaderData}
      timeZone={matches[0].loaderData.timeZone}
    />
  )
}
