/**
 * Limits that keep one process answering when more is asked of it than it can do (decision 050). Everything else, such as limits per minute and
 * address, is the reverse proxy's job (deploy/).
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { openClientAddress, openTrust } from '#app/platform/client-address.server.ts'
import type { Middleware } from './environment.ts'
import { fallbackPage } from './fallback-page.ts'
import { themeOf } from './request-validation.ts'
import { withSecurityHeaders } from './security-headers.ts'

/** Requests under way, until their response has left: each holds memory, also one whose body comes slowly or whose response nobody reads. */
const MAX_IN_FLIGHT = 2000
const MAX_IN_FLIGHT_PER_IP = 200
/** Requests of one connection ahead of their responses; browsers and proxies send one after the other. */
const MAX_PIPELINED = 16
/** Signed-in users and writes are shed later than visitors who only look: typed text is worth more than a look. */
const HARD_LIMIT_FACTOR = 3
const SAMPLE_MS = 50
const TEXT = 'So many people are in the shop that it cannot keep up. Please try again in a moment.'

type Options = { publicUrl: string | null; maxDelayMs: number; delay?: () => number }

/** `delay`: milliseconds that new work waits for the event loop. */
export function createLoadShedder({ publicUrl, maxDelayMs, delay = eventLoopDelay() }: Options) {
  const inFlightOf = new Map<string, number>()
  const pipelined = new WeakMap<Socket, number>()
  let inFlight = 0
  let refused = 0

  const middleware: Middleware = async (c, next) => {
    const { incoming, outgoing } = c.env
    const { socket } = incoming
    const { address } = c.get('visit')
    const ahead = pipelined.get(socket) ?? 0
    const ofAddress = inFlightOf.get(address) ?? 0
    if (ahead >= MAX_PIPELINED) {
      if (!socket.destroyed) refused += 1
      socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    const isFull = inFlight >= MAX_IN_FLIGHT || ofAddress >= MAX_IN_FLIGHT_PER_IP
    if (isFull || delay() > maxDelayMs * (isAnonymousRead(incoming) ? 1 : HARD_LIMIT_FACTOR)) {
      refused += 1
      return refuse(incoming)
    }
    inFlight += 1
    inFlightOf.set(address, ofAddress + 1)
    pipelined.set(socket, ahead + 1)
    outgoing.once('close', () => {
      inFlight -= 1
      pipelined.set(socket, pipelined.get(socket)! - 1)
      decrement(inFlightOf, address)
    })
    return next()
  }

  function refuse({ method, headers }: IncomingMessage): Response {
    const page = fallbackPage(503, TEXT, { theme: themeOf(headers.cookie ?? ''), offerRetry: method === 'GET' })
    // Each client gets another time, so that they do not all come back together.
    page.headers.set('Retry-After', String(2 + Math.floor(Math.random() * 4)))
    // The rest of a refused body is not waited for.
    if (method === 'POST') page.headers.set('Connection', 'close')
    return withSecurityHeaders(page, publicUrl)
  }

  return { middleware, stats: () => ({ refused, inFlight }) }
}

const isAnonymousRead = ({ method, headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && !/session_token=/.test(headers.cookie ?? '')

function decrement(counts: Map<string, number>, key: string) {
  const left = counts.get(key)! - 1
  if (left === 0) counts.delete(key)
  else counts.set(key, left)
}

/**
 * Milliseconds by which the latest timer was late. Node's own histogram of the delay leaves out the first sample after each reset, so that it
 * tells nothing while each turn of the event loop takes longer than the time between two resets.
 */
export function eventLoopDelay(): () => number {
  let delay = 0
  let lastAt = performance.now()
  setInterval(() => {
    const now = performance.now()
    delay = now - lastAt - SAMPLE_MS
    lastAt = now
  }, SAMPLE_MS).unref()
  return () => delay
}

/** How often Node looks for connections that have exceeded a timeout; an option of its server that cannot be set later. */
export const serverOptions = { connectionsCheckingInterval: 5000 }

/** Milliseconds. A picture of 10 MB over a slow phone takes minutes, the headers of a request never do. */
const timeoutsMs = { headers: 15_000, request: 300_000, silence: 120_000 }
/** Longer than proxies keep an idle connection (60 s): they close it, and never send into one that is just being closed here. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000
/** Beyond these, new connections are closed immediately; 5,000 open tabs fit in well. */
const MAX_CONNECTIONS = 12_000
const MAX_CONNECTIONS_PER_IP = 1000
const MAX_HEADERS = 200

type Limits = { timeouts?: Partial<typeof timeoutsMs>; perRemote?: number; isTrusted?: (remote: string) => boolean }

export function limitConnections(
  server: Server,
  { timeouts = {}, perRemote = MAX_CONNECTIONS_PER_IP, isTrusted = openTrust() }: Limits = {},
): void {
  const { headers, request, silence } = { ...timeoutsMs, ...timeouts }
  const countOf = new Map<string, number>()
  server.on('connection', (socket) => {
    const remote = socket.remoteAddress ?? ''
    if (isTrusted(remote)) return
    const address = countedAddress(remote, undefined)
    const count = (countOf.get(address) ?? 0) + 1
    countOf.set(address, count)
    socket.once('close', () => decrement(countOf, address))
    if (count > perRemote) socket.destroy()
  })
  server.headersTimeout = headers
  server.requestTimeout = request
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  // Nothing is written or read: a response that nobody takes, a form that has stopped coming. WebSockets have a heartbeat of their own.
  server.setTimeout(silence, (socket) => socket.destroy())
  server.maxHeadersCount = MAX_HEADERS
  server.maxConnections = MAX_CONNECTIONS
}

/** Of IPv6 the network: one visitor has 2^64 addresses of it. */
const countedAddress = openClientAddress('none')
