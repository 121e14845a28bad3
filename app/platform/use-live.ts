import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type PartySocket from 'partysocket/ws'
import { connection, doubtConnection, heardFromShop } from './connection.ts'
import { openReloads } from './reloads.ts'

/** More than two beats of the server. */
const SILENCE = 60_000

/** `within`: milliseconds in which the browsers of a crowd ask anew. */
type Told = { version?: string; changed?: string[]; within?: number }
type Reader = { revalidate: () => Promise<void>; version: string }

/** Each person gets a new connection, since the server decides by the session what it hears; it greets with the newest version. */
export function useLive(userId: string | null, version: string): void {
  const { revalidate } = useRevalidator()
  const latest = useRef<Reader>({ revalidate, version })
  // Hands what was rendered last to the channel, which lives longer than one rendering.
  useEffect(() => {
    latest.current = { revalidate, version }
  })
  // Talks to the WebSocket of the shop. Its program comes after the page, which is complete without it.
  useEffect(() => {
    let close: (() => void) | undefined
    let isGone = false
    void import('partysocket/ws').then(
      ({ default: Socket }) => {
        if (!isGone) close = listen(Socket, () => latest.current)
      },
      () => {},
    )
    return () => {
      isGone = true
      close?.()
    }
  }, [userId])
}

function listen(Socket: typeof PartySocket, latest: () => Reader): () => void {
  const address = new URL('/live', location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  // It tries for ever, less and less often; each browser at its own pace, so that a restart does not bring all back at once.
  const socket = new Socket(address.href, undefined, {
    minReconnectionDelay: 500 + Math.random() * 1500,
    maxReconnectionDelay: 15_000 + Math.random() * 5_000,
    reconnectionDelayGrowFactor: 1.7,
    connectionTimeout: 10_000,
  })
  const reloads = openReloads(() => latest().revalidate())
  let silence: ReturnType<typeof setTimeout> | undefined
  /** Opened since the connection was lost the last time. */
  let isFresh = true
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => socket.reconnect(), SILENCE)
  }
  socket.addEventListener('open', () => {
    isFresh = true
    heard()
    heardFromShop()
  })
  socket.addEventListener('close', () => {
    clearTimeout(silence)
    doubtConnection()
  })
  socket.addEventListener('message', (event) => {
    heard()
    const told = JSON.parse(String(event.data)) as Told
    if (told.changed) setTimeout(reloads.told, Math.random() * (told.within ?? 0))
    else if (told.version && told.version !== latest().version) reloads.toldAnew()
  })
  // A line that was cut may look open for a long time: a new one is made once the shop answers again.
  const unsubscribe = connection.subscribe(() => {
    if (connection.isLost()) isFresh = false
    else if (!isFresh) socket.reconnect()
  })
  return () => {
    unsubscribe()
    clearTimeout(silence)
    socket.close()
  }
}
