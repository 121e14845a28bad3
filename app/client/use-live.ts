import { useEffect, useRef } from 'react'
import { useFetchers, useNavigation, useRevalidator } from 'react-router'
import type { Reader } from './live-connection.ts'

/** A new user needs a new connection, whose session selects the changes. */
export function useLive(userId: string | null, version: string) {
  const revalidator = useRevalidator()
  const requests = [useNavigation(), ...useFetchers()]
  const isIdle = requests.every(({ state }) => state === 'idle')
  // Loading the data earlier could redirect and lose the form's response.
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
        if (!isGone) close = connect(() => latest.current)
      },
      () => {},
    )
    return () => {
      isGone = true
      close?.()
    }
  }, [userId])
}
