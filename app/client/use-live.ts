import { useEffect, useRef } from 'react'
import { useFetchers, useNavigation, useRevalidator } from 'react-router'
import type { Reader } from './live-connection.ts'

/** Reconnects if the user changes, because the server chooses the updates by the session. */
export function useLive(userId: string | null, version: string) {
  const revalidator = useRevalidator()
  const requests = [useNavigation(), ...useFetchers()]
  const isIdle = requests.every(({ state }) => state === 'idle')
  // A loader could redirect and lose the response of a form that is being sent.
  const isSubmitting = requests.some(({ state }) => state === 'submitting')
  const skippedAt = useRef<string | null>(null)
  const revalidate = isSubmitting
    ? async () => void (skippedAt.current = version)
    : revalidator.revalidate
  const latest = useRef<Reader>({ revalidate, version })
  useEffect(() => {
    latest.current = { revalidate, version }
    if (!isIdle) return
    if (skippedAt.current === version) void revalidator.revalidate()
    skippedAt.current = null
  })
  useEffect(() => {
    let close: (() => void) | undefined
    let isGone = false
    void import('./live-connection.ts').then(
      ({ connect }) => {
        if (!isGone) close = connect(userId, () => latest.current)
      },
      () => {},
    )
    return () => {
      isGone = true
      close?.()
    }
  }, [userId])
}
