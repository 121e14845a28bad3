import { useEffect, useRef } from 'react'
import { useFetchers, useNavigation, useRevalidator } from 'react-router'
import { onDraftsDeleted, tryStorage } from './drafts.ts'
import type { Reader } from './live-connection.ts'

/**
 * Reconnects if the user changes, because the session of a connection selects its updates.
 * `leave` is called after the session was ended, when the user of this document is logged out.
 */
export function useLive(userId: string | null, version: string, leave: () => void) {
  const revalidator = useRevalidator()
  const requests = [useNavigation(), ...useFetchers()]
  const isIdle = requests.every(({ state }) => state === 'idle')
  // A loader could redirect and lose the response of a form that is being sent.
  const isSubmitting = requests.some(({ state }) => state === 'submitting')
  const skippedAt = useRef<string | null>(null)
  const revalidate = isSubmitting
    ? async () => void (skippedAt.current = version)
    : revalidator.revalidate
  const sessionEnded = useEndOfSession(userId, version, leave)
  const latest = useRef<Reader>({ revalidate, version, sessionEnded })
  useEffect(() => {
    latest.current = { revalidate, version, sessionEnded }
    if (!isIdle) return
    if (skippedAt.current === version) void revalidator.revalidate()
    skippedAt.current = null
  })
  useEffect(() => {
    let close: (() => void) | undefined
    let isGone = false
    void import('./live-connection.ts').then(
      ({ connect }) => {
        if (!isGone) close = connect(() => latest.current)
      },
      () => {},
    )
    return () => {
      isGone = true
      close?.()
    }
  }, [userId])
  useEffect(() => onDraftsDeleted(() => latest.current.sessionEnded()), [])
  useEffect(() => followOtherTabs(userId, () => void latest.current.revalidate()), [userId])
}

/** The returned function only notes the end: the tab that logs out must be the first to load. */
function useEndOfSession(userId: string | null, version: string, leave: () => void) {
  const hadUser = useRef(false)
  const wasEnded = useRef(false)
  useEffect(() => {
    if (userId !== null) {
      hadUser.current = true
      wasEnded.current = false
    } else if (hadUser.current && wasEnded.current) {
      hadUser.current = false
      leave()
    }
  }, [userId, version, leave])
  return () => {
    wasEnded.current = true
    if (hadUser.current && userId === null) leave()
  }
}

/** Tells the other tabs who is logged in here, and learns it from them. [LOGIN-60] */
function followOtherTabs(userId: string | null, onChange: () => void) {
  const channel = tryStorage(() => new BroadcastChannel('user'))
  channel?.postMessage(userId)
  channel?.addEventListener('message', ({ data }) => {
    if (data !== userId) onChange()
  })
  return () => channel?.close()
}
