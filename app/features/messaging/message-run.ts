/** What of a conversation the browser holds: messages without a gap, and how news and earlier pages join them. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Message, MessagePage } from '#app/features/orders/order.ts'

export type Run = MessagePage & {
  /** more has come than one page while the reader was elsewhere: the newest, until what lies between is here */
  newer: Message[] | null
}

export const startRun = ({ messages, hasEarlier }: MessagePage): Run => ({ messages, hasEarlier, newer: null })

const firstOf = (messages: Message[]) => messages[0]?.seq ?? 0
const lastOf = (messages: Message[]) => messages.at(-1)?.seq ?? 0

/** The later page wins where both have a message. */
const joined = (earlier: Message[], later: Message[]): Message[] => [...earlier.filter(({ seq }) => seq < firstOf(later)), ...later]

/** Deleted and begun anew: the same places, other messages. */
function isAnother(held: Message[], page: Message[]): boolean {
  if (lastOf(page) < lastOf(held)) return true
  const ids = new Map(held.map(({ seq, id }) => [seq, id]))
  return page.some(({ seq, id }) => ids.has(seq) && ids.get(seq) !== id)
}

/** S-164: the newest page, as it is after each change. A reader at the end sees it at once, one elsewhere keeps what is before her. */
export function joinNewest(run: Run, page: MessagePage, isAway: boolean): Run {
  const { messages } = run
  if (messages.length === 0 || isAnother(messages, page.messages)) return startRun(page)
  if (firstOf(page.messages) <= lastOf(messages) + 1) {
    const hasEarlier = firstOf(messages) < firstOf(page.messages) ? run.hasEarlier : page.hasEarlier
    return { messages: joined(messages, page.messages), hasEarlier, newer: null }
  }
  if (!isAway) return startRun(page)
  const isNear = run.newer && firstOf(page.messages) <= lastOf(run.newer) + 1
  return { ...run, newer: isNear ? joined(run.newer!, page.messages) : page.messages }
}

/** S-164: the page that was asked for as what comes before `before`; one that no longer fits anywhere is dropped. */
export function joinEarlier(run: Run, before: number, page: MessagePage): Run {
  if (run.newer && firstOf(run.newer) === before) {
    const newer = joined(page.messages, run.newer)
    const isJoined = firstOf(newer) <= lastOf(run.messages) + 1
    return isJoined ? { ...run, messages: joined(run.messages, newer), newer: null } : { ...run, newer }
  }
  if (firstOf(run.messages) !== before) return run
  return { ...run, messages: joined(page.messages, run.messages), hasEarlier: page.hasEarlier }
}

/** At the end of the conversation the newest is what one sees. */
export const goToEnd = (run: Run): Run => (run.newer ? startRun({ messages: run.newer, hasEarlier: true }) : run)

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
