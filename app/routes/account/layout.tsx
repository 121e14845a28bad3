import { href, Outlet, redirect } from 'react-router'
import { userContext } from '#app/services/context.ts'
import type { Route } from './+types/layout'

/** Admits only customers and the owner. A middleware also runs for forms and for requests that load the data of a single route. [S-012] */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const role = context.get(userContext)?.role
    if (role !== 'customer' && role !== 'admin') throw redirect(href('/login'))
  },
]

export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex', 'Cache-Control': 'private, no-store' })

/** This loader is needed because React Router skips the middleware of a layout without a loader when the browser navigates. */
export const loader = () => null

export default function Gate() {
  return <Outlet />
}
