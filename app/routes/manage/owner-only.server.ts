import { href, redirect, type MiddlewareFunction } from 'react-router'
import { userContext } from '#services/context.ts'

/**
 * A middleware, because a loader would protect neither forms nor requests for one route's data.
 * [NAV-05]
 */
export const ownerOnly: MiddlewareFunction<Response> = ({ context }) => {
  if (context.get(userContext)?.role !== 'owner') throw redirect(href('/'))
}
