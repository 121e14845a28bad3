import { useRouteLoaderData } from 'react-router'
import { greetingName } from '#app/features/auth/greeting-name.ts'
import { readCriticalTitles } from '#app/features/admin/system-status/status.server.ts'
import { hideFirstSteps, readFirstSteps } from '#app/features/admin/dashboard/first-steps.server.ts'
import { listPendingItems } from '#app/features/admin/dashboard/pending-items.server.ts'
import { DashboardPage } from '#app/features/admin/dashboard/dashboard-page.tsx'
import { formText, parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { appContext, requestInfoContext, userContext } from '#app/services/context.ts'
import { done } from '#app/ui/action-result.ts'
import type { loader as rootLoader } from '#app/root.tsx'
import { navigationTexts } from '#app/features/admin/dashboard/texts.ts'
import type { Route } from './+types/dashboard'

export async function loader({ context }: Route.LoaderArgs) {
  const owner = context.get(userContext)!
  const app = context.get(appContext)
  // If the alerts cannot be read, the dashboard shows no alerts. Only the status page then shows an error.
  const urgent = await readCriticalTitles(app).catch(() => [])
  const [waiting, firstSteps] = [await listPendingItems(app), await readFirstSteps(app)]
  return { firstName: owner.name && greetingName(owner), waiting, urgent, firstSteps }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  if (formText(form, 'intent') !== 'hide-first-steps')
    return respond(context.get(requestInfoContext), form, { ok: false }, 400)
  await hideFirstSteps(context.get(appContext), context.get(userContext)!.id)
  return respond(context.get(requestInfoContext), form, done().answer)
}

export const meta: Route.MetaFunction = () => [{ title: navigationTexts.title }]

export default function Welcome({ loaderData }: Route.ComponentProps) {
  const timeZone = useRouteLoaderData<typeof rootLoader>('root')?.timeZone ?? 'UTC'
  return (
    <DashboardPage
      {...loaderData}
      timeZone={timeZone}
    />
  )
}
