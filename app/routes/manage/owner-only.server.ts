import { href, redirect, type MiddlewareFunction } from 'react-router'
import { userContext } from '#app/services/context.ts'

/** Redirects everyone except the owner. Unlike a loader, this middleware also protects forms and requests for the data of a single route. [NAV-05] */
export const ownerOnly: MiddlewareFunction<Response> = ({ context }) => {
  if (context.get(userContext)?.role !== 'admin') throw redirect(href('/'))
}
