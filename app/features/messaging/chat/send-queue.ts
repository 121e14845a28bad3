import { checkConnectivity, whenOnline } from '#client/connectivity.ts'
import { STORAGE_PREFIX, tryStorage } from '#client/drafts.ts'
import { postForm } from '#client/post-form.ts'
import { createStore } from '#client/store.ts'

export type UnsentMessage = {
  messageId: string
  message: string
  at: number
  fields?: Record<string, string>
}
/**
 * A 'sent' message is not on the page yet. One with `needsManualRetry` was refused or is too old.
 */
export type OutgoingMessage = UnsentMessage & {
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  needsManualRetry?: boolean
  error?: string
}
export type DeliveryResult = { ok: true } | { ok: false; isRefused: boolean; error?: string }

type UnsentStore = ReturnType<typeof unsentStore>
type SendQueueSetup = {
  post: (message: UnsentMessage) => Promise<DeliveryResult>
  store: UnsentStore
  now: () => number
}

const RESUME_MS = 3_600_000

export type SendQueue = ReturnType<typeof createSendQueue>

/** Sends one message at a time. The shop stores one message per id. [S-169] */
export function createSendQueue({ post, store, now }: SendQueueSetup) {
  const { read, write, subscribe } = createStore(readOutgoing(store, now()))
  let isRunning = false

  const change = (isMeant: (message: OutgoingMessage) => boolean, to: Partial<OutgoingMessage>) =>
    write(read().map((message) => (isMeant(message) ? withState(message, to) : message)))
  const wake = () => change(mayResume, { state: 'waiting' })

  async function run() {
    if (isRunning) return
    isRunning = true
    for (let next; (next = read().find(({ state }) => state === 'waiting'));) {
      const { messageId } = next
      const isNext = (message: OutgoingMessage) => message.messageId === messageId
      change(isNext, { state: 'sending' })
      const { state: _, needsManualRetry: __, error: ___, ...unsent } = next
      const result = await post(unsent).catch(() => notDelivered)
      if (result.ok) {
        store.drop(messageId)
        change(isNext, { state: 'sent' })
      } else {
        // Unless the shop refused this message, the later messages fail, too.
        const isFailed = (message: OutgoingMessage) =>
          isNext(message) || (!result.isRefused && message.state === 'waiting')
        change(isFailed, {
          state: 'failed',
          needsManualRetry: result.isRefused,
          error: result.error,
        })
      }
    }
    isRunning = false
  }

  return {
    read,
    subscribe,
    send(message: Omit<UnsentMessage, 'at'>) {
      const unsent = { ...message, at: Math.max(now(), (read().at(-1)?.at ?? 0) + 1) }
      store.keep(unsent)
      wake()
      write([...read(), { ...unsent, state: 'waiting' }])
      void run()
    },
    retry(messageId: string) {
      const message = read().find((candidate) => candidate.messageId === messageId)
      if (message?.needsManualRetry) {
        const others = read().filter((candidate) => candidate !== message)
        write([...others, { ...message, needsManualRetry: undefined }])
      }
      wake()
      void run()
    },
    resume() {
      wake()
      void run()
    },
    start: () => void run(),
    discard(messageId: string) {
      store.drop(messageId)
      write(read().filter((message) => message.messageId !== messageId))
    },
    clear: () => write([]),
    arrived(isThere: (messageId: string) => boolean) {
      const pageMessages = read().filter(({ messageId }) => isThere(messageId))
      if (pageMessages.length === 0) return
      for (const { messageId } of pageMessages) store.drop(messageId)
      write(read().filter((message) => !pageMessages.includes(message)))
    },
  }
}

const notDelivered: DeliveryResult = { ok: false, isRefused: false }

const withState = (message: OutgoingMessage, to: Partial<OutgoingMessage>) => ({
  ...message,
  error: undefined,
  needsManualRetry: undefined,
  ...to,
})

const mayResume = ({ state, needsManualRetry }: OutgoingMessage) =>
  state === 'failed' && !needsManualRetry

const readOutgoing = (store: UnsentStore, now: number): OutgoingMessage[] =>
  store
    .read()
    .toSorted((left, right) => left.at - right.at)
    .map((message) =>
      now - message.at < RESUME_MS
        ? { ...message, state: 'waiting' }
        : { ...message, state: 'failed', needsManualRetry: true },
    )

const RETRY_MS = 3000
const REFUSED_STATUSES = [400, 404, 409, 413, 422]

/** If the shop does not answer, sends the message once more, with the same id. [S-169] */
export async function submitMessage(viewerId: string, orderId: string, message: UnsentMessage) {
  const result = await requestOnce(viewerId, orderId, message)
  if (result) return result
  const isOnline = await whenOnline(AbortSignal.timeout(RETRY_MS)).then(
    () => true,
    () => false,
  )
  return (isOnline && (await requestOnce(viewerId, orderId, message))) || notDelivered
}

/** Returns null without a response. The server refuses a `writer` who is not the user. */
async function requestOnce(
  viewerId: string,
  orderId: string,
  { messageId, message, fields }: UnsentMessage,
): Promise<DeliveryResult | null> {
  const values = { ...fields, intent: 'send', writer: viewerId, orderId, messageId, message }
  try {
    const { answer, status } = await postForm('/messages', values, { keepalive: true })
    if (answer?.ok) return { ok: true }
    if (answer === null && status >= 500) throw new Error(String(status))
    return { ok: false, isRefused: REFUSED_STATUSES.includes(status), error: answer?.error }
  } catch {
    checkConnectivity()
    return null
  }
}

const RETENTION_MS = 30 * 24 * 3_600_000

/** Each message has its own entry, so that tabs do not overwrite each other's messages. */
export function unsentStore(viewerId: string, orderId: string) {
  const begin = `${STORAGE_PREFIX}message:${viewerId}:${orderId}:`
  return {
    read: () =>
      tryStorage(() => {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(begin))
        return keys.flatMap((key) => {
          const unsent = tryStorage(() => JSON.parse(localStorage.getItem(key)!) as UnsentMessage)
          if (
            typeof unsent?.message === 'string' &&
            key === begin + unsent.messageId &&
            Date.now() - unsent.at < RETENTION_MS
          ) {
            return [unsent]
          }
          localStorage.removeItem(key)
          return []
        })
      }) ?? [],
    keep: (message: UnsentMessage) =>
      void tryStorage(() =>
        localStorage.setItem(begin + message.messageId, JSON.stringify(message)),
      ),
    drop: (messageId: string) => void tryStorage(() => localStorage.removeItem(begin + messageId)),
  }
}
