/** The messages that a log shows: the page that came with it, what has come since, and earlier ones as they are asked for. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { MessagePage } from '#app/features/orders/order.ts'
import { goToEnd, joinEarlier, joinNewest, startRun } from './message-run.ts'

export type Loading = 'idle' | 'loading' | 'failed'

async function fetchPage(address: string): Promise<MessagePage | null> {
  try {
    const response = await fetch(address)
    return response.ok ? ((await response.json()) as MessagePage) : null
  } catch {
    return null
  }
}

/** S-164 */
export function useMessageRun(orderId: string, page: MessagePage, isAway: boolean) {
  const [run, setRun] = useState(() => startRun(page))
  const [known, setKnown] = useState(page.messages)
  const [loading, setLoading] = useState<Loading>('idle')
  const isBusy = useRef(false)
  if (known !== page.messages) {
    setKnown(page.messages)
    setRun(joinNewest(run, page, isAway))
    // What lies between is asked for once more.
    if (run.newer && loading === 'failed') setLoading('idle')
  } else if (run.newer && !isAway) setRun(goToEnd(run))

  const load = useCallback(
    async (before: number) => {
      if (isBusy.current) return
      isBusy.current = true
      setLoading('loading')
      const earlier = await fetchPage(`/messages/earlier/${encodeURIComponent(orderId)}?before=${before}`)
      isBusy.current = false
      if (earlier) setRun((now) => joinEarlier(now, before, earlier))
      setLoading(earlier ? 'idle' : 'failed')
    },
    [orderId],
  )
  // What lies between is the shop's; it is fetched page by page until both parts meet.
  const gapBefore = run.newer?.[0]?.seq
  useEffect(() => {
    if (!gapBefore || loading !== 'idle') return
    const timer = setTimeout(() => void load(gapBefore))
    return () => clearTimeout(timer)
  }, [gapBefore, loading, load])

  return { run, loading, load }
}
