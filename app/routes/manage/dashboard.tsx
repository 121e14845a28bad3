import { greetingName } from '#auth/user-menu.tsx'
import { readCriticalTitles } from '#admin/status/status.server.ts'
import { hideFirstSteps, readFirstSteps } from '#admin/dashboard/first-steps.server.ts'
import { listPendingItems } from '#admin/dashboard/pending-items.server.ts'
import { DashboardPage } from '#admin/dashboard/dashboard-page.tsx'
import { formText } from '#lib/http/form-data.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { appContext, userContext } from '#services/context.ts'
import { done, refused } from '#ui/action-result.ts'
import { navigationTexts } from '#admin/dashboard/texts.ts'
import type { Route } from './+types/dashboard'

export async function loader({ context }: Route.LoaderArgs) {
  const owner = context.get(userContext)!
  const app = context.get(appContext)
  // If the alerts cannot be read, only the status page reports the failure.
  const urgent = await readCriticalTitles(app).catch(() => [])
  const waiting = await listPendingItems(app)
  const firstSteps = await readFirstSteps(app)
  return { firstName: owner.name && greetingName(owner), waiting, urgent, firstSteps }
}

export async function action(args: Route.ActionArgs) {
  const { app, user, form, reply } = await readForm(args)
  if (formText(form, 'intent') !== 'hide-first-steps') return reply(refused(400))
  await hideFirstSteps(app, user!.id)
  return reply(done())
}

export const meta: Route.MetaFunction = () => [{ title: navigationTexts.title }]

export default function Welcome({ loaderData }: Route.ComponentProps) {
  return <DashboardPage {...loaderData} />
}
