import { handleQueueAction, readQueue } from '#app/features/production-queue/queue-page.server.ts'
import { QueuePage } from '#app/features/production-queue/queue-page.tsx'
import { queuePageTexts } from '#app/features/production-queue/owner-texts.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { revalidateUnlessOffline } from '#app/ui/action-result.ts'
import type { Route } from './+types/production-queue'

export const meta: Route.MetaFunction = () => [{ title: queuePageTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readQueue(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const { answer, status } = await handleQueueAction(context.get(appContext), form)
  return respond(context.get(requestInfoContext), form, answer, status)
}

/** Loads the queue again even after the shop refused a step, because the refusal means that another window has moved the piece. */
export const shouldRevalidate = revalidateUnlessOffline

export default function ProductionQueue({ loaderData }: Route.ComponentProps) {
  return <QueuePage {...loaderData} />
}
