import { href, Outlet, redirect } from 'react-router'
import { userContext } from '#app/platform/context.ts'
import type { Route } from './+types/gate'

/** S-012: only lasting accounts have an account page. Middleware, since it also guards forms and single-route data; the login leads guests home. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const role = context.get(userContext)?.role
    if (role !== 'customer' && role !== 'admin') throw redirect(href('/login'))
  },
]

export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex', 'Cache-Control': 'private, no-store' })

/** Middleware is skipped on client navigation to an area without any loader, so the gate has one. */
export const loader = () => null

export default function Gate() {
  return <Outlet />
}
