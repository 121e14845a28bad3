import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTick } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { findEndedSessions, findSessionUser } from '#auth/sessions.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { createClientAddress } from '#lib/http/client-address.server.ts'
import type { Topic } from '#services/live-topics.server.ts'
import { createAddressLimit } from '../http/address-limit.ts'
import { MAX_CONNECTIONS } from '../http/load-shedding.ts'

type Client = { user: User | null; isAlive: boolean }

const BATCH_SIZE = 250

const revalidationJitter = (clients: number) =>
  clients <= 100 ? 0 : Math.min(2000, Math.round(clients / 2))

export function canSubscribe(user: User | null, topic: Topic) {
  if (topic === 'catalog' || topic === 'testimonials' || topic === 'settings') return true
  if (!user) return false
  return user.role === 'owner' || topic === `order:${user.id}` || topic === `user:${user.id}`
}

export function createWebSocketServer(
  server: Server,
  services: AppServices,
  {
    heartbeatMs = 25_000,
    perAddress = 200,
    maxOpen = MAX_CONNECTIONS - 2000,
    maxUnsent = 64 * 1024,
    clientAddressOf = createClientAddress(),
  } = {},
) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1024,
    perMessageDeflate: false,
  })
  const clients = createClients(maxUnsent, services.now)
  const connections = createAddressLimit({ perAddress, total: maxOpen })
  let isClosing = false

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const isLive = URL.parse(request.url ?? '/', 'http://shop')?.pathname === '/live'
    // In development, this server also has Vite's connections.
    if (!isLive && server.listenerCount('upgrade') > 1) return
    if (!isLive || !isOwnOrigin(request, services.publicUrl)) return refuse(socket, '403 Forbidden')
    if (isClosing) return refuse(socket, '503 Service Unavailable')
    const address = clientAddressOf(
      request.socket.remoteAddress,
      request.headers['x-forwarded-for']?.toString(),
    )
    if (!connections.tryAdd(address)) return refuse(socket, '429 Too Many Requests')
    socket.once('close', () => connections.release(address))
    void findSessionUser(services, new Headers({ cookie: request.headers.cookie ?? '' }), null)
      .then((user) => {
        if (isClosing) return refuse(socket, '503 Service Unavailable')
        sockets.handleUpgrade(request, socket, head, (opened) => {
          clients.add(opened, user)
          clients.send(opened, { version: services.live.version(user?.id ?? null) })
        })
      })
      .catch((error) => {
        services.log.error('a live connection failed', error)
        socket.destroy()
      })
  })

  const offNews = services.live.onNews(clients.publish)
  const offSessionEnd = services.live.onSessionEnd((sessionId) =>
    clients.endSessions((id) => id === sessionId),
  )

  async function heartbeat() {
    await clients.ping()
    const ids = new Set([...clients.all.values()].flatMap(({ user }) => user?.sessionId ?? []))
    const endedIds = await findEndedSessions(services, [...ids])
    clients.endSessions((id) => endedIds.has(id))
  }
  const timer = setInterval(
    () =>
      void heartbeat().catch((error) =>
        services.log.error('the sessions could not be checked', error),
      ),
    heartbeatMs,
  )

  return {
    count: () => clients.all.size,
    heartbeat,
    close() {
      isClosing = true
      clearInterval(timer)
      offNews()
      offSessionEnd()
      for (const socket of clients.all.keys()) socket.close(1001, 'the shop restarts')
      sockets.close()
      setTimeout(() => [...clients.all.keys()].forEach((socket) => socket.terminate()), 1000)
    },
  }
}

/** Only after SESSION_ENDED, the browser deletes what the person has left in it. [S-486] */
const SESSION_ENDED = 4001
const LOGIN_EXPIRED = 4002

function createClients(maxUnsent: number, now: () => number) {
  const all = new Map<WebSocket, Client>()

  function send(socket: WebSocket, message: object) {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxUnsent) socket.terminate()
    else socket.send(JSON.stringify(message))
  }

  async function forEach(act: (socket: WebSocket, client: Client) => void) {
    const entries = [...all]
    for (let start = 0; start < entries.length; start += BATCH_SIZE) {
      if (start > 0) await nextTick()
      for (const [socket, client] of entries.slice(start, start + BATCH_SIZE)) act(socket, client)
    }
  }

  return {
    all,
    send,
    publish(topics: readonly Topic[]) {
      const within = revalidationJitter(all.size)
      void forEach((socket, { user }) => {
        const changed = topics.filter((topic) => canSubscribe(user, topic))
        if (changed.length === 0) return
        send(socket, { changed, ...(within > 0 && user?.role !== 'owner' && { within }) })
      })
    },
    add(socket: WebSocket, user: User | null) {
      const client = { user, isAlive: true }
      all.set(socket, client)
      socket.on('pong', () => void (client.isAlive = true))
      socket.on('message', () => socket.close(1008, 'the shop does not listen here'))
      socket.on('close', () => all.delete(socket))
      socket.on('error', () => socket.terminate())
    },
    endSessions(isEnded: (sessionId: string) => boolean) {
      for (const [socket, { user }] of all) {
        if (!user || !isEnded(user.sessionId)) continue
        const isExpired = now() >= (user.loginExpiresAt ?? Infinity)
        socket.close(isExpired ? LOGIN_EXPIRED : SESSION_ENDED, 'session ended')
      }
    },
    ping: () =>
      forEach((socket, client) => {
        if (!client.isAlive) return socket.terminate()
        client.isAlive = false
        socket.ping()
        send(socket, { beat: true })
      }),
  }
}

function refuse(socket: Duplex, status: string) {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function isOwnOrigin(request: IncomingMessage, publicUrl: string | null) {
  const origin = request.headers.origin
  if (!origin || !URL.canParse(origin)) return false
  return publicUrl ? origin === publicUrl : new URL(origin).host === request.headers.host
}
