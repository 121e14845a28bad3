import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type PartySocket from 'partysocket/ws'
import { connectivity, checkConnectivity, markOnline } from './connectivity.ts'
import { createRevalidationQueue } from './revalidation-queue.ts'

/** Longer than two heartbeats of the server. */
const SILENCE_MS = 60_000

/** `within`: milliseconds over which many browsers spread their requests. */
type LiveMessage = { version?: string; changed?: string[]; within?: number }
type Reader = { revalidate: () => Promise<void>; version: string }

/** Each user needs a new connection, because the server decides by session what it may receive. The first message carries the newest version. */
export function useLive(userId: string | null, version: string): void {
  const { revalidate } = useRevalidator()
  const latest = useRef<Reader>({ revalidate, version })
  // Passes the newest props to the connection, which outlives a render.
  useEffect(() => {
    latest.current = { revalidate, version }
  })
  // Loads the WebSocket client after the page, which is complete without it.
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
  // Retries forever, with growing delays that start at a random value, so that browsers do not all reconnect at the same time.
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
  // A broken connection can look open for a long time, so the browser opens a new one once the shop responds again.
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
