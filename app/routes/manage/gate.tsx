import { href, Outlet, redirect } from 'react-router'
import { ManageShell } from '#app/features/workshop/manage-shell.tsx'
import { userContext } from '#app/platform/context.ts'
import type { Route } from './+types/gate'

/** NAV-05: middleware, not a loader, since it also guards actions and single-route data requests. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    if (context.get(userContext)?.role !== 'admin') throw redirect(href('/'))
  },
]

/** Robots that come along with the owner's cookie keep nothing of it. */
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })

/** Middleware is skipped on client navigation to an area without any loader, so the gate keeps one. */
export const loader = () => null

export default function Gate() {
  return (
    <ManageShell>
      <Outlet />
    </ManageShell>
  )
}
