/** Holds the loaded messages of a conversation. No message between two loaded messages is missing. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Message, MessagePage } from '#app/features/orders/order.ts'

export type MessageWindow = MessagePage & {
  /** the newest messages while messages between `messages` and the newest messages are not loaded yet; otherwise null */
  newer: Message[] | null
}

export const createWindow = ({ messages, hasEarlier }: MessagePage): MessageWindow => ({
  messages,
  hasEarlier,
  newer: null,
})

const firstSeq = (messages: Message[]) => messages[0]?.seq ?? 0
const lastSeq = (messages: Message[]) => messages.at(-1)?.seq ?? 0

/** Joins two pages. A message in both pages is taken from the later page. */
const mergedMessages = (earlier: Message[], later: Message[]): Message[] => [
  ...earlier.filter(({ seq }) => seq < firstSeq(later)),
  ...later,
]

/** Returns true if the conversation was deleted and started again. */
function isOtherConversation(held: Message[], page: Message[]): boolean {
  if (lastSeq(page) < lastSeq(held)) return true
  const ids = new Map(held.map(({ seq, id }) => [seq, id]))
  return page.some(({ seq, id }) => ids.has(seq) && ids.get(seq) !== id)
}

/** Adds the newest page of messages. A reader at the end of the message log sees the new messages, and any other reader stays at the same position. [S-164] */
export function mergeNewest(run: MessageWindow, page: MessagePage, isAway: boolean): MessageWindow {
  const { messages } = run
  if (messages.length === 0 || isOtherConversation(messages, page.messages))
    return createWindow(page)
  if (firstSeq(page.messages) <= lastSeq(messages) + 1) {
    const hasEarlier =
      firstSeq(messages) < firstSeq(page.messages) ? run.hasEarlier : page.hasEarlier
    return { messages: mergedMessages(messages, page.messages), hasEarlier, newer: null }
  }
  if (!isAway) return createWindow(page)
  const isNear = run.newer && firstSeq(page.messages) <= lastSeq(run.newer) + 1
  return { ...run, newer: isNear ? mergedMessages(run.newer!, page.messages) : page.messages }
}

/** Adds a page of earlier messages. Ignores a page that does not end directly before the loaded messages. [S-164] */
export function mergeEarlier(run: MessageWindow, before: number, page: MessagePage): MessageWindow {
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

export const showNewest = (run: MessageWindow): MessageWindow =>
  run.newer ? createWindow({ messages: run.newer, hasEarlier: true }) : run

/** Returns true if a message has a card: the box that shows an offer or a requested item with its current state. */
const hasCard = ({ offer, request }: Message) => Boolean(offer ?? request)

/** Returns the newest loaded message before the sequence number `before` whose offer or requested item may have changed. */
export function findCardBefore(
  { messages, newer }: MessageWindow,
  before: number,
): Message | undefined {
  const isFound = (message: Message) => message.seq < before && hasCard(message)
  return newer?.findLast(isFound) ?? messages.findLast(isFound)
}

/** Replaces the loaded messages that `page` contains too. [S-451] */
export function replaceMessages(
  { messages, newer, ...run }: MessageWindow,
  page: MessagePage,
): MessageWindow {
  const fresh = new Map(page.messages.map((message) => [message.id, message]))
  const replaced = (held: Message[]) => held.map((message) => fresh.get(message.id) ?? message)
  return { ...run, messages: replaced(messages), newer: newer && replaced(newer) }
}

export type Loading = 'idle' | 'loading' | 'failed'

async function fetchPage(orderId: string, before: number): Promise<MessagePage | null> {
  try {
    const response = await fetch(
      `/messages/earlier/${encodeURIComponent(orderId)}?before=${before}`,
    )
    return response.ok ? ((await response.json()) as MessagePage) : null
  } catch {
    return null
  }
}

export function useMessageWindow(orderId: string, page: MessagePage, isAway: boolean) {
  const [run, setRun] = useState(() => createWindow(page))
  const [known, setKnown] = useState(page.messages)
  const [loading, setLoading] = useState<Loading>('idle')
  const isBusy = useRef(false)
  if (known !== page.messages) {
    setKnown(page.messages)
    setRun(mergeNewest(run, page, isAway))
    // After a failure, a new message causes another attempt to load the missing messages.
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
      // A live update that arrives during the request may change offers or requested items on this page, so the page is loaded again.
      do {
        messages = latest.current.page.messages
        earlier = await fetchPage(orderId, before)
      } while (earlier?.messages.some(hasCard) && latest.current.page.messages !== messages)
      isBusy.current = false
      if (earlier) setRun((now) => mergeEarlier(now, before, earlier))
      setLoading(earlier ? 'idle' : 'failed')
    },
    [orderId],
  )
  // Loads pages of earlier messages until no message before the newest messages is missing.
  const gapBefore = run.newer?.[0]?.seq
  useEffect(() => {
    if (!gapBefore || loading !== 'idle') return
    const timer = setTimeout(() => void load(gapBefore))
    return () => clearTimeout(timer)
  }, [gapBefore, loading, load])

  // The page contains only the newest messages. After each live update, the browser loads the earlier pages with cards again.
  useEffect(() => {
    let isOutdated = false
    const reloadCards = async (before: number): Promise<void> => {
      const card = findCardBefore(latest.current.run, before)
      const again = card && (await fetchPage(orderId, card.seq + 1))
      if (!again || isOutdated) return
      setRun((now) => replaceMessages(now, again))
      await reloadCards(firstSeq(again.messages))
    }
    void reloadCards(firstSeq(page.messages))
    return () => {
      isOutdated = true
    }
  }, [orderId, page.messages])

  return { run, loading, load }
}
