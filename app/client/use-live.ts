import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type PartySocket from 'partysocket/ws'
import { connectivity, checkConnectivity, markOnline } from './connectivity.ts'
import { createRevalidationQueue } from './revalidation-queue.ts'

/** The browser reconnects after this time without a message. It is longer than two heartbeat intervals of the server. */
const SILENCE_MS = 60_000

/** Each browser waits a random time of at most `within` milliseconds, so that not all browsers send their requests at the same time. */
type LiveMessage = { version?: string; changed?: string[]; within?: number }
type Reader = { revalidate: () => Promise<void>; version: string }

/** Opens a WebSocket, which receives changes of the page's data. A new user gets a new connection, because the session of the connection decides which changes the server sends. */
export function useLive(userId: string | null, version: string): void {
  const { revalidate } = useRevalidator()
  const latest = useRef<Reader>({ revalidate, version })
  // The connection stays open when the component renders again, so it reads the newest values from this ref.
  useEffect(() => {
    latest.current = { revalidate, version }
  })
  // The WebSocket client is loaded after the page, because the page is complete without it.
  useEffect(() => {
    let close: (() => void) | undefined
    let isGone = false
    void import('partysocket/ws').then(
      ({ default: Socket }) => {
        if (!isGone) close = connect(Socket, () => latest.current)
      },
      () => {},
    )
    return () => {
      isGone = true
      close?.()
    }
  }, [userId])
}

function connect(Socket: typeof PartySocket, latest: () => Reader): () => void {
  const address = new URL('/live', location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  // The socket tries to reconnect until it succeeds. The first delay is random, and later delays are longer. Thus not all browsers reconnect at the same time.
  const socket = new Socket(address.href, undefined, {
    minReconnectionDelay: 500 + Math.random() * 1500,
    maxReconnectionDelay: 15_000 + Math.random() * 5_000,
    reconnectionDelayGrowFactor: 1.7,
    connectionTimeout: 10_000,
  })
  const reloads = createRevalidationQueue(() => latest().revalidate())
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
  socket.addEventListener('close', () => {
    clearTimeout(silence)
    checkConnectivity()
  })
  socket.addEventListener('message', (event) => {
    heard()
    const message = JSON.parse(String(event.data)) as LiveMessage
    if (message.changed) setTimeout(reloads.changed, Math.random() * (message.within ?? 0))
    else if (message.version && message.version !== latest().version) reloads.reconnected()
  })
  // A broken connection can seem open for a long time, so the browser opens a new connection as soon as the shop responds again.
  const unsubscribe = connectivity.subscribe(() => {
    if (connectivity.isLost()) isFresh = false
    else if (!isFresh) socket.reconnect()
  })
  return () => {
    unsubscribe()
    clearTimeout(silence)
    socket.close()
  }
}
