/** Each browser tab has one WebSocket, on which only the server sends. The session of the tab decides which topics the tab receives. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTick } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { findEndedSessions, findSessionUser } from '#app/features/auth/sessions.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { createAddressTable } from '../http/address-table.ts'
import { MAX_CONNECTIONS } from '../http/load-shedding.ts'
import { createClientAddress, type ClientAddressOf } from '#app/lib/http/client-address.server.ts'
import type { Topic } from '#app/services/live-topics.server.ts'

type Limits = {
  heartbeatMs?: number
  perAddress?: number
  maxOpen?: number
  maxUnsent?: number
  clientAddressOf?: ClientAddressOf
}
type Client = { user: User | null; address: string; isAlive: boolean }

const BATCH_SIZE = 250

/** After a change, browsers spread their requests over this many milliseconds. With at most a hundred browsers, no browser waits. */
const revalidationJitter = (clients: number): number =>
  clients <= 100 ? 0 : Math.min(2000, Math.round(clients / 2))

/** Everyone receives changes of public topics. A customer also receives changes of their own conversation and account, and the owner receives all changes. */
export function canSubscribe(user: User | null, topic: Topic): boolean {
  if (topic === 'catalog' || topic === 'testimonials' || topic === 'settings') return true
  if (!user) return false
  return user.role === 'admin' || topic === `order:${user.id}` || topic === `user:${user.id}`
}

/** `perAddress` is the maximum number of connections per address, enough for an office. `maxOpen` is the maximum number of connections of all addresses, which leaves 2,000 connections for pages. `maxUnsent` is the maximum number of bytes that wait for a client that does not read. */
export function createWebSocketServer(
  server: Server,
  services: AppServices,
  {
    heartbeatMs = 25_000,
    perAddress = 200,
    maxOpen = MAX_CONNECTIONS - 2000,
    maxUnsent = 64 * 1024,
    clientAddressOf = createClientAddress(),
  }: Limits = {},
) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1024,
    perMessageDeflate: false,
  })
  const clients = new Map<WebSocket, Client>()
  const connections = createAddressTable<Duplex>()
  let isClosing = false

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const isLive = URL.parse(request.url ?? '/', 'http://shop')?.pathname === '/live'
    // In development, Vite listens on the same server and handles its own connections.
    if (!isLive && server.listenerCount('upgrade') > 1) return
    if (!isLive || !isOwnOrigin(request, services.publicUrl)) return refuse(socket, '403 Forbidden')
    if (isClosing) return refuse(socket, '503 Service Unavailable')
    const address = clientAddressOf(
      request.socket.remoteAddress,
      request.headers['x-forwarded-for']?.toString(),
    )
    if (connections.countOf(address) >= perAddress || connections.total() >= maxOpen)
      return refuse(socket, '429 Too Many Requests')
    connections.add(address, socket)
    socket.once('close', () => connections.remove(address, socket))
    void findSessionUser(services, new Headers({ cookie: request.headers.cookie ?? '' }), null)
      .then((user) => {
        if (isClosing) return refuse(socket, '503 Service Unavailable')
        sockets.handleUpgrade(request, socket, head, (opened) =>
          register(opened, { user, address, isAlive: true }),
        )
      })
      .catch((error) => {
        services.log.error('a live connection failed', error)
        socket.destroy()
      })
  })

  function register(socket: WebSocket, client: Client) {
    clients.set(socket, client)
    socket.on('pong', () => void (client.isAlive = true))
    socket.on('message', () => socket.close(1008, 'the shop does not listen here'))
    socket.on('close', () => clients.delete(socket))
    socket.on('error', () => socket.terminate())
    // The browser compares this version with the version of its page, and loads the page again if the versions differ.
    send(socket, JSON.stringify({ version: services.live.version(client.user?.id ?? null) }))
  }

  function send(socket: WebSocket, text: string) {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxUnsent) socket.terminate()
    else socket.send(text)
  }

  /** Calls `act` for all clients in batches, so that the server can respond to requests between two batches. */
  async function forEachClient(act: (socket: WebSocket, client: Client) => void) {
    const all = [...clients]
    for (let start = 0; start < all.length; start += BATCH_SIZE) {
      if (start > 0) await nextTick()
      for (const [socket, client] of all.slice(start, start + BATCH_SIZE)) act(socket, client)
    }
  }

  const offNews = services.live.onNews((topics) => {
    const within = revalidationJitter(clients.size)
    void forEachClient((socket, { user }) => {
      const heard = topics.filter((topic) => canSubscribe(user, topic))
      if (heard.length > 0)
        send(
          socket,
          JSON.stringify({
            changed: heard,
            ...(within > 0 && user?.role !== 'admin' && { within }),
          }),
        )
    })
  })
  const endSession = (ended: (sessionId: string) => boolean) => {
    for (const [socket, { user }] of clients)
      if (user && ended(user.sessionId)) socket.close(4001, 'session ended')
  }
  const offSessionEnd = services.live.onSessionEnd((sessionId) =>
    endSession((id) => id === sessionId),
  )

  async function heartbeat() {
    await forEachClient((socket, client) => {
      if (!client.isAlive) return socket.terminate()
      client.isAlive = false
      socket.ping()
      // JavaScript cannot see pings, so the page uses this message to notice a dead connection.
      send(socket, '{"beat":true}')
    })
    // A session may have expired, or may have ended in another process.
    const ids = new Set([...clients.values()].flatMap(({ user }) => user?.sessionId ?? []))
    const ended = await findEndedSessions(services, [...ids])
    endSession((id) => ended.has(id))
  }
  const timer = setInterval(
    () =>
      void heartbeat().catch((error) =>
        services.log.error('the sessions could not be checked', error),
      ),
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
      setTimeout(() => [...clients.keys()].forEach((socket) => socket.terminate()), 1000)
    },
  }
}

function refuse(socket: Duplex, status: string) {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function isOwnOrigin(request: IncomingMessage, publicUrl: string | null): boolean {
  const origin = request.headers.origin
  if (!origin || !URL.canParse(origin)) return false
  return publicUrl ? origin === publicUrl : new URL(origin).host === request.headers.host
}
