import { useCallback, useEffect, useRef, useState } from 'react'
import type { Message, MessagePage } from '#conversation/message.ts'

export type MessageWindow = MessagePage & {
  /** the newest messages if others before them are not loaded, else null */
  newer: Message[] | null
}

export const createWindow = ({ messages, hasEarlier }: MessagePage): MessageWindow => ({
  messages,
  hasEarlier,
  newer: null,
})

const firstSeq = (messages: Message[]) => messages[0]?.seq ?? 0
const lastSeq = (messages: Message[]) => messages.at(-1)?.seq ?? 0

const mergedMessages = (earlier: Message[], later: Message[]) => [
  ...earlier.filter(({ seq }) => seq < firstSeq(later)),
  ...later,
]

function isOtherConversation(messages: Message[], page: Message[]) {
  if (lastSeq(page) < lastSeq(messages)) return true
  const ids = new Map(messages.map(({ seq, id }) => [seq, id]))
  return page.some(({ seq, id }) => ids.has(seq) && ids.get(seq) !== id)
}

/** A reader at the end sees the new messages; a reader who has scrolled up stays there. [S-164] */
export function mergeNewest(run: MessageWindow, page: MessagePage, isAway: boolean) {
  const { messages } = run
  if (messages.length === 0 || isOtherConversation(messages, page.messages)) {
    return createWindow(page)
  }
  if (firstSeq(page.messages) <= lastSeq(messages) + 1) {
    const hasEarlier =
      firstSeq(messages) < firstSeq(page.messages) ? run.hasEarlier : page.hasEarlier
    return { messages: mergedMessages(messages, page.messages), hasEarlier, newer: null }
  }
  if (!isAway) return createWindow(page)
  const isNear = run.newer && firstSeq(page.messages) <= lastSeq(run.newer) + 1
  return { ...run, newer: isNear ? mergedMessages(run.newer!, page.messages) : page.messages }
}

/** Ignores a page that would leave a gap. [S-164] */
export function mergeEarlier(run: MessageWindow, before: number, page: MessagePage) {
  if (run.newer && firstSeq(run.newer) === before) {
    const newer = mergedMessages(page.messages, run.newer)
    const isJoined = firstSeq(newer) <= lastSeq(run.messages) + 1
    return isJoined
      ? { ...run, messages: mergedMessages(run.messages, newer), newer: null }
      : { ...run, newer }
  }
  if (firstSeq(run.messages) !== before) return run
  return {
    ...run,
    messages: mergedMessages(page.messages, run.messages),
    hasEarlier: page.hasEarlier,
  }
}

export const showNewest = (run: MessageWindow) =>
  run.newer ? createWindow({ messages: run.newer, hasEarlier: true }) : run

const hasCard = ({ offer, request }: Message) => Boolean(offer ?? request)

export function findCardBefore({ messages, newer }: MessageWindow, before: number) {
  const isEarlierCard = (message: Message) => message.seq < before && hasCard(message)
  return newer?.findLast(isEarlierCard) ?? messages.findLast(isEarlierCard)
}

/** Keeps messages that are not on `page`. [S-451] */
export function replaceMessages({ messages, newer, ...run }: MessageWindow, page: MessagePage) {
  const fresh = new Map(page.messages.map((message) => [message.id, message]))
  const refreshed = (list: Message[]) => list.map((message) => fresh.get(message.id) ?? message)
  return { ...run, messages: refreshed(messages), newer: newer && refreshed(newer) }
}

export type MessageLoading = 'idle' | 'loading' | 'failed'

export function useMessageWindow(orderId: string, page: MessagePage, isAway: boolean) {
  const [run, setRun] = useState(() => createWindow(page))
  const [mergedPage, setMergedPage] = useState(page.messages)
  const [loading, setLoading] = useState<MessageLoading>('idle')
  const isBusy = useRef(false)
  if (mergedPage !== page.messages) {
    setMergedPage(page.messages)
    setRun(mergeNewest(run, page, isAway))
    if (run.newer && loading === 'failed') setLoading('idle')
  } else if (run.newer && !isAway) setRun(showNewest(run))

  const latest = useRef({ run, page })
  useEffect(() => {
    latest.current = { run, page }
  })

  const load = useCallback(
    async (before: number) => {
      if (isBusy.current) return
      isBusy.current = true
      setLoading('loading')
      let earlier: MessagePage | null
      let messages: Message[]
      // A live update during the request may have changed the offers in the answer.
      do {
        messages = latest.current.page.messages
        earlier = await fetchPage(orderId, before)
      } while (earlier?.messages.some(hasCard) && latest.current.page.messages !== messages)
      isBusy.current = false
      if (earlier) setRun((current) => mergeEarlier(current, before, earlier))
      setLoading(earlier ? 'idle' : 'failed')
    },
    [orderId],
  )
  const gapBefore = run.newer?.[0]?.seq
  useEffect(() => {
    if (!gapBefore || loading !== 'idle') return
    const timer = setTimeout(() => void load(gapBefore))
    return () => clearTimeout(timer)
  }, [gapBefore, loading, load])

  // Live updates bring only the newest messages, so earlier pages with cards load again.
  useEffect(() => {
    let isOutdated = false
    const reloadCards = async (before: number): Promise<void> => {
      const card = findCardBefore(latest.current.run, before)
      const reloadedPage = card && (await fetchPage(orderId, card.seq + 1))
      if (!reloadedPage || isOutdated) return
      setRun((current) => replaceMessages(current, reloadedPage))
      await reloadCards(firstSeq(reloadedPage.messages))
    }
    void reloadCards(firstSeq(page.messages))
    return () => {
      isOutdated = true
    }
  }, [orderId, page.messages])

  return { run, loading, load }
}

async function fetchPage(orderId: string, before: number) {
  try {
    const response = await fetch(
      `/messages/earlier/${encodeURIComponent(orderId)}?before=${before}`,
    )
    return response.ok ? ((await response.json()) as MessagePage) : null
  } catch {
    return null
  }
}
