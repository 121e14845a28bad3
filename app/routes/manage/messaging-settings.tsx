import { data } from 'react-router'
import { vacationStateText } from '#app/features/messaging/vacation-notice/vacation.server.ts'
import {
  handleMessagingSettingsAction,
  listReplies,
} from '#app/features/messaging/saved-replies/messaging-settings.action.server.ts'
import { MessagingSettingsPage } from '#app/features/messaging/saved-replies/messaging-settings-page.tsx'
import { readMessagingSettings } from '#app/features/settings/settings.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { messagingSettingsTexts } from '#app/features/messaging/owner-texts.ts'
import type { Route } from './+types/messaging-settings'

export const meta: Route.MetaFunction = () => [{ title: messagingSettingsTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  const { db, outbox, now, timeZone, publicUrl } = context.get(appContext)
  const { reminderMinutes, ...absence } = await readMessagingSettings(db)
  return {
    replies: await listReplies(db),
    absence,
    absenceState: vacationStateText(absence, now(), timeZone),
    minutes: reminderMinutes,
    hasServer: await outbox.hasServer(),
    hasAddress: publicUrl !== null,
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const acted = await handleMessagingSettingsAction(
    context.get(appContext),
    context.get(userContext)!.id,
    form,
  )
  // If the shop refuses the typed values, the response is the same page with these values, also without JavaScript.
  if (acted.answer.typed) return data(acted.answer, { status: acted.status })
  return respond(context.get(requestInfoContext), form, acted.answer, acted.status)
}

export default function Replies({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <MessagingSettingsPage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
