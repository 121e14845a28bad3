import { href, redirect, type MiddlewareFunction } from 'react-router'
import { userContext } from '#services/context.ts'

/**
 * This is a middleware, because a loader would not protect forms and requests for one route's data.
 * [NAV-05]
 */
export const ownerOnly: MiddlewareFunction<Response> = ({ context }) => {
  if (context.get(userContext)?.role !== 'owner') throw redirect(href('/'))
}
