import { href, Outlet, redirect } from 'react-router'
import { userContext } from '#app/services/context.ts'
import type { Route } from './+types/layout'

/** Admits only customers and the owner. Unlike a loader, this middleware also protects forms and HTTP requests for the data of a single route. [S-012] */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const role = context.get(userContext)?.role
    if (role !== 'customer' && role !== 'admin') throw redirect(href('/login'))
  },
]

export const headers: Route.HeadersFunction = () => ({
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
})

/** When the browser navigates, React Router runs the middleware of a layout only if the layout has a loader. */
export const loader = () => null

export default function Gate() {
  return <Outlet />
}
