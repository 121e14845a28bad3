import { queueActions, readQueue } from '#production-queue/production-queue.server.ts'
import { QueuePage } from '#production-queue/queue-page.tsx'
import { queuePageTexts } from '#production-queue/owner-texts.ts'
import { appContext } from '#services/context.ts'
import { ownerAction } from '#routes/action-response.server.ts'
import { revalidateUnlessOffline } from '#ui/action-result.ts'
import type { Route } from './+types/production-queue'

export const meta: Route.MetaFunction = () => [{ title: queuePageTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readQueue(context.get(appContext))

export const action = ownerAction(queueActions)

export const shouldRevalidate = revalidateUnlessOffline

export default function ProductionQueue({ loaderData }: Route.ComponentProps) {
  return <QueuePage {...loaderData} />
}
