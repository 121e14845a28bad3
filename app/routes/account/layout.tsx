import { href, Outlet, redirect } from 'react-router'
import { userContext } from '#services/context.ts'
import type { Route } from './+types/layout'

/**
 * This is a middleware, because a loader would not protect forms and requests for one route's data.
 * [S-012]
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const role = context.get(userContext)?.role
    if (role !== 'customer' && role !== 'owner') throw redirect(href('/login'))
  },
]

export const headers: Route.HeadersFunction = () => ({
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
})

/** Without a loader, React Router skips the middleware of a layout on navigations. */
export const loader = () => null

export default function Gate() {
  return <Outlet />
}
