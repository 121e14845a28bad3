/** How long a connection may take over what it has to say, and over hearing the answer: slow ones and silent ones hold no place for ever (047). */
import type { Server } from 'node:http'
import { openClientAddress, openTrust } from '../app/platform/client-address.server.ts'

/** Milliseconds. A picture of 10 MB over a slow phone takes minutes, the head of a request never does. */
const PATIENCE = { head: 15_000, request: 300_000, silence: 120_000 }
/** Longer than proxies keep a line that is idle (nginx and most balancers 60 s): they close it, and never send into one that is being closed here. */
const IDLE = 75_000
/** Beyond these, new ones are closed at once; 5,000 open tabs fit in well. */
const MOST_CONNECTIONS = 12_000
/** Of one address that is no trusted proxy: an office has room, and nobody takes all. */
const MOST_OF_ONE = 1000
const MOST_HEADERS = 200

/** How often Node looks for connections that have taken too long; an option of its server, which cannot be set later. */
export const serverOptions = { connectionsCheckingInterval: 5000 }

type Bounds = { patience?: Partial<typeof PATIENCE>; perRemote?: number; isTrusted?: (remote: string) => boolean }

export function boundConnections(server: Server, { patience = {}, perRemote = MOST_OF_ONE, isTrusted = openTrust() }: Bounds = {}): void {
  const { head, request, silence } = { ...PATIENCE, ...patience }
  const countOf = new Map<string, number>()
  server.on('connection', (socket) => {
    const remote = socket.remoteAddress ?? ''
    if (isTrusted(remote)) return
    const one = addressOf(remote, undefined)
    const count = (countOf.get(one) ?? 0) + 1
    countOf.set(one, count)
    socket.once('close', () => {
      const left = countOf.get(one)! - 1
      if (left === 0) countOf.delete(one)
      else countOf.set(one, left)
    })
    if (count > perRemote) socket.destroy()
  })
  server.headersTimeout = head
  server.requestTimeout = request
  server.keepAliveTimeout = IDLE
  // Neither reads nor writes: an answer that nobody takes, a form that has stopped coming. Live connections have a heartbeat of their own.
  server.setTimeout(silence, (socket) => socket.destroy())
  server.maxHeadersCount = MOST_HEADERS
  server.maxConnections = MOST_CONNECTIONS
}

/** Of IPv6 the network: one visitor has 2^64 addresses of it. */
const addressOf = openClientAddress('none')
