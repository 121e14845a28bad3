import { Outlet, useRouteLoaderData } from 'react-router'
import { AdminLayout, sectionCounts } from '#admin/dashboard/admin-layout.tsx'
import { readCriticalTitles } from '#admin/status/status.server.ts'
import { countPendingItems } from '#admin/dashboard/pending-items.server.ts'
import { appContext } from '#services/context.ts'
import { ErrorPage } from '#ui/error-page.tsx'
import type { loader as rootLoader } from '../../root.tsx'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/layout'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]

export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const urgent = readCriticalTitles(app).catch(() => [])
  return countPendingItems(app.db)
    .then(async (counted) => ({ ...counted, urgent: (await urgent).length }))
    .catch((error: unknown) => {
      app.log.error('pending items could not be counted', error)
      return { emails: 0, failed: 0, testimonies: 0, urgent: 0 }
    })
}

export default function Gate({ loaderData }: Route.ComponentProps) {
  const unread = useRouteLoaderData<typeof rootLoader>('root')?.unread ?? 0
  return (
    <AdminLayout
      counts={sectionCounts({ unread, ...loaderData })}
      failedEmails={loaderData.failed}
    >
      <Outlet />
    </AdminLayout>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <AdminLayout>
      <ErrorPage error={error} />
    </AdminLayout>
  )
}
