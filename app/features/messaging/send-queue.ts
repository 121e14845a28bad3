import { checkConnectivity, whenOnline } from '#app/client/connectivity.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { tryStorage, STORAGE_PREFIX } from '#app/client/drafts.ts'

export type UnsentMessage = {
  messageId: string
  message: string
  at: number
  fields?: Record<string, string>
}
/** A "sent" message is stored in the shop, but the page does not show it yet. If `needsManualRetry` is true, a failed message is sent again only when the writer retries, because the shop has refused the message or the message is too old. */
export type OutgoingMessage = UnsentMessage & {
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  needsManualRetry?: boolean
  error?: string
}
/** `isRefused` is true if the error concerns only this message, so that later messages can still be sent. */
export type DeliveryResult = { ok: true } | { ok: false; isRefused: boolean; error?: string }

/** Stores the unsent messages, so that a reload of the page does not lose these messages. */
type UnsentStore = {
  read: () => UnsentMessage[]
  keep: (one: UnsentMessage) => void
  drop: (messageId: string) => void
}
type SendQueueOptions = {
  post: (one: UnsentMessage) => Promise<DeliveryResult>
  store: UnsentStore
  now: () => number
}

/** A reloaded page sends unsent messages automatically if they are younger than this number of milliseconds. */
const RESUME_MS = 3_600_000

export type SendQueue = ReturnType<typeof createSendQueue>

/** Sends messages one after the other. Each message has its own id, so that the server stores a message once even if it is sent twice. [S-169, S-170, S-077] */
export function createSendQueue({ post, store, now }: SendQueueOptions) {
  const listeners = new Set<() => void>()
  let isRunning = false
  let list: readonly OutgoingMessage[] = store
    .read()
    .toSorted((a, b) => a.at - b.at)
    .map((one) =>
      now() - one.at < RESUME_MS
        ? { ...one, state: 'waiting' }
        : { ...one, state: 'failed', needsManualRetry: true },
    )

  function become(next: readonly OutgoingMessage[]) {
    list = next
    for (const listener of listeners) listener()
  }
  const change = (isMeant: (one: OutgoingMessage) => boolean, to: Partial<OutgoingMessage>) =>
    become(
      list.map((one) =>
        isMeant(one) ? { ...one, error: undefined, needsManualRetry: undefined, ...to } : one,
      ),
    )
  const wake = () =>
    change((one) => one.state === 'failed' && !one.needsManualRetry, { state: 'waiting' })

  async function run() {
    if (isRunning) return
    isRunning = true
    for (let next; (next = list.find(({ state }) => state === 'waiting'));) {
      const { messageId } = next
      const isIt = (one: OutgoingMessage) => one.messageId === messageId
      change(isIt, { state: 'sending' })
      const { state: _, needsManualRetry: __, error: ___, ...unsent } = next
      const delivered = await post(unsent).catch((): DeliveryResult => ({
        ok: false,
        isRefused: false,
      }))
      if (delivered.ok) {
        store.drop(messageId)
        change(isIt, { state: 'sent' })
      } else {
        // Later messages fail, too, unless the error concerns only this message.
        const isMeant = delivered.isRefused
          ? isIt
          : (one: OutgoingMessage) => isIt(one) || one.state === 'waiting'
        change(isMeant, {
          state: 'failed',
          needsManualRetry: delivered.isRefused,
          error: delivered.error,
        })
      }
    }
    isRunning = false
  }

  return {
    list: () => list,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Sends a new message, and retries the failed messages before it. */
    send(one: Omit<UnsentMessage, 'at'>) {
      const unsent = { ...one, at: Math.max(now(), (list.at(-1)?.at ?? 0) + 1) }
      store.keep(unsent)
      wake()
      become([...list, { ...unsent, state: 'waiting' }])
      void run()
    },
    /** Retries a failed message. A message that was refused or is too old moves to the end of the queue. */
    retry(messageId: string) {
      const one = list.find((other) => other.messageId === messageId)
      if (one?.needsManualRetry)
        become([...list.filter((other) => other !== one), { ...one, needsManualRetry: undefined }])
      wake()
      void run()
    },
    /** Sends waiting and failed messages again after the browser has reconnected. */
    resume() {
      wake()
      void run()
    },
    start: () => void run(),
    discard(messageId: string) {
      store.drop(messageId)
      become(list.filter((one) => one.messageId !== messageId))
    },
    /** Removes all messages after a logout, which has already deleted their stored copies. [S-171] */
    clear: () => become([]),
    /** Removes the messages that the page shows, even if the browser lost the HTTP response to such a message. */
    arrived(isThere: (messageId: string) => boolean) {
      const gone = list.filter(({ messageId }) => isThere(messageId))
      if (gone.length === 0) return
      for (const { messageId } of gone) store.drop(messageId)
      become(list.filter((one) => !gone.includes(one)))
    },
  }
}

const MESSAGES_URL = '/messages'
/** The browser aborts an HTTP request for a message after this number of milliseconds, because browsers report no error for a dead connection. */
const REQUEST_TIMEOUT_MS = 15_000
/** After a failed HTTP request, the queue waits at most this many milliseconds for the connection to return. If the connection does not return, the writer sees an error. */
const RETRY_MS = 3000
/** With one of these HTTP statuses, the server refuses only this message, so that later messages can still be sent. */
const REFUSED_STATUSES = [400, 404, 409, 413, 422]

/** Sends a message. Without an HTTP response, sends the message once more with the same id, so that the server stores the message only once. [S-169] */
export async function submitMessage(
  viewerId: string,
  orderId: string,
  one: UnsentMessage,
): Promise<DeliveryResult> {
  const first = await requestOnce(viewerId, orderId, one)
  if (first) return first
  const isBack = await whenOnline(AbortSignal.timeout(RETRY_MS)).then(
    () => true,
    () => false,
  )
  return (isBack && (await requestOnce(viewerId, orderId, one))) || { ok: false, isRefused: false }
}

/** Sends a single HTTP request, and returns null without an HTTP response. The form contains the writer's id, so that the server refuses the message if another user has signed in. */
async function requestOnce(
  viewerId: string,
  orderId: string,
  { messageId, message, fields }: UnsentMessage,
): Promise<DeliveryResult | null> {
  const form = new FormData()
  for (const [name, value] of Object.entries({
    ...fields,
    intent: 'send',
    writer: viewerId,
    orderId,
    messageId,
    message,
  }))
    form.append(name, value)
  try {
    const response = await fetch(MESSAGES_URL, {
      method: 'POST',
      body: form,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      keepalive: true,
    })
    const answer = await response.json().then(
      (result: ActionResult) => result,
      () => null,
    )
    if (answer?.ok) return { ok: true }
    if (answer === null && response.status >= 500) throw new Error(String(response.status))
    return {
      ok: false,
      isRefused: REFUSED_STATUSES.includes(response.status),
      error: answer?.error,
    }
  } catch {
    checkConnectivity()
    return null
  }
}

const STORAGE_KEY_PREFIX = `${STORAGE_PREFIX}message:`
const RETENTION_MS = 30 * 24 * 3_600_000

/** Stores a separate entry for each message, so that browser tabs do not overwrite the messages of other tabs. */
export function unsentStore(viewerId: string, orderId: string): UnsentStore {
  const begin = `${STORAGE_KEY_PREFIX}${viewerId}:${orderId}:`
  return {
    read: () =>
      tryStorage(() => {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(begin))
        return keys.flatMap((key) => {
          const one = tryStorage(() => JSON.parse(localStorage.getItem(key)!) as UnsentMessage)
          if (
            typeof one?.message === 'string' &&
            key === begin + one.messageId &&
            Date.now() - one.at < RETENTION_MS
          )
            return [one]
          localStorage.removeItem(key)
          return []
        })
      }) ?? [],
    keep: (one) =>
      void tryStorage(() => localStorage.setItem(begin + one.messageId, JSON.stringify(one))),
    drop: (messageId) => void tryStorage(() => localStorage.removeItem(begin + messageId)),
  }
}
