import serviceWorker from '#market-stall/service-worker.js?raw'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/market-service-worker'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]

/** This response's Content-Security-Policy allows the service worker to send requests. */
export const loader = () =>
  new Response(serviceWorker, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      'Content-Security-Policy':
        "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    },
  })
