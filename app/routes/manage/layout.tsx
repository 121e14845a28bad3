import { Outlet, useRouteLoaderData } from 'react-router'
import { AdminLayout, sectionCounts } from '#app/features/admin/dashboard/admin-layout.tsx'
import { readCriticalTitles } from '#app/features/admin/system-status/status.server.ts'
import { countPendingItems } from '#app/features/admin/dashboard/pending-items.server.ts'
import { appContext } from '#app/services/context.ts'
import { ErrorPage } from '#app/ui/error-page.tsx'
import type { loader as rootLoader } from '#app/root.tsx'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/layout'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]

/** Search engines must not index the admin area, even if a crawler has the owner's cookie. */
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })

/** Counts the open tasks for the navigation. If counting fails, the navigation shows no counts. */
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

/** Shows an error page that keeps the navigation of the admin area. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <AdminLayout>
      <ErrorPage error={error} />
    </AdminLayout>
  )
}
