/** The live channel: one WebSocket per tab. The server decides from the session which topics reach it; the browser sends nothing. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTick } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { endedSessions, findUserOf } from '#app/features/auth/sessions.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { openClientAddress, type ClientAddressOf } from '#app/platform/client-address.server.ts'
import type { Topic } from '#app/platform/live.server.ts'

type Limits = { heartbeatMs?: number; perAddress?: number; maxUnsent?: number; clientAddressOf?: ClientAddressOf }
type Client = { user: User | null; address: string; isAlive: boolean }

const BATCH_SIZE = 250

/** Milliseconds within which the browsers of a crowd revalidate after a change; a few browsers, and the owner, do so at once. */
export const revalidationJitter = (clients: number): number => (clients <= 100 ? 0 : Math.min(2000, Math.round(clients / 2)))

/** Everybody hears of the catalog, a customer also of their own conversation, the owner of everything. */
export function canSubscribe(user: User | null, topic: Topic): boolean {
  if (topic === 'catalogue' || topic === 'testimonials' || topic === 'settings') return true
  if (!user) return false
  return user.role === 'admin' || topic === `order:${user.id}` || topic === `user:${user.id}`
}

/** `perAddress`: connections; an office behind one address has room. `maxUnsent`: bytes waiting for someone who does not read. */
export function createWebSocketServer(
  server: Server,
  shop: Shop,
  { heartbeatMs = 25_000, perAddress = 200, maxUnsent = 64 * 1024, clientAddressOf = openClientAddress() }: Limits = {},
) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false })
  const clients = new Map<WebSocket, Client>()
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
        sockets.handleUpgrade(request, socket, head, (opened) => register(opened, { user, address, isAlive: true }))
      })
      .catch((error) => {
        shop.log.error('a live connection failed', error)
        socket.destroy()
      })
  })

  function register(socket: WebSocket, client: Client) {
    clients.set(socket, client)
    socket.on('pong', () => void (client.isAlive = true))
    socket.on('message', () => socket.close(1008, 'the shop does not listen here'))
    socket.on('close', () => clients.delete(socket))
    socket.on('error', () => socket.terminate())
    // What changed between the rendering of the page and now: the browser compares and asks anew if need be.
    send(socket, JSON.stringify({ version: shop.live.version(client.user?.id ?? null) }))
  }

  function send(socket: WebSocket, text: string) {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxUnsent) socket.terminate()
    else socket.send(text)
  }

  /** In batches, so that requests are answered in between. Two runs never overtake each other: both pause after the same number of clients. */
  async function forEachClient(act: (socket: WebSocket, client: Client) => void) {
    const all = [...clients]
    for (let start = 0; start < all.length; start += BATCH_SIZE) {
      if (start > 0) await nextTick()
      for (const [socket, client] of all.slice(start, start + BATCH_SIZE)) act(socket, client)
    }
  }

  const offNews = shop.live.onNews((topics) => {
    const within = revalidationJitter(clients.size)
    void forEachClient((socket, { user }) => {
      const heard = topics.filter((topic) => canSubscribe(user, topic))
      if (heard.length > 0) send(socket, JSON.stringify({ changed: heard, ...(within > 0 && user?.role !== 'admin' && { within }) }))
    })
  })
  const endSession = (ended: (sessionId: string) => boolean) => {
    for (const [socket, { user }] of clients) if (user && ended(user.sessionId)) socket.close(4001, 'session ended')
  }
  const offSessionEnd = shop.live.onSessionEnd((sessionId) => endSession((id) => id === sessionId))

  async function heartbeat() {
    await forEachClient((socket, client) => {
      if (!client.isAlive) return socket.terminate()
      client.isAlive = false
      socket.ping()
      // JavaScript in the browser cannot see pings; this lets it notice a connection that died silently.
      send(socket, '{"beat":true}')
    })
    // Sessions that expired, or that were ended by another process or in the database.
    const ids = new Set([...clients.values()].flatMap(({ user }) => user?.sessionId ?? []))
    const ended = await endedSessions(shop, [...ids])
    endSession((id) => ended.has(id))
  }
  const timer = setInterval(
    () => void heartbeat().catch((error) => shop.log.error('the sessions could not be checked', error)),
    heartbeatMs,
  )

  return {
    count: () => clients.size,
    heartbeat,
    close() {
      isClosing = true
      clearInterval(timer)
      offNews()
      offSessionEnd()
      for (const socket of clients.keys()) socket.close(1001, 'the shop restarts')
      sockets.close()
      // Who does not say goodbye in time is cut off.
      setTimeout(() => [...clients.keys()].forEach((socket) => socket.terminate()), 1000)
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
