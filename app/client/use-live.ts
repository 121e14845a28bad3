import { useEffect, useRef } from 'react'
import { useFetchers, useNavigation, useRevalidator } from 'react-router'
import type PartySocket from 'partysocket/ws'
import { connectivity, checkConnectivity, markOnline } from './connectivity.ts'
import { createRevalidationQueue } from './revalidation-queue.ts'

/** The browser opens a new WebSocket if no message arrives for this many milliseconds. The server sends more than two heartbeats in this time. */
const SILENCE_MS = 60_000

/** After a change, each browser waits a random time of at most `within` milliseconds before it loads the new data, so that not all browsers send requests at the same time. */
type LiveMessage = { version?: string; changed?: string[]; within?: number }
type Reader = { revalidate: () => Promise<void>; version: string }

/** Opens a WebSocket through which the server reports changes. When another user logs in, the browser opens a new connection, because the server selects the changes for the session that opened the connection. */
export function useLive(userId: string | null, version: string): void {
  const revalidator = useRevalidator()
  const requests = [useNavigation(), ...useFetchers()]
  const isIdle = requests.every(({ state }) => state === 'idle')
  // React Router loads the data again after each accepted form anyway. Loading it earlier could redirect, for example after the deletion of an account, and React Router would then drop the response to the form.
  const isSubmitting = requests.some(({ state }) => state === 'submitting')
  const skippedAt = useRef<string | null>(null)
  const revalidate = isSubmitting
    ? async () => void (skippedAt.current = version)
    : revalidator.revalidate
  const latest = useRef<Reader>({ revalidate, version })
  // The WebSocket stays open when the component renders again. The WebSocket's event handlers read the newest values from this ref.
  useEffect(() => {
    latest.current = { revalidate, version }
    if (!isIdle) return
    // React Router does not load the data again after a refused form. The data version of the page then has not changed.
    if (skippedAt.current === version) void revalidator.revalidate()
    skippedAt.current = null
  })
  // The code of the WebSocket client is loaded after the page, because the page is usable without live updates.
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
  // The delays before reconnecting grow and are partly random, so that not all browsers reconnect at the same time.
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
