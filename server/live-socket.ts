/** The live channel: one WebSocket per tab. The server decides from the session which topics reach it; the browser sends nothing. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Shop, User } from '../app/platform/context.ts'
import { openClientAddress, type ClientAddressOf } from '../app/platform/client-address.server.ts'
import type { Topic } from '../app/platform/live.server.ts'
import { openTurns } from './turns.ts'

type Sessions = {
  findUserOf: (shop: Shop, headers: Headers, cookies: string[]) => Promise<User | null>
  endedSessions: (shop: Shop, ids: string[]) => Promise<Set<string>>
}
type Limits = { heartbeat?: number; perAddress?: number; maxUnsent?: number; clientAddressOf?: ClientAddressOf }
type Listener = { user: User | null; address: string; isAlive: boolean }

export type LiveSocket = { close: () => void; count: () => number; beat: () => Promise<void> }

/**
 * Milliseconds in which the browsers of a crowd ask anew after a signal, each at its own moment: a stampede would hold up everybody. Few ask at
 * once, and the owner, who sees her own work, always (047).
 */
export const spreadOf = (listeners: number): number => (listeners <= 100 ? 0 : Math.min(2000, Math.round(listeners / 2)))

/** What a person may hear of: everybody the catalogue, a customer also their own conversation, the owner everything. */
export function mayHear(user: User | null, topic: Topic): boolean {
  if (topic === 'catalogue' || topic === 'testimonials' || topic === 'settings') return true
  if (!user) return false
  return user.role === 'admin' || topic === `order:${user.id}` || topic === `user:${user.id}`
}

/** `perAddress`: connections; an office behind one address has room. `maxUnsent`: bytes waiting for someone who does not read. */
export function openLiveSocket(
  server: Server,
  shop: Shop,
  { findUserOf, endedSessions }: Sessions,
  { heartbeat = 25_000, perAddress = 200, maxUnsent = 64 * 1024, clientAddressOf = openClientAddress() }: Limits = {},
): LiveSocket {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false })
  const listeners = new Map<WebSocket, Listener>()
  /** Open and opening connections. */
  const countOf = new Map<string, number>()
  let isClosing = false

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const isLive = URL.parse(request.url ?? '/', 'http://shop')?.pathname === '/live'
    // In development another listener speaks on the same server, for the tools.
    if (!isLive && server.listenerCount('upgrade') > 1) return
    if (!isLive || !isOwnOrigin(request, shop.publicUrl)) return refuse(socket, '403 Forbidden')
    if (isClosing) return refuse(socket, '503 Service Unavailable')
    const address = clientAddressOf(request.socket.remoteAddress, request.headers['x-forwarded-for']?.toString())
    const count = countOf.get(address) ?? 0
    if (count >= perAddress) return refuse(socket, '429 Too Many Requests')
    countOf.set(address, count + 1)
    socket.once('close', () => {
      const left = countOf.get(address)! - 1
      if (left === 0) countOf.delete(address)
      else countOf.set(address, left)
    })
    void findUserOf(shop, new Headers({ cookie: request.headers.cookie ?? '' }), [])
      .then((user) => {
        if (isClosing) return refuse(socket, '503 Service Unavailable')
        sockets.handleUpgrade(request, socket, head, (opened) => welcome(opened, { user, address, isAlive: true }))
      })
      .catch((error) => {
        shop.log.error('a live connection failed', error)
        socket.destroy()
      })
  })

  function welcome(socket: WebSocket, listener: Listener) {
    listeners.set(socket, listener)
    socket.on('pong', () => void (listener.isAlive = true))
    socket.on('message', () => socket.close(1008, 'the shop does not listen here'))
    socket.on('close', () => listeners.delete(socket))
    socket.on('error', () => socket.terminate())
    // What changed between the rendering of the page and now: the browser compares and asks anew if need be.
    say(socket, JSON.stringify({ version: shop.live.version(listener.user?.id ?? null) }))
  }

  function say(socket: WebSocket, text: string) {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxUnsent) socket.terminate()
    else socket.send(text)
  }

  const forEach = openTurns()
  const offNews = shop.live.onNews((topics) => {
    const within = spreadOf(listeners.size)
    void forEach(
      () => [...listeners],
      ([socket, { user }]) => {
        const heard = topics.filter((topic) => mayHear(user, topic))
        if (heard.length > 0) say(socket, JSON.stringify({ changed: heard, ...(within > 0 && user?.role !== 'admin' && { within }) }))
      },
    )
  })
  const endSession = (ended: (sessionId: string) => boolean) => {
    for (const [socket, { user }] of listeners) if (user && ended(user.sessionId)) socket.close(4001, 'session ended')
  }
  const offSessionEnd = shop.live.onSessionEnd((sessionId) => endSession((id) => id === sessionId))

  async function beat() {
    await forEach(
      () => [...listeners],
      ([socket, listener]) => {
        if (!listener.isAlive) return socket.terminate()
        listener.isAlive = false
        socket.ping()
        // The browser's script cannot see pings; this lets it notice a connection that died silently.
        say(socket, '{"beat":true}')
      },
    )
    // Sessions that expired, or that were ended by another process or in the database.
    const ids = new Set([...listeners.values()].flatMap(({ user }) => user?.sessionId ?? []))
    const ended = await endedSessions(shop, [...ids])
    endSession((id) => ended.has(id))
  }
  const timer = setInterval(() => void beat().catch((error) => shop.log.error('the sessions could not be checked', error)), heartbeat)

  return {
    count: () => listeners.size,
    beat,
    close() {
      isClosing = true
      clearInterval(timer)
      offNews()
      offSessionEnd()
      for (const socket of listeners.keys()) socket.close(1001, 'the shop restarts')
      sockets.close()
      // Who does not say goodbye in time is cut off.
      setTimeout(() => [...listeners.keys()].forEach((socket) => socket.terminate()), 1000)
    },
  }
}

/** Whoever is refused keeps no line half open either. */
function refuse(socket: Duplex, status: string) {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function isOwnOrigin(request: IncomingMessage, publicUrl: string | null): boolean {
  const origin = request.headers.origin
  if (!origin || !URL.canParse(origin)) return false
  return publicUrl ? origin === publicUrl : new URL(origin).host === request.headers.host
}
