import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createClientAddress, createProxyTrust } from '#lib/http/client-address.server.ts'
import { createAddressLimit } from './address-limit.ts'
import type { Middleware } from './environment.ts'
import { fallbackPage } from './fallback-page.ts'
import { themeOf } from './request-validation.ts'
import { withSecurityHeaders } from './security-headers.ts'

const MAX_IN_FLIGHT = 2000
const MAX_IN_FLIGHT_PER_IP = 200
const MAX_PIPELINED = 16
const HARD_LIMIT_FACTOR = 3
const SAMPLE_MS = 50
const TEXT = 'The shop is very busy at the moment. Please try again soon.'

export function createLoadShedder({
  publicUrl,
  maxDelayMs,
  delay = eventLoopDelay(),
}: {
  publicUrl: string | null
  maxDelayMs: number
  delay?: () => number
}) {
  const inFlight = createAddressLimit({ perAddress: MAX_IN_FLIGHT_PER_IP, total: MAX_IN_FLIGHT })
  const pipelined = new WeakMap<Socket, number>()
  let refused = 0

  const middleware: Middleware = async (c, next) => {
    const { incoming, outgoing } = c.env
    const { socket } = incoming
    const { address } = c.get('visit')
    const ahead = pipelined.get(socket) ?? 0
    if (ahead >= MAX_PIPELINED) {
      if (!socket.destroyed) refused += 1
      socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    const isLate = delay() > maxDelayMs * (isAnonymousRead(incoming) ? 1 : HARD_LIMIT_FACTOR)
    if (isLate || !inFlight.tryAdd(address)) {
      refused += 1
      return refuse(incoming)
    }
    pipelined.set(socket, ahead + 1)
    outgoing.once('close', () => {
      pipelined.set(socket, pipelined.get(socket)! - 1)
      inFlight.release(address)
    })
    return next()
  }

  function refuse({ method, headers }: IncomingMessage) {
    const page = fallbackPage(503, TEXT, {
      theme: themeOf(headers.cookie ?? ''),
      offerRetry: method === 'GET',
    })
    // A random pause keeps clients from returning all at once.
    page.headers.set('Retry-After', String(2 + Math.floor(Math.random() * 4)))
    if (method === 'POST') page.headers.set('Connection', 'close')
    return withSecurityHeaders(page, publicUrl)
  }

  return { middleware, stats: () => ({ refused, inFlight: inFlight.inUse() }) }
}

const isAnonymousRead = ({ method, headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && !/session_token=/.test(headers.cookie ?? '')

/** Replaces `monitorEventLoopDelay`, which reports nothing if each turn outlasts its interval. */
function eventLoopDelay() {
  let delay = 0
  let lastAt = performance.now()
  setInterval(() => {
    const now = performance.now()
    delay = now - lastAt - SAMPLE_MS
    lastAt = now
  }, SAMPLE_MS).unref()
  return () => delay
}

export const serverOptions: ServerOptions = {
  connectionsCheckingInterval: 5000,
  // Upgrades only WebSockets, because a client that asks for h2c must get its page.
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
}

/** Two images of 10 MB at 30 kB/s need 12 minutes for their request. */
const timeoutsMs = { headers: 15_000, bodyPause: 15_000, request: 1_200_000, silence: 120_000 }
const MIN_BODY_BYTES_PER_MS = 10
/** Longer than the timeouts of proxies, so that they never use a connection that is closing. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000
/** WebSockets must leave 2,000 connections to other requests. [S-423] */
export const MAX_CONNECTIONS = 12_000
const MAX_CONNECTIONS_PER_IP = 1000
const MAX_HEADERS = 200

export function limitConnections(
  server: Server,
  {
    timeouts = {} as Partial<typeof timeoutsMs>,
    perRemote = MAX_CONNECTIONS_PER_IP,
    maxOpen = MAX_CONNECTIONS,
    isTrusted = createProxyTrust(),
  } = {},
) {
  const { headers, bodyPause, request, silence } = { ...timeoutsMs, ...timeouts }
  const connections = createAddressLimit({ perAddress: perRemote, total: maxOpen })
  server.on('connection', (socket) => {
    const remote = socket.remoteAddress ?? ''
    if (isTrusted(remote)) return
    const address = countedAddress(remote, undefined)
    if (connections.tryAdd(address)) socket.once('close', () => connections.release(address))
    else socket.destroy()
  })
  server.on('request', (incoming: IncomingMessage) => closeIfSlow(incoming, bodyPause))
  server.headersTimeout = headers
  server.requestTimeout = request
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  server.setTimeout(silence, (socket) => socket.destroy())
  server.maxHeadersCount = MAX_HEADERS
  server.maxConnections = maxOpen
}

/** Clients that send a body too slowly must not use up the requests that may be in flight. */
function closeIfSlow(incoming: IncomingMessage, graceMs: number) {
  const { headers, socket } = incoming
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
  if (!hasBody) return
  const start = socket.bytesRead
  const stepMs = graceMs / 3
  let waitedMs = 0
  const timer = setInterval(() => {
    if (incoming.complete) return clearInterval(timer)
    if (incoming.readableLength >= incoming.readableHighWaterMark) return
    waitedMs += stepMs
    if (socket.bytesRead - start < (waitedMs - graceMs) * MIN_BODY_BYTES_PER_MS) socket.destroy()
  }, stepMs).unref()
  incoming.once('close', () => clearInterval(timer))
}

/** One visitor may have 2^64 IPv6 addresses, which must count as one. */
const countedAddress = createClientAddress('none')
