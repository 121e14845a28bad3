/** What is told about each request: its id, and, where somebody asks for it, its route, status and time (046). */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Visit } from '../app/platform/visit.server.ts'

export type Seen = { method: string; route: string; status: number; seconds: number; requestId: string | undefined }

/** What proxies make: UUIDs, hexadecimal and base64url ids. Anything else could be somebody's text. */
const wellFormed = /^[\w-]{8,64}$/
const knownMethods = ['GET', 'HEAD', 'POST']

/** The id that a trusted proxy has given, or one of the shop's own. */
const requestIdOf = ({ headers, socket }: IncomingMessage, isTrusted: (remote: string) => boolean): string => {
  const told = headers['x-request-id']
  return typeof told === 'string' && wellFormed.test(told) && isTrusted(socket.remoteAddress ?? '') ? told : randomUUID()
}

/** What is answered outside the routes: pages kept ready have no file's ending, or are the data of one. */
function placeOf(url: string, status: number): string {
  const path = url.split('?', 1)[0]!
  if (/^\/(health|ready|metrics)$/.test(path)) return path
  if (status >= 400) return 'refused'
  if (path.startsWith('/assets/')) return '/assets/*'
  if (path.startsWith('/pictures/')) return '/pictures/*'
  return /\.(?!data$)\w+$/.test(path) ? 'file' : 'ready page'
}

/** `isWanted`: as long as nobody wants it, it costs nothing. */
type Watched = {
  listener: RequestListener
  visitOf: (incoming: IncomingMessage) => Visit | undefined
  tell: (seen: Seen) => void
  isWanted: () => boolean
}

export const observed =
  ({ listener, visitOf, tell, isWanted }: Watched): RequestListener =>
  (incoming, outgoing) => {
    if (!isWanted()) return listener(incoming, outgoing)
    const begun = performance.now()
    outgoing.once('close', () => {
      const visit = visitOf(incoming)
      tell({
        method: knownMethods.includes(incoming.method ?? '') ? incoming.method! : 'other',
        route: visit ? (visit.route ?? 'refused') : placeOf(incoming.url ?? '', outgoing.statusCode),
        // Whoever did not wait for the answer has got none.
        status: outgoing.writableFinished ? outgoing.statusCode : 499,
        seconds: (performance.now() - begun) / 1000,
        requestId: visit?.requestId,
      })
    })
    listener(incoming, outgoing)
  }

/** Remembers who asked for as long as the request lasts. */
export function openVisits(isTrusted: (remote: string) => boolean) {
  const visits = new WeakMap<IncomingMessage, Visit>()
  return {
    of: (incoming: IncomingMessage) => visits.get(incoming),
    begin(incoming: IncomingMessage, address: string): Visit {
      const visit: Visit = { address, requestId: requestIdOf(incoming, isTrusted) }
      visits.set(incoming, visit)
      return visit
    },
  }
}
