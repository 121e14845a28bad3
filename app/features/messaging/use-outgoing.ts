/** The messages of one conversation that are on their way, for its page. The queues live longer than any page. */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useRevalidator } from 'react-router'
import { connection } from '#app/platform/connection.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { Message } from '#app/features/orders/order.ts'
import { namesOfPictures } from './message-pictures.ts'
import { type Delivered, type Outbox, type Outgoing, type Unsent, openOutbox, postMessage, unsentStore } from './send-queue.ts'
import { chatPicturesOf, withSentPictures } from './chat-pictures.ts'

/** Milliseconds: the live channel is faster; where there is none the page asks by itself. */
const UNTIL_ASKED = 700

const outboxes = new Map<string, Outbox>()

function outboxOf(viewerId: string, orderId: string): Outbox {
  const key = `${viewerId} ${orderId}`
  const known = outboxes.get(key)
  if (known) return known
  const store = unsentStore(viewerId, orderId)
  const post = async (unsent: Unsent): Promise<Delivered> => {
    const ready = await withSentPictures(viewerId, orderId, unsent)
    if (!ready.ok) return { ok: false, isRefused: true, error: ready.text }
    // What is in the shop already is found there after a reload.
    if (ready.one !== unsent) store.keep(ready.one)
    return postMessage(viewerId, orderId, ready.one)
  }
  const outbox = openOutbox({ post, store, now: Date.now })
  outboxes.set(key, outbox)
  connection.subscribe(() => connection.isLost() || outbox.resume())
  outbox.start()
  return outbox
}
const none: readonly Outgoing[] = []
const noneOnServer = () => none

/** CHAT-14, S-169 to S-171: what has been sent and is not among `messages`, and what may be done with it. */
export function useOutgoing(viewerId: string, orderId: string, messages: readonly Message[]) {
  const { revalidate } = useRevalidator()
  const store = useMemo(
    () => ({
      subscribe: (listener: () => void) => outboxOf(viewerId, orderId).subscribe(listener),
      list: () => outboxOf(viewerId, orderId).list(),
    }),
    [viewerId, orderId],
  )
  const all = useSyncExternalStore(store.subscribe, store.list, noneOnServer)
  const arrived = useMemo(() => new Set(messages.map(({ id }) => id)), [messages])
  const outgoing = all.filter(({ messageId }) => !arrived.has(messageId))
  const accepted = outgoing.find(({ state }) => state === 'sent')?.messageId

  // The queue is outside React, and outlives this page.
  useEffect(() => outboxOf(viewerId, orderId).arrived((id) => arrived.has(id)), [viewerId, orderId, arrived])
  useEffect(() => {
    if (!accepted) return
    const before = new Set(
      outboxOf(viewerId, orderId)
        .list()
        .flatMap((one) => (one.state === 'sent' ? one.messageId : [])),
    )
    const timer = setTimeout(() => void revalidate().then(() => outboxOf(viewerId, orderId).arrived((id) => before.has(id))), UNTIL_ASKED)
    return () => clearTimeout(timer)
  }, [viewerId, orderId, accepted, revalidate])

  return {
    outgoing,
    send: (message: string, fields?: Record<string, string>) => outboxOf(viewerId, orderId).send({ messageId: newId15(), message, fields }),
    retry: (messageId: string) => outboxOf(viewerId, orderId).retry(messageId),
    discard(messageId: string) {
      const one = outgoing.find((other) => other.messageId === messageId)
      chatPicturesOf(viewerId, orderId).giveUp(namesOfPictures(one?.fields))
      outboxOf(viewerId, orderId).discard(messageId)
    },
  }
}
