import { handleOutboxAction, readOutbox } from '#app/features/admin/email-outbox/outbox.server.ts'
import { OutboxPage } from '#app/features/admin/email-outbox/outbox-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/mail'

export const meta: Route.MetaFunction = () => [{ title: 'Mail' }]

export const loader = async ({ context }: Route.LoaderArgs) => ({ outbox: await readOutbox(context.get(shopContext)) })

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const acted = await handleOutboxAction(context.get(shopContext), context.get(userContext)?.id ?? '', form)
  return answer(context.get(pageContext), form, acted.answer, acted.status)
}

export default function Mail({ loaderData, matches }: Route.ComponentProps) {
  return <OutboxPage outbox={loaderData.outbox} timeZone={matches[0].loaderData.timeZone} />
}
