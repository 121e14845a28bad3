import ReconnectingWebSocket from 'partysocket/ws'
import { connectivity, checkConnectivity, markOnline } from './connectivity.ts'
import { createRevalidationQueue } from './revalidation-queue.ts'

const SILENCE_MS = 60_000

type LiveMessage = { version?: string; changed?: string[]; within?: number }
export type Reader = { revalidate: () => Promise<void>; version: string }

/** Must equal the close code in server/realtime/websocket-server.ts. */
const SESSION_ENDED = 4001

export function connect(userId: string | null, latest: () => Reader) {
  const address = new URL('/live', location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new ReconnectingWebSocket(address.href, undefined, {
    minReconnectionDelay: 500 + Math.random() * 1500,
    maxReconnectionDelay: 15_000 + Math.random() * 5_000,
    reconnectionDelayGrowFactor: 1.7,
    connectionTimeout: 10_000,
  })
  const reloads = createRevalidationQueue(() => latest().revalidate())
  const leaveTabs = followOtherTabs(userId, (otherId) => {
    if (otherId === null) reportEndOfSession()
    reloads.changed()
  })
  let silence: ReturnType<typeof setTimeout> | undefined
  let isFresh = true
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => socket.reconnect(), SILENCE_MS)
  }
  socket.addEventListener('open', () => {
    isFresh = true
    heard()
    markOnline()
  })
  socket.addEventListener('close', ({ code }) => {
    if (code === SESSION_ENDED) reportEndOfSession()
    clearTimeout(silence)
    checkConnectivity()
  })
  socket.addEventListener('message', (event) => {
    heard()
    const message = JSON.parse(String(event.data)) as LiveMessage
    if (message.changed) setTimeout(reloads.changed, Math.random() * (message.within ?? 0))
    else if (message.version && message.version !== latest().version) reloads.reloadNow()
  })
  const unsubscribe = connectivity.subscribe(() => {
    if (connectivity.isLost()) isFresh = false
    else if (!isFresh) socket.reconnect()
  })
  return () => {
    leaveTabs()
    unsubscribe()
    clearTimeout(silence)
    socket.close()
  }
}

const reportEndOfSession = () => dispatchEvent(new Event('session-ended'))

/** Tells the other tabs who is logged in here, and learns it from them. [LOGIN-60] */
function followOtherTabs(userId: string | null, onChange: (otherId: string | null) => void) {
  if (!('BroadcastChannel' in window)) return () => {}
  const channel = new BroadcastChannel('user')
  channel.postMessage(userId)
  channel.addEventListener('message', ({ data }) => {
    if (data !== userId) onChange(data)
  })
  return () => channel.close()
}
