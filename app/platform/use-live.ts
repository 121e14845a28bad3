/** The browser's end of the live channel: after each signal, and after each reconnection, the page's loaders run again. */
import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import { WebSocket as PartySocket } from 'partysocket'

/** Bursts of signals become one reload of the data. */
const SETTLE = 40
const SILENCE = 60_000

/** `userId`: a new connection is made when the person changes, since the server decides by the session what it may hear. */
export function useLive(userId: string | null): void {
  const { revalidate } = useRevalidator()
  const latest = useRef(revalidate)
  useEffect(() => {
    latest.current = revalidate
  })
  // Talks to the WebSocket of the shop.
  useEffect(() => {
    const address = new URL('/live', location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const socket = new PartySocket(address.href, undefined, {
      minReconnectionDelay: 500 + Math.random() * 1500,
      maxReconnectionDelay: 15_000 + Math.random() * 5_000,
      reconnectionDelayGrowFactor: 1.7,
    })
    let hasOpened = false
    let settling: ReturnType<typeof setTimeout> | undefined
    let silence: ReturnType<typeof setTimeout> | undefined
    const askAnew = () => {
      clearTimeout(settling)
      settling = setTimeout(() => void latest.current(), SETTLE)
    }
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => socket.reconnect(), SILENCE)
    }
    socket.addEventListener('open', () => {
      heard()
      // Something may have been missed while it was away.
      if (hasOpened) askAnew()
      hasOpened = true
    })
    socket.addEventListener('message', (event) => {
      heard()
      if (String(event.data).includes('changed')) askAnew()
    })
    return () => {
      clearTimeout(settling)
      clearTimeout(silence)
      socket.close()
    }
  }, [userId])
}
