/** Refuses requests under overload, so that the process stays responsive. The reverse proxy (deploy/) limits the number of requests per minute. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createClientAddress, createProxyTrust } from '#app/lib/http/client-address.server.ts'
import { createAddressTable } from './address-table.ts'
import type { Middleware } from './environment.ts'
import { fallbackPage } from './fallback-page.ts'
import { themeOf } from './request-validation.ts'
import { withSecurityHeaders } from './security-headers.ts'

/** The maximum number of requests whose response is not completely sent. The limit exists because each such request uses memory. */
const MAX_IN_FLIGHT = 2000
const MAX_IN_FLIGHT_PER_IP = 200
/** The maximum number of pipelined requests per connection; browsers and proxies send one at a time. */
const MAX_PIPELINED = 16
/** Requests of signed-in users and form submissions are refused only if the delay exceeds `maxDelayMs` times this factor. Page views of visitors are refused earlier. */
const HARD_LIMIT_FACTOR = 3
const SAMPLE_MS = 50
const TEXT = 'The shop is very busy at the moment. Please try again soon.'

type Options = { publicUrl: string | null; maxDelayMs: number; delay?: () => number }

/** `delay` returns for how many milliseconds new work waits for the event loop. */
export function createLoadShedder({ publicUrl, maxDelayMs, delay = eventLoopDelay() }: Options) {
  const inFlight = createAddressTable<IncomingMessage>()
  const pipelined = new WeakMap<Socket, number>()
  let refused = 0

  const middleware: Middleware = async (c, next) => {
    const { incoming, outgoing } = c.env
    const { socket } = incoming
    const { address } = c.get('visit')
    const ahead = pipelined.get(socket) ?? 0
    const count = inFlight.countOf(address)
    if (ahead >= MAX_PIPELINED) {
      if (!socket.destroyed) refused += 1
      socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    const isLate = delay() > maxDelayMs * (isAnonymousRead(incoming) ? 1 : HARD_LIMIT_FACTOR)
    if (
      isLate ||
      count >= MAX_IN_FLIGHT_PER_IP ||
      (inFlight.total() >= MAX_IN_FLIGHT && !closeOldestRequest(count))
    ) {
      refused += 1
      return refuse(incoming)
    }
    inFlight.add(address, incoming)
    pipelined.set(socket, ahead + 1)
    outgoing.once('close', () => {
      pipelined.set(socket, pipelined.get(socket)! - 1)
      inFlight.remove(address, incoming)
    })
    return next()
  }

  /** Closes a request, if possible one whose body is still arriving, of the address with the most requests. Returns false if no address has many more than `count`. [S-422] */
  function closeOldestRequest(count: number): boolean {
    const closed = inFlight.takeOldest(count, ({ complete }) => !complete)
    if (!closed) return false
    refused += 1
    closed.socket.destroy()
    return true
  }

  function refuse({ method, headers }: IncomingMessage): Response {
    const page = fallbackPage(503, TEXT, {
      theme: themeOf(headers.cookie ?? ''),
      offerRetry: method === 'GET',
    })
    // The time is random, so that clients do not repeat their requests at the same time.
    page.headers.set('Retry-After', String(2 + Math.floor(Math.random() * 4)))
    // The connection is closed, because the rest of a refused body is not read.
    if (method === 'POST') page.headers.set('Connection', 'close')
    return withSecurityHeaders(page, publicUrl)
  }

  return { middleware, stats: () => ({ refused, inFlight: inFlight.total() }) }
}

const isAnonymousRead = ({ method, headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && !/session_token=/.test(headers.cookie ?? '')

/**
 * Measures by how many milliseconds the latest timer was late. Node's `monitorEventLoopDelay` is not used, because it reports nothing
 * while each turn of the event loop takes longer than the interval between two samples.
 */
function eventLoopDelay(): () => number {
  let delay = 0
  let lastAt = performance.now()
  setInterval(() => {
    const now = performance.now()
    delay = now - lastAt - SAMPLE_MS
    lastAt = now
  }, SAMPLE_MS).unref()
  return () => delay
}

/** Node checks its timeouts at this interval in milliseconds, which only the server's constructor can set. */
export const serverOptions = { connectionsCheckingInterval: 5000 }

/** Timeouts in milliseconds. `request` is long, because a phone that sends two images of 10 MB at 30 kB/s needs 12 minutes. `bodyPause` is the time that a body may pause in total. During the rest of its time, it must arrive at MIN_BODY_BYTES_PER_MS or faster. */
const timeoutsMs = { headers: 15_000, bodyPause: 15_000, request: 1_200_000, silence: 120_000 }
const MIN_BODY_BYTES_PER_MS = 10
/** The shop closes an idle connection after this many milliseconds. Proxies close it earlier, after 60 s, so they never send a request on a connection that the shop is closing. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000
/** WebSockets may use all but 2,000 of these connections. [S-423] */
export const MAX_CONNECTIONS = 12_000
const MAX_CONNECTIONS_PER_IP = 1000
const MAX_HEADERS = 200

type Limits = {
  timeouts?: Partial<typeof timeoutsMs>
  perRemote?: number
  maxOpen?: number
  isTrusted?: (remote: string) => boolean
}

/** When all connections are open, a new one replaces the oldest one of the address with the most connections. [S-410] */
export function limitConnections(
  server: Server,
  {
    timeouts = {},
    perRemote = MAX_CONNECTIONS_PER_IP,
    maxOpen = MAX_CONNECTIONS,
    isTrusted = createProxyTrust(),
  }: Limits = {},
): void {
  const { headers, bodyPause, request, silence } = { ...timeoutsMs, ...timeouts }
  const connections = createAddressTable<Socket>()
  server.on('connection', (socket) => {
    const remote = socket.remoteAddress ?? ''
    if (isTrusted(remote)) return
    const address = countedAddress(remote, undefined)
    const count = connections.countOf(address)
    if (count >= perRemote) return void socket.destroy()
    // One place stays free, because Node closes a connection above `maxConnections` before this listener sees it.
    if (connections.total() >= maxOpen - 1) {
      const oldest = connections.takeOldest(count)
      if (!oldest) return void socket.destroy()
      oldest.destroy()
    }
    connections.add(address, socket)
    socket.once('close', () => connections.remove(address, socket))
  })
  server.on('request', (incoming: IncomingMessage) => closeIfSlow(incoming, bodyPause))
  server.headersTimeout = headers
  server.requestTimeout = request
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  // A connection without traffic is closed. WebSockets send heartbeats, so they have traffic.
  server.setTimeout(silence, (socket) => socket.destroy())
  server.maxHeadersCount = MAX_HEADERS
  server.maxConnections = maxOpen
}

/**
 * Closes the connection of a request whose body arrives too slowly, so that half-sent bodies do not occupy the upload queue. A body may pause for `graceMs`
 * in total. Each further second needs 10 kB.
 */
function closeIfSlow(incoming: IncomingMessage, graceMs: number): void {
  const { headers, socket } = incoming
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
    return
  const start = socket.bytesRead
  const stepMs = graceMs / 3
  let waitedMs = 0
  const timer = setInterval(() => {
    if (incoming.complete) return clearInterval(timer)
    // While the buffer is full, the client cannot send, because the shop does not read.
    if (incoming.readableLength >= incoming.readableHighWaterMark) return
    waitedMs += stepMs
    if (socket.bytesRead - start < (waitedMs - graceMs) * MIN_BODY_BYTES_PER_MS) socket.destroy()
  }, stepMs).unref()
  incoming.once('close', () => clearInterval(timer))
}

/** Returns the address for which connections are counted. All addresses of an IPv6 network count as one address, because one visitor may have 2^64 addresses. */
const countedAddress = createClientAddress('none')
