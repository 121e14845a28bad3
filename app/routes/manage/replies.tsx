import { vacationStateText } from '#messaging/replies/vacation-state.server.ts'
import {
  handleMessagingSettingsForm,
  listReplies,
} from '#messaging/replies/replies.actions.server.ts'
import { RepliesPage } from '#messaging/replies/replies-page.tsx'
import { readMessagingSettings } from '#settings/settings.server.ts'
import { appContext } from '#services/context.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { repliesTexts } from '#messaging/owner-texts.ts'
import type { Route } from './+types/replies'

export const meta: Route.MetaFunction = () => [{ title: repliesTexts.title }]

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

export async function action(args: Route.ActionArgs) {
  const { app, user, form, reply } = await readForm(args)
  const outcome = await handleMessagingSettingsForm({ app, actor: user!.id }, form)
  // Without JavaScript, `reply` would redirect and lose the refused values.
  if (outcome.answer.typed) return respond(outcome)
  return reply(outcome)
}

export default function Replies({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <RepliesPage
      {...loaderData}
      answer={actionData}
    />
  )
}
