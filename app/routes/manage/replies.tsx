import { data } from 'react-router'
import { stateText } from '#app/features/messaging/vacation-notice/away.server.ts'
import { handleRepliesAction, listReplies } from '#app/features/messaging/saved-replies/replies.action.server.ts'
import { RepliesPage } from '#app/features/messaging/saved-replies/replies-page.tsx'
import { readTalkSettings } from '#app/features/settings/settings.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/replies'

export const meta: Route.MetaFunction = () => [{ title: 'Replies and alerts' }]

export async function loader({ context }: Route.LoaderArgs) {
  const { db, mail, now, timeZone, publicUrl } = context.get(shopContext)
  const { reminderMinutes, ...absence } = await readTalkSettings(db)
  return {
    replies: await listReplies(db),
    absence,
    absenceState: stateText(absence, now(), timeZone),
    minutes: reminderMinutes,
    hasServer: mail.hasServer,
    hasAddress: publicUrl !== null,
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const acted = await handleRepliesAction(context.get(shopContext), context.get(userContext)!.id, form)
  // Without script the page itself comes back, with what was typed.
  if (acted.answer.typed) return data(acted.answer, { status: acted.status })
  return answer(context.get(pageContext), form, acted.answer, acted.status)
}

export default function Replies({ loaderData, actionData }: Route.ComponentProps) {
  return <RepliesPage {...loaderData} answer={useKeptAnswer(actionData)} />
}
