import { href, redirect, type MiddlewareFunction } from 'react-router'
import { userContext } from '#app/services/context.ts'

/** This is a middleware, because it also guards actions and single-route data. [NAV-05] */
export const ownerOnly: MiddlewareFunction<Response> = ({ context }) => {
  if (context.get(userContext)?.role !== 'admin') throw redirect(href('/'))
}
