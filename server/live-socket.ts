/** The live channel: one WebSocket per tab. The server decides from the session which topics reach it; the browser sends nothing. */
import type { IncomingMessage, Server } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Shop, User } from '../app/platform/context.ts'
import type { Topic } from '../app/platform/live.server.ts'

const HEARTBEAT = 25_000

type FindUser = (shop: Shop, headers: Headers, cookies: string[]) => Promise<User | null>

/** What a person may hear of: everybody the catalogue, a customer also their own conversation, the owner everything. */
export function mayHear(user: User | null, topic: Topic): boolean {
  if (topic === 'catalogue' || topic === 'testimonials' || topic === 'settings') return true
  if (!user) return false
  return user.role === 'admin' || topic === `order:${user.id}` || topic === `user:${user.id}`
}

export function openLiveSocket(server: Server, shop: Shop, findUser: FindUser): { close: () => void; count: () => number } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false })
  const listeners = new Map<WebSocket, { user: User | null; isAlive: boolean }>()

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const isLive = URL.parse(request.url ?? '/', 'http://shop')?.pathname === '/live'
    // In development another listener speaks on the same server, for the tools.
    if (!isLive && server.listenerCount('upgrade') > 1) return
    if (!isLive || !isOwnOrigin(request, shop.publicUrl)) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    void findUser(shop, new Headers({ cookie: request.headers.cookie ?? '' }), [])
      .then((user) => sockets.handleUpgrade(request, socket, head, (opened) => welcome(opened, user)))
      .catch((error) => {
        shop.log.error('a live connection failed', error)
        socket.destroy()
      })
  })

  function welcome(socket: WebSocket, user: User | null) {
    listeners.set(socket, { user, isAlive: true })
    socket.on('pong', () => void (listeners.get(socket)!.isAlive = true))
    socket.on('close', () => listeners.delete(socket))
    socket.on('error', () => socket.terminate())
  }

  const offChange = shop.live.onChange((topics) => {
    for (const [socket, { user }] of listeners) {
      const heard = topics.filter((topic) => mayHear(user, topic))
      if (heard.length > 0) socket.send(JSON.stringify({ changed: heard }))
    }
  })
  const offSessionEnd = shop.live.onSessionEnd((sessionId) => {
    for (const [socket, { user }] of listeners) if (user?.sessionId === sessionId) socket.close(4001, 'session ended')
  })
  const heartbeat = setInterval(() => {
    for (const [socket, listener] of listeners) {
      if (!listener.isAlive) socket.terminate()
      listener.isAlive = false
      socket.ping()
      // The browser's script cannot see pings; this lets it notice a connection that died silently.
      socket.send('{"beat":true}')
    }
  }, HEARTBEAT)

  return {
    count: () => listeners.size,
    close() {
      clearInterval(heartbeat)
      offChange()
      offSessionEnd()
      for (const socket of listeners.keys()) socket.close(1001, 'the shop restarts')
      sockets.close()
    },
  }
}

function isOwnOrigin(request: IncomingMessage, publicUrl: string | null): boolean {
  const origin = request.headers.origin
  if (!origin || !URL.canParse(origin)) return false
  return publicUrl ? origin === publicUrl : new URL(origin).host === request.headers.host
}
