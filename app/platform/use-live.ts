/** The browser's end of the live channel: after each signal, and after a connection that missed one, the page's loaders run again. */
import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import { WebSocket as PartySocket } from 'partysocket'

/** Bursts of signals become one reload of the data. */
const SETTLE = 40
/** More than two beats of the server. */
const SILENCE = 60_000

type Told = { version?: string; changed?: string[] }

/**
 * `userId`: a new connection is made when the person changes, since the server decides by the session what it may hear.
 * `version`: of the data on the page; the server greets with the newest one, so nothing is missed while there is no connection.
 */
export function useLive(userId: string | null, version: string): void {
  const { revalidate } = useRevalidator()
  const latest = useRef({ revalidate, version })
  useEffect(() => {
    latest.current = { revalidate, version }
  })
  // Talks to the WebSocket of the shop.
  useEffect(() => {
    const address = new URL('/live', location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    // It tries for ever, less and less often; each browser at its own pace, so that a restart does not bring all back at once.
    const socket = new PartySocket(address.href, undefined, {
      minReconnectionDelay: 500 + Math.random() * 1500,
      maxReconnectionDelay: 15_000 + Math.random() * 5_000,
      reconnectionDelayGrowFactor: 1.7,
      connectionTimeout: 10_000,
    })
    let settling: ReturnType<typeof setTimeout> | undefined
    let silence: ReturnType<typeof setTimeout> | undefined
    const askAnew = () => {
      clearTimeout(settling)
      settling = setTimeout(() => void latest.current.revalidate(), SETTLE)
    }
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => socket.reconnect(), SILENCE)
    }
    const isBack = () => {
      if (socket.readyState !== socket.OPEN) socket.reconnect()
    }
    socket.addEventListener('open', heard)
    socket.addEventListener('close', () => clearTimeout(silence))
    socket.addEventListener('message', (event) => {
      heard()
      const told = JSON.parse(String(event.data)) as Told
      if (told.changed || (told.version && told.version !== latest.current.version)) askAnew()
    })
    window.addEventListener('online', isBack)
    return () => {
      window.removeEventListener('online', isBack)
      clearTimeout(settling)
      clearTimeout(silence)
      socket.close()
    }
  }, [userId])
}
