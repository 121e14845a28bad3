import { useCallback, useRef, useState } from 'react'
import type { Message, MessagePage } from '#app/features/orders/order.ts'

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

/**
 * S-164: the browser holds messages without a gap. When more has come than one page, a reader at the end goes on from the newest; one elsewhere
 * keeps what is before her until she comes to its end.
 */
export function joinNewest(run: MessagePage, { messages, hasEarlier }: MessagePage, isAway: boolean): MessagePage {
  if (run.messages.length === 0 || isAnother(run.messages, messages)) return { messages, hasEarlier }
  if (firstOf(messages) > lastOf(run.messages) + 1) return isAway ? run : { messages, hasEarlier }
  const isLonger = firstOf(run.messages) < firstOf(messages)
  return { messages: joined(run.messages, messages), hasEarlier: isLonger ? run.hasEarlier : hasEarlier }
}

/** S-164: the page that was asked for as what comes before `before`; one that no longer fits is dropped. */
export function joinEarlier(run: MessagePage, before: number, page: MessagePage): MessagePage {
  if (firstOf(run.messages) !== before) return run
  return { messages: joined(page.messages, run.messages), hasEarlier: page.hasEarlier }
}

export type Loading = 'idle' | 'loading' | 'failed'

async function fetchPage(address: string): Promise<MessagePage | null> {
  try {
    const response = await fetch(address)
    return response.ok ? ((await response.json()) as MessagePage) : null
  } catch {
    return null
  }
}

export function useMessageRun(orderId: string, page: MessagePage, isAway: boolean) {
  const [run, setRun] = useState(page)
  const [known, setKnown] = useState(page.messages)
  const [loading, setLoading] = useState<Loading>('idle')
  const isBusy = useRef(false)
  const isBehind = !isAway && lastOf(run.messages) < lastOf(page.messages)
  if (known !== page.messages || isBehind) {
    setKnown(page.messages)
    setRun(joinNewest(run, page, isAway))
  }

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

  return { run, loading, load }
}
