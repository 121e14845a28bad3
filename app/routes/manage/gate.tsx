import { href, Outlet, redirect, useRouteLoaderData } from 'react-router'
import { ManageShell, countsOf } from '#app/features/admin/dashboard/manage-shell.tsx'
import { readUrgent } from '#app/features/admin/system-status/status.server.ts'
import { countWaiting } from '#app/features/admin/dashboard/waiting.server.ts'
import { shopContext, userContext } from '#app/platform/context.ts'
import { ErrorPage } from '#app/ui/error-page.tsx'
import type { loader as rootLoader } from '../../root.tsx'
import type { Route } from './+types/gate'

/** NAV-05: middleware, not a loader, since it also guards actions and single-route data requests. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    if (context.get(userContext)?.role !== 'admin') throw redirect(href('/'))
  },
]

/** Robots that come along with the owner's cookie keep nothing of it. */
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })

/** Middleware is skipped on client navigation to an area without any loader, so the gate has one. What cannot be counted is no reason to break the section. */
export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const urgent = readUrgent(shop).catch(() => [])
  return countWaiting(shop.db)
    .then(async (counted) => ({ ...counted, urgent: (await urgent).length }))
    .catch((error: unknown) => {
      shop.log.error('what waits could not be counted', error)
      return { letters: 0, failed: 0, voices: 0, urgent: 0 }
    })
}

export default function Gate({ loaderData }: Route.ComponentProps) {
  const unread = useRouteLoaderData<typeof rootLoader>('root')?.unread ?? 0
  return (
    <ManageShell counts={countsOf({ unread, ...loaderData })} failedLetters={loaderData.failed}>
      <Outlet />
    </ManageShell>
  )
}

/** A section that broke leaves the way to the others. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <ManageShell>
      <ErrorPage error={error} />
    </ManageShell>
  )
}
